"""The counts beside the numbers: ties that matter, missing queries, queries with nothing relevant."""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlrank
from sqlrank.evaluation.result import QueryCounts
from tests.support.tables import each

pytestmark = pytest.mark.usefixtures("plans_whatever_the_size")

Pairs = dict[str, dict[str, float]]


def random_data(seed: int) -> tuple[Pairs, Pairs]:
    """A run and judgments full of ties."""
    source = random.Random(seed)
    documents = [f"d{number}" for number in range(15)]
    run: Pairs = {}
    qrels: Pairs = {}
    for number in range(60):
        judged = source.sample(documents, source.randint(1, 10))
        returned = source.sample(documents, source.randint(1, 14))
        qrels[f"q{number}"] = {document: source.choice([-1, 0, 0, 1, 2]) for document in judged}
        run[f"q{number}"] = {document: float(source.randint(0, 4)) for document in returned}
    return run, qrels


def tied_queries(run: Pairs, qrels: Pairs, k: int | None, ascending: bool, judged_only: bool) -> int:
    """Queries in which equal scores of different worth stand next to each other, at or across rank k."""
    found = 0
    for query, scores in run.items():
        kept = [pair for pair in scores.items() if not judged_only or qrels[query].get(pair[0], -1) >= 0]
        ranking = sorted(sorted(kept, reverse=True), key=lambda pair: pair[1] if ascending else -pair[1])
        worth = [max(qrels[query].get(document, 0), 0) for document, _ in ranking]
        pairs = range(len(ranking) - 1 if k is None else min(k, len(ranking) - 1))
        found += any(ranking[i][1] == ranking[i + 1][1] and worth[i] != worth[i + 1] for i in pairs)
    return found


@each([("ndcg@3", 3, {}), ("ap", None, {}), ("p@5", 5, {"order": "asc"}), ("rr@4", 4, {"unjudged": "remove"})])
def test_the_ties_that_matter_are_counted(case: tuple[str, int | None, dict[str, Any]]) -> None:
    metric, k, options = case
    for seed in (0, 1):
        run, qrels = random_data(seed)
        expected = tied_queries(run, qrels, k, "order" in options, "unjudged" in options)
        with sqlrank.evaluate(run, qrels, metric, **options) as result:
            assert result.counts["run"].tied == expected > 0


def test_one_query_is_one_query() -> None:
    with sqlrank.evaluate({"q": {"d": 1.0}}, {"q": {"d": 1}}, "rr") as result:
        assert "1 judged query, 0 without results" in "\n".join(result.remarks())


def test_each_kind_of_query_is_counted_by_system() -> None:
    qrels = {"both": {"a": 1}, "missed": {"a": 1}, "nothing": {"a": 0, "b": 0}}
    systems = {"one": {"both": {"a": 1.0}, "never": {"a": 1.0}}, "two": {"both": {"a": 1.0}, "nothing": {"a": 2.0}}}
    with sqlrank.evaluate(qrels=qrels, metrics="ap", systems=systems) as result:
        assert result.counts == {
            "one": QueryCounts(judged=3, shared=1, missing=2, unjudged=1, no_relevant=1, tied=0, tied_documents=0),
            "two": QueryCounts(judged=3, shared=2, missing=1, unjudged=0, no_relevant=1, tied=0, tied_documents=0),
        }


@each(["rr", "hit", "reciprocal_rank"])
def test_a_segment_named_like_a_column_of_the_statement_is_refused(column: str) -> None:
    with pytest.raises(sqlrank.UsageError, match=f"by='{column}'"):
        sqlrank.sql("ranker.results", "judgments", "rr", by=column)


@each({"judged": "1 query has results but no judgments, and is left out", "run": "results but no judgments"}.items())
def test_a_query_without_judgments_is_left_out_unless_the_run_decides(case: tuple[str, str]) -> None:
    query_set, said = case
    run, qrels = {"q": {"a": 1.0}, "p": {"a": 1.0}}, {"q": {"a": 1}}

    (line,) = [line for line in sqlrank.evaluate(run, qrels, "rr", query_set=query_set).remarks() if " judged " in line]

    assert line.endswith(said)


@each({"judged": "1 without results,", "shared": "1 without results (left out),"}.items())
def test_whether_a_query_without_results_counts_is_said(case: tuple[str, str]) -> None:
    query_set, said = case
    run, qrels = {"q": {"a": 1.0}}, {"q": {"a": 1}, "p": {"a": 1}}

    (line,) = [line for line in sqlrank.evaluate(run, qrels, "rr", query_set=query_set).remarks() if " judged " in line]

    assert said in line
