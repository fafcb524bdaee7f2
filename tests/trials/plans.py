"""Trials of plans: how often the ranges of a pilot hold the numbers that all queries would give."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import sqlrank
from sqlrank.statistics.paired_power import detectable, queries_needed
from tests.support.comparisons import experiments as experiments_of
from tests.trials.arms import TIMES
from tests.trials.experiments import GRADED, IN_RANGE, SIZES, Array, column, head, number_of, row, table_of

Drawn = Callable[[np.random.Generator, tuple[int, int]], Array]
ALL = 2_000_000
"""How many queries stand for all."""


def moved(tied: float, losing: float) -> Drawn:
    """Differences of beta(1, 3), some of which tie, and some of the others lose."""
    return lambda rng, size: (
        np.where(rng.random(size) < losing, -1, 1) * rng.beta(1, 3, size) * (rng.random(size) >= tied)
    )


KINDS: dict[str, Drawn] = {
    "even: uniform": lambda rng, size: rng.uniform(-0.5, 0.6, size),
    "skewed: beta(1, 3), all lose": moved(0, 1),
    "0 or 1, half of them the same": lambda rng, size: rng.choice([-1.0, 0, 1], size, p=[0.2, 0.5, 0.3]),
    **{f"{100 * tied:g} % tie, seven of ten others lose": moved(tied, 0.7) for tied in (0.5, 0.9, 0.97)},
    **{f"{100 * tied:g} % tie, all others lose": moved(tied, 1) for tied in (0.5, 0.9, 0.97)},
}
SIDES: dict[str, Drawn] = {
    "uniform": lambda rng, size: rng.random(size),
    "exponential": lambda rng, size: rng.exponential(0.2, size),
    "nine in ten 0": lambda rng, size: np.where(rng.random(size) < 0.1, rng.random(size), 0.0),
}
"""Values of two sides of different queries, of which the baseline has `TIMES` as many."""
MOST_OF_SIDES = 50
"""Up to how many queries the candidate has."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How often a pilot's ranges hold."""

    detectable: float
    needed: float | None = None

    def __str__(self) -> str:
        return f"{100 * self.detectable:.1f}" + (f" / {100 * self.needed:.1f}" if self.needed is not None else "")


def plan_trial(words: str, queries: int, experiments: int | None = None) -> Plan:
    """The ranges of `detectable_difference` and `queries_needed`, of pilots that have them."""
    rng = np.random.default_rng(queries)
    size = (experiments or number_of(queries), queries)
    everything = KINDS[words](np.random.default_rng(1), (1, ALL))
    deviation, difference = float(everything.std()), float(everything.mean())
    differences = KINDS[words](rng, size)
    first = np.maximum(-differences, 0) + (1 - abs(differences)) / 2
    runs: dict[str, Array] = {"a": first, "b": first + differences, "": np.ones(size)}
    if words.startswith("0 or 1"):
        runs = {"a": (differences < 0) * 1.0, "b": (differences > 0) * 1.0, "": np.ones(size)}
    asked = table_of(runs, np.ones(size), IN_RANGE)
    with sqlrank.compare(**asked, test="t", correction="none") as comparison:
        found = comparison.rows.filter("not is_total").fetchnumpy()
    known = ~np.isnan(column(found, "detectable_low", np.nan))
    truths: dict[str, Any] = {
        "detectable": detectable(deviation, queries, 0.05),
        "queries_needed": queries_needed(difference, deviation, 0.05),
    }
    shares = []
    for name, truth in truths.items():
        low, high = (column(found, f"{name}_{end}", null)[known] for end, null in (("low", 0), ("high", np.inf)))
        shares.append(float(((low <= truth) & (truth <= high)).mean()))
    return Plan(*shares)


def plan_of_sides(words: str, queries: int, experiments: int | None = None) -> Plan:
    """The ranges of `detectable_difference` of two sides, which Welch's test of all values would find."""
    variance = float(SIDES[words](np.random.default_rng(1), (1, ALL)).var())
    parts = [(variance / size, size) for size in (TIMES * queries, queries)]
    stderr = math.sqrt(sum(part for part, _ in parts))
    worth = 1 + stderr**4 / sum(part**2 / (size - 1) for part, size in parts)
    truth: Any = detectable(stderr * math.sqrt(worth), worth, 0.05)
    number = experiments or number_of(queries)
    rng = np.random.default_rng(queries)
    values: dict[str, Any] = {
        side: SIDES[words](rng, (number, size)) for side, (_, size) in zip("ab", parts, strict=True)
    }
    runs, judged = experiments_of(values, own=True)
    asked: dict[str, Any] = {"by": "experiment", "paired": False, "test": "t", "correction": "none", "checks": False}
    with sqlrank.compare(systems=runs, qrels=judged, metrics=GRADED, **asked) as comparison:
        found = comparison.rows.filter("not is_total").fetchnumpy()
    low, high = (column(found, f"detectable_{end}", null) for end, null in (("low", np.nan), ("high", np.inf)))
    known = ~np.isnan(low)
    return Plan(float(((low <= truth) & (truth <= high))[known].mean()))


def row_of_sides(words: str) -> str:
    """A row of the table of plans, of two sides."""
    cells = [plan_of_sides(words, size) if size <= MOST_OF_SIDES else None for size in SIZES]
    return row([f"two sides, {words}, the baseline has {TIMES} times as many"], cells)


def row_of_plans(words: str, most: int = SIZES[-1]) -> str:
    """A row of the table of plans, up to so many queries."""
    return row([words], [plan_trial(words, size) if size <= most else None for size in SIZES])


def of_plans() -> Iterator[str]:
    """The table of plans."""
    yield from head(["differences"])
    for words in KINDS:
        yield row_of_plans(words)
    for words in SIDES:
        yield row_of_sides(words)
