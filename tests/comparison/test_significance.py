"""The tests of a difference: by hand, by trying all signs, against scipy, and for being the same everywhere."""

from __future__ import annotations

import itertools
import math
import random
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import sqlrank
from sqlrank.choices import TESTS as WORDS
from sqlrank.comparison.questions import TESTS
from sqlrank.dialects import DUCKDB, SQLITE
from sqlrank.statement.templates import environment, render, sql_text
from sqlrank.statistics.exact_tests import share_as_far
from tests.comparison.together import together
from tests.support.comparisons import METRIC, compared, differences, drawn, md5_bits, query_names, row, sides
from tests.support.examples import examples
from tests.support.tables import each


def by_all_signs(values: Sequence[float]) -> float:
    """The p value of the randomization test, by its definition."""
    changed = [value for value in values if abs(value) > 1e-9]
    observed = abs(math.fsum(changed))
    signs = itertools.product((1, -1), repeat=len(changed))
    sums = (abs(math.fsum(map(math.prod, zip(chosen, changed, strict=True)))) for chosen in signs)
    return sum(total >= observed - 1e-9 for total in sums) / float(2 ** len(changed))


def test_few_queries_are_tested_by_all_signs_by_hand() -> None:
    found = row(a=[1, 1, 1, 1], b=[2, 3, 4, 5])
    assert (found["p_value"], found["test"]) == (2 / 16, "randomization-exact")
    assert row(a=[1, 2], b=[2, 1])["p_value"] == 1.0


def test_few_queries_are_tested_by_all_signs_as_scipy_does() -> None:
    cases = [drawn(12, seed) for seed in range(4)]
    for (first, second), found in zip(cases, together(cases), strict=True):
        values = differences(first, second)
        theirs = stats.permutation_test((np.array(values),), np.mean, permutation_type="samples", n_resamples=np.inf)
        assert found["p_value"] == pytest.approx(by_all_signs(values), abs=1e-15)
        assert found["p_value"] == pytest.approx(theirs.pvalue, abs=1e-12)


@examples(25)
@given(st.lists(st.integers(-5, 5), max_size=10))
def test_the_sums_of_two_halves_count_all_signs(values: list[int]) -> None:
    observed = abs(sum(values))
    every = itertools.product((1, -1), repeat=len(values))
    sums = [abs(sum(map(math.prod, zip(signs, values, strict=True)))) for signs in every]
    # Whole numbers stand for rounded differences: as many units as there are of them may be lost.
    far = sum(total >= observed - len(values) for total in sums)
    assert share_as_far(values) == far / len(sums)


@pytest.mark.needs("random")
def test_many_queries_are_tested_by_chance_near_the_exact_value() -> None:
    first, second = drawn(70, 3, 0.2)
    exact = stats.permutation_test(
        (np.array(differences(first, second)),),
        np.mean,
        permutation_type="samples",
        n_resamples=200_000,
        rng=np.random.default_rng(5),
    ).pvalue
    found = row({"replicates": 200_000}, a=first, b=second)
    assert found["test"] == "randomization"
    assert found["p_value"] == pytest.approx(exact, abs=5 * math.sqrt(2 * exact * (1 - exact) / 200_000))


def test_differences_of_one_size_are_counted_as_the_sign_test_counts_them() -> None:
    first = [0.3 + number / 7 for number in range(40)]
    second = [value + (0.1 if number < 26 else -0.1) for number, value in enumerate(first)]
    assert len({round(value, 17) for value in differences(first, second)}) > 2
    exact = stats.binomtest(26, 40).pvalue
    found = row({"replicates": 20_000}, a=first, b=second)
    assert found["test"] == "randomization"
    assert found["p_value"] == pytest.approx(exact, abs=5 * math.sqrt(exact / 20_000))


def test_no_difference_in_sum_is_as_likely_as_can_be_and_the_smallest_p_value_is_one_over_the_replicates_and_one() -> (
    None
):
    second = [1.0 + (0.5 if number % 2 else -0.5) for number in range(30)]
    found = row({"replicates": 100}, a=[1.0] * 30, b=second)
    assert (found["test"], found["p_value"]) == ("randomization", 1.0)
    assert row({"replicates": 500}, a=[0.0] * 60, b=[1.0, 1.5] * 30)["p_value"] == 1 / 501


def test_student_is_scipys_paired_t_test() -> None:
    first, second = drawn(40)
    found = row({"test": "t"}, a=first, b=second)
    theirs = stats.ttest_rel(second, first)
    interval = theirs.confidence_interval()
    assert found["p_value"] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert (found["ci_low"], found["ci_high"]) == (pytest.approx(interval.low), pytest.approx(interval.high))


def test_wilcoxon_is_scipys() -> None:
    cases = [drawn(queries, queries) for queries in (9, 30, 200)]
    for (first, second), found in zip(cases, together(cases, test="wilcoxon"), strict=True):
        values = [round(value, 12) for value in differences(first, second) if abs(value) > 1e-9]
        assert found["p_value"] == pytest.approx(stats.wilcoxon(values).pvalue, rel=1e-9)


def test_the_sign_test_is_scipys_binomial_test_of_wins_against_losses() -> None:
    first, second = drawn(90, 4)
    found = row({"test": "sign"}, a=first, b=second)
    theirs = stats.binomtest(found["wins"], found["wins"] + found["losses"]).pvalue
    assert found["p_value"] == pytest.approx(theirs, rel=1e-9)


@each(WORDS)
def test_identical_systems_differ_by_nothing_and_p_is_one(test: str) -> None:
    values, _ = drawn(30)
    found = row({"test": test}, a=values, b=values)
    assert (found["difference"], found["p_value"], found["p_adjusted"], found["significant"]) == (0.0, 1.0, 1.0, False)
    assert (found["wins"], found["ties"], found["losses"], found["effect_size"]) == (0, 30, 0, None)


def test_the_words_of_the_command_line_are_the_tests_there_are() -> None:
    assert tuple(TESTS) == WORDS


def test_wilcoxons_test_alone_names_the_extra_where_scipy_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(sqlrank.UsageError, match=r"needs scipy: pip install 'sqlrank\[stats\]'"):
        compared({"test": "wilcoxon"}, a=[1, 2], b=[2, 3])
    assert row(a=[1, 1], b=[2, 3])["test"] == "randomization-exact"


def test_weights_scale_each_difference_in_randomization() -> None:
    runs, qrels = sides(a=[1, 1, 1], b=[2, 3, 0])
    queries = pa.table({"query_id": query_names(3), "traffic": [1.0, 2.0, 3.0]})
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, weight="traffic", queries=queries) as comparison:
        found = comparison[METRIC]
    # The weighted differences are 1, 4 and -3.
    assert found["difference"] == pytest.approx(2 / 6)
    assert found["p_value"] == by_all_signs([1, 4, -3])


def test_another_seed_draws_other_signs() -> None:
    first, second = drawn(100, 8, 0.1)
    found = {row({"seed": seed, "replicates": 2_000}, a=first, b=second)["p_value"] for seed in range(4)}
    assert len(found) > 1


@each(["randomization", "bootstrap"])
def test_weights_of_one_half_are_as_good_as_weights_of_one(test: str) -> None:
    first, second = drawn(60, 2, 0.1)
    runs, qrels = sides(a=first, b=second)
    found = []
    for weight in (1.0, 0.5):
        queries = pa.table({"query_id": query_names(60), "traffic": [weight] * 60})
        options: dict[str, Any] = {"weight": "traffic", "queries": queries, "test": test}
        with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **options) as comparison:
            found.append(comparison[METRIC])
    wanted = row({"test": test}, a=first, b=second)["p_value"]
    if test == "bootstrap":  # whose p is of sums of doubles, which are the same to twelve digits in every order
        wanted = pytest.approx(wanted, rel=1e-12)
    assert [one["p_value"] for one in found] == [wanted, wanted]
    assert found[0]["ci_low"] == pytest.approx(found[1]["ci_low"], abs=1e-9)


@each(["randomization", "bootstrap"])
def test_the_same_numbers_on_one_and_two_threads_and_in_another_order(test: str) -> None:
    first, second = drawn(400, 8, 0.1)
    runs, qrels = sides(a=first, b=second)
    turned = runs | {"b": dict(random.Random(1).sample(list(runs["b"].items()), 400))}
    results = []
    for systems, threads in ((runs, 1), (runs, 2), (turned, 2)):
        options: dict[str, Any] = {"test": test, "threads": threads, "replicates": 3_000}
        with sqlrank.compare(systems=systems, qrels=qrels, metrics=METRIC, **options) as comparison:
            results.append((comparison[METRIC]["p_value"], comparison[METRIC]["ci_low"]))
    assert results[0][0] not in (0, 1)
    assert results[0] == results[1] == results[2]


@each({"randomization": 3, "resampled": 1}.items())
def test_sqlite_counts_exactly_what_duckdb_counts(case: tuple[str, int]) -> None:
    template, last = case
    rng = random.Random(3)
    rows = [
        (f"q{number}'é", 1 + number % 3, rng.randint(-(10**11), 10**11), 1, rng.randint(-9, 9), 1)
        for number in range(60)
    ]
    names = ["query_id", "scope", "difference_1", "weight_1", "difference_2", "weight_2"]
    context: dict[str, Any] = {name: sql_text(name) for name in ("scaled", "numbers", "times")}
    context |= {"pairs": [1, 2], "scopes": [False, True], "seed": "7", "replicates": 360, "group": None}
    context |= {"weight_of": [1, 2], "weighing": [1, 2], "clustered": False, "crowded": True}
    context |= {"columns": ["difference_1", "difference_2", "weight_1", "weight_2"]}
    context |= {"side": 0, "first": 0, "last": last}
    with closing(sqlite3.connect(":memory:")) as lite, duckdb.connect() as duck:
        lite.create_function("md5_bits", 2, md5_bits)
        lite.execute(f"create table scaled ({', '.join(names)})")
        lite.executemany("insert into scaled values (?, ?, ?, ?, ?, ?)", rows)
        lite.execute("create table numbers (number bigint)")
        lite.executemany("insert into numbers values (?)", [(number,) for number in range(1024)])
        duck.register("given", pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))))
        duck.execute("create table scaled as select * replace (scope::integer as scope) from given")
        duck.execute("create table numbers as select range as number from range(1024)")
        for connection, dialect in ((lite, SQLITE), (duck, DUCKDB)):
            connection.execute(f"create table times as {render('comparison/times.sql', dialect, **context)}")
        ours = duck.execute(render(f"comparison/{template}.sql", DUCKDB, **context)).fetchall()
        theirs = lite.execute(render(f"comparison/{template}.sql", SQLITE, **context)).fetchall()
    assert sorted(map(tuple, ours)) == sorted(map(tuple, theirs))
    assert len(ours) == 4 * 360
    if template == "resampled":  # no replicate is drawn twice
        assert len({mean for scope, _, mean, _ in ours if scope == 0}) == 360


def test_the_draws_are_the_bits_of_an_md5_and_their_times_have_mean_and_variance_one() -> None:
    template = (
        '{% from "macros/draws.sql" import times_of %}select bits, {{ times_of() }} as times from range(1024) t(bits)'
    )
    times = [value for _, value in duckdb.execute(str(environment(DUCKDB).from_string(template).render())).fetchall()]
    assert (sum(times), sum(value * value for value in times)) == (1024, 2048)
    for value in range(4):
        assert times.count(value) / 1024 == pytest.approx(math.exp(-1) / math.factorial(value), abs=0.004)
    text = "7:12:q'é文"
    sql = "select cast(md5_number(?) >> 68 as bigint), cast(md5_number(?) & 1152921504606846975 as bigint)"
    assert duckdb.execute(sql, [text, text]).fetchall() == [(md5_bits(text, "upper"), md5_bits(text, "lower"))]


def test_any_two_replicates_of_signs_are_independent() -> None:
    with duckdb.connect() as duck:
        duck.execute("create table numbers as select range as number from range(100)")
        statement = render("comparison/keeping.sql", DUCKDB, numbers=sql_text("numbers"), width=6, mask=63, sharing=63)
        kept = np.zeros((64, 63), dtype=int)
        for bits, replicate in duck.execute(statement).fetchall():
            kept[bits, replicate] += 1
    assert kept.max() == 1
    both = kept.T @ kept
    assert (np.diag(both) == 32).all()
    assert (both[~np.eye(63, dtype=bool)] == 16).all()
