"""Whether a series has a trend: the slope of a straight line, with an allowance for days that are related."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlrank.statistics.estimate import Estimate

FEWEST = 8
"""How many values a trend is looked for in."""


@dataclass(frozen=True, slots=True)
class Trend:
    """The straight line through a series, by least squares."""

    change: float
    """By how much the line differs from the first value to the last."""
    p_value: float | None
    """How likely a series without a trend has one as steep; None where its values are too related to tell."""


def trend(values: Sequence[float]) -> Trend | None:
    """The trend of a series of values at equal distances; None for fewer than 8, and for values that do not vary.

    The standard error and the degrees of freedom are those of n (1 - r) / (1 + r) values, r being the correlation of a
    residual with the one before, corrected for its bias (B. D. Santer et al., Statistical significance of trends and
    trend differences in layer-average atmospheric temperature time series, Journal of Geophysical Research 105, 2000).
    """
    number = len(values)
    if number < FEWEST:
        return None
    mean, middle = math.fsum(values) / number, (number - 1) / 2
    places = [place - middle for place in range(number)]
    squares = math.fsum(place * place for place in places)
    slope = math.fsum(place * (value - mean) for place, value in zip(places, values, strict=True)) / squares
    residuals = [value - mean - slope * place for place, value in zip(places, values, strict=True)]
    remaining = math.fsum(each * each for each in residuals)
    if remaining <= number * (1e-12 * mean) ** 2:
        return None
    products = math.fsum(before * now for before, now in pairwise(residuals))
    related = max((number * products / remaining + 2) / (number - 4), 0.0)
    effective = number * (1 - related) / (1 + related)
    change = slope * (number - 1)
    if effective <= 3:
        return Trend(change, None)
    stderr = math.sqrt(remaining / (effective - 2) / squares)
    return Trend(change, Estimate(slope, stderr, effective - 2).p_value())
