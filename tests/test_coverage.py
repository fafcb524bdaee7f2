"""Intervals cover the true difference as often as they say, and tests find nothing where there is nothing to find.

Each of 2,000 experiments is a segment of one comparison.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import sqlrank
from tests.comparisons import METRIC, experiments

EXPERIMENTS = 2_000
WITHIN = 0.015


def values_of(rng: random.Random, shift: float) -> tuple[float, float]:
    """Two values that hang together, skewed, of which a third are the same on both sides where nothing shifts them."""
    common = rng.gammavariate(2, 1)
    if rng.random() < 1 / 3:
        return common + 1, common + 1
    return common + rng.expovariate(1), common + rng.expovariate(1) + shift * 1.5


def rows(queries: int, shift: float, seed: int, **options: Any) -> list[dict[str, Any]]:
    """The rows of all experiments."""
    rng = random.Random(seed)
    pairs = [[values_of(rng, shift) for _ in range(queries)] for _ in range(EXPERIMENTS)]
    runs, qrels = experiments({side: [[pair[at] for pair in one] for one in pairs] for at, side in enumerate("ab")})
    asked: dict[str, Any] = {"by": "experiment", "correction": "none", "replicates": 2_000} | options
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **asked) as comparison:
        return [row for row in comparison.all_rows if not row["is_total"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "queries", "true_difference"),
    [
        ("randomization", 20, 0),
        ("randomization", 60, 0),
        ("wilcoxon", 60, 0),
        ("sign", 60, 0),
        ("bootstrap", 100, 0),
        ("randomization", 20, 0.2),
        ("randomization", 60, 0.2),
        ("bootstrap", 100, 0.2),
    ],
)
def test_intervals_cover_the_true_difference_and_tests_find_no_other(
    test: str, queries: int, true_difference: float
) -> None:
    found = rows(queries, true_difference, 5, test=test)
    covered = sum(row["ci_low"] <= true_difference <= row["ci_high"] for row in found) / EXPERIMENTS
    positive = sum(row["p_value"] <= 0.05 for row in found) / EXPERIMENTS
    print(f"{test}, {queries} queries, {true_difference}: covered {covered:.4f}, significant {positive:.4f}")  # noqa: T201
    assert abs(covered - 0.95) <= WITHIN
    if true_difference == 0:
        # The sign test has few p values to choose from, and stays below.
        least = 0.02 if test == "sign" else 0.05 - WITHIN
        assert least <= positive <= 0.05 + WITHIN
