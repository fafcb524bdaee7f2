"""Planning: how many judgments would decide, and the range of that number."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

from sqlrank.statistics.delta_gsb import NOTHING, Preference, Sums
from sqlrank.statistics.signs import Signs
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
        numbers[name] = Plan(sums, sums.signs, value).number(alpha, least)
    return numbers


class Plan:
    """Judgments like those there are, queries and raters in proportion, if `delta` were the true difference."""

    def __init__(self, sums: Sums, signs: Signs, delta: float) -> None:
        self.delta = abs(delta)
        self.decided = max(signs.won + signs.lost, self.delta)
        self.independent = signs.number / sums.total
        self.degrees = (signs.degrees + 1) / sums.total
        self.whole = float(signs.split is not None)
        """By how many judgments fewer the exact test, which takes whole ones, finds the same difference."""

    def decides(self, number: int, alpha: float) -> bool:
        """Whether so many judgments would decide with the given power."""
        independent = number * self.independent
        centre = self.delta * independent / (independent + 2)
        variance = (self.decided * independent + 2) / (independent + 2) - centre**2
        degrees = max(1.0, number * self.degrees - 1)
        least = (critical_value(degrees, 1 - alpha) + normal(POWER)) * math.sqrt(variance / (independent + 2))
        return centre - self.whole / (independent + 2) >= least

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
        variance = (self.decided - self.delta**2) / self.independent
        return variance * ((normal(1 - alpha / 2) + normal(POWER)) / self.delta) ** 2


@cache
def normal(probability: float) -> float:
    """The quantile of the normal distribution."""
    return NormalDist().inv_cdf(probability)
