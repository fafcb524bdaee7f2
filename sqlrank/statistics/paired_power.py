"""Power of a paired test: the difference that it would find, and the queries that it would need.

Both are of Student's t test, two-sided: a difference of (t(1 - alpha / 2) + t(power)) standard errors is found with
that power, t being quantiles with n - 1 degrees of freedom. T. Sakai (Topic set size design, Information Retrieval
Journal 19, 2016) has the same by the noncentral t distribution. By that the power of such a difference is within 0.03
of the one asked for from four queries on, at alpha 0.01 from eight on.

The standard error has an interval, whatever the shape of the values: the variance is taken to follow chi squared with
the degrees of freedom that its own relative variance gives it (F. E. Satterthwaite, An approximate distribution of
estimates of variance components, Biometrics Bulletin 2, 1946), whose quantiles are those of E. B. Wilson and M. M.
Hilferty, The distribution of chi-square, PNAS 17, 1931.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

from sqlrank.statistics.student import FEWEST, critical_value

FEWEST_DEGREES = 2.0
"""With fewer degrees of freedom there is no upper end."""
MORE = 3
"""How much larger the relative variance is taken than few values show it: by this over their number."""


def degrees_of(fourth: float, units: int, changed: int) -> float:
    """The degrees of freedom of a variance.

    Args:
        fourth: the sum of the fourth powers of the residuals over the square of the sum of their squares.
        units: how many residuals there are.
        changed: how many of the values are not 0.
    """
    relative = (fourth - 1 / units) * units / (units - 1) * (1 + MORE / changed)
    return 2 / relative if relative > 0 else math.inf


def ends_of_spread(degrees: float, alpha: float) -> tuple[float, float | None]:
    """What a standard deviation is multiplied with for the ends of its interval; no upper end with too few degrees."""
    if math.isinf(degrees):
        return 1.0, 1.0
    z, ninth = NormalDist().inv_cdf(1 - alpha / 2), 2 / (9 * degrees)
    low, high = (max(1 - ninth + sign * z * math.sqrt(ninth), 0.0) ** 1.5 for sign in (1, -1))
    return 1 / low, 1 / high if degrees >= FEWEST_DEGREES and high else None


POWER = 0.8
"""The power of the differences and numbers that are told."""
MOST = 2**62
"""More queries than this are not counted."""


def detectable(deviation: float, number: float, alpha: float, power: float = POWER) -> float | None:
    """The difference that a number of queries finds with the power, or None where one query decides.

    Args:
        deviation: the standard deviation of the differences.
        number: how many queries, or how many of equal weight they are worth.
        alpha: the significance level, two-sided.
        power: from 0.5 on.
    """
    if number < FEWEST:
        return None
    return (quantile(number - 1, 1 - alpha) + quantile(number - 1, 2 * power - 1)) * deviation / math.sqrt(number)


def queries_needed(difference: float, deviation: float, alpha: float) -> int | None:
    """The smallest number of queries that finds a difference with the power; None where there is none."""
    size = abs(difference)
    if not size:
        return None
    normal = quantile(math.inf, 1 - alpha) + quantile(math.inf, 2 * POWER - 1)
    if (normal * deviation / size) ** 2 > MOST:
        return None
    # The quantiles fall with the number, so that it is between that of the normal distribution and where it is enough.
    low = max(1, math.ceil((normal * deviation / size) ** 2) - 1)
    high = low + 1
    while not finds(high, size, deviation, alpha):
        low, high = high, 2 * high
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if finds(middle, size, deviation, alpha) else (middle, high)
    return high


def finds(number: int, size: float, deviation: float, alpha: float) -> bool:
    """Whether a number of queries detects a difference of a size with the power."""
    least = detectable(deviation, number, alpha)
    return least is not None and least <= size


@cache
def quantile(degrees: float, confidence: float) -> float:
    """The quantile of Student's t, or of the normal distribution, that a two-sided confidence ends at."""
    return critical_value(1e18 if math.isinf(degrees) else degrees, confidence)
