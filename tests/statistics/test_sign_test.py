"""The exact sign test, against counting by hand, whole numbers and scipy."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sqlrank.statistics.exact_tests import sign_test
from tests.support.examples import examples


@pytest.mark.parametrize(
    ("wins", "losses", "value"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (1, 1, 1.0),
        (5, 0, 2 / 32),
        (0, 6, 2 / 64),
        (8, 2, 2 * (1 + 10 + 45) / 1024),
        (50, 50, 1.0),
        (51, 50, 1.0),
    ],
)
def test_small_counts_have_the_value_counted_by_hand(wins: int, losses: int, value: float) -> None:
    assert sign_test(wins, losses) == value


def exact(wins: int, losses: int) -> float:
    """The same from whole numbers alone."""
    trials = wins + losses
    tail = sum(math.comb(trials, number) for number in range(min(wins, losses) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**trials)))


@pytest.mark.parametrize("trials", [1, 2, 7, 40, 999, 1000, 1001, 1002, 1999, 2000, 2001])
def test_the_value_is_that_of_whole_numbers(trials: int) -> None:
    for wins in {0, 1, 2, 13, 14, 15, 16, 17, 40, trials // 4, trials // 3, trials // 2 - 1, trials // 2}:
        if 0 <= wins <= trials:
            assert sign_test(wins, trials - wins) == pytest.approx(exact(wins, trials - wins), rel=1e-11, abs=0)


@pytest.mark.parametrize("trials", [10, 101, 5_000, 123_457, 1_000_000, 10_000_000])
def test_the_value_is_that_of_scipy(trials: int) -> None:
    for deviations in (0.0, 0.1, 1.0, 1.96, 3.0, 8.0, 20.0):
        wins = max(0, int(trials / 2 - deviations * math.sqrt(trials) / 2))
        theirs = stats.binomtest(wins, trials, 0.5).pvalue
        assert sign_test(wins, trials - wins) == pytest.approx(theirs, rel=1e-9, abs=0)


def test_a_split_that_no_number_is_small_enough_for_is_zero() -> None:
    assert sign_test(0, 10_000_000) == 0.0
    assert sign_test(20, 3_000) == 0.0


@examples(25)
@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_it_does_not_matter_which_is_called_the_winner(wins: int, losses: int) -> None:
    value = sign_test(wins, losses)
    assert value == sign_test(losses, wins)
    assert 0 <= value <= 1
    assert value >= sign_test(max(wins, losses) + 1, min(wins, losses))
