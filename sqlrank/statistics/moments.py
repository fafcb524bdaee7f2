"""The moments of a weighted mean over independent units: what its uncertainty is made of, for every question.

Each unit adds y, with its weight w in it, and the mean is sum(y) / sum(w): a ratio, whose units may have unlike
weights. Its variance is that of the jackknife, which leaves out one unit after the other: (n - 1) / n * sum of the
squares of the moves of the mean. B. Efron and C. Stein, The jackknife estimate of variance, The Annals of Statistics 9,
1981.

With two kinds of units that cross, it is clustered both ways: what the units of either kind come to, less what those
of both kinds at once do. That may be too small, even negative, where units are few: the variance is the largest of the
three. A. C. Cameron, J. B. Gelbach and D. L. Miller, Robust inference with multiway clustering, Journal of Business &
Economic Statistics 29, 2011.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over units, in any unit of weight."""

    units: int
    """Those with a weight above 0."""
    weight: float
    squared_weights: float
    heaviest: float
    """The weight of the heaviest one."""
    difference: float
    """The sum of y."""
    squared_differences: float
    weighted_differences: float
    """The sum of y times the weight."""
    squared_moves: float = math.nan
    """The squares of the moves of the mean where each unit is left out; nan where nobody needs a variance."""

    @property
    def effective(self) -> float:
        """The effective number of units (Kish's); 0 without weight."""
        return self.weight**2 / self.squared_weights if self.squared_weights else 0.0

    @property
    def variance(self) -> float:
        """The variance of the mean, of 2 units or more."""
        return (self.units - 1) / self.units * self.squared_moves

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean; None for fewer than 2 units."""
        return math.sqrt(self.variance) if self.units > 1 else None


def moments_of(row: Mapping[str, Any], suffix: str = "") -> Moments:
    """The moments of a row of sql/macros/moments.sql, whose columns have a suffix, or of one without moves."""
    names = [each.name for each in fields(Moments) if each.name != "squared_moves" or f"squared_moves{suffix}" in row]
    return Moments(**{name: row[f"{name}{suffix}"] or 0 for name in names})


def clustered(one: float, *crossing: float) -> float:
    """The variance of what is clustered one way, or both ways.

    Args:
        one: that of the units of one kind.
        crossing: where there is another kind, that of its units, and that of both kinds at once.
    """
    if not crossing:
        return one
    other, both = crossing
    return max(one + other - both, one, other)
