"""The reference functions on what is small enough to work out.

The metrics themselves agree with them, with the worked examples and with the other tools.
"""

import math
from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest

from tests.reference import cwl, trec
from tests.reference import definitions as reference
from tests.reference.shared import Judged, Ranking

pytestmark = pytest.mark.slow


def test_mean_of_average_precisions_has_its_worked_value() -> None:
    assert reference.mean([0.4, 0.5, 0.6, 0.9]) == pytest.approx(0.6, rel=1e-14)


def test_mean_leaves_out_skipped_queries() -> None:
    assert reference.mean([0.25, None, 0.75]) == 0.5
    assert math.isnan(reference.mean([None]))


@pytest.mark.parametrize(
    ("metric", "ranking", "judged", "k", "parameters", "expected"),
    [
        ("ap", [1, 0, 1], [1, 1, 1, 1], 2, {"norm": "min"}, 1 / 2),
        ("ap", [1, 0, 1], [1, 1, 1, 1], None, {"norm": "min"}, 5 / 12),
        ("ap", [1, 0, 1], [1, 1, 1], 4, {"norm": "k"}, 5 / 12),
        ("ap", [1, 0, 1], [1, 1, 1], None, {"mean": "geometric"}, 5 / 9),
        ("bpref", [1, 0, 1], [1, 1, 1, 0], None, {"mean": "geometric"}, 1 / 3),
        ("p", [1, 0], [1], 4, {"norm": "returned"}, 1 / 2),
        ("p", [], [1], 4, {"norm": "returned"}, 0),
        ("recall", [1, 0, 1], [1, 1, 1], 2, {"norm": "min"}, 1 / 2),
        ("f", [1, 0, 1, None], [1, 1, 1], 4, {}, 4 / 7),
        ("f", [1, 0, 1, None], [1, 1, 1], 4, {"beta": 2.0}, 5 / 8),
        ("hits", [1, 0, 1, None], [1, 1, 1], 2, {}, 1),
        ("num_q", [], [], None, {}, 1),
        ("set_f", [1, 0], [1], None, {"beta": 2.0}, 5 / 6),
        ("judged", [-1, None, 0], [-1, 0, 2], 4, {}, 2 / 3),
        ("judged", [], [1], 4, {}, 0),
        ("dcg", [0.5, -2, None], [0.5, -2], None, {"discount": "none"}, 0.5),
        ("dcg", [0, 1], [0, 1], None, {"discount": "ln"}, 1 / math.log(3)),
        ("dcg", [2, 1, 3], [2, 1, 3], None, {"gain": {1: 5, 2: 0.5}, "discount": "none"}, 5.5),
        ("ideal_dcg", [], [1, 2], 1, {"gain": {1: 5, 2: 0.5}}, 5),
        ("ideal_dcg", [1, 2, 3], [1, 2, 3], 2, {"ideal": "retrieved", "discount": "none"}, 5),
        ("ndcg", [1], [1], 2, {"ideal": "full", "top_gain": 4.0, "discount": "none"}, 1 / 8),
        ("ndcg", [0], [0, 1], None, {"ideal": "retrieved"}, 0),
    ],
)
def test_parameter_changes_the_value_by_its_definition(
    metric: str, ranking: Ranking, judged: Judged, k: int | None, parameters: dict[str, Any], expected: float
) -> None:
    value = reference.METRICS[metric](ranking, judged, k, **parameters)

    assert value == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("rule", "total", "hits"),
    [
        ("ceil", 1, [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ("round", 1, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]),
        ("ceil", 4, [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]),
        ("round", 4, [0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4]),
        ("ceil", 5, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        ("round", 5, [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        ("ceil", 8, [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8]),
        ("round", 8, [0, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8]),
    ],
)
def test_recall_level_requires_the_hits_of_its_rule(rule: str, total: int, hits: list[int]) -> None:
    assert [trec.required_hits(tenth / 10, total, rule) for tenth in range(11)] == hits


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        ("doc-desc", [None, 0, 2, 1]),
        ("doc-asc", [1, 2, 0, None]),
        ("best", [2, 1, None, 0]),
        ("worst", [None, 0, 1, 2]),
        ("input", [2, None, 1, 0]),
    ],
)
def test_equal_scores_are_ordered_by_the_tie_rule(ties: str, expected: Ranking) -> None:
    scores = {"a": 1.0, "é": 1.0, "B": 1.0, "b": 1.0}

    assert reference.rank(scores, {"a": 2, "B": 1, "b": 0}, ties=ties) == expected


def test_depth_cuts_before_unjudged_documents_are_removed() -> None:
    scores = {"a": 1.0, "x": 2.0, "b": 3.0, "c": 4.0}
    judgments = {"a": 1, "b": -1, "c": 3}

    assert reference.rank(scores, judgments, depth=3, unjudged="remove") == [3]
    assert reference.rank(scores, judgments, depth=2, order="asc", unjudged="remove") == [1]


def test_query_set_decides_which_queries_are_evaluated() -> None:
    run = {"both": {"a": 1.0}, "only run": {"a": 1.0}}
    qrels = {"only judged": {"a": 1}, "both": {"a": 1}}

    assert reference.evaluate(run, qrels, "rr") == {"only judged": 0.0, "both": 1.0}
    assert reference.evaluate(run, qrels, "rr", query_set="shared") == {"both": 1.0}
    assert reference.evaluate(run, qrels, "rr", query_set="run") == {"both": 1.0, "only run": 0.0}


@pytest.mark.parametrize(("empty", "expected"), [("zero", 0.0), ("one", 1.0), ("skip", None)])
def test_empty_query_gets_the_value_asked_for(empty: str, expected: float | None) -> None:
    qrels = {"empty": {"a": 0}, "missed": {"a": 1}}

    assert reference.evaluate({}, qrels, "ndcg", empty=empty) == {"empty": expected, "missed": 0.0}


def test_full_ideal_takes_the_top_gain_of_all_queries() -> None:
    run = {"1": {"a": 1.0}}
    qrels = {"1": {"a": 1}, "2": {"a": 3}}

    values = reference.evaluate(run, qrels, "ndcg", 1, gain="exp2", ideal="full", query_set="shared")

    assert values == {"1": pytest.approx(1 / 7)}


def call(metric: str, ranking: Ranking, judged: Judged, **parameters: Any) -> Any:
    """A metric with what it cannot do without."""
    k = 5 if metric in {"bpm", "err", "f", "nerr8", "nerr9", "p", "sdcg", "unj"} else None
    if metric == "iprec":
        parameters["recall"] = 0.0
    return reference.METRICS[metric](ranking, judged, k, **reference.with_largest(metric, parameters, judged))


@pytest.mark.parametrize("metric", sorted(reference.METRICS))
def test_query_with_nothing_to_find_is_empty_except_for_sums_and_counts(metric: str) -> None:
    unbounded = {"dcg", "ideal_dcg", "judged", "rbp", "rbp_resid", "unj", "utility", "yaap"} | reference.OF_TOP
    counts = {"hits", "num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"}

    value = call(metric, [0, None, -1], [0, 0, -1])

    assert (value is None) == (metric not in unbounded | counts | {"accuracy", "relstring"})


@pytest.mark.parametrize(
    "metric",
    sorted(set(reference.METRICS) - {"accuracy", "ideal_dcg", "num_q", "num_rel", "rbp_resid", "relstring", "yaap"}),
)
def test_missed_query_has_value_zero(metric: str) -> None:
    assert call(metric, [], [0, 2]) == 0.0


@pytest.mark.parametrize(
    "metric",
    sorted({name for name, metric in reference.METRICS.items() if "rel" in signature(metric).parameters} - {"rbp"}),
)
def test_relevance_of_1_is_relevant_unless_another_is_given(metric: str) -> None:
    assert call(metric, [1, 0], [1, 0]) == call(metric, [1, 0], [1, 0], rel=1.0)
    assert call(metric, [1, 0], [1, 0]) != call(metric, [1, 0], [1, 0], rel=2.0)


@pytest.mark.parametrize("empty", ["zero", "one", "skip"])
def test_undefined_query_has_no_value_whatever_an_empty_one_has(empty: str) -> None:
    run = {"one kind": {"a": 2.0, "b": 1.0}, "both": {"a": 1.0, "b": 2.0}}
    qrels = {"one kind": {"a": 1, "b": 1}, "both": {"a": 1}}

    assert reference.evaluate(run, qrels, "accuracy", empty=empty) == {"one kind": None, "both": 0.0}


def test_largest_relevance_is_that_of_all_queries() -> None:
    run = {"1": {"a": 1.0}}
    qrels = {"1": {"a": 1}, "2": {"a": 2}}

    assert reference.evaluate(run, qrels, "err", 1, query_set="shared") == {"1": 1 / 4}
    assert reference.evaluate(run, qrels, "err", 1, query_set="shared", max=1) == {"1": 1 / 2}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reference.p([1], [1]), "needs k"),
        (lambda: reference.f([1], [1]), "needs k"),
        (lambda: reference.ndcg([1], [1], ideal="full", top_gain=1.0), "needs k"),
        (lambda: reference.ndcg([1], [1], 3, ideal="full"), "needs top_gain"),
        (lambda: reference.set_p([1], [1], 3), "takes no k"),
        (lambda: reference.ap([1], [1], norm="k"), "needs k"),
        (lambda: trec.unj([1], [1]), "needs k"),
        (lambda: trec.utility([1], [1], tn=1.0), "needs documents"),
        (lambda: cwl.err([1], [1], 3), "needs top"),
        (lambda: cwl.sdcg([1], [1], max=2), "needs k"),
    ],
)
def test_wrong_call_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
