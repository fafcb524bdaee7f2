"""Intervals of values: of their standard errors over units, or lower bounds for few data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.measures import Measure
from sqlrank.counterfactual.unit_sums import Estimate, UnitSums
from sqlrank.statistics.student import critical_value, two_sided

LOWER = ("student", "bernstein", "hoeffding")
"""The intervals that are lower bounds."""
BOUNDED = ("bernstein", "hoeffding")
"""Those that ask how much an impression counts at most."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of an interval; None where it has none."""

    low: float | None = None
    high: float | None = None


def around(asked: Asked, sums: UnitSums, estimate: Estimate) -> Interval:
    """Student's interval around a value or a difference."""
    if estimate.error is None:
        return Interval()
    width = critical_value(sums.number - 1, 1 - asked.alpha) * estimate.error
    return Interval(estimate.value - width, estimate.value + width)


def below(asked: Asked, sums: UnitSums, measure: Measure, estimate: Estimate) -> Interval:
    """A lower bound of a value.

    Student's by the standard error; Bernstein's by the variance and Hoeffding's by the most that an impression counts
    (Maurer and Pontil, COLT 2009; Thomas, Theocharous and Ghavamzadeh, AAAI 2015), of impressions that are independent.
    """
    if estimate.error is None:
        return Interval()
    number, delta = sums.number, asked.alpha
    if asked.interval == "student":
        return Interval(estimate.value - critical_value(number - 1, 1 - 2 * delta) * estimate.error)
    largest = sums.weights(measure).most * asked.top
    if asked.interval == "hoeffding":
        return Interval(estimate.value - largest * math.sqrt(math.log(1 / delta) / (2 * number)))
    variance = estimate.error * estimate.error * (number - 1)
    slack = 7 * largest * math.log(2 / delta) / (3 * (number - 1))
    return Interval(estimate.value - slack - math.sqrt(2 * math.log(2 / delta) * variance / (number - 1)))


def p_value(sums: UnitSums, estimate: Estimate) -> float | None:
    """The two-sided p value of a difference; None where units do not differ."""
    if not estimate.error:
        return None
    return two_sided(estimate.value / estimate.error, sums.number - 1)
