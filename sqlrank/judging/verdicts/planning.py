"""Planning: how many judgments would decide, and the range of that number."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

from sqlrank.statistics.delta_gsb import NOTHING, Preference, Sums
from sqlrank.statistics.student import critical_value

POWER = 0.8
"""The power of the number of judgments."""
MOST = 2**62
"""More judgments than this are not counted."""


def judgments_needed(sums: Sums, found: Preference, alpha: float) -> dict[str, int | None]:
    """The number of judgments that would decide, by column: of the difference found, and of the ends of its interval.

    The low one is for the end of the interval that is farther from 0 on its side, the high one for the nearer end,
    which is None, for no limit, where the interval contains 0.
    """
    delta, low, high = found.delta_gsb, found.ci_low, found.ci_high
    numbers: dict[str, int | None] = dict.fromkeys(
        ("judgments_needed", "judgments_needed_low", "judgments_needed_high")
    )
    if delta is None or low is None or high is None:
        return numbers
    far, near = (low, high) if delta < 0 or (delta == 0 and -low > high) else (high, low)
    for name, value in zip(numbers, (delta, far, near if near * far > 0 else 0.0), strict=True):
        least = sums.total if name == "judgments_needed" else 1
        numbers[name] = Plan(sums, found, value).number(alpha, least)
    return numbers


class Plan:
    """Judgments like those there are, queries and raters in proportion, if `delta` were the true difference."""

    def __init__(self, sums: Sums, found: Preference, delta: float) -> None:
        self.delta = abs(delta)
        each = sums.weight / sums.total
        self.added = found.extra / each
        fewest = min(clusters.number for clusters in sums.clusters)
        self.clusters, self.effective = fewest / sums.total, sums.effective / sums.total
        self.size = max(clusters.squares for clusters in sums.clusters) / sums.weight / each
        self.variance = self._variance(sums, found, (fewest - 1) / fewest)

    def _variance(self, sums: Sums, found: Preference, unbiased: float) -> float:
        """The variance that each judgment adds, under the supposed difference."""
        decided = 1 - sums.undecided / sums.weight
        seen = decided - (found.delta_gsb or 0.0) ** 2
        supposed = max(decided, self.delta) - self.delta**2
        if seen <= NOTHING:
            return self.added * supposed
        return (found.stderr or 0.0) ** 2 * sums.total * unbiased * supposed / seen

    def decides(self, number: int, alpha: float) -> bool:
        """Whether so many judgments would decide with the given power."""
        centre = self.delta * number / (number + 2 * self.added)
        squares = number * (self.variance + self.size * (self.delta - centre) ** 2)
        squares += self.added**2 * ((1 - centre) ** 2 + (1 + centre) ** 2)
        clusters = max(2, math.floor(number * self.clusters + NOTHING))
        degrees = max(1, math.floor(number * self.effective + NOTHING) - 1)
        spread = math.sqrt((clusters + 2) / (clusters + 1) * squares) / (number + 2 * self.added)
        return centre >= (critical_value(degrees, 1 - alpha) + normal(POWER)) * spread

    def number(self, alpha: float, least: int = 1) -> int | None:
        """The smallest number above `least` that decides; None where there is none that 64 bits hold."""
        if self.delta <= NOTHING or (textbook := self.textbook(alpha)) > MOST:
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
        return self.variance * ((normal(1 - alpha / 2) + normal(POWER)) / self.delta) ** 2


@cache
def normal(probability: float) -> float:
    """The quantile of the normal distribution."""
    return NormalDist().inv_cdf(probability)
