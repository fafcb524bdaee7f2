"""Tails of percentiles, beside scipy's distributions: of a normal sample they give Student's interval and p value."""

from __future__ import annotations

from math import sqrt

import pytest
from scipy import stats

from sqlrank.statistics.percentiles import p_value, tail


@pytest.mark.parametrize("number", [5, 12, 200])
def test_the_tail_is_where_a_normal_sample_has_the_end_of_students_interval(number: int) -> None:
    widening = sqrt(number / (number - 1))
    for alpha in (0.01, 0.05, 0.3):
        wanted = stats.norm.cdf(-stats.t.ppf(1 - alpha / 2, number - 1) * widening)
        assert tail(alpha, number - 1, widening) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("number", [5, 12, 200])
def test_the_p_value_is_the_level_of_the_interval_that_ends_at_0(number: int) -> None:
    widening, replicates = sqrt(number / (number - 1)), 9_999
    for below in (0, 3, 250, 4_000):
        above = replicates - below
        level = p_value(below, above, replicates, number - 1, widening)
        assert tail(level, number - 1, widening) == pytest.approx((1 + below) / (1 + replicates), rel=1e-6)
        assert p_value(above, below, replicates, number - 1, widening) == level
        sided = p_value(below, above, replicates, number - 1, widening, side=1)
        assert sided == pytest.approx(level / 2, rel=1e-3)
        assert sided + p_value(below, above, replicates, number - 1, widening, side=-1) == pytest.approx(1, rel=1e-9)
    assert p_value(5_000, 5_000, 9_999, number - 1, widening) == 1.0
