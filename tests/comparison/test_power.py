"""The power of a comparison in its rows and below its table."""

from __future__ import annotations

import math
import statistics
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sqlrank
from sqlrank.comparison.comparison_power import NEEDED, planned, power_remarks
from sqlrank.comparison.questions import Questions
from tests.comparison.test_weighted_comparisons import rows
from tests.pages.stated import assert_stated
from tests.support.comparisons import compared, row
from tests.support.tables import each
from tests.trials.experiments import GRADED, table_of

FIRST: list[float] = [1, 2, 0, 3, 1, 2, 2, 0, 1, 1, 3, 2]
SECOND: list[float] = [2, 2, 1, 3, 3, 1, 2, 1, 1, 3, 3, 2]


def sizes_beside(number: int, deviation: float) -> list[float]:
    """The differences that one query fewer and so many queries find."""
    return [
        (stats.t.ppf(0.975, n - 1) + stats.t.ppf(0.8, n - 1)) * deviation / math.sqrt(n) for n in (number - 1, number)
    ]


def test_the_difference_and_the_number_are_those_of_the_formulas() -> None:
    found = row(a=FIRST, b=SECOND)
    deviation = statistics.stdev(b - a for a, b in zip(FIRST, SECOND, strict=True))
    assert found["detectable_difference"] == pytest.approx(sizes_beside(12, deviation)[1], rel=1e-12)
    fewer, enough = sizes_beside(found["queries_needed"], deviation)
    assert enough <= found["difference"] < fewer
    assert row({"alpha": 0.01}, a=FIRST, b=SECOND)["queries_needed"] > found["queries_needed"]


def test_the_ranges_are_those_of_the_spread_and_of_the_interval() -> None:
    found = row({"test": "t"}, a=FIRST, b=SECOND)
    differences = np.array(SECOND) - FIRST
    residuals = differences - differences.mean()
    fourth = (residuals**4).sum() / (residuals**2).sum() ** 2
    degrees = 2 / ((fourth - 1 / 12) * 12 / 11 * (1 + 3 / np.count_nonzero(differences)))
    ends = (found[f"detectable_{end}"] / found["detectable_difference"] for end in ("low", "high"))
    for end, share in zip(ends, (0.975, 0.025), strict=True):
        assert end == pytest.approx(math.sqrt(degrees / stats.chi2.ppf(share, degrees)), rel=0.02)
    low, high = found["ci_low"], found["ci_high"]
    assert low < 0 < high
    assert found["queries_needed_high"] is None
    fewer, enough = sizes_beside(found["queries_needed_low"], statistics.stdev(differences.tolist()))
    assert enough <= max(-low, high) < fewer


@each(["randomization", "bootstrap", "t", "wilcoxon"])
def test_the_queries_needed_belong_to_the_interval_that_the_row_shows(test: str) -> None:
    higher = [value + 0.6 + 0.1 * place for place, value in enumerate(FIRST)]
    found = row({"test": test}, a=FIRST, b=higher)
    deviation = statistics.stdev(b - a for a, b in zip(FIRST, higher, strict=True))
    assert found["ci_low"] > 0
    for column, end in (("queries_needed_low", "ci_high"), ("queries_needed_high", "ci_low")):
        fewer, enough = sizes_beside(found[column], deviation) if found[column] > 2 else (math.inf, 0.0)
        assert enough <= found[end] < fewer


def test_a_row_without_an_interval_has_no_number() -> None:
    with compared({"test": "randomization"}, a=FIRST[:5], b=SECOND[:5]) as comparison:
        found = comparison.all_rows[0]
        assert [found[name] for name in ("ci_low", *NEEDED)] == [None] * 4
        assert found["detectable_low"] < found["detectable_difference"] < found["detectable_high"]
        assert comparison.remarks()[-1].endswith("with that power: no number (dcg@1)")


def test_a_pilot_in_which_one_query_differs_says_that_it_tells_next_to_nothing() -> None:
    found = row(a=[1.0] * 20, b=[2.0, *[1.0] * 19])
    assert (found["detectable_high"], found["queries_needed_high"]) == (None, None)
    assert found["queries_needed_low"] < found["queries_needed"]
    assert "or more] (dcg@1); in square brackets" in power_remarks([found], Questions())[0]


def test_weights_of_one_size_and_of_nothing_change_no_plan_and_one_query_that_decides_gives_none() -> None:
    plain, few = rows(FIRST, SECOND)[-1], rows(FIRST[:9], SECOND[:9])[-1]
    for weights, wanted in (([7.0] * 12, plain), ([0.25] * 12, plain), ([1.0] * 9 + [0.0] * 3, few)):
        weighted = rows(FIRST, SECOND, weights)[-1]
        assert weighted["detectable_difference"] == pytest.approx(wanted["detectable_difference"], rel=1e-12)
        assert weighted["queries_needed"] == wanted["queries_needed"]
    heavy = rows(FIRST, SECOND, [100.0, *[1.0] * 11])[-1]
    assert (heavy["detectable_difference"], heavy["queries_needed"]) == (None, None)


def test_nothing_is_said_where_all_differences_are_alike() -> None:
    for second in (FIRST, [value + 1 for value in FIRST]):
        found = row(a=FIRST, b=second)
        assert (found["detectable_difference"], found["queries_needed"]) == (None, None)
        assert power_remarks([found], Questions()) == []


def test_the_lines_below_the_table_speak_of_the_total_and_of_one_candidate() -> None:
    with compared(a=FIRST, b=SECOND) as comparison:
        found = comparison.all_rows[0]
        least, needed = found["detectable_difference"], found["queries_needed"]
        lines = comparison.remarks()[-2:]
        assert f"the smallest detectable difference is {least:.3g} [" in lines[0]
        assert lines[0].endswith("] (dcg@1); in square brackets its 95 % range")
        assert lines[1].endswith(f"with that power: {needed} [{found['queries_needed_low']} or more] (dcg@1)")
    with compared(a=FIRST, b=SECOND, c=FIRST[::-1]) as comparison:
        most = max(each["detectable_difference"] for each in comparison.all_rows)
        assert f"is {most:.3g} [" in comparison.remarks()[-1]


TRIALS, PILOT = 2_000, 4_000


def pilot_of(kind: str, seed: int) -> tuple[Any, Any, Any]:
    """The differences and weights of a pilot, nearly alike, of a long tail, or of two sizes; and what draws from it."""
    rng, drawing = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    if kind == "alike":
        weights = 0.5 + rng.random(PILOT)
    elif kind == "log-normal":
        weights = rng.lognormal(0, 1, PILOT)
    else:
        weights = rng.choice([1.0, 10.0], PILOT, p=[0.8, 0.2])
    # The differences of heavy queries are smaller.
    return drawing.normal(size=PILOT) * np.where(weights > 1.5, 0.5, 1.0), weights, drawing


@cache
def pilot(kind: str, seed: int) -> dict[str, Any]:
    """The row of a comparison of a pilot."""
    differences, weights, _ = pilot_of(kind, seed)
    return rows([0.0] * PILOT, list(differences - differences.min()), list(weights), test="t")[-1]


def planned_difference(kind: str, seed: int, number: int) -> float:
    """The difference that so many queries like those of a pilot would find."""
    (plan,) = planned([pilot(kind, seed)], set(), [number], 0.05, 0.8)
    return float(plan["detectable_difference"])


PILOTS = {
    "log-normal": "standard deviation of # % of their mean with log-normal weights",
    "alike": ", and of # % with weights that are nearly alike",
}
"""What the documentation says of how far the plans of 100 pilots lie apart."""


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("kind", PILOTS)
def test_pilots_differ_where_weights_have_a_long_tail(kind: str) -> None:
    """100 pilots: how far their plans lie apart is known to 7 % of it."""
    differences, weights, _ = zip(*(pilot_of(kind, seed) for seed in range(100)), strict=True)
    second = np.array(differences) - np.min(differences)
    asked = table_of({"a": np.zeros(second.shape), "b": second}, np.array(weights), GRADED)
    with sqlrank.compare(**asked, test="t", correction="none") as comparison:
        pilots = [pilot | {"is_total": True} for pilot in comparison.all_rows if not pilot["is_total"]]
    plans = np.array([planned([pilot], set(), [1_000], 0.05, 0.8)[0]["detectable_difference"] for pilot in pilots])
    assert len(plans) == 100
    assert_stated(100 * plans.std() / plans.mean(), "explanation/comparison.md", PILOTS[kind])


KINDS = ["alike", "log-normal", "two sizes"]
FOUND: dict[Any, str] = {
    "alike": "the weighted t test finds such a difference in # to # % of",
    "two sizes": "the weighted t test finds such a difference in # to # % of",
    ("log-normal", 50): "With log-normal weights (sigma 1) it finds it in # to # % with 50",
    ("log-normal", 200): ", # to # % with 200,",
    ("log-normal", 1_000): "and # to # % with 1,000",
}
"""What the documentation says of how often the planned difference is found."""


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [50, 200, 1_000])
@pytest.mark.parametrize("seed", range(1, 4))
def test_trials_of_weighted_queries_find_the_planned_difference_with_the_power(
    kind: str, number: int, seed: int
) -> None:
    """2,000 experiments: the standard error of 80 % is 0.9 points, and the bound five of them away."""
    differences, weights, rng = pilot_of(kind, seed)
    promised = planned_difference(kind, seed, number)
    drawn = rng.integers(PILOT, size=(TRIALS, number))
    values = (differences - np.average(differences, weights=weights) + promised)[drawn]
    weight = weights[drawn]
    whole = weight.sum(axis=1)
    means = (weight * values).sum(axis=1) / whole
    residuals = weight * (values - means[:, None]) / (1 - weight / whole[:, None])
    errors = np.sqrt((number - 1) / number * (residuals**2).sum(axis=1)) / whole
    degrees = whole**2 / (weight**2).sum(axis=1) - 1
    found = (np.abs(means / errors) > stats.t.ppf(0.975, degrees)).mean()
    assert seed > 1 or found == pytest.approx(0.8, abs=0.05)
    assert_stated(100 * found, "explanation/comparison.md", FOUND.get((kind, number)) or FOUND[kind])
