"""Fields inside structs and objects play roles by their paths, in every input that has columns."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of
from tests.support.tables import each, hold

FLAT = [("q1", "2026-01-01", "a", 3.0), ("q1", "2026-01-01", "b", 2.0), ("q2", "2026-01-02", "b", 1.0)]
ROWS = [
    {
        "request": {"id": query, "day": day, "user": {"name": f"u{query}"}},
        "product": {"id": doc},
        "model": {"score": score},
    }
    for query, day, doc, score in FLAT
]


def hit(doc: str, score: float) -> dict[str, Any]:
    """A document in a list."""
    return {"id": doc, "product": {"id": doc, "price": {"net": score}}}


LISTS = [
    {"id": "q1", "response": {"total": 7, "hits": [hit("a", 3.0), hit("b", 2.0)]}},
    {"id": "q2", "response": {"total": 7, "hits": [hit("b", 1.0)]}},
]
QRELS = {"q1": {"b": 1}, "q2": {"b": 1}}
COLUMNS = {"query_id": "request.id", "doc_id": "product.id", "score": "model.score"}
FORMS = ["parquet", "jsonl", "json", "pandas", "polars", "arrow", "database"]


def made(form: str, rows: list[dict[str, Any]], folder: Path) -> dict[str, Any]:
    """The rows as an input of a form, and what else `evaluate` is told."""
    table = pyarrow.Table.from_pylist(rows)
    path = folder / f"run.{form}"
    if form == "parquet":
        pyarrow.parquet.write_table(table, path)
    elif form == "jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    elif form == "json":
        path.write_text(json.dumps(rows, indent=1))
    elif form == "database":
        with duckdb.connect(folder / "db.duckdb") as connection:
            connection.register("given", table)
            connection.execute("create table run as from given")
            judged = "values ('q1', 'b', 1), ('q2', 'b', 1)"
            connection.execute(f"create table qrels as from ({judged}) t (query_id, doc_id, rel)")
        return {"run": "run", "qrels": "qrels", "database": str(folder / "db.duckdb")}
    else:
        frames: dict[str, Any] = {"pandas": pandas.DataFrame, "polars": polars.DataFrame}
        return {"run": frames[form](rows) if form in frames else table, "qrels": QRELS}
    return {"run": path, "qrels": QRELS}


def test_fields_of_structs_play_roles_by_their_paths(tmp_path: Path) -> None:
    def check(form: str) -> None:
        given = made(form, ROWS, tmp_path)
        with sqlrank.evaluate(**given, metrics="rr", columns=COLUMNS) as result:
            assert result.to_dict() == {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}
        if form != "database":
            columns = COLUMNS | {"query_id": "request.user.name"}
            with sqlrank.evaluate(given["run"], {"uq2": {"b": 1}}, "rr", columns=columns) as result:
                assert result.to_dict() == {"uq2": {"rr": 1.0}}

    hold(FORMS, check)


def test_fields_deep_inside_lists_of_structs_play_roles_by_their_paths(tmp_path: Path) -> None:
    def check(form: str) -> None:
        given = made(form, LISTS, tmp_path)
        hits = "response.hits[].product"
        columns = {"run.query_id": "id", "run.doc_id": f"{hits}.id", "run.score": f"{hits}.price.net"}
        with sqlrank.evaluate(**given, metrics="rr", columns=columns) as result:
            assert result.to_dict() == {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}
        columns = {"run.query_id": "id", "run.doc_id": "response.hits[].id"}  # beside the id of the query
        with sqlrank.evaluate(**given, metrics="rr", columns=columns) as result:
            assert result.to_dict() == {"q1": {"rr": 0.5}, "q2": {"rr": 1.0}}

    hold(FORMS, check)


def test_ids_may_be_composed_of_fields_and_judgments_may_have_them(tmp_path: Path) -> None:
    given = made("jsonl", ROWS, tmp_path)
    judged = [{"request": {"id": "q1", "day": "2026-01-01"}, "product": {"id": "b"}, "label": {"grade": 1}}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(judged), tmp_path / "qrels.parquet")
    columns = COLUMNS | {"query_id": "request.id,request.day", "qrels.relevance": "label.grade"}
    with sqlrank.evaluate(given["run"], tmp_path / "qrels.parquet", "rr", columns=columns) as result:
        assert result.to_dict() == {"q1,2026-01-01": {"rr": 0.5}}


def test_a_column_that_is_called_as_a_path_is_that_column(tmp_path: Path) -> None:
    rows = [row | {"request.id": "q9", "request": row["request"]} for row in ROWS[:1]]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "run.parquet")
    with sqlrank.evaluate(tmp_path / "run.parquet", {"q9": {"a": 1}}, "rr", columns=COLUMNS) as result:
        assert result.to_dict() == {"q9": {"rr": 1.0}}


NOWHERE: list[tuple[Any, str, str]] = [
    (ROWS, "query_id=request.idd", "request has no field 'idd'; did you mean id? (it has {})"),
    (ROWS, "query_id=request.user.nam", "request.user has no field 'nam'; did you mean name? (it has name)"),
    (ROWS, "query_id=request.id.x", "request.id has nothing inside"),
    (ROWS, "query_id=requests.id", "has no column 'requests.id'; did you mean request?"),
    (LISTS, "doc_id=response.hits[].product.idd", "response.hits[].product has no field 'idd'; did you mean id?"),
    (LISTS, "doc_id=response.hits[].producd.id", "response.hits[] has no field 'producd'; did you mean product?"),
    (LISTS, "doc_id=response.total[]", "not in lists in response.total"),
]


def test_a_path_that_leads_nowhere_is_told_with_what_is_there(tmp_path: Path) -> None:
    def check(case: tuple[str, tuple[Any, str, str]]) -> None:
        form, (rows, told, said) = case
        run = made(form, rows, tmp_path)["run"]
        (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,b,1\n")
        message = error_of(3, "eval", run, "--qrels", tmp_path / "qrels.csv", "--column", f"run.{told}", "-m", "rr")
        assert said.format("day, id, user" if form == "jsonl" else "id, day, user") in message
        assert "sqlrank_" not in message

    hold(product(["parquet", "jsonl"], NOWHERE), check)


def test_lists_of_structs_are_told_with_the_path_to_their_ids(tmp_path: Path) -> None:
    rows = [{"query_id": "q1", "hits": [{"id": "a", "title": "t"}, {"id": "b", "title": "u"}]}]
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,b,1\n")

    def check(form: str) -> None:
        run = made(form, rows, tmp_path)["run"]
        asked = ["eval", run, "--qrels", tmp_path / "qrels.csv", "-m", "rr", "--format", "csv"]
        assert "--column doc_id=hits[].id" in error_of(3, *asked)
        asked += ["--column", "run.doc_id=hits[].id"]
        assert completed(*asked).table[0]["value"] == "0.5"
        assert "sqlrank_" not in error_of(3, *asked, "--column", "run.score=x")
        assert "sqlrank_" not in error_of(2, *asked, "--where", "x = 1")

    hold(["parquet", "jsonl"], check)


def test_a_row_of_json_without_the_field_is_an_error_and_never_another_value(tmp_path: Path) -> None:
    def check(value: str) -> None:
        run, qrels = tmp_path / "run.jsonl", tmp_path / "qrels.csv"
        good = '{"request": {"id": "q1"}, "doc_id": "b", "score": 1}\n'
        run.write_text(f'{good}{{"request": {value}, "doc_id": "b", "score": 2}}\n')
        qrels.write_text("query_id,doc_id,relevance\nq1,b,1\n")
        asked = ["eval", run, "--qrels", qrels, "--column", "run.query_id=request.id", "-m", "rr"]
        if value == '{"id": ""}':
            assert completed(*asked).code == 0
        else:
            assert "query_id" in error_of(3, *asked)

    hold(["null", '"abc"', "7", "[1]", "{}", '{"id": null}', '{"id": {"x": 1}}', '{"id": ""}'], check)


def test_a_text_may_hold_an_object_of_json(tmp_path: Path) -> None:
    texts = [json.dumps({"id": "q1", "s/o": {"k": place}}) for place in range(2)]
    table = pandas.DataFrame({"request": texts, "doc_id": ["a", "b"]})
    table.to_parquet(tmp_path / "run.parquet")
    table.to_csv(tmp_path / "run.csv", index=False)
    columns = {"run.query_id": "request.id", "run.score": "request.s/o.k"}

    def check(data: Any) -> None:
        with sqlrank.evaluate(data, {"q1": {"a": 1}}, "rr", columns=columns) as result:
            assert result.to_dict() == {"q1": {"rr": 0.5}}
        with pytest.raises(sqlrank.DataError, match="request has no field 'ID'; did you mean id"):
            sqlrank.evaluate(data, {"q1": {"a": 1}}, "rr", columns=columns | {"run.query_id": "request.ID"})

    hold(
        {"csv": tmp_path / "run.csv", "parquet": tmp_path / "run.parquet", "arrow": pyarrow.Table.from_pandas(table)},
        check,
    )


@each(["", "abc", "7", "[1]", "{}", '{"id": null}', '{"id": {"x": 1}}', '{"id": [1]}'])
def test_a_text_without_the_field_is_an_error_and_never_another_value(value: str) -> None:
    rows = [{"request": text, "doc_id": "b", "score": 1.0} for text in ('{"id": "q1"}', value)]
    with pytest.raises(sqlrank.DataError, match="query_id"):
        sqlrank.evaluate(
            pyarrow.Table.from_pylist(rows), {"q1": {"b": 1}}, "rr", columns={"run.query_id": "request.id"}
        )


def test_a_path_below_a_list_is_refused_in_a_statement() -> None:
    message = error_of(2, "sql", "runs", "--qrels", "qrels", "--column", "run.doc_id=results[].product.id", "-m", "rr")
    assert "results[].product.id" in message
