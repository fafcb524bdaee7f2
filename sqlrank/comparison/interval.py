"""The interval of a mean difference: Student's, or that of a difference of two paired proportions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

from sqlrank.metrics.measure import Measure
from sqlrank.statistics.student import FEWEST, critical_value

Ends = tuple[float | None, float | None]
NONE: Ends = (None, None)
STEADY = 1e-9
"""A standard error of at most this share of the mean difference is rounding error."""


def all_alike(row: Mapping[str, Any]) -> bool:
    """Whether all differences of a row are alike: their standard error is 0, or rounding error."""
    return bool(row["stderr"] <= STEADY * abs(row["difference"]))


def has_interval(row: Mapping[str, Any]) -> bool:
    """Whether more than one query decides."""
    return row["stderr"] is not None and row["effective"] >= FEWEST


def interval_of(row: Mapping[str, Any], alpha: float) -> Ends:
    """The ends for a row of the comparison, or None twice where one query has nearly all of the weight."""
    if not has_interval(row):
        return NONE
    if row["is_binary"]:
        return of_shares(row["won"], row["lost"], row["effective"], alpha)
    margin = critical_value(row["effective"] - 1, 1 - alpha) * row["stderr"]
    return row["difference"] - margin, row["difference"] + margin


def of_shares(won: float, lost: float, number: float, alpha: float) -> Ends:
    """The adjusted Wald interval of a difference of two paired proportions: one query of each kind is added.

    `won` and `lost` are the shares that only the candidate and only the baseline has, of an effective `number` of
    queries (D. G. Bonett and R. M. Price, Adjusted Wald confidence interval for a difference of binomial proportions
    based on paired data, Journal of Educational and Behavioral Statistics 37, 2012).
    """
    centre, spread = centre_of_shares(won, lost, number)
    margin = NormalDist().inv_cdf(1 - alpha / 2) * spread
    return centre - margin, centre + margin


def centre_of_shares(won: float, lost: float, number: float) -> tuple[float, float]:
    """The middle of that interval, and the standard error that its width is made of."""
    more, fewer = ((share * number + 1) / (number + 2) for share in (won, lost))
    return more - fewer, math.sqrt((more + fewer - (more - fewer) ** 2) / (number + 2))


def cut(ends: Ends, measure: Measure) -> Ends:
    """Cut the ends to the range of a difference of two values of a metric."""
    low, high = ends
    if low is None or high is None or measure.metric.range is None:
        return ends
    least, most = measure.metric.range
    return max(low, least - most), min(high, most - least)
