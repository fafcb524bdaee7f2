"""Units that are 1, 0 or -1: won, alike or lost. One estimate, interval, p value and power, whatever the question.

They are the verdicts of people, the votes of interleaved lists and the differences of a metric that is 0 or 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from sqlrank.statistics.estimate import Estimate, agreeing
from sqlrank.statistics.exact_tests import one_sided_split, sign_test
from sqlrank.statistics.paired_power import MOST, POWER
from sqlrank.statistics.student import FEWEST, critical_value, quantile

NOTHING = 1e-12
"""Smaller variances, and shares of an effective number, are rounding error."""
OF_POWER = quantile(2 * POWER - 1)
"""How many standard errors beyond the limit of a test a mean lies that it finds with that power."""


class Finding(NamedTuple):
    """An interval of a mean between -1 and 1, and its p value."""

    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Signs:
    """Units that are 1, 0 or -1, summed up."""

    won: float
    """The share of the weight of those that are 1."""
    lost: float
    """The share of those that are -1."""
    number: float
    """How many independent units of equal weight would say as much; 1.5 at least."""
    degrees: float
    """The effective number of clusters less 1, `number` - 1 where every unit stands for itself."""
    split: tuple[int, int] | None = None
    """How many are 1 and -1, where every unit stands for itself with one weight; else no test of them is exact."""

    def estimate(self, apart: float = 1.0) -> Estimate:
        """That of their mean times `apart`; see `of_shares`."""
        return of_shares(self.won, self.lost, self.number, apart, self.degrees)

    def exact(self, side: int = 0) -> float | None:
        """The p value of the exact sign test, of either direction or of one side; None where there is none.

        All choices of signs of such units are its distribution: it is the randomization test too.
        """
        if self.split is None:
            return None
        return one_sided_split(*self.split[::side]) if side else sign_test(*self.split)

    def finding(self, test: str, alpha: float, drawn: float | None = None) -> Finding:
        """What a test finds, its interval with 0 beyond it exactly where p is at most alpha.

        Args:
            test: `t`, the p value that belongs to the estimate; `sign`, the exact one; `randomization`, the larger.
            alpha: what the interval leaves out.
            drawn: the p value of a randomization test by draws, where none is exact.
        """
        estimate, exact = self.estimate(), self.exact()
        likely = estimate.p_value() or 0.0
        exact = drawn if exact is None else exact
        if test == "sign" and exact is not None:
            likely = exact
        elif test == "randomization" and exact is not None:
            likely = max(likely, exact)
        ends = agreeing(estimate.ends(alpha), self.won - self.lost, likely <= alpha)
        low, high = (max(-1.0, min(end, 1.0)) for end in ends if end is not None)
        return Finding(low, high, likely)


def of_shares(won: float, lost: float, number: float, apart: float = 1.0, degrees: float | None = None) -> Estimate:
    """The estimate of a difference of two paired proportions: one unit of each kind is added.

    D. G. Bonett and R. M. Price, Adjusted Wald confidence interval for a difference of binomial proportions based on
    paired data, Journal of Educational and Behavioral Statistics 37, 2012; with Student's quantile, as with the normal
    one few units of which none is alike find up to two and a half times as many differences as they may.

    Args:
        won: the share that only the candidate has.
        lost: the share that only the baseline has.
        number: the effective number of units.
        apart: how far the two values are from each other.
        degrees: those of freedom; `number` - 1 where it is not said.
    """
    more, fewer = ((share * number + 1) / (number + 2) for share in (won, lost))
    spread = math.sqrt((more + fewer - (more - fewer) ** 2) / (number + 2))
    return Estimate(apart * (more - fewer), apart * spread, number - 1 if degrees is None else degrees)


def of_clusters(won: float, lost: float, variance: float, units: float, clusters: float, count: int) -> Signs:
    """Units of which those of a cluster are related, or have weights.

    They count as many as independent units of the same variance, at least as many as their clusters, at most as many
    as themselves (L. Kish, Survey Sampling, 1965, on the design effect).

    Args:
        won: the share of the weight of units that are 1.
        lost: the share of those that are -1.
        variance: that of their mean by the jackknife, which leaves out one cluster after the other.
        units: the effective number of units.
        clusters: the effective number of clusters, 1.5 at least.
        count: how many clusters have a weight.
    """
    alone = (won + lost - (won - lost) ** 2) * units / (units - 1)
    number = clusters
    if alone > NOTHING:
        number = alone / variance if variance > NOTHING * alone else math.inf
    number = max(clusters, min(number, units))
    independent = clusters >= units * (1 - NOTHING) and clusters >= count * (1 - NOTHING)
    split = (round(won * count), round(lost * count)) if independent else None
    return Signs(won, lost, number, clusters - 1, split)


def too_few(count: int, effective: float, of: str) -> str | None:
    """Why units, or clusters of them, have no interval; None where they have one.

    Args:
        count: how many have a weight.
        effective: their effective number.
        of: what one is called.
    """
    if count < 2:
        return f"one {of} tells nothing of others"
    return f"one {of} has nearly all the weight" if effective < FEWEST else None


class Plan:
    """Units like those there are, clusters in proportion, if `mean` were their true mean."""

    def __init__(self, signs: Signs, units: float, mean: float) -> None:
        self.mean = abs(mean)
        self.decided = max(signs.won + signs.lost, self.mean)
        self.independent = signs.number / units
        self.degrees = (signs.degrees + 1) / units
        self.whole = float(signs.split is not None)
        """By how many units fewer the exact test, which takes whole ones, finds the same mean."""

    def decides(self, number: int, alpha: float) -> bool:
        """Whether so many units would decide with a power of `POWER`."""
        independent = number * self.independent
        centre = self.mean * independent / (independent + 2)
        variance = (self.decided * independent + 2) / (independent + 2) - centre**2
        degrees = max(1.0, number * self.degrees - 1)
        least = (critical_value(degrees, 1 - alpha) + OF_POWER) * math.sqrt(variance / (independent + 2))
        return centre - self.whole / (independent + 2) >= least

    def number(self, alpha: float, least: int = 1) -> int | None:
        """The smallest number above `least` that decides; None where there is none that 64 bits hold."""
        if self.mean <= NOTHING or (textbook := self.textbook(alpha)) > MOST:
            return None
        low, step = max(least, math.floor(textbook)), 1
        if self.decides(low, alpha):
            low = least
        while not self.decides(low + step, alpha):
            low, step = low + step, 2 * step
        high = low + step
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.decides(middle, alpha) else (middle, high)
        return high if high <= MOST else None

    def textbook(self, alpha: float) -> float:
        """The number where it is large, and nearly always too few."""
        variance = (self.decided - self.mean**2) / self.independent
        return variance * ((quantile(1 - alpha) + OF_POWER) / self.mean) ** 2
