"""A row for each query with lists of documents is read as the rows of its places."""

from __future__ import annotations

import json
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import sqlrank
from tests.support.cli_helper import completed, error_of, run_cli
from tests.support.tables import hold

RANKINGS: dict[str, list[tuple[str, float, int]]] = {
    "q1": [("a", 3.0, 0), ("b", 2.0, 2), ("c", 1.5, 1)],
    "q2": [("c", 0.5, 1)],
    "q,3": [("b", -1.0, 0), ("a", 2.5, 1)],
}
METRICS = ["ndcg@2", "ap", "rr", "num_ret"]
PLACES = ("doc_id", "score", "relevance")
FOUND = {query: [dict(zip(PLACES, place, strict=True)) for place in found] for query, found in RANKINGS.items()}
FLAT = [{"query_id": query} | place for query, found in FOUND.items() for place in found]
STRUCTS: list[dict[str, Any]] = [
    {"query_id": query, "country": "de", "results": found} for query, found in FOUND.items()
]
NAMED = dict(zip(("item_ids", "scores", "labels"), PLACES, strict=True))
LISTS: list[dict[str, Any]] = [
    {"query_id": query, "country": "de"} | {name: [place[each] for place in found] for name, each in NAMED.items()}
    for query, found in FOUND.items()
]


@cache
def wanted() -> dict[str, Any]:
    """The values of the reshaped rows."""
    with sqlrank.evaluate(pandas.DataFrame(FLAT), metrics=METRICS) as result:
        return result.to_dict()


def texts(mark: str) -> list[dict[str, Any]]:
    """The lists as texts with a mark between the values."""
    names = ("item_ids", "scores", "labels")
    return [row | {name: f" {mark} ".join(map(str, row[name])) for name in names} for row in LISTS]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    frame = pyarrow.Table.from_pylist(rows)
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(frame, path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    else:
        pandas.DataFrame(rows).to_csv(path, index=False)
    return path


def test_lists_give_what_reshaped_tables_give(tmp_path: Path) -> None:
    def check(case: tuple[Any, str]) -> None:
        rows, form = case
        frames = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "arrow": pyarrow.Table.from_pylist}
        data: Any = frames[form](rows) if form in frames else write(tmp_path / f"run.{form}", rows)
        with sqlrank.evaluate(data, metrics=METRICS, by="country") as result:
            assert result.to_dict() == wanted()
            assert "a row holds lists" in result.notes[0]
            assert {row["country"] for row in result.to_dicts()} == {"de", None}

    hold(zip(cycle([LISTS, STRUCTS]), ["parquet", "jsonl", "pandas", "polars", "arrow", "parquet"]), check)


def test_texts_are_lists_with_a_separator(tmp_path: Path) -> None:
    def check(mark: str) -> None:
        rows = texts(mark) if mark != "." else [row | {"scores": "1"} for row in texts(mark)]
        path = write(tmp_path / "run.csv", rows)
        if mark == ".":  # which is in the scores
            with pytest.raises(sqlrank.DataError, match="the lists item_ids and scores of one row have 3 and 1 values"):
                sqlrank.evaluate(path, metrics=METRICS, separator=mark)
            return
        with sqlrank.evaluate(path, metrics=METRICS, separator=mark) as result:
            assert result.to_dict() == wanted()

    hold(["|", ",", ";", ".", "\\", "'", "||"], check)


def test_a_number_beside_a_text_is_of_one_document_though_a_separator_is_given(tmp_path: Path) -> None:
    run = write(tmp_path / "run.parquet", [{"query_id": "q", "docs": "a|b|c"}])
    judged = [{"query_id": "q", "doc_id": "b", "relevance": 2}, {"query_id": "q", "doc_id": "c", "relevance": 1}]
    with sqlrank.evaluate(run, qrels=write(tmp_path / "qrels.parquet", judged), metrics="rr", separator="|") as result:
        assert result["rr"] == 0.5
    judged[0]["doc_id"] = "b|c"
    with pytest.raises(sqlrank.DataError, match=r"doc_id has several documents in b\|c, and relevance one relevance"):
        sqlrank.evaluate(run, qrels=write(tmp_path / "bad.parquet", judged), metrics="rr", separator="|")


def test_the_order_is_the_rank_where_there_are_no_scores(tmp_path: Path) -> None:
    shown = [{"user_id": "u", "recs": ["x", "y", "z"], "bought": ["y"]}, {"user_id": "v", "recs": [], "bought": ["x"]}]
    path = write(tmp_path / "recs.parquet", shown)
    columns = ["--column", "run.doc_id=recs", "--column", "qrels.doc_id=bought"]
    done = run_cli("eval", path, "--positives", path, *columns, "-m", "rr", "--format", "csv", "--per-query", "-")
    assert [(row["query_id"], row["rr"]) for row in done.table] == [("u", "0.5"), ("v", "0")]
    assert "there is no score; the order of recs is the rank" in done.err
    assert "1 row has no recs" in done.err
    explained = completed("explain", "u", path, "--positives", path, *columns, "-m", "rr").out
    assert [line.split()[1] for line in explained.splitlines()[1:4]] == ["x", "y", "z"]


def test_judgments_in_lists_are_read_too(tmp_path: Path) -> None:
    judged = [
        {"query_id": query, "doc_ids": [doc for doc, *_ in found], "grades": [label for *_, label in found]}
        for query, found in RANKINGS.items()
    ]
    qrels = write(tmp_path / "qrels.jsonl", judged)
    run = write(tmp_path / "run.parquet", LISTS)
    with sqlrank.evaluate(run, qrels, METRICS) as result:
        assert result.to_dict() == wanted()
    with sqlrank.compare(systems={"a": run, "b": run}, qrels=qrels, metrics="rr") as compared:
        assert compared.all_rows[0]["difference"] == 0


def test_lists_that_are_wrong_are_told_with_the_row_of_the_file(tmp_path: Path) -> None:
    def check(case: tuple[Any, str]) -> None:
        row, said = case
        first = [{"query_id": "p", "item_ids": ["a", "b", "c"], "scores": [3.0, 2.0, 1.0]}]
        empty = [{"query_id": "e", "item_ids": [], "scores": []}]
        path = write(tmp_path / "run.parquet", [*first, *empty, {"query_id": "q"} | row])
        (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq,a,1\n")
        message = error_of(3, "eval", path, "--qrels", tmp_path / "qrels.csv")
        assert said in message
        assert f"{path}, row" in message or ", row" not in said

    cases: list[tuple[Any, str]] = [
        ({"item_ids": ["a", "b"], "scores": [1.0]}, "the lists item_ids and scores of one row have 2 and 1 values"),
        ({"item_ids": ["a", None], "scores": [1.0, 2.0]}, "row 3: 1 of 5 rows has no query_id or no doc_id"),
        ({"item_ids": ["a", "a"], "scores": [1.0, 2.0]}, "appears 2 times"),
        ({"item_ids": ["a"], "scores": [float("nan")]}, "row 3: 1 of 4 scores is null, not a number, or inf"),
        ({"item_ids": ["a", ""], "scores": [1.0, 2.0]}, "row 3: 1 of 5 places of lists holds an empty text"),
    ]
    hold(cases, check)


def test_a_place_of_a_text_without_an_id_is_an_error_with_the_line(tmp_path: Path) -> None:
    def check(docs: str) -> None:
        path = tmp_path / "run.csv"
        path.write_text(f"query_id,docs\nq0,d1|d2\nq1,{docs}\n")
        (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq1,d2,1\n")
        said = error_of(3, "eval", path, "--qrels", tmp_path / "qrels.csv", "--separator", "|", "-m", "rr")
        assert "run.csv, line 3: 1 of 5 places of lists holds an empty text where an id is expected" in said
        assert "'q1'" in said

    hold(["d1||d2", "d1|d2|", "|d1|d2", "d1| |d2"], check)


def test_a_value_of_json_that_is_no_list_of_ids_is_an_error_with_the_row(tmp_path: Path) -> None:
    def check(case: tuple[str, str]) -> None:
        value, said = case
        path, qrels = tmp_path / "run.jsonl", tmp_path / "qrels.csv"
        path.write_text(f'{{"query_id": "q0", "docs": ["d1", "d2"]}}\n{{"query_id": "q1", "docs": {value}}}\n')
        qrels.write_text("query_id,doc_id,relevance\nq1,d2,1\n")
        assert f"{path}, {said}" in error_of(3, "eval", path, "--qrels", qrels, "-m", "rr")
        path.write_text(path.read_text().replace('"docs"', '"doc_ids"'))
        judged = error_of(3, "eval", qrels, "--positives", path, "--column", "run.score=relevance", "-m", "rr")
        assert f"{path}, {said}".replace("docs", "doc_ids") in judged

    cases = [
        ('["d1","","d2"]', "row 2: 1 of 5 places of lists holds an empty text"),
        ('["d1",null,"d2"]', "row 2: 1 of 5 rows has no query_id or no doc_id"),
        ("7", "row 2: docs is not a list: 7"),
        ("true", "row 2: docs is not a list: true"),
        ('"d1"', "row 2: docs is not a list: d1"),
        ('{"id": "d2"}', 'row 2: docs is not a list: {"id":"d2"}'),
    ]
    hold(cases, check)


def test_rankings_without_scores_in_two_rows_are_an_error_as_the_order_of_rows_says_nothing(tmp_path: Path) -> None:
    path, qrels = tmp_path / "run.jsonl", tmp_path / "qrels.csv"
    rows = [{"query_id": "q1", "docs": ["d1", "d2"]}, {"query_id": "q2", "docs": ["d1"]}]
    more = {"query_id": "q1", "docs": ["d3", "d4"]}
    qrels.write_text("query_id,doc_id,relevance\nq1,d4,1\nq2,d1,1\n")
    write(path, [*rows, more])
    asked = [path, "--qrels", qrels, "-m", "rr", "--format", "csv"]
    said = error_of(3, "eval", *asked)
    assert "the ranking of 1 query is in more than one row, such as that of 'q1' in 2" in said
    assert "run.rank=NAME" in said

    flat = tmp_path / "flat.csv"  # whose first rank may stand twice
    flat.write_text("query_id,doc_id,rank\nq1,d1,1\nq1,d4,1\nq2,d1,1\n")
    assert "in the run run" in error_of(3, "compare", flat, *asked[:4], "rr")
    similar = error_of(3, "compare", f"a={path}", f"b={path}", "-m", "rbo")
    assert "are in more than one row" in similar

    write(path, [*rows, {"query_id": "q3", "docs": ["d3"]}])
    assert completed("eval", *asked).table[0]["value"] == "0.5"
    assert completed("compare", flat, *asked[:4], "rr").code == 0
    ranked = [rows[0] | {"ranks": [1, 2]}, rows[1] | {"ranks": [1]}, more | {"ranks": [3, 4]}]
    write(path, ranked)
    assert completed("eval", *asked, "--column", "run.rank=ranks").table[0]["value"] == "0.625"


def test_structs_without_scores_are_in_the_order_of_their_list(tmp_path: Path) -> None:
    rows = [{"query_id": "q", "hits": [{"doc_id": doc, "title": "t"} for doc in ("c", "b", "a")]}]
    for path in (write(tmp_path / "run.parquet", rows), write(tmp_path / "run.jsonl", rows)):
        with sqlrank.evaluate(path, {"q": {"b": 1}}, "rr") as result:
            assert result.to_dict() == {"q": {"rr": 0.5}}
            assert any("the order of hits is the rank" in note for note in result.notes)


def test_an_id_in_json_that_is_none_and_one_label_for_a_ranking_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"query_id": "q", "doc_ids": ["a", 1.5]}\n')
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,relevance\nq,a,1\n")
    said = error_of(3, "eval", path, "--qrels", tmp_path / "qrels.csv")
    assert "a doc_id in JSON must be a string or a whole number, not 1.5" in said
    path = write(tmp_path / "next.parquet", [{"user_id": "u", "recs": ["x", "y"], "target": "y"}])
    said = error_of(3, "eval", path, "-m", "rr")
    assert "target has one value for a whole ranking" in said
    asked = ["--positives", path, "--column", "qrels.doc_id=target", "-m", "rr", "--format", "csv"]
    assert completed("eval", path, *asked).table[0]["value"] == "0.5"
    assert "is not a list" in error_of(3, "eval", path, "--column", "relevance=target", "-m", "rr")


def test_brackets_tell_lists_as_in_a_statement(tmp_path: Path) -> None:
    def values(rows: list[dict[str, Any]], **columns: str) -> dict[str, Any]:
        with sqlrank.evaluate(write(tmp_path / "run.parquet", rows), metrics=METRICS, columns=columns) as result:
            return result.to_dict()

    assert values(LISTS, doc_id="item_ids[]", score="scores[]", relevance="labels[]") == wanted()
    other = [{"query_id": row["query_id"], "seen": row["results"], "hits": row["results"]} for row in STRUCTS]
    assert values(other, **{name: f"hits[].{name}" for name in PLACES}) == wanted()
    with pytest.raises(sqlrank.DataError, match=r"the doc_id is not in lists in country; leave out the brackets"):
        values(LISTS, doc_id="country[]")


def test_a_list_is_no_part_of_a_query_that_tells_copies_apart(tmp_path: Path) -> None:
    of_day = {"user_id": "u", "scores": [2.0, 1.0]}
    days = [of_day | {"date": f"2026-01-0{day}", "recs": ["a", f"b{day}"], "bought": [str(day)]} for day in (1, 2, 3)]
    path = write(tmp_path / "run.parquet", [*days, days[0] | {"user_id": "v"}])
    (tmp_path / "qrels.csv").write_text("user_id,item_id,relevance\nu,a,1\n")
    said = error_of(3, "eval", path, "--qrels", tmp_path / "qrels.csv")
    assert "the copies differ in date: if a query is another one for each of its values" in said
    assert "copies differ in date" in completed("inspect", path).out
