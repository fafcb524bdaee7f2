"""A relation may be called as a step of the statement is."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Mapping
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.dialects import DIALECTS
from sqlrank.statement.renamed_steps import steps_of
from tests.support.cli_helper import completed

ROWS = "select 'q' || q as query_id, 'd' || d as doc_id, cast(d * 7 % 5 as double) as score, d * 3 % 4 as relevance"
RELATIONS = f"{ROWS}, 's' || d % 2 as subtopic from range(4) as a(q), range(6) as b(d)"
NAMES = {"run": "r", "qrels": "j", "history": "h", "baseline_run": "b"}
FEW = ["ndcg@10", "rr"]
ON_DOCUMENTS = "on judged.query_id = ranked.query_id and judged.doc_id = ranked.doc_id"
MANY = [
    *("ndcg@10", "ap", "bpref", "rbp@10", "err@10", "alpha_ndcg@3", "gauc", "inst@5", "infap", "compat"),
    *("popularity@3", "unexpectedness@3", "ndcg(ideal=full)@4"),
]


def statement(names: Mapping[str, str], metrics: list[str], **options: Any) -> str:
    others: dict[str, Any] = {kind: names[kind] for kind in ("history", "baseline")} if metrics is MANY else {}
    return sqlrank.sql(names["run"], names["qrels"], metrics, **others, **options)


def values(names: Mapping[str, str], metrics: list[str], **options: Any) -> list[tuple[Any, ...]]:
    """What the statement gives in a session whose tables have these names."""
    with duckdb.connect() as connection:
        for name in names.values():
            connection.execute(f'create or replace table "{name}" as {RELATIONS}')
        text = statement(names, metrics, **options)
        return sorted(row[1 if options.get("summary") else 0 :] for row in connection.sql(text).fetchall())


@pytest.mark.parametrize("summary", [False, True])
def test_a_relation_may_be_called_as_any_step(summary: bool) -> None:
    expected = values(NAMES, FEW, summary=summary)
    steps = sorted(steps_of(statement(NAMES, FEW, summary=summary)))
    assert {"ranked", "judged", "ideal"} <= set(steps)
    for step in steps:
        assert values(NAMES | {"run": step}, FEW, summary=summary) == expected
        assert values(NAMES | {"qrels": step.upper()}, FEW, summary=summary) == expected
    assert values(NAMES | {"run": "ranked", "qrels": "judged"}, FEW, summary=summary) == expected


def test_all_relations_may_be_called_as_steps() -> None:
    seen: set[str] = set()
    for options in ({"judgments": "max"}, {"judgments": "max", "summary": True}):
        expected = values(NAMES, MANY, **options)
        steps = deque(sorted(steps_of(statement(NAMES, MANY, **options))))
        new = set(steps) - seen
        for _ in range(len(steps)):  # after all turns each relation was called as each step
            names = dict(zip(NAMES, steps, strict=False))
            steps.rotate(1)
            if not new.isdisjoint(names.values()):
                assert values(names, MANY, **options) == expected, names
        seen |= new


def test_only_the_step_that_hides_a_relation_takes_another_name() -> None:
    plain, hidden = sqlrank.sql("r", "j", "rr"), sqlrank.sql("Ranked", "j", "rr")
    changed = [
        (before, after)
        for before, after in zip(plain.splitlines(), hidden.splitlines(), strict=True)
        if before != after
    ]
    assert changed[1:] == [
        ("ranked as (", "sqlrank_ranked as ("),
        ("    from r", "    from Ranked"),
        (f"left join ranked {ON_DOCUMENTS}", f"left join sqlrank_ranked as ranked {ON_DOCUMENTS}"),
    ]


def test_what_the_user_wrote_stays_as_it_is() -> None:
    where = "trim(both 'x' from ranked) <> 'from ranked' and \"from ranked\" is not null"
    text = sqlrank.sql('"ranked"', "sqlrank_ranked", "rr", where=where, by="from ranked", columns={"score": "ranked"})

    assert where in text
    assert "from ranked\n" in text  # the relation itself
    assert "from sqlrank_ranked\n" in text
    assert "sqlrank_sqlrank_ranked as (\n" in text
    assert "order by cast(ranked as double) desc" in text
    assert 'max(cast("from ranked" as varchar)) as "from ranked"' in text
    with duckdb.connect() as connection:
        connection.execute('create table ranked as select 1 as query_id, 2 as doc_id, 3 as ranked, 4 as "from ranked"')
        connection.execute("create table sqlrank_ranked as select 1 as query_id, 2 as doc_id, 1 as relevance")
        assert connection.sql(text.replace("trim(both 'x' from ranked)", "'a'")).fetchall() == [("1", "4", 1.0)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_reads_the_relation_and_not_the_step(dialect: str) -> None:
    text = sqlrank.sql("judged", "ranked", "rr", dialect=dialect)

    assert text.count("from judged\n") == 1
    assert text.count("from ranked\n") == 1
    assert "sqlrank_judged" in steps_of(text)
    assert {"judged", "ranked"}.isdisjoint(steps_of(text))
    assert not {"judged", "ranked"} & steps_of(text)


def test_sqlite_reads_a_table_called_as_a_step() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("create table judged as select 'q' as query_id, 'd' as doc_id, 1.0 as score")
        connection.execute("create table ranked as select 'q' as query_id, 'd' as doc_id, 1 as relevance")
        text = sqlrank.sql("judged", "ranked", "rr", dialect="sqlite")
        assert connection.execute(text).fetchall() == [("q", 1.0)]
    connection.close()


def test_tables_of_a_database_may_be_called_as_what_an_evaluation_makes() -> None:
    names = ("run_rows", "ranked", "per_query", "observations", "run_input", "qrels_input", "summary", "source")
    with duckdb.connect("search.duckdb") as connection:
        for name in names:
            connection.execute(f"create table {name} as {RELATIONS}")
    for run, qrels in zip(names, reversed(names), strict=True):
        outcome = completed("eval", run, "--qrels", qrels, "--database", "search.duckdb", "-m", "rr", "--format", "csv")
        assert outcome.values == {(run, "rr"): "1"}


def test_tables_of_a_connection_stay_as_they_are() -> None:
    names = ("run_rows", "per_query", "summary", "run_input", "qrels_input", "ranked", "totals", "observations")
    with duckdb.connect() as connection:
        for name in names:
            connection.execute(f"create table {name} as {RELATIONS}")
        for run, qrels in zip(names, reversed(names), strict=True):
            made = sqlrank.evaluate(connection.table(run), connection.table(qrels), "rr", connection=connection)
            with made as result:
                assert result["rr"] == 1
        assert {row[0] for row in connection.sql("from (show tables)").fetchall()} == set(names)
        assert all(connection.sql(f"select count(*) from {name}").fetchall() == [(24,)] for name in names)
