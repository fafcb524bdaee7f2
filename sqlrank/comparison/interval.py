"""The interval of a mean difference: Student's, one of paired proportions, or one for queries that mostly tie."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sqlrank.metrics.measure import Measure
from sqlrank.statistics.estimate import Ends, Estimate, least_sure, outer_ends
from sqlrank.statistics.signs import Signs
from sqlrank.statistics.student import FEWEST, STEADY

MOSTLY = 0.5
"""The share of queries that tie beyond which two are added."""
FAR = 2.0
"""How many times the largest difference seen the largest one is taken to be, of a metric without a range."""
FEW = 3
"""Up to how many differences seen the largest one is taken to be that of the range."""
SKEWED, TOO_SKEWED = 0.2, 1.0
"""The skewness of a difference of two sides up to which it is Student's, and up to which it has an interval.

Coverage falls by a quarter of its square, by 1 of 100 at the first. It is that of two sides whose units are spread
alike: a small side seldom has the rare large values that would show how far its mean may be off. At the second the
smaller side has about one of them.
"""


def all_alike(row: Mapping[str, Any]) -> bool:
    """Whether all differences of a row are alike: their standard error is 0, or rounding error."""
    return bool(row["stderr"] <= STEADY * abs(row["difference"]))


def has_interval(row: Mapping[str, Any]) -> bool:
    """Whether more than one query decides, and the differences show how much they vary.

    Where all are alike they show it only of a metric that is 0 or 1, of which both were seen.
    """
    if row["stderr"] is None or row["effective"] < FEWEST:
        return False
    return bool(row["is_binary"]) or not all_alike(row)


def mostly_tied(row: Mapping[str, Any]) -> bool:
    """Whether so many queries tie that the others are too few to show how large differences are."""
    return not row["apart"] and row["changed"] < (1 - MOSTLY) * row["units"]


def skewness_of(row: Mapping[str, Any]) -> float:
    """The skewness of the difference of two sides of different queries; 0 where it is small, and of pairs."""
    skewness: float = row.get("skewness") or 0.0
    return skewness if abs(skewness) > SKEWED else 0.0


def too_skewed(row: Mapping[str, Any]) -> bool:
    """Whether the smaller side is too small to show how large its rare values are."""
    return abs(skewness_of(row)) > TOO_SKEWED


def estimates_of(row: Mapping[str, Any]) -> tuple[Estimate, ...]:
    """What the interval of a row is made of: the outer ends of what there is, and nothing where it has none."""
    if not has_interval(row) or (too_skewed(row) and not row["is_binary"]):
        return ()
    own = Estimate(row["difference"], row["stderr"], row["effective"] - 1, skewness_of(row))
    if row["apart"]:
        shares = of_two_shares(row) if "covariance" in row else signs_of(row).estimate(row["apart"])
        return (shares,) if row["is_binary"] else (shares, own)
    return (of_ties(row) if mostly_tied(row) else own,)


def interval_of(row: Mapping[str, Any], alpha: float) -> Ends:
    """The ends for a row of the comparison, or None twice where it has no interval."""
    return outer_ends(estimates_of(row), alpha)


def p_value_of(row: Mapping[str, Any], side: int = 0) -> float | None:
    """The p value that belongs to that interval; None where there is none."""
    return least_sure(estimates_of(row), side)


def signs_of(row: Mapping[str, Any]) -> Signs:
    """The queries of a row whose metric has two values, as signs; each has its weight, and no cluster."""
    won, lost, number = row["won"], row["lost"], row["effective"]
    alone = number > (1 - STEADY) * row["units"]
    split = (round(won * row["units"]), round(lost * row["units"])) if alone else None
    return Signs(won, lost, number, number - 1, split)


def of_two_shares(row: Mapping[str, Any]) -> Estimate:
    """That of a difference of the shares of two values in different queries: one query of each kind is added to a side.

    A. Agresti and B. Caffo, Simple and effective confidence intervals for proportions and differences of proportions
    result from adding two successes and two failures, The American Statistician 54, 2000; with the covariance of the
    queries that both sides have.
    """
    apart = row["apart"]
    more, variance = {}, -2 * row["covariance"] / apart**2
    for side in ("baseline", "candidate"):
        number = row[f"{side}_effective"]
        more[side] = (row[f"{side}_share"] * number + 1) / (number + 2)
        variance += more[side] * (1 - more[side]) / (number + 2)
    least = (row["stderr"] / apart) ** 2 if row["shared_units"] else 0.0
    spread = math.sqrt(max(variance, least))
    return Estimate(apart * (more["candidate"] - more["baseline"]), apart * spread)


def of_ties(row: Mapping[str, Any]) -> Estimate:
    """Student's of queries of which most tie, with two added: one gains as much as the other loses."""
    number, mean = row["effective"], row["difference"]
    added, size = added_for_ties(row["changed"], row["units"], row["largest"], row["span"])
    more = number + added
    centre = number * mean / more
    squares = row["stderr"] ** 2 * number * (number - 1) + number * mean**2 + added * size - more * centre**2
    return Estimate(centre, math.sqrt(squares / (more - 1) / more), more - 1)


def added_for_ties(changed: int, units: int, largest: float, span: float | None) -> tuple[float, float]:
    """How many queries are added to those of which most tie, and the square of the difference of each.

    Few differences do not show how large the rare ones are. Those that are added lie between the largest one seen and
    the largest that there can be; they weigh nothing where half of the queries tie, and as two queries where all do.

    Args:
        changed: queries that differ, 1 or more.
        units: queries in all.
        largest: the largest difference that was seen, of either sign.
        span: the largest that there can be; None where the metric has no range.
    """
    farthest = span or FAR * largest
    size = largest**2 + max(farthest**2 - largest**2, 0.0) * min(1.0, FEW / changed)
    return 2 * (max(1 - changed / units - MOSTLY, 0.0) / (1 - MOSTLY)) ** 2, size


def cut(ends: Ends, measure: Measure) -> Ends:
    """Cut the ends to the range of a difference of two values of a metric."""
    low, high = ends
    span = span_of(measure)
    if low is None or high is None or span is None:
        return ends
    return max(low, -span), min(high, span)


def span_of(measure: Measure) -> float | None:
    """The largest difference of two values of a metric; None where there is none."""
    if measure.metric.range is None:
        return None
    least, most = measure.metric.range
    return float(most - least)
