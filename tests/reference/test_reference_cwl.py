"""ERR, the C/W/L metrics, compat and accuracy, worked out by hand."""

import math
from typing import Any

import pytest

from tests.reference import cwl
from tests.reference import definitions as reference
from tests.reference.shared import Judged, Ranking

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("ranking", "k", "expected"),
    [
        ([1, 0], None, 1),
        ([0, None, 1, 1], None, 0),
        ([1, 0, 2, None], None, 3 / 4),
        ([1, 0, 1, 0], 3, 1 / 2),
        ([1, 1], None, None),
        ([0, None], None, None),
        ([1, 0], 1, None),
        ([], None, None),
    ],
)
def test_accuracy_needs_a_document_of_each_kind(ranking: Ranking, k: int | None, expected: float | None) -> None:
    value = cwl.accuracy(ranking, [1, 1], k)

    assert math.isnan(value) if expected is None else value == expected


@pytest.mark.parametrize(
    ("metric", "ranking", "judged", "k", "parameters", "expected"),
    [
        ("err", [2, 0, 1], [2, 1], 3, {"max": 2}, 3 / 4 + 1 / 4 * (1 / 4) / 3),
        ("err", [1, 1], [1, 1], 1, {"max": 1}, 1 / 2),
        ("err", [-1, 1], [-1, 1], 2, {"max": 1}, 1 / 4),
        ("err", [3, 1], [3, 1], 2, {"max": 1}, 1 / 2 + 1 / 2 * 1 / 2 / 2),
        ("nerr8", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 1 / 2) / (1 + 1 / 2)),
        ("nerr9", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 1 / 4) / (1 + 1 / 4)),
        ("nerr10", [1, 2], [1, 2], 2, {"max": 2, "p": 0.5}, (1 / 2 + 1 / 4) / (1 + 1 / 4)),
        ("nerr11", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 4 / 9 / 2) / (1 + 4 / 9 / 2)),
        ("insq", [1, 2], [1, 2], 2, {"max": 2}, (1 / 2 + 4 / 9) / (1 + 4 / 9)),
        ("inst", [1, 0, 1], [1, 1], 3, {"max": 1}, (1 + 1 / 9) / (1 + 1 / 4 + 1 / 9)),
        ("sdcg", [0, 2], [2], 2, {"max": 2}, (1 / math.log2(3)) / (1 + 1 / math.log2(3))),
        ("bpm", [0, 1, 1], [1, 1], 3, {"max": 2}, 1 / 3),
        ("bpm", [0, 2, 1], [2, 1], 3, {"max": 2}, 1 / 2),
        ("bpm", [1] * 10 + [10], [1] * 10 + [10], 11, {"max": 10}, 1 / 10),
        ("sdcg", [5, 1], [5, 1], 2, {"min": 1, "max": 3}, 1 / (1 + 1 / math.log2(3))),
        ("compat", [0, 1], [1, 0], None, {"p": 0.5}, (1 / 2 / 2) / (1 + 1 / 2 / 2)),
    ],
)
def test_metric_has_its_worked_value(
    metric: str, ranking: Ranking, judged: Judged, k: int | None, parameters: dict[str, Any], expected: float
) -> None:
    assert reference.METRICS[metric](ranking, judged, k, **parameters) == pytest.approx(expected, rel=1e-14)


def test_there_is_no_gain_where_the_largest_relevance_is_the_smallest() -> None:
    assert cwl.sdcg([0, 0], [0, 0], 3, max="data", top=0) == 0
    assert cwl.bpm([2, 1], [2, 1], 3, min=2, max="data", top=2) == 0
    assert cwl.err([0], [0], 3, max="data", top=0) == 0


def test_best_ranking_of_compat_has_documents_not_returned_last() -> None:
    assert cwl.compat([None, 1], [1, 1], p=0.5, normalize="no") == pytest.approx((0 + 1 / 2 * 1 / 2) / (1 + 1 / 2))
    assert cwl.compat([1, 2], [1, 2], p=0.5, normalize="no") == pytest.approx((0 + 1 / 2) / (1 + 1 / 2))
