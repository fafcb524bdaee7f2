"""What a pipeline makes of a statement, in every engine: tables, views, one partition more, and findings."""

from __future__ import annotations

from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

import sqlrank
from sqlrank.dialects import DIALECTS
from sqlrank.errors import UsageError
from tests.support.cases import arrow, random_data, rows_of
from tests.support.engines import on_engines, session
from tests.support.sessions import Session

Row = tuple[Any, ...]
DAYS = ("2026-01-01", "2026-01-02", "2026-01-03")
RUN_COLUMNS, QRELS_COLUMNS = ("query_id", "doc_id", "score"), ("query_id", "doc_id", "relevance")
RUN, QRELS = random_data(51)
REVERSED = {query: {document: -score for document, score in found.items()} for query, found in RUN.items()}
RUNS = dict(zip(DAYS, (RUN, REVERSED, dict(list(RUN.items())[::2])), strict=True))
NUMBERS = count()
"""Tells the tables of the tests apart, which stay where a session is shared."""
METRICS = ["ndcg@10", "ap"]
JUDGED = (rows_of(QRELS), QRELS_COLUMNS)


def daily() -> tuple[list[Row], tuple[str, ...]]:
    """The rankings of every day, each with its day and the country of its query."""
    rows = [(*row, day, f"of {row[0]}") for day, run in RUNS.items() for row in rows_of(run)]
    return rows, (*RUN_COLUMNS, "ds", "country")


@cache
def evaluated(day: str, *metrics: str) -> tuple[dict[str, Any], dict[str, float | None]]:
    """The values of a day by query, and their means."""
    with sqlrank.evaluate(RUNS[day], QRELS, list(metrics)) as result:
        return result.to_dict(), {text: result[text] for text in metrics}


def run_script(engine: Session, script: str) -> None:
    """Run each statement of a script."""
    for statement in script.split(";\n\n"):
        engine.run(statement)


def table(engine: Session, name: str) -> tuple[list[str], list[Row]]:
    """The columns and rows of a table."""
    return engine.query(f"select * from {name}")


def name_of(kind: str) -> str:
    """A name that no other test has."""
    return f"{kind}_{next(NUMBERS)}"


@on_engines("kind summary", ["table", "view"], [False, True], every=True)
def test_a_table_or_view_holds_the_rows_of_the_statement(engine: str, kind: str, summary: bool) -> None:
    connection, name = session(engine, found=(rows_of(RUN), RUN_COLUMNS), judged=JUDGED), name_of(kind)
    run, qrels = "found", "judged"
    if engine == "spark":  # whose views that stay read no temporary ones
        run, qrels = (name_of(relation) for relation in (run, qrels))
        for made, relation in ((run, "found"), (qrels, "judged")):
            connection.run(f"create table {made} as select * from {relation}")
    options: dict[str, Any] = {"dialect": engine, "summary": summary, "system": "the 'best'"}
    run_script(connection, sqlrank.sql(run, qrels, METRICS, create=(kind, name), **options))
    columns, rows = table(connection, name)
    wanted_columns, wanted = connection.query(sqlrank.sql(run, qrels, METRICS, **options))

    assert columns == wanted_columns
    assert columns[0] == "system"
    assert {row[0] for row in rows} == {"the 'best'"}
    assert sorted(row[:2] for row in rows) == sorted(row[:2] for row in wanted)


@on_engines("", every=True)
def test_each_run_adds_the_first_partition_that_the_table_does_not_hold(engine: str) -> None:
    connection, name = session(engine, days=daily(), judged=JUDGED), name_of("daily")
    script = sqlrank.sql(
        "days",
        "judged",
        METRICS,
        dialect=engine,
        keep="country",
        create=("table", name),
        incremental="ds",
        query_set="judged",
    )
    for number in range(len(DAYS) + 2):
        run_script(connection, script)
        held = {row[0] for row in table(connection, name)[1]}
        assert held == {*DAYS[: number + 1]}
    columns, rows = table(connection, name)

    assert columns == ["ds", "query_id", "country", "ndcg_at_10", "ap", "sqlrank_definition"]
    rows = [row[:-1] for row in rows]
    for day in DAYS:
        by_query, _ = evaluated(day, *METRICS)
        wanted = {query: [row[text] for text in METRICS] for query, row in by_query.items()}
        found = {row[1]: row[2:] for row in rows if row[0] == day}
        assert found.keys() == wanted.keys()
        assert len([row for row in rows if row[0] == day]) == len(found)
        for query, (country, *values) in found.items():
            assert country == (f"of {query}" if query in RUNS[day] else None)
            assert values == [pytest.approx(value, rel=1e-9) for value in wanted[query]]


@on_engines("metrics", [METRICS, ["bpref", "num_ret"]], every=True)
def test_a_summary_of_each_partition_is_added(engine: str, metrics: list[str]) -> None:
    connection, name = session(engine, days=daily(), judged=JUDGED), name_of("means")
    script = sqlrank.sql(
        "days",
        "judged",
        metrics,
        dialect=engine,
        summary=True,
        create=("table", name),
        incremental="ds",
        query_set="judged",
    )
    for _ in range(len(DAYS) + 1):
        run_script(connection, script)
    rows = table(connection, name)[1]

    assert len(rows) == len(DAYS) * len(metrics)
    for day in DAYS:
        _, means = evaluated(day, *metrics)
        found = {row[1]: row[2] for row in rows if row[0] == day}
        assert found == {text: pytest.approx(means[text], rel=1e-9) for text in metrics}


def test_the_table_that_is_added_to_may_be_called_as_a_step() -> None:
    with duckdb.connect() as connection:
        rows, columns = daily()
        connection.register("days", arrow(rows, *columns))
        connection.register("judged_rows", arrow(*JUDGED[:1], *QRELS_COLUMNS))
        for name in ("ranked", "next_partition", "run"):
            script = sqlrank.sql(
                "days", "judged_rows", "bpref", create=("table", name), incremental="ds", query_set="judged"
            )
            for _ in DAYS:
                connection.execute(script).fetchall()
            assert len(connection.sql(f"select distinct ds from {name}").fetchall()) == len(DAYS)


def test_columns_of_every_input_are_kept() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table runs as select 'q' as query_id, 'd' as doc_id, 1.0 as score, 7 as build")
        connection.execute("create table judged as select 'q' as query_id, 'd' as doc_id, 1 as relevance, 'x' as pool")
        connection.execute("create table asked as select 'q' as query_id, date '2026-01-01' as first_seen")
        for metric in ("ap", "bpref"):
            statement = sqlrank.sql(
                "runs", "judged", metric, queries="asked", keep=["build", "qrels.pool", "queries.first_seen"]
            )
            relation = connection.sql(statement)
            assert relation.columns == ["query_id", "build", "pool", "first_seen", metric]
            assert [str(kind) for kind in relation.types[1:4]] == ["INTEGER", "VARCHAR", "DATE"]
            assert len(relation.fetchall()) == 1


def test_columns_of_the_run_are_kept_for_each_system() -> None:
    with duckdb.connect() as connection:
        values = "('a', 'q', 'd', 1.0, 7), ('b', 'q', 'd', 1.0, 8)"
        connection.execute(f"create table runs as from (values {values}) as t(system, query_id, doc_id, score, build)")
        connection.execute("create table judged as select 'q' as query_id, 'd' as doc_id, 1 as relevance")
        statement = sqlrank.sql("runs", "judged", "ap", columns={"system": "system"}, keep="build")
        assert sorted(connection.sql(statement).fetchall()) == [("a", "q", 7, 1.0), ("b", "q", 8, 1.0)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"incremental": "ds"}, "incremental= adds to a table; name that with create="),
        ({"incremental": "ds", "create": ("view", "v")}, "incremental= adds to a table"),
        ({"create": ("index", "v")}, "is not known (one of table, view)"),
        ({"create": ("table", "a b")}, "a b is not the name of a relation"),
        ({"keep": "ds", "summary": True}, "keep= carries columns to the rows of the queries"),
        ({"keep": "score"}, "keep=score: the statement has a column of that name"),
        ({"keep": "ndcg_at_10"}, "keep=ndcg_at_10: the statement has a column of that name"),
        ({"keep": ["ds", "DS"]}, "keep=DS: the statement has a column of that name"),
        ({"keep": "queries.country"}, "there is no table of queries"),
        ({"system": "a", "columns": {"system": "variant"}}, "this run has a column of systems"),
        ({"check": True, "summary": True}, "check= gives a row for each finding"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        sqlrank.sql("runs", "judged", "ndcg@10", **options)
    assert message in str(raised.value).replace("'", "")


CLEAN = {
    "found": ([("q1", "a", 3.0), ("q1", "b", 2.0), ("q2", "a", 1.0)], RUN_COLUMNS),
    "judged": ([("q1", "a", 1.0), ("q2", "b", 0.0)], QRELS_COLUMNS),
}
NO_NUMBER = "a score is null, not a number, or infinite"
BROKEN: dict[str, tuple[dict[str, list[Row]], str, str]] = {
    "a document twice": ({"found": [("q1", "b", 0.5)]}, "a document appears twice in one ranking", "run"),
    "a judgment twice": ({"judged": [("q1", "a", 2.0)]}, "a document is judged twice for one query", "qrels"),
    "a null id": ({"found": [(None, "b", 0.5)]}, "an id is missing", "run"),
    "a null document": ({"judged": [("q1", None, 1.0)]}, "an id is missing", "qrels"),
    "a null score": ({"found": [("q3", "b", None)]}, NO_NUMBER, "run"),
    "a score that is NaN": (
        {"found": [("q3", "b", float("nan"))]},
        NO_NUMBER,
        "run",
    ),
    "an infinite score": ({"found": [("q3", "b", float("-inf"))]}, NO_NUMBER, "run"),
    "a relevance that is NaN": ({"judged": [("q3", "b", float("nan"))]}, "a relevance is not a number", "qrels"),
    "an infinite relevance": ({"judged": [("q3", "b", float("inf"))]}, "a relevance is not a number", "qrels"),
}


@on_engines("", every=True)
def test_a_check_of_rows_without_a_fault_finds_nothing(engine: str) -> None:
    statement = sqlrank.sql("found", "judged", METRICS, dialect=engine, check=True)
    assert session(engine, **CLEAN).query(statement)[1] == []


@on_engines("broken", BROKEN, every=True)
def test_a_check_gives_a_row_for_each_finding(engine: str, broken: str) -> None:
    more, finding, kind = BROKEN[broken]
    added = {name: ([*rows, *more.get(name, [])], columns) for name, (rows, columns) in CLEAN.items()}
    statement = sqlrank.sql("found", "judged", METRICS, dialect=engine, check=True)

    columns, rows = session(engine, **added).query(statement)
    assert columns == ["finding", "input", "findings", "query_id", "doc_id"]
    assert [row[:3] for row in rows] == [(finding, kind, 1)]


def test_a_check_finds_what_the_statistics_of_a_file_leave_out(tmp_path: Path) -> None:
    more, finding, _ = BROKEN["a score that is NaN"]
    with duckdb.connect() as connection:
        for name, (rows, columns) in CLEAN.items():
            pq.write_table(arrow([*rows, *more.get(name, [])], *columns), tmp_path / f"{name}.parquet")
            connection.execute(f"create view {name} as from '{tmp_path}/{name}.parquet'").fetchall()
        found = connection.sql(sqlrank.sql("found", "judged", "ap", check=True)).fetchall()
    assert [row[0] for row in found] == [finding]


@on_engines("", every=True)
def test_a_check_finds_that_run_and_judgments_share_no_query(engine: str) -> None:
    statement = sqlrank.sql("found", "judged", METRICS, dialect=engine, check=True)
    apart = CLEAN | {"judged": ([("3", "a", 1.0)], QRELS_COLUMNS)}
    assert [row[0] for row in session(engine, **apart).query(statement)[1]] == ["run and judgments share no query"]


def test_a_check_looks_at_what_the_request_reads() -> None:
    options: dict[str, Any] = {"queries": "asked", "weight": "traffic", "by": "run.country", "ties": "number-desc"}
    with duckdb.connect() as connection:
        values = "('q', '07', 1.0, 'x'), ('q', '8', 1.0, 'y')"
        connection.execute(f"create table runs as from (values {values}) as t(query_id, doc_id, score, country)")
        connection.execute("create table judged as select 'q' as query_id, '8' as doc_id, 1 as relevance")
        connection.execute("create table asked as from (values ('q', -1.0), ('q', 1.0)) as t(query_id, traffic)")
        found = connection.sql(sqlrank.sql("runs", "judged", "ap", check=True, **options)).fetchall()
    assert [row[0] for row in found] == [
        "an id that is ordered by number is not a whole number",
        "a segment or weight varies within a query",
        "a query has no weight, or a negative one",
        "a query appears twice in the table of queries",
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_a_form_of_each(dialect: str) -> None:
    made = sqlrank.sql("s.runs", "judged", "ap", dialect=dialect, create=("view", "s.daily"))
    assert f"create {'' if dialect == 'sqlite' else 'or replace '}view s.daily as\nwith" in made
    assert made.startswith("-- sqlrank ")
