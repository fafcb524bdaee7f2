"""`--unjudged N`: a document without a judgment counts as one of relevance N (unknown_doc_rating of Elasticsearch)."""

from __future__ import annotations

from math import log2
from typing import Any

import pytest

import sqlrank
from sqlrank.errors import DataError, UsageError
from tests.support.cases import Table, arrow, rows_of
from tests.support.tables import each

RUN: Table = {"q1": {"a": 5, "b": 4, "c": 3, "d": 2}, "q2": {"x": 2, "y": 1}, "q3": {"a": 1}}
QRELS: Table = {"q1": {"a": 3, "c": 1, "z": 2}, "q2": {"y": 2}, "q4": {"a": 1}}
DCG = 3 + 1 / log2(3) + 1 / 2 + 1 / log2(5)
IDEAL = 3 + 2 / log2(3) + 1 / 2


Q2 = 1 + 2 / log2(3)
BY_HAND = {
    "dcg@10": {"q1": DCG, "q2": Q2, "q4": 0},
    "dcg@2": {"q1": 3 + 1 / log2(3), "q2": Q2, "q4": 0},
    "dcg(gain=exp2)@2": {"q1": 7 + 1 / log2(3), "q2": 1 + 3 / log2(3), "q4": 0},
    "ndcg@10": {"q1": DCG / IDEAL, "q2": Q2 / 2, "q4": 0},
    "ndcg(ideal=retrieved)@2": {"q1": 1, "q2": Q2 / (2 + 1 / log2(3)), "q4": 0},
    "rbp(p=0.5, grade=raw)": {"q1": 0.5 * (3 + 0.5 + 0.25 + 0.125), "q2": 0.5 * (1 + 1), "q4": 0},
    "p(rel=2)@2": {"q1": 0.5, "q2": 0.5, "q4": 0},
}


def by_query(metrics: Any, **options: Any) -> dict[str, Any]:
    """The values of metrics by query."""
    with sqlrank.evaluate(RUN, QRELS, metrics, **options) as result:
        return result.to_dict()


def test_values_worked_out_by_hand() -> None:
    found = by_query([*BY_HAND], unjudged=1)
    assert found.keys() == {"q1", "q2", "q4"}
    for metric, values in BY_HAND.items():
        assert {query: row[metric] for query, row in found.items()} == pytest.approx(values, abs=1e-12), metric
    assert by_query([*BY_HAND], unjudged="1") == found


@each({"run": {"q1": DCG, "q2": Q2, "q3": 1}, "shared": {"q1": DCG, "q2": Q2}}.items())
def test_so_they_are_in_every_set_of_queries(case: tuple[str, dict[str, float]]) -> None:
    query_set, wanted = case
    found = by_query("dcg@10", unjudged=1, query_set=query_set)
    assert {query: row["dcg@10"] for query, row in found.items()} == pytest.approx(wanted, abs=1e-12)


def test_a_labelled_export_gives_the_same() -> None:
    rows = [(*row, QRELS[row[0]].get(row[1])) for row in rows_of(RUN) if row[0] in QRELS]
    export = arrow(rows, "query_id", "doc_id", "score", "relevance")
    with sqlrank.evaluate(export, metrics=["dcg@10"], unjudged=1) as result:
        assert result["dcg@10"] == pytest.approx((DCG + Q2) / 2, abs=1e-12)


def test_a_value_above_the_ideal_of_the_judgments_is_noted_with_the_query() -> None:
    with sqlrank.evaluate(RUN, QRELS, ["ndcg@10"], unjudged=1) as result:
        (note,) = [note for note in result.notes if "above 1" in note]
    assert "1 value of ndcg@10" in note
    assert "1.1309 of query 'q2'" in note


@each(
    {
        "p@2": "p@2 would count unjudged documents as relevant, from 1 on",
        "ap": "raise its level, as in rel=2",
        "num_rel_ret": "would count unjudged documents as relevant",
        **dict.fromkeys(("unj@3", "bpref", "gauc"), "tells documents that were judged from others"),
    }.items()
)
def test_what_only_judgments_say_is_refused(case: tuple[str, str]) -> None:
    metric, says = case
    with pytest.raises(UsageError, match=says):
        by_query(metric, unjudged=1)


@each(
    [
        ({"unjudged": "some"}, "one of nonrelevant, remove, N"),
        ({"unjudged": 0}, "is not a finite number above 0"),
        ({"unjudged": "inf"}, "is not a finite number above 0"),
        ({"unjudged": True}, "a text or a finite number"),
        ({"unjudged": 1, "ties": "best"}, "choose one of them"),
        ({"unjudged": 1, "bounds": True}, "--bounds|bounds"),
    ]
)
def test_what_makes_no_sense_is_refused(case: tuple[dict[str, Any], str]) -> None:
    options, says = case
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
