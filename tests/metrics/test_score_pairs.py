"""Metrics of scores, AUC and its kin, against the plain definitions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest

import sqlrank
from tests.reference import definitions as reference
from tests.reference import lists
from tests.reference.shared import Ranking, count_relevant
from tests.support.cases import (
    Case,
    Table,
    Values,
    about,
    arrow,
    assert_same,
    grid,
    queries_of,
    random_data,
    rows_of,
    summary_of,
    texts,
)

RUN, QRELS = random_data(99)
LEVELS = [None, 0, 0.5, 2]
PAIRLESS = [None, "zero", "half", "one"]
CASES = [
    *grid("gauc", rel=LEVELS, pairless=PAIRLESS),
    *grid("grouped_ap", rel=LEVELS),
    *grid("pairwise_accuracy", pairless=PAIRLESS),
]
WEIGHTS = ["none", "rows", "positives"]
AUC = grid("auc", rel=LEVELS)
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "doc-asc"},
    {"ties": "average"},
    {"order": "asc"},
    {"depth": 4},
    {"depth": 4, "ties": "worst", "query_set": "run"},
    {"unjudged": "remove"},
    {"unjudged": "remove", "depth": 3, "query_set": "shared", "ties": "input"},
    {"query_set": "run", "empty": "skip", "order": "asc"},
    {"query_set": "shared", "empty": "one"},
]


def scored(run: Table, qrels: Table, **conventions: Any) -> dict[str, tuple[list[float], Ranking]]:
    """Scores, larger ones being better, and relevances of the documents returned, by query."""
    query_set = conventions.pop("query_set", "judged")
    conventions.pop("empty", None)
    if conventions.get("ties") == "average":
        del conventions["ties"]
    sign = -1 if conventions.get("order") == "asc" else 1
    found = {}
    for query in queries_of(run, qrels, query_set):
        judgments = qrels.get(query, {})
        docs = reference.ranked_docs(run.get(query, {}), judgments, **conventions)
        found[query] = ([sign * run[query][doc] for doc in docs], [judgments.get(doc) for doc in docs])
    return found


def expected(run: Table, qrels: Table, cases: Iterable[Case] = CASES, **conventions: Any) -> Values:
    """Values by query and text."""
    when_empty = {"zero": 0.0, "one": 1.0, "skip": None}[conventions.get("empty", "zero")]
    values: Values = {}
    for query, (scores, relevances) in scored(run, qrels, **conventions).items():
        judged = [list(qrels.get(query, {}).values())]
        values[query] = {}
        for case in cases:
            given = [scores, relevances, *(judged if case.metric == "grouped_ap" else [])]
            value = vars(lists)[case.metric](*given, **case.arguments)
            values[query][case.text] = reference.resolve(value, when_empty)
    return values


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_values_of_each_query_agree(conventions: dict[str, Any]) -> None:
    result = sqlrank.evaluate(RUN, QRELS, texts(CASES), **conventions)

    wanted = expected(RUN, QRELS, **conventions)
    assert_same(result.to_dict(), wanted, texts(CASES))
    found = result.rows.project("value, queries").fetchall()
    assert found == [summary_of(wanted, text) for text in texts(CASES)]


def test_every_metric_is_among_the_cases_with_every_parameter() -> None:
    metrics = {name for name in vars(lists) if name in sqlrank.METRICS}
    cases = [*CASES, *AUC, *grid("gauc", weight=WEIGHTS)]
    assert {case.metric for case in cases} == metrics == {"auc", "gauc", "grouped_ap", "pairwise_accuracy"}
    for metric in metrics:
        given = {name for case in cases if case.metric == metric for name in case.parameters}
        of_items = {"weight"} if metric == "pairwise_accuracy" else set()  # test_item_weights
        assert given == set(sqlrank.METRICS[metric].parameters) - of_items


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("conventions", [{}, {"depth": 4, "query_set": "run"}, {"unjudged": "remove"}], ids=str)
def test_mean_of_gauc_is_weighted_by_rows_or_positives(weight: str, conventions: dict[str, Any]) -> None:
    cases = grid("gauc", rel=LEVELS, weight=[weight])

    result = sqlrank.evaluate(RUN, QRELS, [*texts(cases), "ap"], **conventions)

    queries = list(scored(RUN, QRELS, **conventions).values())
    for measure, case in zip(result.measures, cases, strict=False):
        assert result[measure.text] == about(lists.mean_gauc(queries, **case.arguments))


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("several", [False, True])
def test_weights_of_queries_and_of_gauc_multiply(weight: str, several: bool) -> None:
    weights = {query: number % 4 + 0.25 for number, query in enumerate(QRELS)}
    markets = {query: "de" if number % 3 else "fr" for number, query in enumerate(QRELS)}
    asked = arrow([(query, weights[query], markets[query]) for query in QRELS], "query_id", "weight", "market")
    metric = f"gauc(weight={weight})"
    systems = {"one": RUN, "two": negated(RUN)} if several else {"one": RUN}

    result = sqlrank.evaluate(
        qrels=QRELS, metrics=[metric, "gauc"], systems=systems, queries=asked, weight="weight", by="market"
    )

    for system, run in systems.items():
        for market in ("de", "fr", None):
            kept = {query: rows for query, rows in scored(run, QRELS).items() if market in (None, markets[query])}
            segment = {} if market is None else {"market": market}
            for name, kind in ((metric, weight), ("gauc", "none")):
                found = result.value(name, system=system, **segment)
                assert found == about(weighted_gauc(kept, weights, kind))


def weighted_gauc(rows: dict[str, Any], weights: dict[str, float], kind: str) -> float:
    """The mean with both weights."""
    terms = []
    for query, (scores, relevances) in rows.items():
        count = {"none": 1, "rows": len(scores), "positives": count_relevant(relevances, 1)}[kind]
        value = lists.gauc(scores, relevances)
        terms += [] if math.isnan(value) else [(value, weights[query] * count)]
    return math.fsum(value * weight for value, weight in terms) / math.fsum(weight for _, weight in terms)


def negated(run: Table) -> Table:
    """The same documents in the opposite order, without every fifth query."""
    kept = [query for number, query in enumerate(run) if number % 5]
    return {query: {doc: -score for doc, score in run[query].items()} for query in kept}


@pytest.mark.parametrize("conventions", CONVENTIONS[::-1], ids=str)
def test_auc_of_all_rows_agrees(conventions: dict[str, Any]) -> None:
    systems = {"one": RUN, "two é": negated(RUN)}

    result = sqlrank.evaluate(qrels=QRELS, metrics=[*texts(AUC), *texts(CASES)], systems=systems, **conventions)

    for system, run in systems.items():
        queries = list(scored(run, QRELS, **conventions).values())
        for case in AUC:
            found = result.value(case.text, system=system)
            assert found == about(lists.auc(queries, **case.arguments))
        assert_same(result.to_dict()[system], expected(run, QRELS, **conventions), texts(CASES))


@pytest.mark.parametrize("conventions", [{}, {"query_set": "run"}, {"unjudged": "remove", "depth": 3}], ids=str)
@pytest.mark.parametrize("labelled", [False, True])
def test_auc_of_segments_is_that_of_their_rows(conventions: dict[str, Any], labelled: bool) -> None:
    qrels = {query: found for query, found in QRELS.items() if query in RUN}
    markets = {query: "it's" if number % 3 else "é" for number, query in enumerate(RUN)}
    rows = [(*row, markets[row[0]], qrels.get(row[0], {}).get(row[1])) for row in rows_of(RUN)]
    columns = ["query_id", "doc_id", "score", "market", "relevance"]
    if labelled:
        shown = {(row[0], row[1]) for row in rows}
        found = {query: {doc: v for doc, v in docs.items() if (query, doc) in shown} for query, docs in qrels.items()}
        qrels = {query: docs for query, docs in found.items() if docs}
    run = arrow(rows if labelled else [row[:4] for row in rows], *(columns if labelled else columns[:4]))

    result = sqlrank.evaluate(run, None if labelled else qrels, ["auc", "gauc"], by="market", **conventions)

    found_rows = scored(RUN, qrels, **conventions)
    for market in ("é", "it's", None):
        kept = [pair for query, pair in found_rows.items() if market in (None, markets[query])]
        segment = {} if market is None else {"market": market}
        assert result.value("auc", **segment) == about(lists.auc(kept))
        assert result.value("gauc", **segment) == about(lists.mean_gauc(kept))
    is_total = result.rows.filter("metric = 'auc'").project("is_total").fetchall()
    assert sorted(is_total) == [(False,), (False,), (True,)]


@pytest.mark.parametrize("metric", ["auc", "gauc", "pairwise_accuracy", "accuracy"])
def test_one_class_alone_has_no_value_whatever_an_empty_query_counts(metric: str) -> None:
    for empty in ("zero", "one", "skip"):
        result = sqlrank.evaluate({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 1}}, metric, empty=empty)
        assert result[metric] is None


def test_auc_counts_rows_of_queries_that_are_evaluated_alone() -> None:
    run = {"judged": {"a": 2.0, "b": 1.0}, "not judged": {"c": 3.0, "d": 0.0}}

    assert sqlrank.evaluate(run, {"judged": {"a": 1}}, "auc")["auc"] == 1.0
    assert sqlrank.evaluate(run, {"judged": {"a": 1}}, "auc", query_set="run")["auc"] == 2 / 3


def test_ranks_order_pairs_too() -> None:
    ranks = arrow([("q", "a", 1.0), ("q", "b", 2.0), ("q", "c", 3.0)], "query_id", "doc_id", "rank")

    result = sqlrank.evaluate(ranks, {"q": {"a": 1, "b": 0, "c": 0}}, ["auc", "gauc", "pairwise_accuracy"])

    assert [result["auc"], result["gauc"], result["pairwise_accuracy"]] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("metric", "scores", "relevances", "missed", "expected"),
    [
        ("pairwise_accuracy", [3, 2, 1], [2, 1, 0], [], 1),
        ("pairwise_accuracy", [3, 2, 1], [0, 1, 2], [], 0),
        ("pairwise_accuracy", [3, 2, 1], [2, 0, 1], [], 2 / 3),
        ("pairwise_accuracy", [3, 3, 1], [2, 0, 1], [], 3 / 4 * 2 / 3),
        ("pairwise_accuracy", [3, 2, 1, 0], [1, None, 1, 0], [], 1),
        ("pairwise_accuracy", [3, 2, 1], [1, -1, 2], [], 0),
        ("pairwise_accuracy", [3, 2], [1, 1], [], None),
        ("pairwise_accuracy", [3, 2], [1, -1], [], None),
        ("pairwise_accuracy", [], [], [1], None),
        ("grouped_ap", [3, 2, 1], [0, 1, 1], [], (1 / 2 + 2 / 3) / 2),
        ("grouped_ap", [2, 2, 1], [0, 1, 1], [], (1 / 2 + 2 / 3) / 2),
        ("grouped_ap", [1, 1], [None, 1], [1], 1 / 2),
        ("grouped_ap", [1], [0], [1], 0),
        ("grouped_ap", [], [], [1], 0),
        ("grouped_ap", [1], [0], [], None),
    ],
)
def test_metric_has_its_worked_value(
    metric: str, scores: list[float], relevances: Ranking, missed: list[float], expected: float | None
) -> None:
    run = {"q": {f"d{place}": float(score) for place, score in enumerate(scores)}, "another": {"d": 1.0}}
    judged = {f"d{place}": value for place, value in enumerate(relevances) if value is not None}
    qrels = {"q": judged | {f"missed {place}": value for place, value in enumerate(missed)}, "another": {"d": 1}}

    found = sqlrank.evaluate(run, qrels, metric, empty="skip").to_dict()["q"][metric]

    assert found == (None if expected is None else pytest.approx(expected))


def test_mean_of_gauc_weighs_the_queries_that_have_a_value() -> None:
    run = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 3.0, "b": 2.0, "c": 1.0}, "3": {"a": 2.0, "b": 1.0}}
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "c": 2}, "3": {"a": 1, "b": 1}}

    result = sqlrank.evaluate(run, qrels, ["gauc", "gauc(weight=rows)", "gauc(weight=positives)"])

    means = [(1 + 1 / 2) / 2, (2 * 1 + 3 / 2) / 5, (1 * 1 + 2 * 1 / 2) / 3]
    assert [result[measure.text] for measure in result.measures] == pytest.approx(means)
