"""A query or a document of several columns: values keep apart, and the rows of the queries carry the columns."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlrank
from tests.support.cli_helper import completed, error_of
from tests.support.examples import examples
from tests.support.tables import hold

Rows = list[tuple[Any, ...]]
RUN_NAMES = ("user_id", "date", "item_id", "shop", "score")
QRELS_NAMES = ("user_id", "date", "item_id", "shop", "relevance")
COMPOSED = {"query_id": "user_id,date", "doc_id": "item_id,shop"}
METRICS = ["ndcg@3", "ap", "rr"]
USERS = ["u1", "a,b", "a", "%2C", "%", 'quo"te', "é"]
DAYS = ["2026-01-01", "b,2026-01-01", ",", "2026-01-02"]


def data(seed: int) -> tuple[Rows, Rows]:
    """A run and judgments of some users on some days, with names that hold commas and per cent signs."""
    chosen = random.Random(seed)
    items = [(f"i{number}", shop) for number in range(4) for shop in ("s", "s,1")]
    run, qrels = [], []
    for user in USERS:
        for day in DAYS:
            for item in items:
                if chosen.random() < 0.7:
                    run.append((user, day, *item, chosen.random()))
                if chosen.random() < 0.6:
                    qrels.append((user, day, *item, chosen.randint(0, 2)))
    return run, qrels


RUN, QRELS = data(3)


def reshaped(rows: Rows) -> Rows:
    """The rows with one id for each query and each document, in which nothing can be mistaken."""
    return [(json.dumps([user, day]), json.dumps([item, shop]), number) for user, day, item, shop, number in rows]


@cache
def wanted() -> dict[tuple[str, ...], float]:
    """The values by user, day and metric, from the reshaped rows."""
    names = ("query_id", "doc_id")
    run, qrels = frame((*names, "score"), reshaped(RUN)), frame((*names, "relevance"), reshaped(QRELS))
    with sqlrank.evaluate(run, qrels, METRICS) as result:
        values = result.to_dict()
    return {(*json.loads(query), text): found[text] for query, found in values.items() for text in METRICS}


def frame(names: Sequence[str], rows: Rows) -> pyarrow.Table:
    return pyarrow.table({name: [row[place] for row in rows] for place, name in enumerate(names)})


def write_csv(path: Path, names: Sequence[str], rows: Rows) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([names, *rows])
    path.write_text(text.getvalue(), encoding="utf-8")


def write_json(path: Path, names: Sequence[str], rows: Rows) -> None:
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows), encoding="utf-8")


def write_parquet(path: Path, names: Sequence[str], rows: Rows) -> None:
    pyarrow.parquet.write_table(frame(names, rows), path)


WRITERS: dict[str, Callable[[Path, Sequence[str], Rows], None]] = {
    "csv": write_csv,
    "jsonl": write_json,
    "parquet": write_parquet,
}


def assert_as_reshaped(result: sqlrank.Result) -> None:
    """Compare the values by the columns that the rows carry."""
    rows = result.to_dicts(per_query=True)
    columns = result.columns
    found = {(row["user_id"], row["date"], text): row[columns[text]] for row in rows for text in METRICS}
    assert len(found) == len(rows) * len(METRICS)
    assert found == pytest.approx(wanted(), abs=1e-12)


def test_files_and_frames_give_what_reshaped_tables_give_with_and_without_a_segment(tmp_path: Path) -> None:
    def check(form: str) -> None:
        run, qrels = tmp_path / f"run.{form}", tmp_path / f"qrels.{form}"
        WRITERS[form](run, RUN_NAMES, RUN)
        WRITERS[form](qrels, ("uid", *QRELS_NAMES[1:]), QRELS)
        columns = {"run.query_id": "user_id,date", "qrels.query_id": "uid,date", "doc_id": "item_id,shop"}
        with sqlrank.evaluate(run, qrels, METRICS, columns=columns) as result:
            assert_as_reshaped(result)

    hold(list(WRITERS), check)
    given: dict[str, Any] = {"columns": {"query_id": ["user_id", "date"], "doc_id": ("item_id", "shop")}, "by": "date"}
    with sqlrank.evaluate(frame(RUN_NAMES, RUN), frame(QRELS_NAMES, QRELS), METRICS, **given) as result:
        assert_as_reshaped(result)
        assert {row["date"] for row in result.to_dicts()} == {*DAYS, None}


def registered() -> duckdb.DuckDBPyConnection:
    """A connection with the run and the judgments."""
    connection = duckdb.connect()
    for name, names, rows in (("runs", RUN_NAMES, RUN), ("judgments", QRELS_NAMES, QRELS)):
        connection.register(name, frame(names, rows))
    return connection


def test_a_statement_gives_what_reshaped_tables_give() -> None:
    rows = registered().sql(sqlrank.sql("runs", "judgments", METRICS, columns=COMPOSED)).fetchall()
    found = {(*row[1:3], text): value for row in rows for text, value in zip(METRICS, row[3:], strict=True)}
    assert found == pytest.approx(wanted(), abs=1e-12)


@examples(20)
@given(pairs=st.sets(st.tuples(*[st.text(alphabet='a,%2C5"', max_size=5)] * 2), min_size=1, max_size=8))
def test_values_keep_apart(pairs: set[tuple[str, str]]) -> None:
    run = frame(("a", "b", "doc_id", "score", "relevance"), [(*pair, "d", 1, 1) for pair in sorted(pairs)])
    with sqlrank.evaluate(run, None, "rr", columns={"query_id": "a,b"}) as result:
        rows = result.to_dicts(per_query=True)
    assert sorted((row["a"], row["b"]) for row in rows) == sorted(pairs)
    assert len({row["query_id"] for row in rows}) == len(pairs)


def test_explain_and_compare_know_these_queries(tmp_path: Path) -> None:
    for name, scores in (("old", (2, 1)), ("new", (1, 2))):
        rows = [("u,1", day, item, "s", score) for day in DAYS for item, score in zip("ab", scores, strict=True)]
        write_csv(tmp_path / f"{name}.csv", RUN_NAMES, rows)
    write_csv(tmp_path / "qrels.csv", QRELS_NAMES, [("u,1", day, "b", "s", 1) for day in DAYS])
    told = [word for role, columns in COMPOSED.items() for word in ("--column", f"{role}={columns}")]
    judged = ["--qrels", tmp_path / "qrels.csv", *told]
    assert "b,s" in completed("explain", "u%2C1,2026-01-01", tmp_path / "old.csv", *judged).out
    compared = completed("compare", tmp_path / "old.csv", tmp_path / "new.csv", *judged, "-m", "rr").out
    assert "+0.5000" in compared


def test_a_part_that_is_missing_is_an_error(tmp_path: Path) -> None:
    write_csv(tmp_path / "run.csv", RUN_NAMES, RUN)
    write_csv(tmp_path / "qrels.csv", ("query_id", *QRELS_NAMES[1:]), QRELS)
    judged = [tmp_path / "run.csv", "--qrels", tmp_path / "qrels.csv"]
    said = error_of(3, "eval", *judged, "--column", "query_id=user_id,date", "--column", "doc_id=item_id,shop")
    assert "qrels.csv has no column 'user_id'" in said


def test_copies_are_told_apart(tmp_path: Path) -> None:
    def check(case: tuple[tuple[str, ...], tuple[Any, ...], str]) -> None:
        names, row, advice = case
        rows = [(*row, "1"), (*row, "2"), (row[0], "other", 0, *row[3:], "1")]
        write_csv(tmp_path / "run.csv", names, rows)
        write_csv(tmp_path / "qrels.csv", ("query_id", "doc_id", "relevance"), [("q", "d", 1)])
        said = error_of(3, "eval", tmp_path / "run.csv", "--qrels", tmp_path / "qrels.csv")
        assert f"the copies differ in {names[-1]}" in said
        assert advice in said

    cases = [
        (("query_id", "doc_id", "score", "day"), ("q", "d", 1), "--column query_id=query_id,day"),
        (("query_id", "doc_id", "score", "day no"), ("q", "d", 1), "--column 'query_id=query_id,day no'"),
        (("query_id", "doc_id", "score", "variant", "model"), ("q", "d", 1, "v"), "--column system=variant,model"),
        (("user_id", "doc_id", "score", "the,day"), ("q", "d", 1), """--column 'query_id=user_id,"the,day"'"""),
    ]
    hold(cases, check)


def test_a_column_of_versions_names_systems(tmp_path: Path) -> None:
    rows = [("q", "d", 1, "v1"), ("q", "e", 2, "v1"), ("q", "d", 2, "v2"), ("q", "e", 1, "v2")]
    write_csv(tmp_path / "run.csv", ("query_id", "doc_id", "score", "model_version"), rows)
    write_csv(tmp_path / "qrels.csv", ("query_id", "doc_id", "relevance"), [("q", "d", 1)])
    with sqlrank.evaluate(tmp_path / "run.csv", tmp_path / "qrels.csv", "rr") as result:
        assert {system: result.value("rr", system) for system in result.systems} == {"v1": 0.5, "v2": 1.0}


SHOWN = ("query", "session", "product", "position", "clicked")
EVENTS = [("shoes", session, product, place, int(product == f"p{session}")) for session in (1, 2, 3)
          for place, product in enumerate(["p1", "p2", "p3"], 1)]  # fmt: skip


def test_a_session_is_part_of_the_query(tmp_path: Path) -> None:
    write_csv(tmp_path / "events.csv", SHOWN, EVENTS)
    columns = {"query_id": "query", "doc_id": "product"}
    with sqlrank.evaluate(tmp_path / "events.csv", None, "rr", columns=columns, session="session") as result:
        rows = result.to_dicts(per_query=True)
    wanted = [("shoes", "1", 1.0), ("shoes", "2", 0.5), ("shoes", "3", pytest.approx(1 / 3))]
    assert [(row["query"], row["session"], row["rr"]) for row in rows] == wanted
    said = error_of(3, "eval", tmp_path / "events.csv", "--column", "doc_id=product")
    assert "choose --column query_id=query,session" in said


def test_a_statement_has_a_column_once_however_it_is_asked_for() -> None:
    connection = registered()
    made: dict[str, Any] = {"create": ("table", "daily"), "incremental": "date", "keep": ["user_id"]}
    statement = sqlrank.sql("runs", "judgments", "rr", columns=COMPOSED, **made)
    for _ in DAYS:
        connection.execute(statement)
    found = connection.sql("from daily").fetchall()
    assert connection.sql("from daily").columns == ["date", "query_id", "user_id", "rr", "sqlrank_definition"]
    values = {(user, day): value for (user, day, text), value in wanted().items() if text == "rr"}
    run = {row[:2] for row in RUN}
    shown = {(user, day): value for day, _, user, value, _ in found if (user, day) in run}
    assert shown == pytest.approx({pair: value for pair, value in values.items() if pair in run})


def test_a_macro_has_no_place_for_such_an_id() -> None:
    with pytest.raises(sqlrank.UsageError, match="columns= with several columns: a macro reads relations as they are"):
        sqlrank.macros("ndcg", columns=COMPOSED)
