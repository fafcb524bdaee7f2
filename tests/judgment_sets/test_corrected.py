"""Differences corrected by people's judgments: worked numbers, and coverage by trial."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sqlrank.comparison.interval import of_ties
from sqlrank.judgment_sets.corrected import corrected, is_unlike
from tests.pages.parts import part
from tests.trials.corrected import ERRORS, SIZES, moments, shares

ROW: dict[str, Any] = {
    "labelled": 20,
    "others": 60,
    "people_mean": 0.10,
    "model_mean": 0.04,
    "others_mean": 0.06,
    "people_variance": 0.04,
    "model_variance": 0.02,
    "covariance": 0.02,
    "others_variance": 0.03,
    "changed": 20,
    "largest": 0.5,
}


def test_a_difference_is_corrected_as_worked_out_by_hand() -> None:
    found = corrected(ROW)
    # The slope is 0.02 / 0.02 = 1, the weight 60 / 80; 0.1 + 0.75 * (0.06 - 0.04) = 0.115.
    assert found is not None
    assert found.weight == pytest.approx(0.75)
    assert found.estimate.value == pytest.approx(0.115)
    # Left over: 0.04 - 2 * 0.75 * 0.02 + 0.5625 * 0.02 = 0.02125; variance 0.02125 * 19 / 18 / 20 + 0.5625 * 0.03 / 60.
    variance = 0.02125 * 19 / 18 / 20 + 0.5625 * 0.03 / 60
    assert found.estimate.stderr == pytest.approx(math.sqrt(variance))
    assert found.worth == pytest.approx(0.04 / variance)
    assert found.estimate.degrees == 18
    half = 2.10092204 * math.sqrt(variance)
    assert found.estimate.ends(0.05) == pytest.approx((0.115 - half, 0.115 + half))
    above, below = found.estimate.p_value(1) or 0.0, found.estimate.p_value(-1) or 0.0
    assert found.estimate.p_value() == pytest.approx(2 * above)
    assert below == pytest.approx(1 - above)


def test_queries_that_mostly_tie_have_further_ones_added_as_worked_out_by_hand() -> None:
    found = corrected(ROW | {"changed": 4, "others": 10**9, "people_mean": 0.12, "model_mean": 0.06}, 1.0)
    # 16 of 20 tie: 2 * (0.3 / 0.5)^2 = 0.72 are added, of 0.25 + (1 - 0.25) * 3 / 4 = 0.8125; the weight is 1.
    assert found is not None
    mean = 20 * 0.12 / 20.72
    squares = 0.02 * 19 + 20 * 0.12**2 + 0.72 * 0.8125 - 20.72 * mean**2
    assert found.weight == pytest.approx(1)
    assert found.estimate.value == pytest.approx(mean)
    assert found.estimate.degrees == pytest.approx(18.72)
    assert found.estimate.stderr == pytest.approx(math.sqrt(squares / 18.72 / 20.72))
    without = corrected(ROW | {"changed": 20, "others": 10**9, "people_mean": 0.12, "model_mean": 0.06}, 1.0)
    assert without is not None
    assert (without.estimate.stderr or 1) < (found.estimate.stderr or 0) / 1.5


def test_where_the_model_says_nothing_the_interval_is_that_of_people_compared() -> None:
    """Compared by people's labels alone the same queries have the same remedy for ties."""
    row = ROW | {"covariance": -0.01, "changed": 4}
    own = {"effective": 20, "units": 20, "difference": 0.1, "stderr": math.sqrt(0.04 / 20), "span": 1.0}
    alone, found = of_ties(own | {"changed": 4, "largest": 0.5}), corrected(row, 1.0)
    assert found is not None
    assert found.estimate.value == pytest.approx(alone.value)
    more = alone.degrees
    assert found.estimate.stderr == pytest.approx((alone.stderr or 0) * math.sqrt(more / (more - 1)))


@pytest.mark.parametrize("labelled", [10, 30])
def test_rare_differences_make_nobody_better(labelled: int) -> None:
    """Nine in ten queries tie, and one in a hundred loses what nine win: 400 experiments, in which nothing differs."""
    rng, better, held, found = np.random.default_rng(8), 0, 0, 0
    for _ in range(400):
        share = rng.random(300)
        true = np.where(share < 0.9, 0, np.where(share < 0.99, 0.1, -0.9))
        model = np.where(rng.random(300) < 0.7, true, 0)
        made = corrected(moments(true[:labelled], model[:labelled], model[labelled:]), 1.0)
        if made is None:
            continue
        low, high = made.estimate.ends(0.05)
        assert low is not None
        assert high is not None
        found, better, held = found + 1, better + (low > 0), held + (low <= 0 <= high)
    assert better <= 0.02 * found
    assert held >= 0.96 * found


def test_labels_that_say_nothing_leave_the_interval_of_people_alone() -> None:
    found = corrected(ROW | {"covariance": -0.01})
    assert found is not None
    assert (found.weight, found.estimate.value) == (0, ROW["people_mean"])
    assert found.estimate.stderr == pytest.approx(math.sqrt(0.04 * 19 / 18 / 20))


@pytest.mark.parametrize(
    "few",
    [{"labelled": 9}, {"others": 9}, {"changed": 0}, {"people_variance": 0, "model_variance": 0, "covariance": 0}],
)
def test_too_few_queries_or_none_that_differ_are_not_corrected(few: dict[str, Any]) -> None:
    assert corrected(ROW | {"others_variance": 0.0} | few) is None


def test_a_sample_that_is_none_is_told() -> None:
    assert not is_unlike(ROW)
    assert is_unlike(ROW | {"model_mean": 0.30})


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("kind", ERRORS)
@pytest.mark.parametrize(("labelled", "others"), SIZES)
def test_intervals_cover_the_truth_and_are_no_wider_than_peoples(kind: str, labelled: int, others: int) -> None:
    """1,500 experiments: the standard error of 95 % is 0.6 points; coverage is to be 93 to 97 %, and two of them."""
    covered, width = shares(kind, labelled, others)
    assert 0.93 - 2 * 0.0056 <= covered <= 0.97 + 2 * 0.0044
    assert width < (1.04 if kind == "chance alone" else 0.9)


def test_the_table_of_trials_has_every_row() -> None:
    assert len(part("trials corrected").splitlines()) == len(ERRORS) * len(SIZES) + 2
