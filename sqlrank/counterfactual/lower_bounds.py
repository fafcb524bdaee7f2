"""Lower bounds of values, for few data."""

from __future__ import annotations

import math

from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.measures import Measure
from sqlrank.counterfactual.unit_sums import UnitSums
from sqlrank.statistics.estimate import NONE, Ends, Estimate

LOWER = ("student", "bernstein", "hoeffding")
"""The intervals that are lower bounds."""
BOUNDED = ("bernstein", "hoeffding")
"""Those that ask how much an impression counts at most."""


def below(asked: Asked, sums: UnitSums, measure: Measure, estimate: Estimate) -> Ends:
    """A lower bound of a value.

    Student's by the standard error; Bernstein's by the variance and Hoeffding's by the most that an impression counts
    (Maurer and Pontil, COLT 2009; Thomas, Theocharous and Ghavamzadeh, AAAI 2015), of impressions that are independent.
    """
    if estimate.stderr is None:
        return NONE
    number, delta = sums.number, asked.alpha
    if asked.interval == "student":
        return estimate.ends(2 * delta)[0], None
    largest = sums.weights(measure).most * asked.top
    if asked.interval == "hoeffding":
        return estimate.value - largest * math.sqrt(math.log(1 / delta) / (2 * number)), None
    variance = estimate.stderr * estimate.stderr * (number - 1)
    slack = 7 * largest * math.log(2 / delta) / (3 * (number - 1))
    return estimate.value - slack - math.sqrt(2 * math.log(2 / delta) * variance / (number - 1)), None
