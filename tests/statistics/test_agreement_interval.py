"""Intervals of the agreement of raters: worked numbers, the definition word by word, and trials."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sqlrank.statistics.agreement_coefficients import NONE, Cluster, Clusters, Pattern, cohen, nominal_alpha
from sqlrank.statistics.agreement_interval import (
    effective,
    extremes_of_categories,
    extremes_of_numbers,
    extremes_of_order,
    extremes_of_two,
    with_interval,
)
from tests.pages.parts import part
from tests.pages.stated import assert_stated, stated
from tests.support.trials_agreement import (
    FAR,
    LIMITS,
    MEASURES,
    SETTINGS,
    SIZES,
    TRUTHS,
    UNEVEN,
    Setting,
    agreement_in,
    drawn,
    row_of_agreement,
    trial,
    truth_of,
)

PAGE = "explanation/verdicts.md"


def alone(patterns: Mapping[Pattern, int]) -> Clusters:
    """Items of these patterns, each a cluster of its own."""
    return {((pattern, 1),): items for pattern, items in patterns.items()}


def interval(name: str, clusters: Clusters, alpha: float = 0.05) -> Any:
    """A measure with its interval."""
    return with_interval(*MEASURES[name](clusters), clusters, alpha)


@pytest.mark.parametrize("name", MEASURES)
def test_perfect_agreement_has_the_lower_end_that_the_number_of_items_bears(name: str) -> None:
    # The pseudo-values are 20 times 1, and of those added 1 and 1 - 1 / 0.5: their mean is 20 / 22. The squares are
    # 21 (1 / 11)^2 + (21 / 11)^2 = 42 / 11, the error sqrt(42 / 11 / 22 / 21) = 1 / 11, and Student's t is 2.0930.
    found = interval(name, alone({(0, 0): 10, (1, 1): 10}))
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx((10 - 2.093024) / 11, abs=1e-7)
    assert_stated(found.low, PAGE, "two raters agree, half of them in each of two categories: it reaches from # to 1")


def test_a_few_disagreements_by_hand() -> None:
    # alpha = 1 - 19 * 4 / 200; without (0, 0) or (1, 1) 1 - 17 * 4 / 160, without (0, 1) 1 - 17 * 2 / 162: the
    # pseudo-values are 1.007222 and -0.928889. Two of ten disagree, so that the two added weigh (1 - 4 / 10)^2 = 0.36;
    # the disagreement is the largest, 1 / 0.5. Mean (10 * 0.62 + 0.36 * (1 - 1)) / 10.72, squares 6.975819.
    found = interval("nominal", alone({(0, 0): 4, (1, 1): 4, (0, 1): 2}))
    assert found.value == pytest.approx(0.62, rel=1e-12)
    assert found.low == pytest.approx(6.2 / 10.72 - 2.262157 * (6.975819 / 10.72 / 9.72) ** 0.5, abs=1e-6)
    assert found.high == 1.0


def test_extremes_by_hand() -> None:
    # Judgments 0 0 0 1 2 2: the chance to differ is 1 - 14 / 36, and of the rarest category 5 / 6.
    clusters = alone({(0, 0): 1, (0, 1): 1, (2, 2): 1})
    assert astuple(extremes_of_categories(clusters)) == pytest.approx((36 / 22, 30 / 22))
    # The first rater says 0 0 2 and the second 0 1 2: by chance 1 - 3 / 9, and 1 is chosen once in six.
    assert astuple(extremes_of_two(clusters)) == pytest.approx((9 / 6, 7.5 / 6))
    # Numbers 0 0 0 2 4 4: the farthest is 4.
    mean, variance = 10 / 6, 36 / 6 - (10 / 6) ** 2
    numbers = extremes_of_numbers(clusters, (0.0, 2.0, 4.0))
    assert astuple(numbers) == pytest.approx((16 / (2 * variance), ((4 - mean) ** 2 + variance) / (2 * variance)))
    # In their order their places are 3, 7 and 10.
    assert extremes_of_order(clusters) == extremes_of_numbers(clusters, (3.0, 7.0, 10.0))
    # Of three raters two thirds of the pairs differ at most where there are two ends.
    assert extremes_of_categories(alone({(0, 0, 0): 1, (1, 1, 1): 1})).item == pytest.approx(2 / 3 / 0.5)


def by_definition(table: Any, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of the nominal alpha of a table of items by raters, as the page defines it."""

    def alpha(rows: Any) -> float:
        raters = rows.shape[1]
        seen = np.mean([(len(row) ** 2 - sum(np.unique(row, return_counts=True)[1] ** 2)) for row in rows.tolist()])
        sizes = np.unique(rows, return_counts=True)[1]
        return float(1 - seen / (raters * (raters - 1)) * (rows.size - 1) * rows.size / (rows.size**2 - sum(sizes**2)))

    number, raters = table.shape
    value = alpha(table)
    without = np.array([alpha(np.delete(table, place, axis=0)) for place in range(number)])
    pseudo = number * value - (number - 1) * without
    pseudo += value - pseudo.mean()
    d = np.where((table != table[:, :1]).any(axis=1), np.maximum(1 - pseudo, 0), 0)
    m, s = (d.sum() ** 2 / (d**2).sum(), (d**2).sum() / d.sum()) if d.any() else (0.0, 0.0)
    shares = np.unique(table, return_counts=True)[1] / table.size
    by_chance = 1 - sum(shares**2)
    e = 2 * (raters // 2) * (raters - raters // 2) / (raters * (raters - 1)) / by_chance
    f = (1 - min(shares)) / by_chance
    c = np.sqrt(s**2 + (max(e, s) ** 2 - s**2) * (min(1, 3 / m) if m else 1))
    weight = max(0, 1 - 2 * m / number) ** 2 * max(1, stats.norm.ppf((1 + confidence) / 2) / stats.norm.ppf(0.975)) ** 2
    values, weights = (
        np.array([*pseudo, 1 - c, 1 + 2 * (1 - value) * (f - 1)]),
        np.array([*[1] * number, weight, weight]),
    )
    mean, total = np.average(values, weights=weights), weights.sum()
    error = np.sqrt((weights * (values - mean) ** 2).sum() / total / (total - 1))
    half = stats.t.ppf((1 + confidence) / 2, number - 1) * error
    return max(-1.0, mean - half), min(1.0, mean + half)


@pytest.mark.parametrize(
    ("shares", "raters"), [((0.5, 0.5), 2), ((0.9, 0.1), 2), ((0.5, 0.3, 0.2), 3), ((0.3,) * 3, 4)]
)
@pytest.mark.parametrize("truth", [0.3, 0.8, 0.97])
def test_the_interval_is_what_its_definition_says(shares: tuple[float, ...], raters: int, truth: float) -> None:
    setting = Setting("nominal", "", tuple(np.array(shares) / sum(shares)), raters)
    for seed in range(3):
        table = drawn(setting, truth, 40, np.random.default_rng(seed))
        for confidence in (0.95, 0.99, 0.8):
            found = agreement_in(table, "nominal", 1 - confidence)
            assert found.low is not None
            assert (found.low, found.high) == pytest.approx(by_definition(table[:, 0], confidence), rel=1e-9)


@pytest.mark.parametrize("name", MEASURES)
def test_where_many_disagree_the_interval_is_the_jackknife_alone(name: str) -> None:
    setting = Setting(name, "", (0.5, 0.5))
    table = drawn(setting, 0.01, 60, np.random.default_rng(1))
    table[:32, 0, 0], table[:32, 0, 1] = 0, 1
    left = np.array([agreement_in(np.delete(table, place, axis=0), name).value for place in range(60)], dtype=float)
    margin = stats.t.ppf(0.975, 59) * np.sqrt(59 / 60 * ((left - left.mean()) ** 2).sum())
    found = agreement_in(table, name)
    assert found.value is not None
    assert (found.low, found.high) == pytest.approx((found.value - margin, found.value + margin), rel=1e-9)


def test_queries_of_uneven_sizes_bear_less() -> None:
    even: Clusters = {(((0, 0), 5), ((1, 1), 5)): 20}
    uneven: Clusters = {(((0, 0), 43), ((1, 1), 43)): 1, (((0, 0), 3), ((1, 1), 3)): 19}
    assert effective(even) == pytest.approx(20)
    assert effective(uneven) == pytest.approx(200**2 / (86**2 + 19 * 36))
    assert interval("nominal", uneven).low < interval("nominal", even).low - 0.3
    one: Clusters = {(((0, 0), 5000), ((1, 1), 5000)): 1, (((0, 0), 1), ((1, 1), 1)): 19}
    assert (interval("nominal", one).value, interval("nominal", one).low) == (1.0, None)


@pytest.mark.parametrize(
    "patterns",
    [{(0, 0): 20, (0, 1): 1}, {(0, 0): 20, (1, 1): 1}, {(0, 0): 1, (1, 1): 1}, {(0, 0): 20}],
    ids=["one differs", "one is of another category", "two items", "all alike"],
)
def test_the_interval_is_withheld_where_there_is_not_enough_evidence(patterns: dict[Pattern, int]) -> None:
    for name in MEASURES:
        assert interval(name, alone(patterns)).low is None


@pytest.mark.parametrize("alpha", [0.5, 0.2, 0.01, 1e-6])
def test_the_interval_holds_the_value_and_stays_in_range(alpha: float) -> None:
    rng = random.Random(5)
    for _ in range(40):
        patterns: Counter[Pattern] = Counter()
        for _ in range(rng.choice([5, 30])):
            one = rng.randrange(3)
            patterns[(one, one if rng.random() < 0.9 else rng.randrange(3))] += 1
        for name in MEASURES:
            found = interval(name, alone(patterns), alpha)
            if found.low is not None:
                assert -1 <= found.low <= found.value <= found.high <= 1


def test_many_levels_and_items() -> None:
    rng = random.Random(4)
    clusters: Counter[Cluster] = Counter()
    for _ in range(500):
        items: Counter[Pattern] = Counter()
        for _ in range(20):
            truth = rng.randint(0, 100)
            items[tuple(sorted(min(100, max(0, truth + rng.randint(-20, 20))) for _ in range(3)))] += 1
        clusters[tuple(sorted(items.items()))] += 1
    found = interval("ordinal", clusters)
    assert 0.5 < found.low < 1


FEW = 150
"""The experiments of a setting by default: 3 standard errors of its coverage are 5.3 of 100."""
SLACK = 0.053


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("truth", "number"), [(0.8, 50), (0.98, 30)])
@pytest.mark.parametrize("setting", SETTINGS[:6], ids=lambda setting: f"{setting.measure}, {setting.words}")
def test_intervals_cover_the_agreement_that_there_is(setting: Setting, truth: float, number: int) -> None:
    """150 experiments: three standard errors of 95 % are 5.3 points."""
    assert trial(setting, truth, number, FEW).coverage >= 0.92 - SLACK


def test_the_table_of_trials_is_whole_and_its_sentences_are_its_worst_cells() -> None:
    lines = part("trials agreement").splitlines()[2:]
    cells = [[(cell + " / 0").split(" / ")[:2] for cell in line.split("|")[4:-1]] for line in lines]
    assert [len(row) for row in cells] == [len(SIZES)] * (len(SETTINGS) * len(TRUTHS) + len(LIMITS))
    kept = [float(coverage) for row in cells[: -len(LIMITS)] for coverage, _ in row[1:]]
    few = [float(row[0][0]) for row in cells[: -len(LIMITS)]]
    assert stated(
        PAGE, "Above the last two rows coverage is # % or more from 20 items on, and # % or more with 10"
    ) == [
        f"{min(kept):g}",
        f"{min(few):g}",
    ]
    worst = [f"{min(float(coverage) for coverage, _ in row):g}" for row in cells[-len(LIMITS) :]]
    assert stated(PAGE, "is found in only # % of the experiments; and it is found in # %, where") == worst
    assert stated(PAGE, "up to # % of the experiments with 10 items") == [
        max((row[0][1] for row in cells), key=int).strip()
    ]


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("setting", "truth"), list(product(SETTINGS, TRUTHS))[::5], ids=str)
def test_the_table_is_what_the_trials_give(setting: Setting, truth: float) -> None:
    """2,000 experiments a cell, as where the table was written: a figure that is 2 points off is seen."""
    is_written(row_of_agreement(setting, truth, 50 if setting.items == 1 else 20))


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("setting", "most"), [(FAR, 100), (UNEVEN, 20)], ids=["far off", "uneven"])
def test_the_rows_of_what_no_interval_holds_for_are_what_the_trials_give(setting: Setting, most: int) -> None:
    """2,000 experiments a cell, as where the table was written: a figure that is 2 points off is seen."""
    is_written(row_of_agreement(setting, LIMITS[setting] or truth_of(setting), most))


def is_written(row: str) -> None:
    """A row stands in the page, up to what another version of numpy may draw."""
    _, *words = row.split("|")[:4]
    lines = [line.split("|") for line in part("trials agreement").splitlines()]
    (written,) = [line[4:] for line in lines if line[1:4] == words]
    numbers = [float(cell.split("/")[0]) for cell in row.split("|")[4:-1]]
    assert numbers == pytest.approx([float(cell.split("/")[0]) for cell in written[: len(numbers)]], abs=2)
    assert len(numbers) > 1


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("number", [30, 100])
@pytest.mark.parametrize(("alpha", "least"), [(0.2, 0.75), (0.01, 0.97)])
def test_intervals_of_other_confidences_cover_too(alpha: float, least: float, number: int) -> None:
    """1,000 experiments: the bounds are four and six standard errors below 80 and 99 %."""
    for setting in SETTINGS[:6:2]:
        for truth in (0.8, 0.98):
            assert trial(setting, truth, number, 1_000, alpha).coverage >= least


def test_clusters_that_are_alike_are_left_out_once() -> None:
    clusters = alone({(0, 0): 10**6, (1, 1): 10**6, (0, 1): 10**5})
    calls: list[Cluster] = []
    measure = nominal_alpha(clusters)

    def counted(cluster: Cluster) -> float | None:
        calls.append(cluster)
        return measure(cluster)

    found = with_interval(counted, extremes_of_categories(clusters), clusters, 0.05)
    assert found.value == measure(NONE)
    assert len(calls) <= len(clusters) + 2


def test_the_interval_of_a_published_table_is_that_of_the_book_and_two_more() -> None:
    # J. L. Fleiss, B. Levin and M. C. Paik, Statistical Methods for Rates and Proportions, 2003, chapter 18: two raters
    # of 100 subjects agree on 89; kappa 0.68, standard error 0.088, interval 0.504 to 0.848
    table = [[75, 1, 4], [5, 4, 1], [0, 0, 10]]
    clusters: Clusters = {
        (((one, other), 1),): number for one, row in enumerate(table) for other, number in enumerate(row) if number
    }
    found = with_interval(cohen(clusters), extremes_of_two(clusters), clusters, 0.05)
    assert found.value == pytest.approx(0.6764706, abs=1e-7)
    assert found.low is not None
    assert found.high is not None
    assert 0.48 < found.low < 0.504 < 0.848 < found.high < 0.86
