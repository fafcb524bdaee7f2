"""Trials of the intervals of agreement: how often they cover the true alpha or kappa.

Judgments are drawn such that the truth is known: a rater sees the true category of an item or guesses by the shares of
the categories, so that the agreement beyond chance of two raters is the chance that both see. The estimates are those
of the product.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sqlrank.statistics.agreement_coefficients import (
    Cluster,
    Clusters,
    Measure,
    cohen,
    fleiss,
    interval_alpha,
    nominal_alpha,
)
from sqlrank.statistics.agreement_interval import (
    Agreement,
    Extremes,
    extremes_of_categories,
    extremes_of_numbers,
    extremes_of_order,
    extremes_of_two,
    with_interval,
)
from sqlrank.statistics.ordinal_alpha import ordinal_alpha

Table = NDArray[np.int64]
"""Categories by query, item of the query, and rater, or of one query."""

SIZES = (10, 20, 50, 100, 300)
"""How many items an experiment has, or queries of several items."""
TRUTHS = (0.6, 0.8, 0.9, 0.95, 0.98, 0.99)
EXPERIMENTS = 2_000
FEWEST = 20
"""From how many items on coverage is what is promised."""

NUMBERS = range(9)
MEASURES: dict[str, Callable[[Clusters], tuple[Measure, Extremes]]] = {
    "ordinal": lambda clusters: (ordinal_alpha(clusters), extremes_of_order(clusters)),
    "nominal": lambda clusters: (nominal_alpha(clusters), extremes_of_categories(clusters)),
    "interval": lambda clusters: (interval_alpha(clusters, NUMBERS), extremes_of_numbers(clusters, NUMBERS)),
    "Fleiss": lambda clusters: (fleiss(clusters), extremes_of_categories(clusters)),
    "Cohen": lambda clusters: (cohen(clusters), extremes_of_two(clusters)),
}
"""Each measure and how far judgments can be apart."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How judgments come about."""

    measure: str
    words: str
    shares: tuple[float, ...]
    """How often each category is the true one."""
    raters: int = 2
    items: int = 1
    """How many a query has."""
    unclear: float = 0.0
    """Which part of what is not seen is that of queries on which all guess."""
    far: float = 0.0
    """How often a judgment is at the other end of the scale; the others are near the truth then."""
    uneven: bool = False
    """Whether queries have from one item to very many, log-normal with sigma 1."""


EVEN, SKEWED, GRADES = (0.5, 0.5), (0.9, 0.1), (0.3, 0.25, 0.2, 0.15, 0.1)
SETTINGS = (
    Setting("nominal", "2 raters, 2 categories", EVEN),
    Setting("nominal", "2 raters, 2 categories, one of 90 %", SKEWED),
    Setting("ordinal", "2 raters, 5 categories", GRADES),
    Setting("interval", "3 raters, 5 categories", GRADES, 3),
    Setting("Fleiss", "3 raters, 3 categories", (0.3, 0.4, 0.3), 3),
    Setting("Cohen", "2 raters, 3 categories", (0.3, 0.4, 0.3)),
    Setting("nominal", "2 raters, 2 categories, 8 items a query", EVEN, items=8),
    Setting("ordinal", "2 raters, 5 categories, 8 items a query, some unclear", GRADES, items=8, unclear=0.5),
)
FAR = Setting("interval", "2 raters, 5 categories, 1 judgment in 100 far off", GRADES, far=0.01)
UNEVEN = Setting(
    "ordinal", "3 raters, 5 categories, queries of uneven sizes, some unclear", GRADES, 3, 3, 0.5, uneven=True
)
LIMITS = {FAR: None, UNEVEN: 0.8}
"""What no interval holds for: rare disagreements many times as large as the others, and few large queries that decide.
Each has its true agreement, None where very many items tell it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What many experiments of one setting gave."""

    coverage: float
    """The share of the intervals that hold the truth."""
    withheld: float
    """The share of the experiments that have no interval."""
    width: float
    """How wide the intervals are on average."""

    def __str__(self) -> str:
        shown = f"{100 * self.coverage:.1f}"
        return f"{shown} / {100 * self.withheld:.0f}" if self.withheld >= 0.005 else shown


def queries_of(setting: Setting, truth: float, number: int, random: np.random.Generator) -> Iterable[Table]:
    """The judgments of so many queries, each items by raters."""
    if not setting.uneven:
        return drawn(setting, truth, number, random)
    sizes = np.maximum(1, np.rint(setting.items * random.lognormal(0, 1, number))).astype(int)
    drawn_of_most = drawn(replace(setting, items=int(sizes.max())), truth, number, random)
    return [query[:size] for query, size in zip(drawn_of_most, sizes, strict=True)]


def drawn(setting: Setting, truth: float, number: int, random: np.random.Generator) -> Table:
    """The judgments of so many queries of as many items each."""
    shape, categories = (number, setting.items), len(setting.shares)
    true = random.choice(categories, (*shape, 1), p=setting.shares)
    if setting.far:
        near = np.clip(true + random.choice([-1, 0, 1], (*shape, setting.raters), p=[0.05, 0.9, 0.05]), 0, 4)
        return np.where(
            random.random(near.shape) < setting.far, np.where(true < categories / 2, categories - 1, 0), near
        )
    guessed = random.choice(categories, (*shape, setting.raters), p=setting.shares)
    clear = random.random((number, 1, 1)) < truth**setting.unclear
    seen = random.random(guessed.shape) < math.sqrt(truth ** (1 - setting.unclear))
    return np.where(clear & seen, true, guessed)


def agreement_in(queries: Iterable[Table], measure: str, alpha: float = 0.05) -> Agreement:
    """A measure of such judgments with its interval."""
    found: Counter[Cluster] = Counter()
    for query in queries:
        items = (query if measure == "Cohen" else np.sort(query, axis=1)).tolist()
        found[tuple(sorted(Counter(map(tuple, items)).items()))] += 1
    return with_interval(*MEASURES[measure](found), found, alpha)


def trial(setting: Setting, truth: float, number: int, experiments: int = EXPERIMENTS, alpha: float = 0.05) -> Trial:
    """The intervals of so many queries."""
    random = np.random.default_rng([number, round(100 * truth)])
    found = [
        agreement_in(queries_of(setting, truth, number, random), setting.measure, alpha) for _ in range(experiments)
    ]
    ends = [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
    covered = [low - 1e-12 <= truth <= high + 1e-12 for low, high in ends]
    widths = [high - low for low, high in ends]
    return Trial(float(np.mean(covered)), 1 - len(ends) / experiments, float(np.mean(widths)))


def truth_of(setting: Setting) -> float:
    """The agreement of a setting that is not given, by very many items."""
    found = agreement_in(drawn(setting, 1.0, 400_000, np.random.default_rng(1)), setting.measure).value
    assert found is not None
    return found


def row_of_agreement(setting: Setting, truth: float, most: int = 300, experiments: int = EXPERIMENTS) -> str:
    """A row of the table, up to so many items.

    Raises:
        AssertionError: a number says more than the data do.
    """
    trials = [trial(setting, truth, number, experiments) for number in SIZES if number <= most]
    for number, found in zip(SIZES, trials, strict=False):
        least = (0.92 if number >= FEWEST else 0.9) - 2 * math.sqrt(0.05 * 0.95 / experiments)
        assert setting in LIMITS or found.coverage >= least, f"{setting.words}, {truth}, {number}: {found}"
    return f"| {' | '.join([setting.measure, setting.words, f'{truth:.2g}', *map(str, trials)])} |"


def rows_of_agreement() -> list[str]:
    """The table, with its header."""
    head = " | ".join(str(number) for number in SIZES)
    rows = [row_of_agreement(setting, truth) for setting in SETTINGS for truth in TRUTHS]
    rows += [row_of_agreement(setting, truth or truth_of(setting)) for setting, truth in LIMITS.items()]
    return [f"| measure | judgments | truth | {head} |", f"| :-- | :-- | --: |{' --: |' * len(SIZES)}", *rows]
