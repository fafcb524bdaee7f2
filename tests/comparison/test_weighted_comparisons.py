"""Comparisons under weights and in any unit: p values, intervals and preferences say no more than the queries do."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import sqlrank
from sqlrank.statistics.exact_tests import wilcoxon
from tests.comparison.together import together
from tests.support.comparisons import METRIC, query_names, sides
from tests.support.tables import each

NUMBERS = ("difference", "ci_low", "ci_high", "p_value", "effect_size", "delta_gsb")
WEIGHTED = ("randomization", "t", "bootstrap")
EVERY = (*WEIGHTED, "wilcoxon", "sign")


def drawn(queries: int, seed: int = 1) -> tuple[list[float], list[float]]:
    """Values of two systems that hang together."""
    rng = random.Random(seed)
    first = [rng.random() for _ in range(queries)]
    return first, [value + rng.gauss(0.1, 0.2) for value in first]


def rows(
    first: list[float],
    second: list[float],
    weights: list[float] | None = None,
    segments: list[str] | None = None,
    metric: str = METRIC,
    **options: Any,
) -> list[dict[str, Any]]:
    """The rows of a comparison, those of segments first."""
    runs, qrels = sides(a=first, b=second)
    columns: dict[str, Any] = {"query_id": query_names(len(first))}
    if weights is not None:
        columns["traffic"], options["weight"] = weights, "traffic"
    if segments is not None:
        columns["segment"], options["by"] = segments, "segment"
    options = {"replicates": 1_000, "checks": False, "queries": pa.table(columns)} | options
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=metric, **options) as comparison:
        return comparison.all_rows


def numbers(row: dict[str, Any]) -> list[Any]:
    """What nothing but the values may change."""
    return [row[name] for name in NUMBERS]


@each(WEIGHTED)
def test_queries_of_weight_0_are_no_difference_however_many_there_are(test: str) -> None:
    first, second = drawn(1012)
    (row,) = rows(first[:40], second[:30] + first[30:40], [0.0] * 30 + [1.0] * 10, test=test)
    assert (row["difference"], row["p_value"], row["significant"]) == (0.0, 1.0, False)
    assert (row["queries"], row["wins"], row["ties"], row["losses"]) == (10, 0, 10, 0)
    (without,) = rows(first[:12], second[:12], [1.0] * 12, test=test)
    (row,) = rows(first, second, [1.0] * 12 + [0.0] * 1000, test=test)
    assert numbers(row) == pytest.approx(numbers(without), rel=1e-12)
    assert row["queries"] == 12


@each([("randomization", [1e-300, 1e-13, 1e300]), ("t", [1e-300, 1e300]), ("bootstrap", [1e-300, 1e300])])
def test_the_unit_of_weights_changes_nothing(case: tuple[str, list[float]]) -> None:
    test, units = case
    first, second = drawn(35)
    rng = random.Random(2)
    weights = [rng.lognormvariate(0, 1) for _ in first]
    (one,) = rows(first, second, weights, test=test)
    for unit in units:
        (row,) = rows(first, second, [unit * weight for weight in weights], test=test)
        assert numbers(row) == pytest.approx(numbers(one), rel=1e-9), unit


SAME = ("p_value", "effect_size", "wins", "losses", "relative_difference")


@each(EVERY)
def test_the_unit_of_a_metric_changes_no_p_value(test: str) -> None:
    units, (first, second) = (1.0, 1e-12, 1e9), drawn(35)
    cases = [([unit * value for value in first], [unit * value for value in second]) for unit in units]
    found = [rows(*case, test=test)[0] for case in cases]
    for unit, row in zip(units, found, strict=True):
        assert [row[name] for name in SAME] == pytest.approx([found[0][name] for name in SAME], rel=1e-9), unit
        assert row["ci_low"] == pytest.approx(unit * found[0]["ci_low"], rel=1e-9), unit


@each(WEIGHTED)
def test_a_segment_of_small_weights_beside_one_of_large_ones_is_tested_as_if_alone(test: str) -> None:
    first, second = drawn(60)
    segments = ["small"] * 30 + ["large"] * 30
    large, small, total = rows(first, second, [1.0] * 30 + [1e13] * 30, segments, test=test)
    alone = [rows(first[part], second[part], test=test)[0] for part in (slice(0, 30), slice(30, 60))]
    if test == "t":
        assert [row["p_value"] for row in (small, large)] == pytest.approx([row["p_value"] for row in alone])
    assert small["p_value"] < 1
    assert [row["difference"] for row in (small, large)] == pytest.approx([row["difference"] for row in alone])
    assert total["difference"] == pytest.approx(large["difference"])


def test_the_order_of_rows_changes_nothing() -> None:
    first, second = drawn(30)
    rng = random.Random(3)
    weights = [rng.lognormvariate(0, 1) for _ in first]
    runs, qrels = sides(a=first, b=second)
    names = query_names(30)
    found = []
    for _ in range(2):
        order = rng.sample(range(30), 30)
        queries = pa.table({"query_id": [names[at] for at in order], "traffic": [weights[at] for at in order]})
        shuffled = {system: {names[at]: run[names[at]] for at in order} for system, run in runs.items()}
        options: dict[str, Any] = {"queries": queries, "weight": "traffic"}
        with sqlrank.compare(systems=shuffled, qrels=qrels, metrics=METRIC, **options) as comparison:
            found.append(numbers(comparison[METRIC]))
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_two_equal_queries_prefer_as_one_of_twice_the_weight_and_rounding_is_a_tie() -> None:
    first, second = drawn(20)
    (once,) = rows(first, second, [2.0] + [1.0] * 19)
    (twice,) = rows([first[0], *first], [second[0], *second], [1.0] * 21)
    for name in ("baseline_value", "value", "difference", "delta_gsb"):
        assert once[name] == pytest.approx(twice[name], rel=1e-12)
    (row,) = rows([0.1 + 0.2, 1e-17, 1e6, 0.5], [0.3, 0.0, 1e6 + 1e-4, 0.5 + 1e-6])
    assert (row["wins"], row["ties"], row["losses"]) == (1, 3, 0)
    assert row["difference"] == pytest.approx(1e-6 / 4)


def test_the_interval_is_that_of_the_jackknife_and_of_the_effective_number() -> None:
    first, second = drawn(9)
    weights = np.array([1.0, 5.0, 2.0, 0.5, 1.0, 3.0, 1.0, 1.0, 2.0])

    (row,) = rows(first, second, list(weights), test="t")

    differences = np.subtract(second, first)
    mean = np.average(differences, weights=weights)
    without = [np.average(np.delete(differences, at), weights=np.delete(weights, at)) for at in range(9)]
    stderr = np.sqrt(8 / 9 * np.sum((np.array(without) - mean) ** 2))
    degrees = weights.sum() ** 2 / (weights**2).sum() - 1
    assert row["difference"] == pytest.approx(mean, rel=1e-12)
    assert row["ci_high"] - mean == pytest.approx(stats.t.ppf(0.975, degrees) * stderr, rel=1e-9)
    assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(mean) / stderr, degrees), rel=1e-9)
    wins = weights[differences > 0].sum() - weights[differences < 0].sum()
    assert row["delta_gsb"] == pytest.approx(wins / weights.sum(), rel=1e-12)


def test_one_query_with_nearly_all_of_the_weight_has_no_interval_and_that_is_said() -> None:
    first, second = drawn(8)
    for test in WEIGHTED:
        (row,) = rows(first, second, [1e9] + [1.0] * 7, test=test)
        assert (row["ci_low"], row["ci_high"]) == (None, None)
        assert test == "randomization" or row["p_value"] is None
    runs, qrels = sides(a=[1.0, 2.0, 3.0], b=[2.0, 2.5, 3.5])
    queries = pa.table({"query_id": query_names(3), "traffic": [1e9, 1.0, 1.0]})
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, queries=queries, weight="traffic") as comparison:
        said = [note for note in comparison.notes if "no interval" in note]
    assert said == ["1 difference has no interval, as one query has nearly all of the weight"]


def test_shares_have_the_interval_of_bonett_and_price_which_leaves_no_values_behind() -> None:
    first = [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    second = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    (row,) = rows(first, second, metric="p@1", test="t")
    # Of ten queries three are won and one is lost: (4 - 2) / 12 with one more of each.
    margin = stats.t.ppf(0.975, 9) * np.sqrt((4 / 12 + 2 / 12 - (2 / 12) ** 2) / 12)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((2 / 12 - margin, 2 / 12 + margin), rel=1e-9)
    (row,) = rows([0.0, 0.0, 1.0], [1.0, 1.0, 0.0], metric="p@1", test="t")
    assert -1 <= row["ci_low"] < 0 < row["ci_high"] <= 1
    assert row["ci_high"] == 1 or row["ci_low"] == -1 or row["ci_high"] - row["ci_low"] < 2


def test_the_interval_of_the_bootstrap_excludes_0_where_it_finds_a_difference_and_is_mirrored() -> None:
    rng, cases = random.Random(5), []
    for shift in (0.04, 0.05, 0.06, 0.07, 0.08, 0.1):
        first = [rng.random() for _ in range(60)]
        cases.append((first, [value + rng.gauss(shift, 0.2) for value in first]))
    found = together(cases, test="bootstrap", replicates=2_000)
    for row in found:
        if abs(row["p_value"] - 0.05) > 0.004:
            assert (row["p_value"] <= 0.05) is not (row["ci_low"] <= 0 <= row["ci_high"])
    assert {row["p_value"] <= 0.05 for row in found} == {True, False}
    nine, ten = together([drawn(9), drawn(10)], test="bootstrap")
    assert (nine["ci_low"], nine["ci_high"]) == (None, None)
    assert None not in (ten["ci_low"], ten["ci_high"])
    first, second = drawn(20)
    (row,) = rows(first, second, test="bootstrap")
    (mirrored,) = rows(second, first, test="bootstrap")
    assert (mirrored["ci_low"], mirrored["ci_high"]) == pytest.approx((-row["ci_high"], -row["ci_low"]), rel=1e-9)


@each([False, True])
def test_the_interval_of_the_bootstrap_is_widened_percentiles(weighted: bool) -> None:
    first, second = drawn(16)
    weights = np.linspace(0.5, 3, 16) if weighted else np.ones(16)
    (row,) = rows(first, second, list(weights), test="bootstrap", replicates=40_000)
    differences, share = np.subtract(second, first), weights / weights.sum()
    residuals = share * (differences - row["difference"])
    linear = np.sqrt((residuals**2).sum())
    jackknife = np.sqrt(15 / 16 * ((residuals / (1 - share)) ** 2).sum())
    tail = stats.norm.cdf(-stats.t.ppf(0.975, 1 / (share**2).sum() - 1) * jackknife / linear)
    times = np.random.default_rng(1).poisson(1, (200_000, 16)) * weights
    means = times @ differences / times.sum(axis=1)
    expected = np.quantile(means, [tail, 1 - tail])
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(expected, abs=0.05 * linear)
    without = np.quantile(means, [0.025, 0.975])
    assert np.abs(expected - without).min() > 0.1 * linear


def by_all_signs(differences: Sequence[float]) -> float:
    """Wilcoxon's test from every choice of signs."""
    ranks = stats.rankdata(np.abs(differences))
    every = np.array(list(itertools.product((0, 1), repeat=len(differences))))
    sums, observed = every @ ranks, ranks[np.array(differences) > 0].sum()
    return float(min(1.0, 2 * min((sums <= observed).mean(), (sums >= observed).mean())))


@each(range(8))
def test_wilcoxon_with_ties_is_the_share_of_all_choices_of_signs(seed: int) -> None:
    rng = random.Random(seed)
    differences = [rng.choice([-3, -2, -1, 1, 2, 3, 4]) for _ in range(rng.randint(1, 11))]
    assert wilcoxon(differences) == pytest.approx(by_all_signs(differences), rel=1e-12)


def test_wilcoxon_is_scipys_exact_one_and_leaves_out_what_ties() -> None:
    differences = [0, 2, -1, 1, 0, 1, 3]
    (row,) = rows([5.0] * 7, [5.0 + value for value in differences], test="wilcoxon")
    assert row["p_value"] == by_all_signs([value for value in differences if value])
    cases = [drawn(queries, queries) for queries in (14, 50)]
    for (first, second), row in zip(cases, together(cases, test="wilcoxon"), strict=True):
        theirs = stats.wilcoxon(np.subtract(second, first), method="exact").pvalue
        assert row["p_value"] == pytest.approx(theirs, rel=1e-12)
