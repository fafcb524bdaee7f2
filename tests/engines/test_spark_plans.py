"""How Spark runs a printed statement: how often rows move between machines, and how often each relation is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import sqlrank
from tests.support.cases import random_data, rows_of
from tests.support.engines import session

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("engine", ["spark"], indirect=True)]
RUN, QRELS = random_data(61)
TABLES = {
    "found": (rows_of(RUN), ("query_id", "doc_id", "score")),
    "judged_rows": (rows_of(QRELS), ("query_id", "doc_id", "relevance")),
}
THRESHOLD = "spark.sql.autoBroadcastJoinThreshold"


@pytest.fixture(params=["10MB", "-1"], ids=["with broadcast joins", "without broadcast joins"])
def broadcast(request: pytest.FixtureRequest, engine: str) -> Iterator[None]:
    """Whether a small relation is sent to every machine, where that saves moving the rows of a large one."""
    connection = session(engine)
    connection.run(f"set {THRESHOLD}={request.param}")
    yield
    connection.run(f"reset {THRESHOLD}")


def plan_of(engine: str, statement: str) -> str:
    """The physical plan of a statement."""
    ((text,),) = session(engine, **TABLES).query(f"explain\n{statement}")[1]
    return str(text)


@pytest.mark.parametrize(
    ("metrics", "options", "exchanges"),
    [
        (["ndcg@10", "ap"], {}, 1),
        (["ndcg@10"], {}, 2),
        (["ndcg(gain=exp2)@10", "recall@100", "rr"], {"order": "asc"}, 1),
        (["p@10", "recall@100"], {"ties": "doc-asc"}, 3),
    ],
    ids=lambda value: ", ".join(value) if isinstance(value, list) else "",
)
def test_rows_are_moved_once_for_each_grouping_and_read_once(
    engine: str, broadcast: None, metrics: list[str], options: dict[str, Any], exchanges: int
) -> None:
    plan = plan_of(engine, sqlrank.sql("found", "judged_rows", metrics, dialect="spark", **options))

    assert len(re.findall(r"\bExchange\b|BroadcastExchange", plan)) == exchanges
    assert len(re.findall(r"FileScan", plan)) == 2


def test_a_ranking_is_cut_before_its_rows_are_moved(engine: str) -> None:
    plan = plan_of(engine, sqlrank.sql("found", "judged_rows", "ndcg@10", dialect="spark"))

    before = plan[plan.index("Exchange hashpartitioning") :]
    assert re.search(r"WindowGroupLimit .*row_number\(\), 10, Partial", before[before.rindex("Exchange hashpart") :])
