"""Ids of whole numbers, UUIDs, dates and dictionaries give what their texts give, to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import sqlrank
from sqlrank.evaluation import ranking as rank_plans
from sqlrank.evaluation.ranking import Planner
from tests.support.tables import hold

pytestmark = pytest.mark.usefixtures("plans_whatever_the_size")

METRICS = "ndcg@3, ap, rr, p@2, recall@4"
NUMBERS = (2, 10, 9, 1, 100, 11, 30, 3, 99)
"""Ids whose texts are in another order than they are."""
RUN = [
    (system, query, number, float(place // (3 if system == "a" else 2)), float(place), "de" if query < 20 else "fr")
    for system in "ab"
    for query in NUMBERS[:6]
    for place, number in enumerate(NUMBERS[query % 3 :] if system == "a" else reversed(NUMBERS))
]
QRELS = [(query, number, number % 4) for query in NUMBERS[:7] for number in NUMBERS if (query + number) % 3]
QUERIES = [(query, "short" if query < 10 else "long", 1 + query % 5) for query in NUMBERS]
TYPES = {
    "integer": "{}::integer",
    "bigint": "{}::bigint",
    "utinyint": "{}::utinyint",
    "uhugeint": "{}::uhugeint",
    "uuid": "('00000000-0000-0000-0000-' || lpad({}::varchar, 12, '0'))::uuid",
    "date": "(date '2026-01-01' + {}::integer)",
    "enum": "{}::varchar::ids",
}
"""How an id of each type is made of a number."""
ALIKE = [*((kind, kind) for kind in TYPES), ("integer", "bigint"), ("utinyint", "bigint")]
UNLIKE = [("integer", "varchar"), ("varchar", "bigint"), ("uhugeint", "bigint"), ("enum", "varchar")]
OPTIONS: list[dict[str, Any]] = [
    *({"ties": ties} for ties in ("doc-desc", "doc-asc", "number-desc", "rank", "best", "worst")),
    {"ties": "average", "metrics": "ndcg@3, p@2, recall@4"},
    {"by": ["queries.kind", "run.country"], "weight": "queries.traffic"},
    {"query_set": "run", "unjudged": "remove"},
    {"duplicates": "best", "depth": 5, "order": "asc"},
]
PLANS = {"sort": ()} | {name: (getattr(Planner, name),) for name in ("top", "count", "lists", "buckets")}
LIMITS = {"COMPARISONS_PER_DOCUMENT": 100, "RANKINGS_LONGER_THAN_LIMIT": 0} | dict.fromkeys(
    ("MOST_FOUND", "MOST_IN_BUCKETS", "MOST_JUDGED"), 2
)
"""Limits within which each plan is taken."""


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the rows of the inputs, by number."""
    with duckdb.connect() as connection:
        connection.execute(f"create type ids as enum ({', '.join(repr(str(number)) for number in NUMBERS)})")
        for name, rows in (("runs", RUN), ("judgments", QRELS), ("asked", QUERIES)):
            columns = ", ".join(f"c{place}" for place in range(len(rows[0])))
            values = ", ".join(map(str, rows))
            connection.execute(f"create table {name} as select * from (values {values}) as given ({columns})")
        yield connection


def id_of(kind: str, column: str) -> str:
    """An id of a type, made of a number; `text of` a type is the text of that id."""
    made = TYPES[kind.removeprefix("text of ")].format(column) if kind != "varchar" else f"{column}::varchar"
    return f"cast({made} as varchar)" if kind.startswith("text of ") else made


def evaluated(
    connection: duckdb.DuckDBPyConnection, run: str, qrels: str, metrics: str = METRICS, **options: Any
) -> sqlrank.Result:
    """The evaluation of inputs with ids of these types."""
    relations = [
        f"select c0 as system, {id_of(run, 'c1')} as query_id, {id_of(run, 'c2')} as doc_id, c3 as score, c4 as rank,"
        " c5 as country from runs",
        f"select {id_of(qrels, 'c0')} as query_id, {id_of(qrels, 'c1')} as doc_id, c2 as relevance from judgments",
        f"select {id_of(run, 'c0')} as query_id, c1 as kind, c2 as traffic from asked",
    ]
    for name, relation in zip(("run", "qrels", "queries"), relations, strict=True):
        connection.execute(f"create or replace view {name} as {relation}")
    options |= {"queries": connection.table("queries")} if "by" in options else {}
    return sqlrank.evaluate(
        connection.table("run"), connection.table("qrels"), metrics, connection=connection, **options
    )


def but_for_order(value: Any) -> Any:
    """A value without the last digits of a sum, which are of the order in which rows come."""
    return float(f"{value:.14g}") if isinstance(value, float) else value


def values_of(result: sqlrank.Result) -> tuple[Any, ...]:
    """All that an evaluation gives."""
    with result:
        queries = [tuple(map(but_for_order, row)) for row in sorted(result.per_query.fetchall(), key=repr)]
        rankings = [result.explain(row[1], system=row[0]).fetchall() for row in queries[:2]]
        rows = [tuple(map(but_for_order, row)) for row in sorted(result.rows.fetchall(), key=repr)]
        return rows, queries, result.counts, result.notes, rankings


@pytest.mark.needs("random")
@pytest.mark.parametrize(
    ("kinds", "options"),
    [
        (kinds, options)
        for number, kinds in enumerate(ALIKE)
        for place, options in enumerate(OPTIONS)
        if number == 0 or place in (0, 7) or (number + place) % 3 == 0
        if options.get("ties") != "number-desc" or kinds[0] not in ("uuid", "date")  # which are no numbers
    ],
    ids=lambda part: "-".join(part) if isinstance(part, tuple) else str(part),
)
def test_values_are_those_of_texts(kinds: tuple[str, str], options: dict[str, Any], connection: Any) -> None:
    wanted = values_of(evaluated(connection, *(f"text of {kind}" for kind in kinds), **options))
    result = evaluated(connection, *kinds, **options)
    assert "cast(query_id as varchar) as query_id" not in result.sql
    assert values_of(result) == wanted


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("ties", ["doc-desc", "doc-asc"])
def test_so_they_are_by_every_plan(plan: str, ties: str, connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in LIMITS.items():
        monkeypatch.setattr(rank_plans, name, value)
    monkeypatch.setattr(rank_plans, "PLANS", PLANS[plan])
    monkeypatch.setattr(rank_plans, "LOOKUPS_PER_DOCUMENT", 0 if plan == "buckets" else 100)
    options = {"ties": ties, "metrics": "ndcg@3, ap@3"} if plan == "top" else {"ties": ties}
    wanted = values_of(evaluated(connection, "varchar", "varchar", **options))
    result = evaluated(connection, "integer", "bigint", **options)
    assert result.plan.name == plan
    assert values_of(result) == wanted


def test_ids_of_two_kinds_are_texts(connection: Any) -> None:
    wanted = values_of(evaluated(connection, "varchar", "varchar"))

    def check(kinds: tuple[str, str]) -> None:
        result = evaluated(connection, *kinds)
        assert "cast(query_id as varchar) as query_id," in result.sql
        assert values_of(result) == wanted

    hold(UNLIKE, check)
