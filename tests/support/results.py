"""One small result of every public class of results."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import sqlrank
from sqlrank import log
from tests.counterfactual.worked import RUN, listed, ranked
from tests.experiments.test_worked_arms import WORKED
from tests.support.cli_helper import FIXTURES

SHOP = FIXTURES / "behaviour" / "shop"
LOG = str(SHOP / "log.parquet")
RUNS = {"old": {"q": {"d": 2.0, "e": 1.0}, "r": {"e": 1.0}}, "new": {"q": {"e": 2.0, "d": 1.0}, "r": {"e": 1.0}}}
QRELS = {"q": {"d": 1, "e": 0}, "r": {"e": 1}}
ASKED: dict[str, Any] = {"systems": RUNS, "metrics": ["ndcg@5"]}
RATED = [
    {"query_id": query, "doc_id": "d", "rater": rater, "relevance": grade}
    for query, grades in {"q": (1, 1), "r": (0, 1), "s": (0, 0)}.items()
    for rater, grade in zip(("ann", "bob"), grades, strict=True)
]
VERDICTS = [
    {"query_id": query, "verdict": word, "rater": rater}
    for query, words in {"q": ("good", "good"), "r": ("bad", "good"), "s": ("good", "same")}.items()
    for rater, word in zip(("ann", "bob"), words, strict=True)
]
DAYS = [
    {"query_id": f"q{query}", "doc_id": "d", "rank": 1, "relevance": (day + query) % 3 % 2, "dt": f"2026-01-{day:02}"}
    for day in range(1, 20)
    for query in range(6)
]


def table(rows: list[dict[str, Any]]) -> Any:
    """Rows as an Arrow table."""
    import pyarrow

    return pyarrow.Table.from_pylist(rows)


def evaluated() -> sqlrank.Result:
    """An evaluation of two systems."""
    return sqlrank.evaluate(qrels=QRELS, **ASKED)


def explained(systems: tuple[str, str] | None) -> Any:
    """One query of an evaluation, of one system or of two."""
    result = evaluated()
    return result.explain("q", "old") if systems is None else result.explain("q", systems=systems)


MAKERS: dict[str, Callable[[], Any]] = {
    "Result": evaluated,
    "Comparison": partial(sqlrank.compare, qrels=QRELS, **ASKED),
    "JudgmentSets": partial(sqlrank.compare_judgments, None, {"people": QRELS, "model": QRELS}, **ASKED),
    "Likeness": partial(sqlrank.likeness, systems=RUNS),
    "SideBySide": lambda: sqlrank.gsb(table(VERDICTS)),
    "RaterAgreement": lambda: sqlrank.agreement(table(RATED)),
    "Pool": partial(sqlrank.pool, systems=RUNS, qrels={"q": {"d": 1}, "r": {"e": 1}}, metric="ndcg@5", depth=3),
    "Monitored": lambda: sqlrank.monitor(table(DAYS), metrics="p@1", day="dt", baseline_days="2026-01-01..2026-01-14"),
    "Inspection": partial(sqlrank.inspect, str(FIXTURES / "search" / "keyword.parquet")),
    "Explanation": partial(explained, None),
    "ExplainedDifference": partial(explained, ("old", "new")),
    "Judgments": partial(log.judgments, LOG),
    "Propensities": partial(log.propensities, LOG),
    "Interleaved": partial(log.interleave, str(SHOP / "interleaved.parquet")),
    "ArmComparison": partial(log.arms, WORKED, "ctr,success", baseline="A"),
    "Values": lambda: log.value(ranked(**RUN), listed(), anyway=True, estimators=["item-position"], min_impressions=1),
    "LogInspection": partial(log.inspect, LOG),
}
"""What makes a result, by the name of its class."""


@cache
def result_of(name: str) -> Any:
    """The result of a class, made once; who closes it makes one of their own."""
    return MAKERS[name]()
