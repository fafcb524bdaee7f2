"""The percentiles of replicates of a mean, as wide as Student's interval, and the p value that belongs to them.

Percentiles of few replicated queries lie too close together. So the tails are those at which the percentile interval of
a normal sample would be Student's (T. Hesterberg, What teachers should know about the bootstrap, The American
Statistician 69, 2015): Phi(-t * f), where t has n - 1 degrees of freedom and f = sqrt(n / (n - 1)) is the standard
error over that of the replicates. With weights n is the effective number, and f the jackknife's error over the
linearised one. The p value is the level at which such an interval ends at 0.
"""

from __future__ import annotations

from statistics import NormalDist

from sqlrank.statistics.student import critical_value, one_sided, two_sided


def tail(alpha: float, degrees: float, widening: float) -> float:
    """The share of replicates beyond either end of an interval that leaves out `alpha` on both sides together.

    Args:
        alpha: what the interval leaves out.
        degrees: the degrees of freedom of Student's interval.
        widening: the standard error over that of the replicates.
    """
    return NormalDist().cdf(-critical_value(degrees, 1 - alpha) * widening)


def p_value(below: int, above: int, replicates: int, degrees: float, widening: float, side: int = 0) -> float:
    """The p value of a mean of which so many replicates lie below 0 and above it, those at 0 among both.

    Args:
        below: replicates that are 0 or less.
        above: replicates that are 0 or more.
        replicates: their number.
        degrees: as of `tail`.
        widening: as of `tail`.
        side: 0 for either direction, 1 for a mean above 0 alone, -1 for one below.
    """
    if side:
        share = (1 + (below if side > 0 else above)) / (2 + replicates)
        return one_sided(-NormalDist().inv_cdf(share) / widening, degrees)
    share = (1 + min(below, above)) / (1 + replicates)
    return 1.0 if share >= 0.5 else two_sided(-NormalDist().inv_cdf(share) / widening, degrees)
