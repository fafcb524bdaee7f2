"""How many judgments would decide: against the formula written out, the textbook, and by simulation."""

from __future__ import annotations

import math
import random

import pytest
from scipy import stats

import sqlrank
from sqlrank.judging.verdicts.decisions import SHIP, UNDECIDED
from sqlrank.judging.verdicts.rows import judgments_needed
from sqlrank.statistics.delta_gsb import Sums, preference_of
from tests.support.verdict_data import arrow, decision_of, sums


def needed(found: Sums, alpha: float = 0.05) -> list[int | None]:
    """The number of judgments that would decide, its low and its high end."""
    return list(judgments_needed(found, preference_of(found, alpha), alpha).values())


def test_the_judgments_needed_are_the_fewest_whose_interval_would_be_far_enough_from_zero() -> None:
    # 18 good, 12 same, 10 bad: delta 0.2, of 0.7 that decide
    # the exact test takes whole judgments: one fewer
    def reach(number: int, delta: float, decided: float) -> float:
        centre = delta * number / (number + 2)
        spread = math.sqrt(((decided * number + 2) / (number + 2) - centre**2) / (number + 2))
        needed = (float(stats.t.ppf(0.975, number - 1)) + float(stats.norm.ppf(0.8))) * spread
        return centre - 1 / (number + 2) - needed

    number, low, high = needed(sums(18, 12, 10))
    assert (number, low, high) == (144, 29, None)
    assert reach(143, 0.2, 0.7) < 0 <= reach(144, 0.2, 0.7)
    far = preference_of(sums(18, 12, 10)).ci_high
    assert far is not None
    assert reach(28, far, 0.7) < 0 <= reach(29, far, 0.7)


def test_the_judgments_needed_are_the_same_either_way_round() -> None:
    assert needed(sums(18, 12, 10)) == needed(sums(10, 12, 18))
    number, low, high = needed(sums(10, 12, 10))
    assert (number, high) == (None, None)
    assert low == 66


def test_a_strict_p_value_that_is_missed_leaves_a_number_for_both_ends_of_the_interval() -> None:
    found = sums(24, 6, 10)
    estimate = preference_of(found)
    number, low, high = judgments_needed(found, estimate, 0.05 / 20).values()

    assert estimate.ci_low is not None and estimate.ci_low > 0  # noqa: PT018 for the types
    assert estimate.p_value is not None
    assert estimate.p_value > 0.05 / 20
    assert low is not None and number is not None and high is not None  # noqa: PT018 for the types
    assert low < 40 < number < high


def test_the_judgments_needed_are_those_of_the_textbook_where_they_are_many() -> None:
    found = sums(36_000, 30_000, 35_900)
    delta = 100 / 101_900
    variance = 71_900 / 101_900 - delta**2
    textbook = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 * variance / delta**2

    assert needed(found)[0] == pytest.approx(textbook, rel=1e-3)


def test_more_judgments_are_needed_than_there_are() -> None:
    for good in range(2, 40):
        found = preference_of(sums(good, 20, 10))
        number, low, high = needed(sums(good, 20, 10))
        if decision_of(found) == UNDECIDED and good != 10:
            assert number is not None
            assert number > good + 30
            assert low is not None
            assert low <= number
            assert high is None
    tiny = sums(10**10 + 1, 10**10, 10**10)
    assert needed(tiny)[0] is None


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("good", "same", "bad", "number"), [(9, 6, 5, 144), (4, 5, 1, 48), (8, 1, 1, 15)])
def test_so_many_judgments_as_are_asked_for_decide_four_times_in_five(
    good: int, same: int, bad: int, number: int
) -> None:
    """2,000 experiments: the standard error of 80 % is 0.9 points, and the bounds four of them away."""
    rng = random.Random(2)
    rows = [
        (f"{experiment}", f"{experiment}/{query}", rng.choices((1, 0, -1), (good, same, bad))[0])
        for experiment in range(2_000)
        for query in range(number)
    ]
    with sqlrank.gsb(arrow(rows, "experiment", "query_id", "verdict"), by="experiment", correction="none") as result:
        decisions = result.rows.filter("not is_total").project("decision").fetchall()

    assert sum(decision == SHIP for (decision,) in decisions) / 2_000 == pytest.approx(0.8, abs=0.04)
