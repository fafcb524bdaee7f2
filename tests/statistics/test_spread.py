"""Intervals of standard deviations: beside chi squared, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sqlrank.statistics.paired_power import degrees_of, ends_of_spread


@pytest.mark.parametrize("degrees", [5, 10, 30, 100, 1_000, 1e6])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_ends_are_those_of_chi_squared(degrees: float, alpha: float) -> None:
    low, high = ends_of_spread(degrees, alpha)
    assert low == pytest.approx(math.sqrt(degrees / stats.chi2.isf(alpha / 2, degrees)), rel=0.002)
    assert high == pytest.approx(math.sqrt(degrees / stats.chi2.ppf(alpha / 2, degrees)), rel=0.03)


def test_residuals_of_one_size_say_exactly_how_large_they_are() -> None:
    assert degrees_of(1 / 20, 20, 20) == math.inf
    assert ends_of_spread(math.inf, 0.05) == (1.0, 1.0)


def test_one_residual_leaves_no_upper_end() -> None:
    # of 20 queries one differs, by 1: its residual is 0.95, the others' 0.05
    fourth = (0.95**4 + 19 * 0.05**4) / (0.95**2 + 19 * 0.05**2) ** 2
    degrees = degrees_of(fourth, 20, 1)
    assert degrees == pytest.approx(2 / ((fourth - 0.05) * 20 / 19 * 4))
    assert degrees < 2
    low, high = ends_of_spread(degrees, 0.05)
    assert 0 < low < 1
    assert high is None


def test_normal_values_are_worth_nearly_as_many_degrees_as_there_are() -> None:
    residuals = np.random.default_rng(1).normal(size=100_000)
    fourth = (residuals**4).sum() / (residuals**2).sum() ** 2
    assert degrees_of(fourth, 100_000, 100_000) == pytest.approx(100_000, rel=0.05)
