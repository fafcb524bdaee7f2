"""Hedges' g: the factor by hand and beside moments, the interval beside the noncentral t and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from sqlrank.statistics.hedges import correction, hedges_g
from tests.comparison.test_power import FIRST, SECOND
from tests.pages.stated import assert_stated
from tests.support.comparisons import row


def test_the_factor_is_known_in_closed_form() -> None:
    # gamma(1) / (gamma(1 / 2) * 1), and gamma(2) / (gamma(3 / 2) sqrt(2))
    assert correction(2) == pytest.approx(1 / math.sqrt(math.pi), rel=1e-12)
    assert correction(4) == pytest.approx(math.sqrt(2 / math.pi), rel=1e-12)
    assert correction(1_000_000) == pytest.approx(correction(1_000_001), rel=1e-9)


def test_the_row_has_the_effect_times_the_factor() -> None:
    found = row({}, a=FIRST, b=SECOND)
    number = len(FIRST)
    g = found["effect_size"] * correction(number - 1)
    margin = stats.norm.ppf(0.975) * math.sqrt(1 / number + g**2 / (2 * (number - 1)))
    assert found["hedges_g"] == pytest.approx(g, rel=1e-9)
    assert (found["hedges_low"], found["hedges_high"]) == (pytest.approx(g - margin), pytest.approx(g + margin))


def test_differences_that_are_all_alike_have_none() -> None:
    found = row({}, a=[1, 2, 3], b=[2, 3, 4])
    assert (found["hedges_g"], found["hedges_low"]) == (None, None)


@pytest.mark.parametrize("number", [30, 100])
@pytest.mark.parametrize("effect", [0.0, 0.4, 1.0])
def test_the_interval_is_near_that_of_the_noncentral_t(number: int, effect: float) -> None:
    t, degrees = effect * math.sqrt(number), number - 1

    def end(share: float) -> float:
        found = optimize.brentq(lambda noncentral: stats.nct.cdf(t, degrees, noncentral) - share, t - 20, t + 20)
        return float(found) / math.sqrt(number)

    _, low, high = hedges_g(effect, degrees, 1 / math.sqrt(number), 0.05)
    assert [low, high] == pytest.approx([end(0.975), end(0.025)], abs=0.03)


@pytest.mark.parametrize("number", [5, 20, 200])
@pytest.mark.parametrize("effect", [0.0, 0.8, 1.5])
def test_g_is_right_on_average_and_its_interval_covers(number: int, effect: float) -> None:
    samples = np.random.default_rng(number).normal(effect, 1, (20_000, number))
    effects = samples.mean(axis=1) / samples.std(axis=1, ddof=1)
    found = np.array([hedges_g(float(value), number - 1, 1 / math.sqrt(number), 0.05) for value in effects])
    assert found[:, 0].mean() == pytest.approx(effect, abs=4 * found[:, 0].std() / math.sqrt(20_000))
    covered = ((found[:, 1] <= effect) & (effect <= found[:, 2])).mean()
    assert_stated(100 * covered, "explanation/comparison.md", "covers the true effect in # to # % of")
