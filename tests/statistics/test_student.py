"""Student's t distribution beside scipy's."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from sqlrank.statistics.student import critical_value, two_sided

DEGREES = (0.5, 1, 1.5, 2, 3.7, 10, 39, 40, 41, 100, 499, 500, 1000, 10_000, 138_000, 1_000_000)


def test_worked_probabilities() -> None:
    # With one degree of freedom it is Cauchy's distribution, with two it is 1 - t / sqrt(2 + t^2).
    assert two_sided(1, 1) == pytest.approx(0.5, rel=1e-15)
    assert two_sided(math.sqrt(2), 2) == pytest.approx(1 - math.sqrt(0.5), rel=1e-14)
    assert two_sided(0, 5) == 1
    assert two_sided(math.inf, 5) == two_sided(1e200, 5) == 0


@pytest.mark.parametrize("degrees", DEGREES)
def test_probabilities_are_those_of_scipy(degrees: float) -> None:
    for t in (1e-6, 0.1, 0.5, 1, 1.5, 1.7, 1.8, 2, 3, 5, 8, 12, 30):
        assert two_sided(t, degrees) == pytest.approx(2 * stats.t.sf(t, degrees), rel=1e-10, abs=1e-290)


@pytest.mark.parametrize("degrees", DEGREES[2:])
def test_quantiles_are_those_of_scipy(degrees: float) -> None:
    for confidence in (0.5, 0.8, 0.95, 0.99, 0.999):
        wanted = stats.t.ppf((1 + confidence) / 2, degrees)
        assert critical_value(degrees, confidence) == pytest.approx(wanted, rel=1e-10)
