"""An estimate with its standard error: its interval, and the p values of hypotheses about it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from sqlrank.statistics.student import critical_value, one_sided, quantile, two_sided

Ends = tuple[float | None, float | None]
NONE: Ends = (None, None)
"""The ends of an interval that is withheld."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value that is Student's t, or normally, distributed around what it estimates, but for its skewness."""

    value: float
    """The middle of the interval, which need not be the mean that is reported."""
    stderr: float | None
    """Its standard error; None where the data do not show it."""
    degrees: float = math.inf
    """The degrees of freedom of Student's distribution; infinite for the normal one."""
    skewness: float = 0.0
    """That of the value, which Hall's transformation removes."""

    def ends(self, alpha: float) -> Ends:
        """The ends of the interval of a confidence of 1 - alpha; None twice without a standard error."""
        if self.stderr is None:
            return NONE
        normal = math.isinf(self.degrees)
        return self.within(quantile(1 - alpha) if normal else critical_value(self.degrees, 1 - alpha))

    def within(self, t: float) -> Ends:
        """The ends that lie so many standard errors off, but for the skewness; None twice without a standard error."""
        if self.stderr is None:
            return NONE
        below, above = restored(t, self.skewness), restored(-t, self.skewness)
        return self.value - self.stderr * below, self.value - self.stderr * above

    def below(self, limit: float) -> float:
        """The chance of a value below a limit, normally distributed around this one; nan without a standard error."""
        return math.erfc((self.value - limit) / (self.stderr or math.nan) / math.sqrt(2)) / 2

    def distance(self, limit: float = 0.0) -> float:
        """How many standard errors, which must be above 0, the value lies above a limit, but for the skewness."""
        return removed((self.value - limit) / (self.stderr or math.nan), self.skewness)

    def p_value(self, side: int = 0, margin: float = 0.0) -> float | None:
        """How likely chance gives a value as far from 0; None where nothing varies.

        Args:
            side: 0 for either direction, 1 for values above -margin alone, -1 for values below margin.
            margin: how far beyond 0 the limit of one side lies.
        """
        if not self.stderr:
            return None
        distance = self.distance(-side * margin)
        distance = side * distance if side else abs(distance)
        if math.isinf(self.degrees):
            return math.erfc(distance / math.sqrt(2)) / (2 if side else 1)
        return one_sided(distance, self.degrees) if side else two_sided(distance, self.degrees)


def ends_of_ratio(value: float, stderr: float, alpha: float, degrees: float = math.inf) -> tuple[float, float]:
    """The ends of the interval of a number above 0, whose logarithm has this standard error."""
    low, high = Estimate(0.0, stderr, degrees).ends(alpha)
    return value * math.exp(low or 0.0), value * math.exp(high or 0.0)


def outer_ends(estimates: Iterable[Estimate], alpha: float) -> Ends:
    """The outer ends of the intervals of several estimates; None twice where none has one."""
    found = [ends for each in estimates if (ends := each.ends(alpha)) != NONE]
    if not found:
        return NONE
    return min(low for low, _ in found if low is not None), max(high for _, high in found if high is not None)


def least_sure(estimates: Iterable[Estimate], side: int = 0, margin: float = 0.0) -> float | None:
    """The largest p value of several estimates, as `Estimate.p_value` takes them; None where none has one."""
    return max((p for each in estimates if (p := each.p_value(side, margin)) is not None), default=None)


def welch(difference: float, *sides: tuple[float, float]) -> Estimate:
    """A difference of independent means; without a standard error where a side has one unit, or nothing varies.

    B. L. Welch, The generalization of "Student's" problem when several different population variances are involved,
    Biometrika 34, 1947.

    Args:
        difference: that of the means.
        sides: of each the square of the standard error of its mean, and its number of units.
    """
    variance = math.fsum(square for square, _ in sides)
    if not variance or any(number < 2 for _, number in sides):
        return Estimate(difference, None)
    degrees = variance**2 / math.fsum(square**2 / (number - 1) for square, number in sides)
    return Estimate(difference, math.sqrt(variance), degrees)


def agreeing(ends: Ends, difference: float, significant: bool, side: int = 0) -> Ends:
    """The ends with 0 beyond them where the difference is significant, and between them where it is not.

    They are there but where p is exact and the ends are drawn, or sums were rounded: then the nearer end is 0.

    Args:
        ends: those of the interval.
        difference: what was found.
        significant: whether the test finds it.
        side: the side of 0, 1 or -1, on which the test looks for a difference; 0 for both. It says nothing of a
            difference on the other side, and the ends stay.
    """
    low, high = ends
    if low is None or high is None:
        return NONE
    if side * difference < 0:
        return ends
    if not significant:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if difference > 0 else (low, min(high, 0.0))


def removed(t: float, skewness: float) -> float:
    """The t of a mean without its skewness by Hall's transformation: t + s t^2 / 3 + s^2 t^3 / 27 + s / 6.

    It grows with t (P. Hall, On the removal of skewness by transformation, Journal of the Royal Statistical Society B
    54, 1992).
    """
    return t + skewness * t * t / 3 + skewness * skewness * t**3 / 27 + skewness / 6


def restored(t: float, skewness: float) -> float:
    """The t of a mean that comes to this one without its skewness."""
    if not skewness:
        return t
    return 3 / skewness * (math.cbrt(1 + skewness * (t - skewness / 6)) - 1)
