"""The metrics of scores against scikit-learn."""

import math
import random
from typing import Any

import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from tests.reference import lists
from tests.reference.shared import Ranking

pytestmark = pytest.mark.slow


def random_queries() -> list[tuple[list[float], Ranking]]:
    """Scores and relevances with ties, unjudged documents and queries of one kind only."""
    rng = random.Random(20240921)
    queries: list[tuple[list[float], Ranking]] = []
    for _ in range(400):
        size, spread = rng.choice([1, 2, 5, 30]), rng.choice([1, 4, 400])
        grades: Ranking = rng.choice([[0, 1], [0, 1, 2, 3], [None, -1, 0, 1, 2], [0], [1]])
        scores = [rng.randint(-spread, spread) / 8 for _ in range(size)]
        queries.append((scores, [rng.choice(grades) for _ in range(size)]))
    return queries


QUERIES = random_queries()


def labels(relevances: Ranking, rel: float) -> list[int]:
    """1 for each relevant document, else 0."""
    return [int(value is not None and value >= rel) for value in relevances]


@pytest.mark.parametrize("rel", [1, 2])
def test_gauc_agrees_with_roc_auc_score(rel: int) -> None:
    compared = 0
    for scores, relevances in QUERIES:
        truth = labels(relevances, rel)
        value = lists.gauc(scores, relevances, rel=rel)
        if len(set(truth)) == 2:
            compared += 1
            assert value == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
        else:
            assert math.isnan(value)
    assert 50 < compared < len(QUERIES)


def test_auc_agrees_with_roc_auc_score_of_all_rows() -> None:
    queries = QUERIES[:60]
    scores = [score for found, _ in queries for score in found]
    truth = [label for _, relevances in queries for label in labels(relevances, 1)]

    assert lists.auc(queries) == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)


@pytest.mark.parametrize("rel", [1, 2])
def test_grouped_ap_agrees_with_average_precision_score(rel: int) -> None:
    compared = 0
    for scores, relevances in QUERIES:
        truth = labels(relevances, rel)
        if any(truth):
            compared += 1
            theirs = average_precision_score(truth, scores)
            assert lists.grouped_ap(scores, relevances, [rel], rel=rel) == pytest.approx(theirs, abs=1e-12)
    assert compared > 50


def test_pairwise_accuracy_of_two_grades_is_the_auc() -> None:
    for scores, relevances in QUERIES:
        binary: Ranking = [None if value is None else float(value > 0) for value in relevances]
        judged = [(score, value) for score, value in zip(scores, binary, strict=True) if value is not None]
        wanted = lists.gauc([score for score, _ in judged], [value for _, value in judged])
        assert lists.pairwise_accuracy(scores, binary) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(
    ("scores", "relevances", "expected"),
    [
        ([3, 2, 1], [2, 1, 0], 1),
        ([3, 2, 1], [0, 1, 2], 0),
        ([3, 2, 1], [2, 0, 1], 2 / 3),
        ([3, 3, 1], [2, 0, 1], 3 / 4 * 2 / 3),
        ([3, 2, 1, 0], [1, None, 1, 0], 1),
        ([3, 2, 1], [1, -1, 2], 0),
        ([3, 2], [1, 1], math.nan),
        ([3, 2], [1, -1], math.nan),
        ([], [], math.nan),
    ],
)
def test_pairwise_accuracy_has_its_worked_value(scores: list[float], relevances: Ranking, expected: float) -> None:
    assert lists.pairwise_accuracy(scores, relevances) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("weight", "expected"),
    [("none", (1 + 1 / 2) / 2), ("rows", (2 * 1 + 3 / 2) / 5), ("positives", (1 * 1 + 2 * 1 / 2) / 3)],
)
def test_mean_of_gauc_weighs_the_queries_that_have_a_value(weight: str, expected: float) -> None:
    queries: list[tuple[list[float], Ranking]] = [([2, 1], [1, 0]), ([3, 2, 1], [1, None, 2]), ([2, 1], [1, 1])]

    assert lists.mean_gauc(queries, weight=weight) == pytest.approx(expected)
    assert math.isnan(lists.mean_gauc(queries[2:], weight=weight))


@pytest.mark.parametrize(
    ("scores", "relevances", "judged", "expected"),
    [
        ([3, 2, 1], [0, 1, 1], [0, 1, 1], (1 / 2 + 2 / 3) / 2),
        ([2, 2, 1], [0, 1, 1], [0, 1, 1], (1 / 2 + 2 / 3) / 2),
        ([1, 1], [None, 1], [1, 1], 1 / 2),
        ([1], [0], [0, 1], 0),
        ([], [], [1], 0),
        ([1], [0], [0], None),
    ],
)
def test_grouped_ap_has_its_worked_value(scores: list[float], relevances: Ranking, judged: Any, expected: Any) -> None:
    assert lists.grouped_ap(scores, relevances, judged) == expected
