"""The chi square test of counts against shares (K. Pearson, Philosophical Magazine 50, 1900), without scipy."""

from __future__ import annotations

import math
from collections.abc import Sequence


def chi_square(counts: Sequence[float], shares: Sequence[float]) -> float:
    """How far counts are from those that shares, which sum to 1, predict."""
    total = math.fsum(counts)
    return math.fsum((seen - total * share) ** 2 / (total * share) for seen, share in zip(counts, shares, strict=True))


def beyond(statistic: float, degrees: int) -> float:
    """The chance of a statistic as large: that of a whole number of degrees of freedom is a finite sum.

    Abramowitz and Stegun 26.4.4 and 26.4.5; every term is positive.
    """
    half = statistic / 2
    if degrees < 1 or half <= 0:
        return 1.0
    found, power = (math.erfc(math.sqrt(half)), 0.5) if degrees % 2 else (0.0, 0.0)
    terms = [
        math.exp(-half + place * math.log(half) - math.lgamma(place + 1))
        for place in (power + step for step in range(degrees // 2))
    ]
    return min(1.0, math.fsum([found, *terms]))


def deviate(statistic: float, degrees: int) -> float:
    """The normal deviate that a chi square is about, of many degrees of freedom (R. A. Fisher)."""
    return math.sqrt(2 * statistic) - math.sqrt(2 * degrees - 1)


def fits(counts: Sequence[float], shares: Sequence[float]) -> float:
    """The p value of counts, of shares that were planned."""
    return beyond(chi_square(counts, shares), len(counts) - 1)


def independent(rows: Sequence[Sequence[float]]) -> float:
    """The p value of the rows of a table having the same shares of its columns; 1 where a row or column is empty."""
    columns = [math.fsum(column) for column in zip(*rows, strict=True)]
    total = math.fsum(columns)
    kept = [row for row in rows if math.fsum(row)]
    shares = [column / total for column in columns if column] if total else []
    filled = [[value for value, column in zip(row, columns, strict=True) if column] for row in kept]
    statistic = math.fsum(chi_square(row, shares) for row in filled)
    return beyond(statistic, (len(kept) - 1) * (len(shares) - 1))
