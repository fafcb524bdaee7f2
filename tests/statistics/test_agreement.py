"""Agreement of raters: worked numbers, beside krippendorff and statsmodels, and by simulation."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import Any

import krippendorff as peer
import numpy as np
import pytest
from statsmodels.stats import inter_rater

from sqlrank.statistics.agreement import (
    Patterns,
    cohen,
    fleiss,
    interval,
    krippendorff,
    nominal,
    ordinal,
    with_interval,
)

LEVELS = {"nominal": nominal, "ordinal": ordinal, "interval": interval}


def patterns_of(table: Any) -> Patterns:
    """The patterns of items by raters of 0, 1, 2 or NaN."""
    found = Counter(tuple(int((row == value).sum()) for value in range(3)) for row in table)
    return {pattern: items for pattern, items in found.items() if sum(pattern) > 1}


def drawn(seed: int, items: int, raters: int, missing: float = 0.0, agree: float = 0.5) -> Any:
    """Verdicts of raters who see the truth with some chance and else guess."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, size=(items, 1), p=[0.2, 0.5, 0.3])
    guessed = rng.choice(3, size=(items, raters), p=[0.3, 0.4, 0.3])
    values = np.where(rng.random((items, raters)) < agree, truth, guessed).astype(float)
    values[rng.random((items, raters)) < missing] = math.nan
    return values


def test_fleiss_of_the_worked_example() -> None:
    # Ten items, fourteen raters, five categories (Fleiss 1971, as it is commonly reprinted): 0.210.
    rows = "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"
    patterns: Patterns = {tuple(map(int, row.split())): 1 for row in rows.split("|")}
    assert fleiss(patterns) == pytest.approx(0.210, abs=5e-4)


def test_cohen_of_a_table_by_hand() -> None:
    # 20 + 15 of 50 agree: 0.7; by chance 25/50 * 30/50 + 25/50 * 20/50 = 0.5.
    assert cohen({(1, 1): 20, (1, 0): 5, (0, 1): 10, (0, 0): 15}) == pytest.approx(0.4, rel=1e-12)


def test_krippendorff_by_hand() -> None:
    # Pairs (0, 0), (1, 1), (0, 1): 1 - 5 * 2 / (2 * 3 * 3).
    assert krippendorff({(2, 0): 1, (0, 2): 1, (1, 1): 1}, nominal) == pytest.approx(1 - 5 * 2 / 18, rel=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("raters", "missing"), [(2, 0.0), (3, 0.3), (7, 0.6)])
def test_alpha_is_that_of_krippendorff(level: Any, raters: int, missing: float) -> None:
    for seed in range(5):
        table = drawn(seed, 40, raters, missing)
        wanted = peer.alpha(reliability_data=table.T, level_of_measurement=level, value_domain=[0.0, 1.0, 2.0])
        assert krippendorff(patterns_of(table), LEVELS[level]) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("raters", [2, 3, 7])
def test_kappas_are_those_of_statsmodels(raters: int) -> None:
    for seed in range(5):
        table = drawn(seed, 40, raters)
        counts, _ = inter_rater.aggregate_raters(table.astype(int), n_cat=3)
        assert fleiss(patterns_of(table)) == pytest.approx(inter_rater.fleiss_kappa(counts), rel=1e-10)
        cells = Counter((int(row[0]), int(row[1])) for row in table)
        square = np.array([[cells[one, other] for other in range(3)] for one in range(3)])
        wanted = inter_rater.cohens_kappa(square).kappa
        assert cohen(cells) == pytest.approx(wanted, rel=1e-10)


def test_nothing_is_said_where_all_verdicts_are_alike_or_nothing_is_compared() -> None:
    alike: list[Patterns] = [{(0, 3, 0): 5}, {(1, 0, 0): 4}, {}]
    for patterns in alike:
        assert krippendorff(patterns, nominal) is None
        assert fleiss(patterns) is None
    assert cohen({(1, 1): 7}) is None
    assert cohen({}) is None
    assert fleiss({(2, 0, 0): 3, (1, 1, 1): 2}) is None


def test_perfect_agreement_is_1_and_its_interval_too() -> None:
    found = with_interval(partial(krippendorff, distance=nominal), {(3, 0, 0): 20, (0, 0, 3): 30}, 0.05)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)


def test_the_interval_is_the_jackknife_of_single_items() -> None:
    table = drawn(3, 30, 4, 0.3)
    kept = [row for row in table if (~np.isnan(row)).sum() > 1]
    statistic = partial(krippendorff, distance=ordinal)
    left = [statistic(patterns_of(kept[:place] + kept[place + 1 :])) for place in range(len(kept))]
    known = [one for one in left if one is not None]
    number = len(known)
    assert number == len(kept)
    error = math.sqrt((number - 1) / number * sum((one - sum(known) / number) ** 2 for one in known))
    found = with_interval(statistic, patterns_of(table), 0.05)
    assert found.value is not None
    assert found.low is not None
    assert (found.value - found.low) / error == pytest.approx(2.05, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("agree", [0.2, 0.6, 0.85])
@pytest.mark.parametrize("name", ["ordinal", "fleiss", "cohen"])
@pytest.mark.parametrize("items", [30, 100])
def test_intervals_cover_the_agreement_there_is(name: str, agree: float, items: int) -> None:
    raters = 2 if name == "cohen" else 3
    truth = agreement_of(name, drawn(0, 400_000, raters, agree=agree), 0.05).value
    assert truth is not None
    covered = 0
    for seed in range(1, 1001):
        found = agreement_of(name, drawn(seed, items, raters, agree=agree), 0.05)
        covered += found.low is not None and found.high is not None and found.low <= truth <= found.high
    assert 0.89 <= covered / 1000 <= 0.98


def agreement_of(name: str, table: Any, alpha: float) -> Any:
    """One measure with its interval."""
    if name == "cohen":
        return with_interval(cohen, Counter((int(row[0]), int(row[1])) for row in table), alpha)
    statistic = fleiss if name == "fleiss" else partial(krippendorff, distance=LEVELS[name])
    return with_interval(statistic, patterns_of(table), alpha)
