"""Intervals and p values of estimates are those of scipy; what shows no standard error has neither."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sqlrank.statistics.estimate import NONE, Estimate, ends_of_ratio, outer_ends, welch

ESTIMATES = [(0.3, 0.1, 5.0), (-0.02, 0.03, 1.5), (0.0, 1.0, 200.0), (2.5, 0.4, math.inf), (-4.0, 0.5, math.inf)]
SIDES = {0: "two-sided", 1: "greater", -1: "less"}


def distribution(degrees: float) -> stats.rv_continuous:
    return stats.norm() if math.isinf(degrees) else stats.t(degrees)


@pytest.mark.parametrize(("value", "stderr", "degrees"), ESTIMATES)
def test_intervals_and_p_values_are_those_of_scipy(value: float, stderr: float, degrees: float) -> None:
    estimate, chance = Estimate(value, stderr, degrees), distribution(degrees)
    for alpha in (0.5, 0.1, 0.05, 0.001):
        half = chance.isf(alpha / 2) * stderr
        assert estimate.ends(alpha) == pytest.approx((value - half, value + half), rel=1e-9, abs=1e-12)
    assert estimate.p_value() == pytest.approx(2 * chance.sf(abs(value) / stderr), rel=1e-9)
    for side in (1, -1):
        for margin in (0.0, 0.05):
            wanted = chance.sf((side * value + margin) / stderr)
            assert estimate.p_value(side, margin) == pytest.approx(wanted, rel=1e-9)


def test_a_value_is_significant_exactly_where_its_interval_leaves_zero_out() -> None:
    rng = np.random.default_rng(5)
    for value, degrees in zip(rng.normal(0, 3, 500), rng.choice([1.0, 2.5, 30.0, math.inf], 500), strict=True):
        estimate = Estimate(float(value), 1.0, float(degrees))
        low, high = estimate.ends(0.05)
        assert low is not None
        assert high is not None
        assert (low > 0 or high < 0) == ((estimate.p_value() or 0.0) <= 0.05)


def test_what_shows_no_standard_error_has_no_interval_and_no_p_value() -> None:
    nothing = Estimate(0.2, None, 4)
    assert (nothing.ends(0.05), nothing.p_value()) == (NONE, None)
    assert Estimate(0.2, 0.0, 4).p_value() is None
    assert outer_ends([], 0.05) == outer_ends([nothing], 0.05) == NONE


def test_the_outer_ends_are_those_of_the_widest() -> None:
    assert outer_ends([Estimate(0.0, 1.0), Estimate(1.0, 1.0)], 0.05) == pytest.approx((-1.959964, 2.959964))


def test_independent_means_are_compared_by_the_test_of_welch() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.normal(0, 1, 12), rng.normal(0.4, 3, 7)
    sides = [(float(each.var(ddof=1) / len(each)), len(each)) for each in (one, other)]
    wanted = stats.ttest_ind(other, one, equal_var=False)
    found = welch(float(other.mean() - one.mean()), *sides)
    assert found.p_value() == pytest.approx(wanted.pvalue, rel=1e-9)
    interval = wanted.confidence_interval(0.95)
    assert found.ends(0.05) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert welch(0.1, (0.0, 5), (0.0, 5)).stderr is None
    assert welch(0.1, (0.2, 5), (0.2, 1)).stderr is None


def test_a_ratio_has_ends_that_are_as_far_in_its_logarithm() -> None:
    for degrees in (4.0, math.inf):
        half = distribution(degrees).isf(0.025) * 0.3
        wanted = (2.0 * math.exp(-half), 2.0 * math.exp(half))
        assert ends_of_ratio(2.0, 0.3, 0.05, degrees) == pytest.approx(wanted, rel=1e-9)


def test_the_chance_of_a_value_below_a_limit_is_that_of_scipy() -> None:
    for limit in (-3.0, 0.0, 0.4):
        assert Estimate(0.1, 0.2).below(limit) == pytest.approx(stats.norm.cdf(limit, 0.1, 0.2), rel=1e-12)
    assert math.isnan(Estimate(0.1, None).below(0.0))
