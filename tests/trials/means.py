"""Trials of the intervals of means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

import sqlrank
from tests.trials.experiments import (
    GRADED,
    SHARE,
    SIZES,
    WEIGHTS,
    Array,
    Draw,
    Trial,
    head,
    number_of,
    outcome,
    row,
    table_of,
)


@dataclass(frozen=True, slots=True)
class Values:
    """What a metric gives."""

    words: str
    draw: Draw
    mean: float
    metric: str = GRADED
    weights: tuple[str, ...] = tuple(WEIGHTS)


def of_two(share: float, high: float = 1.0) -> Draw:
    """Values that are so high so often, and 0 otherwise."""
    return lambda rng, size: high * (rng.random(size) < share)


LIMIT = Values("mostly near 0: beta(0.2, 1.8)", lambda rng, size: rng.beta(0.2, 1.8, size), 0.1)
"""What no interval holds for with few queries or under weights: the table of it is there to say so."""
MEANS = (
    Values("even, as ndcg: beta(2, 2)", lambda rng, size: rng.beta(2, 2, size), 0.5),
    Values("skewed, as ap: beta(1, 3)", lambda rng, size: rng.beta(1, 3, size), 0.25),
    Values("skewed, without bound, as dcg: gamma(3)", lambda rng, size: rng.gamma(3, 1, size), 3.0),
    Values("few values, as p@10: a third of ten", lambda rng, size: rng.binomial(10, 1 / 3, size) / 10, 1 / 3),
    replace(LIMIT, weights=("equal",)),
    Values("0 or 1, 0.65 of them 1", of_two(0.65), 0.65, SHARE),
    Values("0 or 1, 0.9 of them 1", of_two(0.9), 0.9, SHARE),
    Values("0 or 0.1, 0.98 of them 0.1", of_two(0.98, 0.1), 0.098, GRADED, ("equal",)),
)


def mean_trial(values: Values, weights: str, queries: int, experiments: int | None = None) -> Trial:
    """The interval of a mean."""
    rng = np.random.default_rng(queries)
    size = (experiments or number_of(queries), queries)
    weight = WEIGHTS[weights](rng, size)
    with sqlrank.evaluate(**table_of({"run": values.draw(rng, size)}, weight, values.metric)) as result:
        return outcome(result.rows.filter("not is_total").fetchnumpy(), values.mean)


def row_of_means(values: Values, weights: str, most: int = SIZES[-1]) -> str:
    """A row of the table of means, up to so many queries."""
    return row([values.words, weights], [mean_trial(values, weights, size) if size <= most else None for size in SIZES])


TOPICS = (10, 20, 50, 100)
"""Numbers of clusters."""


def sizes_of(topics: int) -> Array:
    """The cluster of each query: clusters have from 1 to 10 queries."""
    return np.repeat(np.arange(topics), 1 + np.arange(topics) * 7 % 10)


def related(rng: np.random.Generator, experiments: int, clusters: Array) -> Array:
    """Standard normal values, half of whose variance is that of their cluster."""
    shared = rng.normal(size=(experiments, clusters.max() + 1))[:, clusters]
    return (shared + rng.normal(size=(experiments, len(clusters)))) / 2**0.5


def clustered_trial(words: str, topics: int, experiments: int | None = None) -> Trial:
    """The interval of a mean of related queries."""
    rng, clusters = np.random.default_rng(topics), sizes_of(topics)
    drawn = related(rng, experiments or number_of(topics), clusters)
    values, mean, metric = 0.5 + drawn / 12, 0.5, GRADED
    if words in SHARES:
        values, mean, metric = (drawn < SHARES[words]).astype(float), 0.9, SHARE
    asked = table_of({"run": np.maximum(values, 0)}, np.ones(drawn.shape), metric, clusters)
    with sqlrank.evaluate(**asked) as result:
        return outcome(result.rows.filter("not is_total").fetchnumpy(), mean)


SHARES = {"0 or 1, 0.9 of them 1": 1.2815515655446004}
"""The quantile of the normal distribution below which a value is 1."""
OF_CLUSTERS = ("even, half of the variance between clusters", *SHARES)


def row_of_clusters(words: str, most: int = TOPICS[-1]) -> str:
    """A row of the table of clusters, up to so many."""
    return row(["mean", words], [clustered_trial(words, size) if size <= most else None for size in TOPICS])


def of_means() -> Iterator[str]:
    """The table of means."""
    yield from head(["values", "weights"])
    for values in MEANS:
        for weights in values.weights:
            yield row_of_means(values, weights)


def of_limits() -> Iterator[str]:
    """The table of the values that no interval holds for."""
    yield from head(["values", "weights"])
    for weights in LIMIT.weights:
        yield row_of_means(LIMIT, weights)
