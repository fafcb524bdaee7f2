"""Wilcoxon's signed rank test: exact up to 50 differences, whether they tie or not, else by scipy's approximation."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from itertools import groupby

from sqlrank.statistics.scipy_stats import scipy_stats

MOST = 50
"""Up to how many differences the test is exact: the number of choices of their signs fits in 64 bits."""
BITS = 64
DIGITS = 12
"""Digits of the largest difference that tell two of them apart."""


def wilcoxon(differences: Sequence[float], side: int = 0) -> float:
    """The p value of differences none of which is 0, zeros having been left out (Wilcoxon 1945).

    Equal sizes share the mean of their ranks. The exact distribution is that of Pratt and Gibbons (Concepts of
    Nonparametric Theory, 1981), given the ranks that there are; many differences need scipy, or raise UsageError. It is
    two-sided, or with `side` 1 or -1 that of differences above 0, or below.
    """
    if not differences:
        return 1.0
    unit = 10.0 ** math.ceil(math.log10(max(map(abs, differences))))
    sizes = [round(difference / unit, DIGITS) for difference in differences]
    if len(sizes) > MOST:
        alternative = {0: "two-sided", 1: "greater", -1: "less"}[side]
        return float(scipy_stats().wilcoxon(sizes, method="approx", alternative=alternative).pvalue)
    return exact(sizes, side)


def exact(differences: Sequence[float], side: int = 0) -> float:
    """The share of all choices of signs whose sum of ranks is as far from the middle, or as far on one side.

    Ranks are doubled, so that midranks are whole. How many choices have each sum is one whole number with 64 bits for
    each of them, which adding a rank shifts and adds; from either end it reads the same.
    """
    ranks = doubled_ranks([abs(difference) for difference in differences])
    counts = 1
    for rank in ranks:
        counts += counts << (BITS * rank)
    most = sum(ranks)
    number = memoryview(counts.to_bytes((most + 1) * BITS // 8, sys.byteorder)).cast("Q")
    observed = sum(rank for rank, difference in zip(ranks, differences, strict=True) if difference > 0)
    if side:
        fewer = most - observed if side > 0 else observed
        return float(sum(number[: fewer + 1]) / 2 ** len(ranks))
    return float(min(1.0, 2 * sum(number[: min(observed, most - observed) + 1]) / 2 ** len(ranks)))


def doubled_ranks(sizes: Sequence[float]) -> list[int]:
    """Twice the rank of each size, equal ones at the mean of their ranks."""
    found: dict[float, int] = {}
    before = 0
    for size, same in groupby(sorted(sizes)):
        number = len(list(same))
        found[size] = 2 * before + number + 1
        before += number
    return [found[size] for size in sizes]
