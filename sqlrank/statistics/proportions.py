"""The exact interval of a proportion."""

from __future__ import annotations

import math

from sqlrank.statistics.student import fraction

HALVINGS = 60
"""How often an end is halved: to the last digit of a double."""


def exact_interval(successes: int, trials: int, alpha: float) -> tuple[float, float]:
    """The interval of a proportion that leaves out alpha at most (C. Clopper and E. Pearson, Biometrika 26, 1934)."""
    low = quantile_of_beta(successes, trials - successes + 1, alpha / 2) if successes else 0.0
    high = quantile_of_beta(successes + 1, trials - successes, 1 - alpha / 2) if successes < trials else 1.0
    return low, high


def quantile_of_beta(a: float, b: float, probability: float) -> float:
    """What a Beta variable stays below with a probability."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if beta_below(a, b, middle) < probability else (low, middle)
    return (low + high) / 2


def beta_below(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function."""
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x < (a + 1) / (a + b + 2):
        return math.exp(scale) / a * fraction(x, a, b)
    return 1 - math.exp(scale) / b * fraction(1 - x, b, a)
