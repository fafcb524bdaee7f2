"""Metrics that weigh the queries of their mean by themselves: against the sums over all queries that the means are."""

from __future__ import annotations

import math
from typing import Any

import pytest

import sqlrank
from tests.reference import definitions as reference
from tests.reference import elsewhere
from tests.reference.shared import Judged, Ranking, count_relevant, gain_of
from tests.support.cases import (
    Case,
    about,
    arrow,
    grid,
    queries_of,
    random_data,
    texts,
)
from tests.support.cli_helper import error_of
from tests.support.small_data import QRELS_NAMES, RUN_NAMES, write_csv

RUN, QRELS = random_data(77)
CASES = [
    *grid("pooled_p", [1, 4, 100], rel=[None, 2], norm=[None, "min"]),
    *grid("arp", gain=[None, "exp2"], weight=["gain"]),
]
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "worst", "depth": 3},
    {"query_set": "run", "order": "asc"},
    {"query_set": "shared", "empty": "skip"},
    {"unjudged": "remove", "query_set": "run"},
]
Rankings = dict[str, tuple[Ranking, Judged]]


def rankings(**conventions: Any) -> Rankings:
    """The relevances returned in rank order, and all that were judged, by query."""
    query_set = conventions.pop("query_set", "judged")
    conventions.pop("empty", None)
    return {
        query: (reference.rank(RUN.get(query, {}), judged, **conventions), list(judged.values()))
        for query in queries_of(RUN, QRELS, query_set)
        for judged in [QRELS.get(query, {})]
    }


def weight_of(case: Case, ranking: Ranking, judged: Judged) -> float:
    """What a query weighs: what its value is divided by."""
    if case.metric == "arp":
        return math.fsum(gain_of(value, case.arguments.get("gain", "linear")) for value in ranking)
    k, relevant = case.k or 0, count_relevant(judged, case.arguments.get("rel", 1.0))
    return min(relevant, k) if case.parameters.get("norm") == "min" else len(ranking[:k])


def pooled(case: Case, found: Rankings, factors: dict[str, float] | None = None) -> Any:
    """The weighted mean over the queries that have a value."""
    over, under = [], []
    for query, (ranking, judged) in found.items():
        value = getattr(elsewhere, case.metric)(ranking, judged, case.k, **case.arguments)
        if not math.isnan(value):
            weight = weight_of(case, ranking, judged) * (1.0 if factors is None else factors[query])
            over.append(value * weight)
            under.append(weight)
    return about(math.fsum(over) / math.fsum(under))


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_the_mean_is_the_sum_of_what_was_found_over_the_sum_of_the_divisors(conventions: dict[str, Any]) -> None:
    found = rankings(**conventions)
    with sqlrank.evaluate(RUN, QRELS, [*texts(CASES), "ap"], **conventions) as result:
        for measure, case in zip(result.measures, CASES, strict=False):
            assert result[measure.text] == pooled(case, found), case.text
            for query, values in result.to_dict().items():
                ranking, judged = found[query]
                wanted = getattr(elsewhere, case.metric)(ranking, judged, case.k, **case.arguments)
                assert values[measure.text] == (None if math.isnan(wanted) else pytest.approx(wanted)), (query, case)


def test_weights_of_queries_multiply_and_segments_have_their_own_sums() -> None:
    weights = {query: number % 4 + 0.25 for number, query in enumerate(QRELS)}
    markets = {query: "de" if number % 3 else "fr" for number, query in enumerate(QRELS)}
    asked = arrow([(query, weights[query], markets[query]) for query in QRELS], "query_id", "weight", "market")
    options: dict[str, Any] = {"queries": asked, "weight": "weight", "by": "market"}
    with sqlrank.evaluate(RUN, QRELS, texts(CASES), **options) as result:
        for market in ("de", "fr", None):
            kept = {query: pair for query, pair in rankings().items() if market in (None, markets[query])}
            segment = {} if market is None else {"market": market}
            for measure, case in zip(result.measures, CASES, strict=True):
                assert result.value(measure.text, **segment) == pooled(case, kept, weights), case.text


def test_pooled_precision_counts_documents_rather_than_queries() -> None:
    run = {"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 1.0}, "none": {"z": 1.0}}
    qrels = {"1": {"a": 1, "b": 1, "d": 1}, "2": {"b": 1}}
    with sqlrank.evaluate(run, qrels, ["pooled_p@3", "pooled_p(norm=min)@2", "p(norm=returned)@3"]) as result:
        values = [result[measure.text] for measure in result.measures]
    # 2 + 0 hits of 3 + 1 documents; 2 + 0 hits of min(3, 2) + min(1, 2); the mean of 2/3 and 0
    assert values == pytest.approx([2 / 4, 2 / 3, 1 / 3])


def test_a_query_without_results_adds_nothing_to_what_was_shown() -> None:
    with sqlrank.evaluate(
        {"1": {"a": 1.0}}, {"1": {"a": 1}, "2": {"b": 1}}, ["pooled_p@3", "pooled_p(norm=min)@3"]
    ) as found:
        assert [found[measure.text] for measure in found.measures] == [1.0, 0.5]
        assert [row["queries"] for row in found.to_dicts()] == [1, 2]


@pytest.mark.parametrize("metric", ["pooled_p@3", "arp(weight=gain)"])
def test_a_comparison_refuses_a_metric_that_weighs_queries(metric: str) -> None:
    run = write_csv("run.csv", RUN_NAMES, [("q", "a", 1.0)])
    qrels = write_csv("qrels.csv", QRELS_NAMES, [("q", "a", 1)])
    assert "weighs the queries of each system in its own way" in error_of(
        2, "compare", run, run, "--qrels", qrels, "-m", metric
    )


def test_pooled_precision_has_its_mean_over_the_orders_of_ties() -> None:
    run = {"1": {"a": 2.0, "b": 1.0, "c": 1.0}, "2": {"a": 1.0}}
    qrels = {"1": {"b": 1}, "2": {"a": 1}}
    with sqlrank.evaluate(run, qrels, "pooled_p@2", ties="average") as result:
        assert result["pooled_p@2"] == pytest.approx((0.5 + 1) / (2 + 1))  # b stands at rank 2 in half of the orders
