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
TRUE_DIFFERENCE = 0.2


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
@pytest.mark.parametrize(("test", "queries"), [("randomization", 15), ("randomization", 60), ("bootstrap", 100)])
def test_intervals_cover_the_true_difference(test: str, queries: int) -> None:
    found = rows(queries, TRUE_DIFFERENCE, 5, test=test)
    covered = sum(row["ci_low"] <= TRUE_DIFFERENCE <= row["ci_high"] for row in found) / EXPERIMENTS
    print(f"{test}, {queries} queries: covered {covered:.4f}")  # noqa: T201 the figure of the documentation
    assert abs(covered - 0.95) <= WITHIN


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "queries"),
    [("randomization", 12), ("randomization", 60), ("t", 60), ("wilcoxon", 60), ("sign", 60), ("bootstrap", 100)],
)
def test_no_difference_is_found_more_often_than_alpha(test: str, queries: int) -> None:
    found = rows(queries, 0, 6, test=test)
    positive = sum(row["p_value"] <= 0.05 for row in found) / EXPERIMENTS
    print(f"{test}, {queries} queries: found {positive:.4f}")  # noqa: T201 the figure of the documentation
    assert positive <= 0.05 + WITHIN
    assert positive >= (0.02 if test == "sign" or queries == 12 else 0.05 - WITHIN)
