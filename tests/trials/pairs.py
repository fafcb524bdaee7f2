"""Trials of corrections over all pairs of systems: how often any pair is called different though none is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

import sqlrank
from sqlrank.statistics.corrections import holm
from tests.trials.experiments import GRADED, Array, head, row, table_of

QUERIES = (10, 20, 50, 100)
CORRECTIONS = ("max-t", "holm")
EXPERIMENTS = 2_000
DRAWN = 500
"""The replicates of an experiment."""

Values = Callable[[np.random.Generator, tuple[int, ...]], Array]
"""Values by system, experiment and query."""


def with_spread(spread: list[float]) -> Values:
    """Normal values, each system with its own standard deviation."""
    return lambda rng, size: 20 + np.array(spread)[:, None, None] * rng.normal(size=size)


def mostly_tied(rng: np.random.Generator, size: tuple[int, ...]) -> Array:
    """Values of which nine in ten are the same in all systems."""
    return np.asarray(20 + rng.normal(size=size) * (rng.random(size[1:]) < 0.1))


SYSTEMS: dict[str, tuple[int, Values]] = {
    "6 systems that vary alike": (6, with_spread([1.0] * 6)),
    "6 systems, one varies ten times as much": (6, with_spread([10.0] + [1.0] * 5)),
    "6 systems, two vary ten times as much": (6, with_spread([10.0] * 2 + [1.0] * 4)),
    "6 systems, exponential": (6, lambda rng, size: 20 + rng.exponential(1, size)),
    "6 systems, nine in ten queries tie": (6, mostly_tied),
    "20 systems, one varies ten times as much": (20, with_spread([10.0] + [1.0] * 19)),
}


def errors(correction: str, words: str, queries: int, experiments: int | None = None) -> float:
    """How often any pair is significant.

    Those of Holm are experiments of the product; those of the largest t, of which all segments are one family, are of
    the same test in numpy, which `tests/comparison/test_max_t.py` holds the product to.
    """
    rng = np.random.default_rng(queries)
    number, draw = SYSTEMS[words]
    values = draw(rng, (number, experiments or EXPERIMENTS, queries))
    if correction == "max-t":
        return float(np.mean([of_largest_t(rng, values[:, place]) for place in range(values.shape[1])]))
    runs = {f"s{place:02}": values[place] for place in range(number)}
    asked = table_of(runs, np.ones(values.shape[1:]), GRADED)
    with sqlrank.compare(**asked, all_pairs=True, correction="none", replicates=DRAWN) as comparison:
        found: dict[str, list[float]] = {}
        for one in comparison.all_rows:
            if not one["is_total"]:
                found.setdefault(one["experiment"], []).append(one["p_value"])
    return float(np.mean([min(holm(each)) <= 0.05 for each in found.values()]))


def of_largest_t(rng: np.random.Generator, values: Array) -> bool:
    """Whether the test of the largest t finds any difference, of values by system and query."""
    differences = np.array([other - one for one, other in combinations(values, 2)])
    squares = (differences**2).sum(axis=1)
    known = squares > 0
    if not known.any():
        return False
    differences, squares = differences[known], squares[known]
    signs = rng.choice([-1.0, 1.0], (DRAWN, values.shape[1]))
    # With squares that signs leave alone, the largest sum over their root is the largest t.
    drawn = (abs(signs @ differences.T) / squares**0.5).max(axis=1)
    seen = (abs(differences.sum(axis=1)) / squares**0.5).max()
    return bool((1 + (drawn >= seen * (1 - 1e-9)).sum()) / (1 + DRAWN) <= 0.05)


def row_of_pairs(correction: str, words: str, most: int = QUERIES[-1]) -> str:
    """A row of the table of all pairs, up to so many queries."""
    cells = [f"{100 * errors(correction, words, size):.1f}" if size <= most else None for size in QUERIES]
    return row([f"`{correction}`", words], cells)


TRIED = [
    (correction, words)
    for correction in CORRECTIONS
    for words in SYSTEMS
    if correction == "max-t" or not words.startswith("20")
]


def of_pairs() -> Iterator[str]:
    """The table of all pairs."""
    yield from head(["`--correction`", "systems"], QUERIES)
    for correction, words in TRIED:
        yield row_of_pairs(correction, words)
