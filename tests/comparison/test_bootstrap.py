"""The replicates of the bootstrap: by their definition, by hand, against all that there can be, and against scipy."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats

from sqlrank.dialects import DUCKDB
from sqlrank.statement.templates import render, sql_text
from tests.support.comparisons import differences, drawn, md5_bits, query_names, row

TIMES = np.array([12, 11, 7, 1, 1])
"""Of 32 draws, how many stand 0, 1, 2, 3 and 4 times."""
SHARING, OF_BLOCK = 33, 396
"""How many replicates share ten bits, and a block."""


def engine_with_times() -> duckdb.DuckDBPyConnection:
    """A connection with the orthogonal array."""
    duck = duckdb.connect()
    duck.execute("create table numbers as select range as number from range(1025)")
    duck.execute(f"create table times as {render('comparison/times.sql', DUCKDB, numbers=sql_text('numbers'))}")
    return duck


def array_of_times() -> np.ndarray[Any, Any]:
    """How often what draws each of the ten bits stands in each of the replicates that share them."""
    with engine_with_times() as duck:
        found = duck.execute("select bits, number, times from times").fetchall()
    times = np.zeros((1024, SHARING), dtype=int)
    for bits, number, stands in found:
        assert times[bits, number] == 0 < stands
        times[bits, number] = stands
    return times


def replicates_of(values: Sequence[int], number: int, seeds: Iterable[int]) -> Iterator[list[float | None]]:
    """The means of the replicates of such differences, in order, by each seed; None where no query stands."""
    context = {"pairs": [1], "weight_of": [1], "weighing": [1], "columns": ["difference_1", "weight_1"]}
    context |= {name: sql_text(name) for name in ("scaled", "numbers", "times")}
    context |= {"scopes": [True], "group": None, "replicates": number, "first": 0, "last": math.ceil(number / OF_BLOCK)}
    with engine_with_times() as duck:
        duck.execute("create table scaled (query_id varchar, scope bigint, difference_1 double, weight_1 double)")
        rows = [(name, 0, value, 1) for name, value in zip(query_names(len(values)), values, strict=True)]
        duck.executemany("insert into scaled values (?, ?, ?, ?)", rows)
        for seed in seeds:
            found = duck.execute(render("comparison/resampled.sql", DUCKDB, seed=str(seed), **context)).fetchall()
            means = {replicate: mean for _, replicate, mean in found}
            assert len(found) == len(means)
            assert means.keys() <= set(range(number))
            yield [means.get(replicate) for replicate in range(number)]


def test_the_times_of_any_two_replicates_are_independent_and_have_mean_and_variance_one() -> None:
    times = array_of_times()
    assert [int(TIMES @ np.arange(5) ** power) for power in range(3)] == [32, 32, 64]
    assert pytest.approx(stats.poisson.pmf(np.arange(5), 1), abs=0.036) == TIMES / 32
    for one, other in itertools.combinations(range(SHARING), 2):
        together = np.bincount(5 * times[:, one] + times[:, other], minlength=25).reshape(5, 5)
        assert (together == np.outer(TIMES, TIMES)).all(), (one, other)


def test_the_replicates_of_the_bootstrap_are_what_the_md5_of_each_query_draws() -> None:
    values, times = [3, -1, 4, -1, 5, -9], array_of_times()
    (found,) = replicates_of(values, 800, [7])
    for replicate in (0, 1, 32, 33, 200, 395, 396, 799):
        place, column = divmod(replicate, SHARING)
        block, piece = divmod(place, 12)
        half, shift = "upper" if piece < 6 else "lower", piece % 6 * 10
        stood = [
            int(times[md5_bits(f"7:{block}:{query}", half) >> shift & 1023, column])
            for query in query_names(len(values))
        ]
        wanted = sum(map(math.prod, zip(stood, values, strict=True))) / sum(stood) if sum(stood) else None
        assert found[replicate] == wanted, replicate


def test_the_replicates_of_five_queries_are_as_frequent_as_all_that_there_can_be() -> None:
    values, number = np.array([5, 1, -2, -3, 0]), 100_000
    (means_drawn,) = replicates_of(values.tolist(), number, [7])
    found = np.array([math.nan if mean is None else mean for mean in means_drawn])
    every = np.array(list(itertools.product(range(5), repeat=5)))
    chances = (TIMES / 32)[every].prod(axis=1)
    with np.errstate(invalid="ignore"):
        means = (every @ values) / every.sum(axis=1)
    for bound in (-2.5, -1, -0.5, 0, 0.2, 1, 2, 4):
        expected = chances[means <= bound].sum()
        assert (found <= bound).mean() == pytest.approx(expected, abs=4 * math.sqrt(expected / number)), bound
    assert np.isnan(found).mean() == pytest.approx((12 / 32) ** 5, abs=4 * math.sqrt((12 / 32) ** 5 / number))


def test_replicates_made_by_many_statements_are_those_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = drawn(60, 3)
    asked = {"test": "bootstrap", "replicates": 1_000}
    at_once = row(asked, a=first, b=second)
    monkeypatch.setattr("sqlrank.comparison.replicates.SUMS_AT_ONCE", 1)
    assert row(asked, a=first, b=second) == at_once


@pytest.mark.parametrize("most", [27, 2_000_000])
def test_the_ends_are_those_of_numpys_quantiles_of_the_replicates_that_have_a_mean(most: int) -> None:
    rng = np.random.default_rng(5)
    means = rng.normal(0.5, 1, 990)
    names = {name: sql_text(name) for name in ("resampled", "tails")}
    with duckdb.connect() as duck:
        duck.execute("create table resampled (scope bigint, mean_1 double)")
        duck.executemany("insert into resampled values (0, ?)", [[mean] for mean in [*means.tolist(), None]])
        duck.execute("create table tails as select 1 as pair, 0 as scope, 0.0251 as tail")
        statement = render("comparison/bootstrap.sql", DUCKDB, pairs=[1], replicates=1_000, most=most, **names)
        (found,) = duck.execute(statement).fetchall()
    assert found[:4] == (1, 0, 10 + (means < 0).sum(), 10 + (means > 0).sum())
    assert found[4:] == pytest.approx(np.quantile(means, [0.0251, 1 - 0.0251]), rel=1e-12)


@pytest.mark.needs("simulation")
def test_shares_of_replicates_are_as_certain_as_of_independent_ones() -> None:
    """400 seeds: a spread that is 14 % off, four standard errors, is seen."""
    rng = random.Random(4)
    values, number, seeds = [round(100 * rng.expovariate(1)) - 80 for _ in range(40)], 990, 400
    shares = [np.mean([(mean or 0) <= 0 for mean in means]) for means in replicates_of(values, number, range(seeds))]
    independent = math.sqrt(np.mean(shares) * (1 - np.mean(shares)) / number)
    assert np.std(shares, ddof=1) == pytest.approx(independent, rel=4 / math.sqrt(2 * seeds))


def test_the_bootstrap_is_near_scipys() -> None:
    first, second = drawn(150, 6)
    values = np.array(differences(first, second))
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(2))
    found = row({"test": "bootstrap", "replicates": 20_000}, a=first, b=second)
    spread = values.std() / math.sqrt(len(values))
    assert found["ci_low"] == pytest.approx(theirs.confidence_interval.low, abs=0.08 * spread)
    assert found["ci_high"] == pytest.approx(theirs.confidence_interval.high, abs=0.08 * spread)
    normal = 2 * stats.norm.sf(abs(values.mean()) / spread)
    assert found["p_value"] == pytest.approx(normal, abs=0.015)


@pytest.mark.parametrize(("place", "heap"), [(27, True), (2_000_000, False)])
def test_the_ends_of_the_randomization_are_sorted_too_where_a_heap_holds_too_few(place: int, heap: bool) -> None:
    given = {"pairs": [1], "weight_of": [1], "weighing": [], "scopes": [False], "place": place, "sides": [0]}
    given |= {"clustered": False, "squares": False, "group": None}
    statement = render("comparison/inverted.sql", DUCKDB, signed=sql_text("signed"), scaled=sql_text("scaled"), **given)
    assert (f", {place})[{place}] as low_1" in statement) == heap
    assert (" order by coalesce(least(" in statement) != heap
