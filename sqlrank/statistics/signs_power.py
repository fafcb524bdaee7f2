"""How many units that are 1, 0 or -1 would decide: the power of the test that `Signs` have."""

from __future__ import annotations

import math

from sqlrank.statistics.paired_power import MOST, POWER
from sqlrank.statistics.signs import NOTHING, Signs
from sqlrank.statistics.student import critical_value, quantile

OF_POWER = quantile(2 * POWER - 1)
"""How many standard errors beyond the limit of a test a mean lies that it finds with that power."""


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
