"""The bootstrap of the mean difference: its p value and its interval, both from one distribution.

Percentiles of few replicated queries lie too close together. So the tails are those at which the percentile interval of
a normal sample would be Student's (T. Hesterberg, What teachers should know about the bootstrap, The American
Statistician 69, 2015): Phi(-t * f), where t has n - 1 degrees of freedom and f = sqrt(n / (n - 1)) is the standard
error over that of the replicates. With weights n is the effective number, and f the jackknife's error over the
linearised one. The p value is the level at which such an interval ends at 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

from sqlrank.comparison.replicates import Replicates
from sqlrank.statistics.student import critical_value, one_sided, two_sided

PLACES, DRAWN, SHARING = 12, 1024, 33
"""The tens of bits that a query draws in a block, what each of them may be, and for how many replicates they stand."""
FEWEST = 10
"""With fewer queries, by their effective number, the percentiles of the bootstrap are no interval."""


def draw(replicates: Replicates) -> None:
    """Make the table of all replicates."""
    replicates.keep("times", replicates.render("times"), more=False)
    segments = replicates.segments if False in replicates.totals else 1
    replicates.draw("resampled", PLACES * SHARING, sums=PLACES * min(replicates.queries, DRAWN * segments))


def tail_of(row: Mapping[str, Any], alpha: float) -> float:
    """The share of replicates beyond either end of the interval, which leaves out `alpha` on both sides together."""
    if row["effective"] < FEWEST or row["stderr"] is None:
        return alpha / 2
    return NormalDist().cdf(-critical_value(row["effective"] - 1, 1 - alpha) * widening(row))


def has_percentiles(row: Mapping[str, Any], alpha: float, replicates: int) -> bool:
    """Whether there are enough queries for an interval, and at least one replicate beyond either of its ends."""
    return row["effective"] >= FEWEST and tail_of(row, alpha) * (1 + replicates) >= 1


def p_value(row: Mapping[str, Any], below: int, above: int, replicates: int, side: int = 0) -> float:
    """The p value of the replicates below and above 0, those at 0 among both: two-sided, or on the `side` 1 or -1."""
    if side:
        share = (1 + (below if side > 0 else above)) / (2 + replicates)
        t = -NormalDist().inv_cdf(share) / widening(row)
        return one_sided(t, row["effective"] - 1)
    share = (1 + min(below, above)) / (1 + replicates)
    if share >= 0.5:
        return 1.0
    t = -NormalDist().inv_cdf(share) / widening(row)
    return two_sided(t, row["effective"] - 1)


def widening(row: Mapping[str, Any]) -> float:
    """The standard error over that of the replicates."""
    if row["linear_error"]:
        return float(row["stderr"] / row["linear_error"])
    return 1.0
