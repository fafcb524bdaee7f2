"""`--unjudged N`: a document without a judgment counts as one of relevance N (unknown_doc_rating of Elasticsearch)."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError

RUN = {"q1": {"a": 5, "b": 4, "c": 3, "d": 2}, "q2": {"x": 2, "y": 1}, "q3": {"a": 1}}
QRELS = {"q1": {"a": 3, "c": 1, "z": 2}, "q2": {"y": 2}, "q4": {"a": 1}}
DCG = 3 + 1 / log2(3) + 1 / 2 + 1 / log2(5)
IDEAL = 3 + 2 / log2(3) + 1 / 2


def by_query(metric: str, **options: Any) -> dict[str, float]:
    """The values of a metric by query."""
    with sqlrank.evaluate(RUN, QRELS, [metric], **options) as result:
        return {query: values[metric] for query, values in result.to_dict().items()}


@pytest.mark.parametrize(
    ("metric", "options", "expected"),
    [
        ("dcg@10", {}, {"q1": DCG, "q2": 1 + 2 / log2(3), "q4": 0}),
        ("dcg@10", {"unjudged": "1"}, {"q1": DCG, "q2": 1 + 2 / log2(3), "q4": 0}),
        ("dcg@2", {}, {"q1": 3 + 1 / log2(3), "q2": 1 + 2 / log2(3), "q4": 0}),
        ("dcg(gain=exp2)@2", {}, {"q1": 7 + 1 / log2(3), "q2": 1 + 3 / log2(3), "q4": 0}),
        ("ndcg@10", {}, {"q1": DCG / IDEAL, "q2": (1 + 2 / log2(3)) / 2, "q4": 0}),
        ("ndcg(ideal=retrieved)@2", {}, {"q1": 1, "q2": (1 + 2 / log2(3)) / (2 + 1 / log2(3)), "q4": 0}),
        ("rbp(p=0.5, grade=raw)", {}, {"q1": 0.5 * (3 + 0.5 + 0.25 + 0.125), "q2": 0.5 * (1 + 1), "q4": 0}),
        ("p(rel=2)@2", {}, {"q1": 0.5, "q2": 0.5, "q4": 0}),
        ("dcg@10", {"query_set": "run"}, {"q1": DCG, "q2": 1 + 2 / log2(3), "q3": 1}),
        ("dcg@10", {"query_set": "shared"}, {"q1": DCG, "q2": 1 + 2 / log2(3)}),
    ],
)
def test_values_worked_out_by_hand(metric: str, options: dict[str, Any], expected: dict[str, float]) -> None:
    assert by_query(metric, **{"unjudged": 1} | options) == pytest.approx(expected, abs=1e-12)


def test_a_labelled_export_gives_the_same() -> None:
    rows = [
        (query, doc, score, QRELS.get(query, {}).get(doc))
        for query, docs in RUN.items()
        for doc, score in docs.items()
        if query in QRELS
    ]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["query_id", "doc_id", "score", "relevance"])
    with sqlrank.evaluate(frame, metrics=["dcg@10"], unjudged=1) as result:
        assert result["dcg@10"] == pytest.approx((DCG + 1 + 2 / log2(3)) / 2, abs=1e-12)


def test_a_value_above_the_ideal_of_the_judgments_is_noted_with_the_query() -> None:
    with sqlrank.evaluate(RUN, QRELS, ["ndcg@10"], unjudged=1) as result:
        (note,) = [note for note in result.notes if "above 1" in note]
    assert "1 value of ndcg@10" in note
    assert "1.1309 of query 'q2'" in note


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        ("p@2", "p@2 would count as relevant, from 1 on, what nobody judged"),
        ("ap", "raise its level, as in rel=2"),
        ("num_rel_ret", "would count as relevant"),
        ("unj@3", "tells documents that were judged from others"),
        ("bpref", "tells documents that were judged from others"),
        ("gauc", "tells documents that were judged from others"),
    ],
)
def test_what_only_judgments_say_is_refused(metric: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        by_query(metric, unjudged=1)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"unjudged": "some"}, "one of nonrelevant, remove, N"),
        ({"unjudged": 0}, "is not a finite number above 0"),
        ({"unjudged": "inf"}, "is not a finite number above 0"),
        ({"unjudged": True}, "a text or a finite number"),
        ({"unjudged": 1, "ties": "best"}, "choose one of them"),
        ({"unjudged": 1, "bounds": True}, "--bounds|bounds"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        by_query("ndcg@10", **options)


def test_ids_that_match_nowhere_are_still_found() -> None:
    with pytest.raises(DataError, match="ids would match if case did not matter"):
        sqlrank.evaluate({"q1": {"A": 2.0}}, {"q1": {"a": 1}}, ["dcg@3"], unjudged=1)


def test_systems_are_compared_by_it() -> None:
    runs = {"one": RUN, "other": {"q1": {"c": 3, "b": 1}, "q2": {"y": 1}}}
    with sqlrank.compare(None, QRELS, ["dcg@10"], systems=runs, unjudged=1) as result:
        ((baseline, value),) = result.rows.select("baseline_value, value").fetchall()
    assert baseline == pytest.approx((DCG + 1 + 2 / log2(3)) / 3, abs=1e-12)
    assert value == pytest.approx((1 + 1 / log2(3) + 2) / 3, abs=1e-12)
