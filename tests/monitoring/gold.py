"""A worked control chart: a baseline of 14 days, 14 days after it, and every rule written down a second time."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from scipy import stats

BASELINE = [0.612, 0.605, 0.618, 0.609, 0.601, 0.615, 0.607, 0.611, 0.603, 0.616, 0.608, 0.610, 0.604, 0.613]
WATCHED = [0.609, 0.606, 0.612, 0.603, 0.608, 0.598, 0.600, 0.595, 0.602, 0.593, 0.597, 0.590, 0.596, 0.592]
FIRST = date(2026, 1, 1)
DAYS = [FIRST + timedelta(number) for number in range(len(BASELINE) + len(WATCHED))]
SPAN = f"{DAYS[0]}..{DAYS[len(BASELINE) - 1]}"
"""The baseline as the option has it."""

EWMA = [0.609343, 0.608674, 0.609339, 0.608072, 0.608057, 0.606046, 0.604837, 0.602869, 0.602695, 0.600756]
EWMA_LIMITS = [0.606363, 0.605502, 0.605039, 0.604767, 0.604601, 0.604497, 0.604432, 0.604391, 0.604365, 0.604348]
"""Without the baseline's own error."""
CUSUM = [0, 0.1710, 0, 0.7581, 0.5377, 2.2743, 3.6195, 5.9432, 6.8970, 9.6121]
EVIDENCE = [0.6824, 1.8052, 1.5711, 4.1998, 4.4778, 20.7764, 75.4344, 1454.98, 3604.31, 239206.09]
"""Against the baseline's mean as it is."""
RADII = [0.021560, 0.012878, 0.009825, 0.008215, 0.007199, 0.006487, 0.005955, 0.005539, 0.005202, 0.004923]
"""Of a confidence sequence of level 0.05 that is narrowest on day 14."""


@dataclass(frozen=True, slots=True)
class Charted:
    """The rules of one chart that watches for drops, in plain Python."""

    baseline: Sequence[float]
    watched: Sequence[float]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.baseline)

    @property
    def deviation(self) -> float:
        return statistics.stdev(self.baseline)

    @property
    def moving_deviation(self) -> float:
        moves = [abs(now - before) for before, now in zip(self.baseline, self.baseline[1:], strict=False)]
        return statistics.fmean(moves) / 1.128

    @property
    def end(self) -> float:
        """The lower end of the one-sided interval of 90 % of the baseline's mean."""
        size = len(self.baseline)
        return self.mean - float(stats.t.ppf(0.9, size - 1)) * self.deviation / math.sqrt(size)

    def evidence(self, reference: float) -> list[float]:
        """The mean of four Shiryaev-Roberts statistics, as they are defined: day by day."""
        rates = [0.25, 0.5, 1.0, 2.0]
        sums, found = [0.0] * len(rates), []
        for value in self.watched:
            distance = (reference - value) / self.deviation
            sums = [
                (1 + so_far) * math.exp(rate * distance - rate**2 / 2) for so_far, rate in zip(sums, rates, strict=True)
            ]
            found.append(statistics.fmean(sums))
        return found

    def cusum(self) -> list[float]:
        total, found = 0.0, []
        for value in self.watched:
            total = max(0.0, total + (self.mean - value) / self.deviation - 0.5)
            found.append(total)
        return found

    def ewma(self) -> list[float]:
        smooth, found = self.mean, []
        for value in self.watched:
            smooth = 0.2 * value + 0.8 * smooth
            found.append(smooth)
        return found

    def ewma_limits(self, error: bool) -> list[float]:
        """The limits, with or without the error of the baseline's mean."""
        more = 1 / len(self.baseline) if error else 0.0
        return [
            self.mean - 3 * self.deviation * math.sqrt(0.2 / 1.8 * (1 - 0.8 ** (2 * day)) + more)
            for day in range(1, len(self.watched) + 1)
        ]

    def seen(self, most: float, queries: int = 0) -> Charted:
        """The same with days as the rules see them: in their own standard deviations, and no further than so many.

        Args:
            most: the largest distance.
            queries: of how many queries, of a share of which each value is, a day is; 0 where nothing says so.
        """
        widths = self.widths(queries)
        every = zip([*self.baseline, *self.watched], widths, strict=True)
        found = [min(max((value - self.mean) / self.deviation / width, -most), most) for value, width in every]
        middle = statistics.fmean(found[: len(self.baseline)])
        watched = [self.mean + self.deviation * (each - middle) for each in found[len(self.baseline) :]]
        return Charted(self.baseline, watched)

    def widths(self, queries: int) -> list[float]:
        """How much wider each day is than those of the baseline."""
        values = [*self.baseline, *self.watched]
        if not queries:
            return [1.0] * len(values)
        own = [value * (1 - value) / (queries - 1) for value in values]
        typical = statistics.fmean(own[: len(self.baseline)])
        larger = [max(each, typical) for each in own]
        usual, variance = statistics.fmean(larger[: len(self.baseline)]), self.deviation**2
        between, share = max(variance - usual, 0), min(variance / usual, 1)
        return [math.sqrt((between + share * each) / variance) for each in larger]

    def running_means(self) -> list[float]:
        return [statistics.fmean(self.watched[:day]) for day in range(1, len(self.watched) + 1)]

    def radii(self, level: float) -> list[float]:
        """The radius of the confidence sequence of each day."""
        rho = math.sqrt((-2 * math.log(level) + math.log(1 - 2 * math.log(level))) / 14)
        return [
            self.deviation
            * math.sqrt(2 * (t * rho**2 + 1) / (t**2 * rho**2) * math.log(math.sqrt(t * rho**2 + 1) / level))
            for t in range(1, len(self.watched) + 1)
        ]

    def sequence_limits(self, level: float) -> list[float]:
        """The radius and half of the baseline's interval below its mean."""
        half = (
            float(stats.t.ppf(1 - level / 2, len(self.baseline) - 1)) * self.deviation / math.sqrt(len(self.baseline))
        )
        return [self.mean - radius - half for radius in self.radii(level)]


GOLD = Charted(BASELINE, WATCHED)
