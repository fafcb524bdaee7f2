"""Power of a paired test: the difference that it would find, and the queries that it would need.

Both are of Student's t test, two-sided: a difference of (t(1 - alpha / 2) + t(power)) standard errors is found with
that power, t being quantiles with n - 1 degrees of freedom. T. Sakai (Topic set size design, Information Retrieval
Journal 19, 2016) has the same by the noncentral t distribution. By that the power of such a difference is within 0.03
of the one asked for from four queries on, at alpha 0.01 from eight on.
"""

from __future__ import annotations

import math
from functools import cache

from sqlrank.statistics.student import FEWEST, critical_value

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
    """Whether so many queries find a difference of a size with the power."""
    least = detectable(deviation, number, alpha)
    return least is not None and least <= size


@cache
def quantile(degrees: float, confidence: float) -> float:
    """The quantile of Student's t, or of the normal distribution, that a two-sided confidence ends at."""
    return critical_value(1e18 if math.isinf(degrees) else degrees, confidence)
