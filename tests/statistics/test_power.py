"""The difference that queries find, and the queries that a difference needs: by hand, by scipy, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from sqlrank.statistics.paired_power import detectable, queries_needed
from sqlrank.statistics.student import two_sided
from tests.pages.stated import assert_stated, stated

ALPHA = 0.05
TRIALS = 2000


def power(number: int, size: float, alpha: float = ALPHA) -> float:
    """The power of the t test for a difference of so many standard deviations, by the noncentral t distribution."""
    critical, shift = stats.t.isf(alpha / 2, number - 1), size * math.sqrt(number)
    found = stats.nct.sf(critical, number - 1, shift) + stats.nct.cdf(-critical, number - 1, shift)
    return float(found)


def test_a_worked_plan() -> None:
    # t(0.975) and t(0.8) with 24 degrees of freedom are 2.0639 and 0.8569; the deviation is 0.3.
    assert detectable(0.3, 25, 0.05) == pytest.approx((2.0639 + 0.8569) * 0.3 / 5, abs=1e-5)
    # By the normal distribution (1.96 + 0.8416)^2 / 0.5^2 = 31.4; the textbook of the t distribution has 34.
    assert queries_needed(0.5, 1.0, 0.05) == 34
    assert queries_needed(-0.5, 1.0, 0.05) == 34


@pytest.mark.parametrize(
    ("number", "alpha"),
    [*((number, 0.05) for number in (4, 5, 8, 10, 20, 50, 200, 1000, 100_000)), (8, 0.01), (50, 0.01), (1000, 0.01)],
)
def test_the_difference_is_found_with_the_power(number: int, alpha: float) -> None:
    size = detectable(1.0, number, alpha)
    assert size is not None
    assert power(number, size, alpha) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("size", [0.01, 0.05, 0.1, 0.24, 0.5, 1.0])
def test_so_many_queries_are_enough_and_one_fewer_are_not(size: float) -> None:
    number = queries_needed(size, 1.0, ALPHA)
    assert number is not None
    assert power(number, size) == pytest.approx(0.8, abs=0.03)
    few, enough = detectable(1.0, number - 1, ALPHA), detectable(1.0, number, ALPHA)
    assert few is not None
    assert enough is not None
    assert enough <= size < few


POWERS = {
    (4, 0.05): "difference is # with 4 queries",
    (10, 0.05): "with 4 queries, # with 10",
    **dict.fromkeys([(20, 0.05), (50, 0.05), (1000, 0.05)], "with 10, and # from 20 on"),
    **dict.fromkeys([(number, 0.01) for number in (8, 10, 20, 50, 1000)], None),
}
"""What the documentation says of the power at a number of queries and an alpha."""


@pytest.mark.parametrize(("number", "alpha"), POWERS)
def test_the_documentation_states_the_power(number: int, alpha: float) -> None:
    size = detectable(1.0, number, alpha)
    assert size is not None
    found, sentence = power(number, size, alpha), POWERS[number, alpha]
    if sentence:
        assert_stated(found, "explanation/comparison.md", sentence)
    else:
        (within,) = stated("explanation/comparison.md", "at alpha 0.01 it is within # from 8 on")
        assert found == pytest.approx(0.8, abs=float(within))


def test_a_pilot_of_25_queries_is_as_good_as_the_documentation_says() -> None:
    sentence = "with 25 queries and normal differences the standard deviation is within # % in # of # pilots"
    within, good, pilots = (float(figure) for figure in stated("explanation/comparison.md", sentence))
    low, high = (24 * (1 + sign * within / 100) ** 2 for sign in (-1, 1))
    share = stats.chi2.cdf(high, 24) - stats.chi2.cdf(low, 24)
    assert round(pilots * share) == good


def test_a_pilot_that_mostly_ties_is_as_bad_as_the_documentation_says() -> None:
    rng = np.random.default_rng(1)
    for tied, sentence in ((0.9, "90 % of the queries tie it is so in # of 20"), (0.97, "97 % do in # of 20")):
        drawn = rng.normal(size=(20_000, 25)) * (rng.random((20_000, 25)) >= tied)
        ratios = drawn.std(axis=1, ddof=1) / (1 - tied) ** 0.5
        assert_stated(20 * ((ratios > 0.7) & (ratios < 1.3)).mean(), "explanation/comparison.md", sentence)


def test_nothing_is_planned_for_no_difference() -> None:
    assert queries_needed(0.0, 1.0, ALPHA) is None
    assert queries_needed(1e-12, 1.0, ALPHA) is None
    assert detectable(1.0, 1.2, ALPHA) is None


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("kind", ["normal", "ndcg", "binary"])
@pytest.mark.parametrize("number", [20, 50, 200])
def test_trials_find_the_difference_with_the_power(kind: str, number: int) -> None:
    """2,000 experiments: the standard error of 80 % is 0.9 points, and the bounds three of them away."""
    rng = np.random.default_rng(number)
    shape = (TRIALS, number)
    if kind == "normal":
        drawn = rng.normal(size=shape)
    elif kind == "ndcg":
        drawn = rng.beta(2, 2, shape) - rng.beta(2, 2, shape) * (rng.random(shape) < 0.7)
        drawn -= 0.5 - 0.7 * 0.5
    else:
        drawn = rng.choice([-1.0, 0.0, 1.0], p=[0.2, 0.6, 0.2], size=shape)
    size = detectable(float(drawn.std()), number, ALPHA)
    assert size is not None
    values = drawn + size
    errors = values.std(axis=1, ddof=1) / math.sqrt(number)
    found = [two_sided(abs(t), number - 1) <= ALPHA for t in values.mean(axis=1) / errors]
    share = sum(found) / TRIALS
    assert share == pytest.approx(0.8, abs=0.03)
    assert_stated(
        100 * share,
        "explanation/comparison.md",
        "tests/statistics/test_power.py`) the t test finds such a difference in # to # % of",
    )
