"""Trials of looking while judging: how often the confidence sequence ever leaves the truth out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sqlrank.statistics.confidence_sequence import QuerySums
from tests.trials.experiments import SIZES, head, row

EXPERIMENTS = 2_000
VERDICTS: dict[str, tuple[list[float], int]] = {
    "one verdict of each query, 30 % same": ([0.35, 0.3, 0.35], 1),
    "one verdict of each query, 90 % same": ([0.05, 0.9, 0.05], 1),
    "one verdict of each query, 70 % good": ([0.7, 0.2, 0.1], 1),
    "three verdicts of each query, alike": ([0.35, 0.3, 0.35], 3),
}
"""How often a verdict is good, same or bad, and how many a query has."""


def left_out(words: str, most: int = SIZES[-1], experiments: int = EXPERIMENTS) -> list[float]:
    """The share of experiments in which the truth is left out at any of the looks, one after each query, so far."""
    shares, each = VERDICTS[words]
    rng = np.random.default_rng(most)
    truth = shares[0] - shares[2]
    drawn = each * rng.choice([1.0, 0.0, -1.0], (experiments, most), p=shares)
    sums, squares = drawn.cumsum(axis=1), (drawn**2).cumsum(axis=1)
    first = np.full(experiments, np.inf)
    for look in range(most):
        weight = each * (look + 1.0)
        for place in np.flatnonzero(np.isinf(first)):
            found = QuerySums(
                sums[place, look], weight, squares[place, look], each * sums[place, look], each * weight, float(each)
            )
            if found.evidence(truth) > -np.log(0.05):
                first[place] = look + 1
    return [float((first <= size).mean()) for size in SIZES if size <= most]


def row_of_looks(words: str, most: int = SIZES[-1], experiments: int = EXPERIMENTS) -> str:
    """A row of the table of looks."""
    return row([words], [f"{100 * share:.1f}" for share in left_out(words, most, experiments)])


def of_looks() -> Iterator[str]:
    """The table of looks."""
    yield from head(["verdicts"])
    for words in VERDICTS:
        yield row_of_looks(words)
