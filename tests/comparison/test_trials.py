"""Intervals cover the truth as often as they say, and tests find nothing where there is nothing to find."""

from __future__ import annotations

import math
import os
import re

import numpy as np
import pytest
from scipy import stats

from tests.pages.parts import part
from tests.pages.stated import assert_stated, stated
from tests.trials import (
    DIFFERENCES,
    LIMIT,
    LOSING,
    MEANS,
    QUERIES,
    SIZES,
    TESTS_TRIED,
    TIED,
    WEIGHTS,
    Values,
    difference_trial,
    mean_trial,
    mostly_tied,
    row_of_differences,
    row_of_means,
    row_of_ties,
    rows_of_verdicts,
    tied_trial,
    trials_of_means,
)

REPEATED = 30
"""Up to how many queries the tables are repeated: what 100 and 300 take is spent where the tables are written."""
FEW = 200
"""The experiments of a setting by default: 3 standard errors of its coverage are 4.6 of 100."""
SLACK = 0.046


@pytest.mark.parametrize(
    ("place", "weights", "queries"),
    [
        (0, "a quarter of them 0", 20),
        (1, "log-normal, sigma 1.5", 30),
        (2, "Pareto, alpha 1.5", 10),
        (3, "equal", 20),
        (4, "log-normal, sigma 1", 30),
        (5, "equal", 10),
    ],
)
def test_intervals_of_means_cover_them(place: int, weights: str, queries: int) -> None:
    assert mean_trial(MEANS[place], weights, queries, FEW).coverage >= 0.9 - SLACK


@pytest.mark.parametrize(
    ("queries", "sentence"),
    [(100, "100 queries are on average worth #,"), (300, "and 300 are worth #.")],
)
def test_the_documentation_states_what_weighted_queries_are_worth(queries: int, sentence: str) -> None:
    weight = WEIGHTS["log-normal, sigma 1.5"](np.random.default_rng(1), (4_000, queries))
    effective = weight.sum(axis=1) ** 2 / (weight**2).sum(axis=1)
    assert_stated(effective.mean(), "explanation/intervals.md", sentence)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("data", DIFFERENCES)
@pytest.mark.parametrize(
    ("test", "weights"),
    [
        ("randomization", "log-normal, sigma 1"),
        ("t", "Pareto, alpha 1.5"),
        ("bootstrap", "a quarter of them 0"),
        ("wilcoxon", "equal"),
        ("sign", "equal"),
    ],
)
def test_intervals_of_differences_cover_them_and_tests_find_no_other(test: str, data: str, weights: str) -> None:
    trial = difference_trial(test, data, weights, 20, FEW)

    assert trial.coverage >= 0.9 - SLACK
    assert trial.errors is not None
    assert trial.errors <= 0.05 + SLACK


@pytest.mark.sampled(5)
@pytest.mark.parametrize("test", ["randomization", "t", "bootstrap"])
@pytest.mark.parametrize("tied", TIED)
@pytest.mark.parametrize("words", LOSING)
def test_intervals_and_margins_hold_where_most_queries_tie(words: str, tied: float, test: str) -> None:
    trial = tied_trial(test, words, tied, 50, FEW)

    assert trial.coverage >= 0.92 - SLACK
    assert trial.errors is not None
    assert trial.errors <= 0.09 + SLACK


def test_the_documentation_states_what_students_interval_covers_where_most_queries_tie() -> None:
    first, second = mostly_tied(np.random.default_rng(1), (20_000, 50), 0.9, 1.0)
    differences = second - first
    half = stats.t.ppf(0.975, 49) * differences.std(axis=1, ddof=1) / 50**0.5
    known = half > 0
    covered = (abs(differences.mean(axis=1) + 0.025) <= half)[known].mean()
    sentence = "interval of 50 queries of which 90 % tie covers # %"
    assert_stated(100 * covered, "explanation/intervals.md", sentence)


def test_the_documentation_states_the_worst_of_the_table_of_ties() -> None:
    cells = re.findall(r"(\d+\.\d) / (\d+\.\d)", part("trials ties"))
    coverages, errors = ([float(number) for number in numbers] for numbers in zip(*cells, strict=True))
    sentence = "Coverage is # to # %, and the loss is called none in at most # %"
    least, most, worst = stated("explanation/intervals.md", sentence)
    assert len(cells) == 3 * len(LOSING) * len(TIED) * len(SIZES)
    assert (math.floor(min(coverages)), max(coverages), max(errors)) == (float(least), float(most), float(worst))


def test_every_table_of_trials_is_written() -> None:
    means, limits, differences = (part(f"trials {name}") for name in ("means", "limits", "differences"))

    for values in MEANS:
        assert means.count(f"\n| {values.words} |") == len(values.weights)
    assert limits.count(f"\n| {LIMIT.words} |") == len(LIMIT.weights)
    for test, data, weights in TESTS_TRIED:
        assert f"\n| `{test}` | {data} | {weights} |" in differences


EACH = 1 if os.environ.get("SQLRANK_TRIALS") else 3
"""Each how many-th setting of the long tables is tried again: every one takes ten seconds."""


def is_written(row: str, columns: int = 6) -> None:
    """A row stands in the document, up to what another version of numpy may draw.

    Args:
        row: the row.
        columns: how many columns at its end are numbers, and one more.
    """
    words = row.rsplit("|", columns)[0]
    lines = [line for name in ("means", "differences", "gsb", "ties") for line in part(f"trials {name}").splitlines()]
    written = next(line for line in lines if line.startswith(words))
    numbers, shown = (list(map(float, re.findall(r"\d+\.\d", line[len(words) :]))) for line in (row, written))
    assert numbers == pytest.approx(shown[: len(numbers)], abs=2)
    assert len(numbers) >= min(len(shown), 2)


@pytest.mark.slow
@pytest.mark.parametrize(("values", "weights"), [(values, each) for values in MEANS for each in values.weights])
def test_the_table_of_means_is_what_the_trials_give(values: Values, weights: str) -> None:
    is_written(row_of_means(values, weights, REPEATED))


@pytest.mark.slow
@pytest.mark.parametrize("weights", LIMIT.weights)
def test_the_table_of_limits_is_what_the_trials_give(weights: str) -> None:
    words = f"| {LIMIT.words} | {weights} |"
    shown = next(line for line in part("trials limits").splitlines() if line.startswith(words))

    found = [100 * trial.coverage for trial in trials_of_means(LIMIT, weights, REPEATED) if trial]

    written = [float(number) for number in re.findall(r"\d+\.\d", shown.removeprefix(words))]
    assert found == pytest.approx(written[: len(found)], abs=2)
    assert len(found) == sum(queries <= REPEATED for queries in QUERIES)


@pytest.mark.slow
@pytest.mark.parametrize(("test", "data", "weights"), TESTS_TRIED[::EACH])
def test_the_table_of_differences_is_what_the_trials_give(test: str, data: str, weights: str) -> None:
    is_written(row_of_differences(test, data, weights, REPEATED))


@pytest.mark.slow
@pytest.mark.parametrize("words", LOSING)
@pytest.mark.parametrize("tied", TIED)
def test_the_table_of_ties_is_what_the_trials_give(words: str, tied: float) -> None:
    is_written(row_of_ties("randomization", words, tied, 50), 5)


@pytest.mark.slow
def test_the_table_of_verdicts_is_what_the_trials_give() -> None:
    for row in rows_of_verdicts():
        is_written(row, 3)
