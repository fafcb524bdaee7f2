"""Trials of looking while judging: how often the confidence sequence ever leaves the truth out."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sqlrank.statistics.confidence_sequence import evidence
from sqlrank.statistics.moments import Moments
from tests.trials.experiments import SIZES, Array, head, row

EXPERIMENTS = 2_000
VERDICTS: dict[str, tuple[list[float], int]] = {
    "one verdict of each query, 30 % same": ([0.35, 0.3, 0.35], 1),
    "one verdict of each query, 90 % same": ([0.05, 0.9, 0.05], 1),
    "one verdict of each query, 70 % good": ([0.7, 0.2, 0.1], 1),
    "three verdicts of each query, alike": ([0.35, 0.3, 0.35], 3),
}
"""How often a verdict is good, same or bad, and how many a query has."""


VOTES: dict[str, tuple[float, bool]] = {
    "interleaved lists, a vote of each user, alike": (0.5, False),
    "interleaved lists, a vote of each user, 60 % for A": (0.6, False),
    "interleaved lists, votes of searches, some users search often, alike": (0.5, True),
    "interleaved lists, votes of searches, some users search often, 60 % for A": (0.6, True),
}
"""How likely a vote is for A, and whether each search votes, in place of each user."""
MOST_SEARCHES, LIKE = 50, 4.0
"""The most searches of a user, and how much users are alike: a taste of beta(`LIKE` p, `LIKE` (1 - p))."""


def drawn(words: str, size: tuple[int, int], rng: np.random.Generator) -> tuple[Array, Array, float]:
    """By experiment and unit the difference of its verdicts and how many it has, and the true mean of one."""
    if words in VERDICTS:
        shares, each = VERDICTS[words]
        return each * rng.choice([1.0, 0.0, -1.0], size, p=shares), np.full(size, float(each)), shares[0] - shares[2]
    likely, heavy = VOTES[words]
    votes = 1 + np.minimum(MOST_SEARCHES - 1, rng.pareto(1.5, size)).astype(int) if heavy else np.ones(size, int)
    for_a = rng.binomial(votes, rng.beta(LIKE * likely, LIKE * (1 - likely), size))
    return (2.0 * for_a - votes), votes.astype(float), 2 * likely - 1


def left_out(words: str, most: int = SIZES[-1], experiments: int = EXPERIMENTS) -> list[float]:
    """The share of experiments in which the truth is left out at any of the looks, one after each query, so far."""
    found, votes, truth = drawn(words, (experiments, most), np.random.default_rng(most))
    heaviest = np.maximum.accumulate(votes, axis=1)
    sums = [each.cumsum(axis=1) for each in (votes, votes**2, found, found**2, found * votes)]
    sums.insert(2, heaviest)
    first = np.full(experiments, np.inf)
    for look in range(most):
        for place in np.flatnonzero(np.isinf(first)):
            if evidence(Moments(look + 1, *(float(each[place, look]) for each in sums)), truth) > -np.log(0.05):
                first[place] = look + 1
    return [float((first <= size).mean()) for size in SIZES if size <= most]


def row_of_looks(words: str, most: int = SIZES[-1], experiments: int = EXPERIMENTS) -> str:
    """A row of the table of looks."""
    return row([words], [f"{100 * share:.1f}" for share in left_out(words, most, experiments)])


def of_looks() -> Iterator[str]:
    """The table of looks."""
    yield from head(["verdicts"])
    for words in (*VERDICTS, *VOTES):
        yield row_of_looks(words)
