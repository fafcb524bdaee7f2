"""Trials of tests of differences, of their intervals, and of margins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import sqlrank
from tests.trials.experiments import (
    GRADED,
    IN_RANGE,
    REPLICATES,
    SHARE,
    SIZES,
    WEIGHTS,
    Array,
    Trial,
    column,
    head,
    number_of,
    outcome,
    row,
    table_of,
)
from tests.trials.means import OF_CLUSTERS, TOPICS, related, row_of_clusters, sizes_of

Triple = tuple[Array, Array, Array]
SHIFT = 0.2
"""The true difference where there is one."""


def skewed(rng: np.random.Generator, size: tuple[int, int]) -> Triple:
    """Values that hang together, of which a third are the same on both sides; the last are larger by `SHIFT`."""
    common, tied = rng.gamma(2, 1, size) + 1, rng.random(size) < 1 / 3
    first, second, third = (common + np.where(tied, 0, rng.exponential(1, size)) for _ in range(3))
    return first, second, third + np.where(tied, 0, 1.5 * SHIFT)


def few_values(rng: np.random.Generator, size: tuple[int, int]) -> Triple:
    """Shares of ten, half of which both sides have alike; the last are larger by `SHIFT`."""
    common = rng.binomial(5, 0.3, size)
    first, second, third = ((common + rng.binomial(5, 0.3 + more, size)) / 10 for more in (0, 0, 2 * SHIFT))
    return first, second, third


def binary(rng: np.random.Generator, size: tuple[int, int]) -> Triple:
    """Values of 0 and 1 that are the same for half of the queries; the last are larger by `SHIFT`."""
    first, again = rng.random(size) < 0.5, rng.random(size) < 0.5
    second, third = (np.where(again, first, rng.random(size) < 0.5 + more) for more in (0, 2 * SHIFT))
    return first.astype(float), second.astype(float), third.astype(float)


def one_sided(rng: np.random.Generator, size: tuple[int, int]) -> Triple:
    """Differences that are exponential about their mean; the last are larger by `SHIFT`."""
    second, third = (2 + rng.exponential(1, size) for _ in range(2))
    return np.full(size, 3.0), second, third + SHIFT


def lumpy(rng: np.random.Generator, size: tuple[int, int]) -> Triple:
    """Differences of which one in twenty is twenty times the usual and lost; the last are larger by `SHIFT`."""

    def drawn() -> Array:
        return 30 + 0.95 + np.where(rng.random(size) < 0.05, -20.0, 0.0) + rng.normal(0, 1, size) + 0.05

    return np.full(size, 30.0), drawn(), drawn() + SHIFT


DIFFERENCES: dict[str, tuple[Callable[..., Triple], str]] = {
    "skewed, a third tied": (skewed, GRADED),
    "few values, as p@10": (few_values, GRADED),
    "0 or 1, half of them the same": (binary, SHARE),
    "one-sided: exponential": (one_sided, GRADED),
    "one in twenty is lost by twenty times the usual": (lumpy, GRADED),
}
WEIGHTED = ("skewed, a third tied", "0 or 1, half of them the same")
"""The values that are tried with weights too."""
DRAWN = ("randomization", "t", "bootstrap")
TESTS_TRIED = [
    (test, data, weights)
    for test in (*DRAWN, "wilcoxon", "sign")
    for data in DIFFERENCES
    for weights in WEIGHTS
    if weights == "equal" or (test in DRAWN[:2] and data in WEIGHTED and weights != "log-normal, sigma 1.5")
]


def difference_trial(test: str, data: str, weights: str, queries: int, experiments: int | None = None) -> Trial:
    """A test where there is no difference, and the interval that is shown with it where there is one of `SHIFT`."""
    rng = np.random.default_rng(queries)
    size, (draw, metric) = (experiments or number_of(queries), queries), DIFFERENCES[data]
    values = draw(rng, size)
    asked = table_of(dict(zip(("a", "same", "better"), values, strict=True)), WEIGHTS[weights](rng, size), metric)
    return of_same_and_better(asked, test)


def of_same_and_better(asked: dict[str, Any], test: str) -> Trial:
    """The lower coverage of both, and how often a difference is found where there is none."""
    with sqlrank.compare(**asked, test=test, replicates=REPLICATES, correction="none") as comparison:
        rows = comparison.rows.filter("not is_total")
        same, better = (rows.filter(f"system = '{system}'").fetchnumpy() for system in ("same", "better"))
    unlike, alike = outcome(better, SHIFT), outcome(same, 0.0)
    errors = float((column(same, "p_value", 1.0) <= 0.05).mean())
    return replace(unlike, coverage=min(unlike.coverage, alike.coverage), errors=errors)


def row_of_differences(test: str, data: str, weights: str, most: int = SIZES[-1]) -> str:
    """A row of the table of differences, up to so many queries."""
    cells = [difference_trial(test, data, weights, size) if size <= most else None for size in SIZES]
    return row([f"`{test}`", data, weights], cells)


def of_differences() -> Iterator[str]:
    """The table of differences."""
    yield from head(["`--test`", "values", "weights"])
    for tried in TESTS_TRIED:
        yield row_of_differences(*tried)


TIED = (0.0, 0.5, 0.75, 0.9, 0.97)
"""The shares of queries that tie."""
LOSING = {"all that differ lose": 1.0, "seven of ten that differ lose": 0.7}
"""How many of the queries that differ lose, each beta(1, 3)."""


def mostly_tied(rng: np.random.Generator, size: tuple[int, int], tied: float, losing: float) -> tuple[Array, Array]:
    """Values between 0 and 1 of two systems, and those of the second."""
    moved = np.where(rng.random(size) < losing, -1, 1) * rng.beta(1, 3, size) * (rng.random(size) >= tied)
    first = np.maximum(-moved, 0) + (1 - abs(moved)) * rng.random(size)
    return first, first + moved


def tied_trial(test: str, words: str, tied: float, queries: int, experiments: int | None = None) -> Trial:
    """The interval of a loss of queries of which many tie, and how often a margin of that loss is called not lost."""
    rng = np.random.default_rng(queries)
    size, losing = (experiments or number_of(queries), queries), LOSING[words]
    truth = (1 - tied) * (1 - 2 * losing) * 0.25
    values = dict(zip(("a", "b"), mostly_tied(rng, size, tied, losing), strict=True)) | {"": np.ones(size)}
    questions: dict[str, Any] = {"replicates": REPLICATES, "correction": "none", "margins": {IN_RANGE: -truth}}
    with sqlrank.compare(**table_of(values, np.ones(size), IN_RANGE), test=test, **questions) as comparison:
        found = comparison.rows.filter("not is_total").fetchnumpy()
    return replace(outcome(found, truth), errors=float((column(found, "p_not_worse", 1.0) <= 0.05).mean()))


def row_of_ties(test: str, words: str, tied: float, most: int = SIZES[-1]) -> str:
    """A row of the table of queries that tie, up to so many queries."""
    cells = [tied_trial(test, words, tied, size) if size <= most else None for size in SIZES]
    return row([f"`{test}`", words, f"{100 * tied:g} %"], cells)


def of_ties() -> Iterator[str]:
    """The table of queries that tie, and of margins."""
    yield from head(["`--test`", "differences", "tied"])
    for words in LOSING:
        for tied in TIED:
            yield row_of_ties(DRAWN[0], words, tied)


def clustered_difference(test: str, topics: int, experiments: int | None = None) -> Trial:
    """A test of related queries."""
    rng, clusters = np.random.default_rng(topics), sizes_of(topics)
    drawn = [5 + related(rng, experiments or number_of(topics), clusters) for _ in range(2)]
    values = {"a": np.full(drawn[0].shape, 5.0), "same": drawn[0], "better": drawn[1] + SHIFT}
    return of_same_and_better(table_of(values, np.ones(drawn[0].shape), GRADED, clusters), test)


def row_of_clustered_differences(test: str, most: int = TOPICS[-1]) -> str:
    """A row of the table of clusters, up to so many."""
    cells = [clustered_difference(test, size) if size <= most else None for size in TOPICS]
    return row([f"difference, `{test}`", OF_CLUSTERS[0]], cells)


def of_clusters() -> Iterator[str]:
    """The table of clusters."""
    yield from head(["of", "values"], TOPICS, "clusters")
    for words in OF_CLUSTERS:
        yield row_of_clusters(words)
    for test in DRAWN:
        yield row_of_clustered_differences(test)
