"""Sides of unequal size whose values are mostly small: Hall's interval, or none, and no verdict of few rare values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

from sqlrank.comparison.interval import SKEWED, TOO_SKEWED
from sqlrank.log import arms
from sqlrank.statistics.confidence_sequence import mixture, p_value, radius
from sqlrank.statistics.estimate import Estimate, removed, restored
from tests.comparison.test_unpaired import Values, compared, row, tables, together
from tests.support.comparisons import METRIC
from tests.support.tables import each


def values_of(prefix: str, values: Any) -> Values:
    """Values by queries of their own."""
    return {f"{prefix}{place}": float(value) for place, value in enumerate(values)}


def mostly_small(rng: np.random.Generator, size: int) -> Any:
    """Values of which nine in ten are 0."""
    return np.where(rng.random(size) < 0.1, rng.random(size), 0.0)


def drawn(seed: int, one: int, other: int) -> tuple[Values, Values]:
    """The values of two sides of queries of their own."""
    rng = np.random.default_rng(seed)
    return values_of("a", rng.exponential(0.2, one)), values_of("b", rng.exponential(0.2, other))


def moments(one: Values, other: Values, weight: Values, group: dict[str, str]) -> float:
    """The skewness of the difference of the means, of units that are spread alike whatever their side."""
    sizes = [len({group[query] for query in side}) for side in (one, other)]
    scales = [size / sum(weight[query] for query in side) for size, side in zip(sizes, (one, other), strict=True)]
    means = [
        sum(scale * weight[q] * v for q, v in side.items()) / size
        for scale, size, side in zip(scales, sizes, (one, other), strict=True)
    ]
    off: list[dict[str, float]] = [{}, {}]
    heavy: list[dict[str, float]] = [{}, {}]
    for place, side in enumerate((one, other)):
        for query, value in side.items():
            unit = group[query]
            off[place][unit] = off[place].get(unit, 0.0) + scales[place] * weight[query] * (value - means[place])
            heavy[place][unit] = heavy[place].get(unit, 0.0) + scales[place] * weight[query]
    both = off[0].keys() & off[1].keys()
    found = []
    for power, sign in ((2, 1), (3, -1)):
        lone = [(off[p][unit], heavy[p][unit], p) for p in (0, 1) for unit in off[p] if unit not in both]
        alike = sum(o**power for o, _, _ in lone) / sum(h**power for _, h, _ in lone)
        sides = [sum(h**power for _, h, p in lone if p == place) / sizes[place] ** power for place in (0, 1)]
        shared = sum((off[1][unit] / sizes[1] - off[0][unit] / sizes[0]) ** power for unit in both)
        found.append(alike * (sides[1] + sign * sides[0]) + shared)
    return float(found[1] / found[0] ** 1.5)


@each(["alone", "shared", "weighted", "clustered"])
def test_the_skewness_is_that_of_units_spread_alike(kind: str) -> None:
    one, other = drawn(3, 60, 12)
    options: dict[str, Any] = {"test": "t"}
    rng = np.random.default_rng(4)
    if kind == "shared":
        other = {**other, **{query: value + 0.3 * rng.random() for query, value in list(one.items())[:5]}}
    every = [*one, *(query for query in other if query not in one)]
    weight, group = dict.fromkeys(every, 1.0), dict(zip(every, every, strict=True))
    if kind == "weighted":
        weight = {query: float(rng.lognormal(0, 1)) for query in every}
        options |= {"weight": "weight", **tables(one, other, weight=weight)}
    if kind == "clustered":
        group = {query: f"g{place // 3}" for place, query in enumerate(every)}
        options |= {"cluster": "group", **tables(one, other, group=group)}
    found = row(options, a=one, b=other)
    assert found["sqlrank_sums"]["skewness"] == pytest.approx(moments(one, other, weight, group), rel=1e-9)


@each(["two-sided", "greater", "less"])
def test_a_skewed_difference_has_the_interval_and_the_p_value_of_hall(word: str) -> None:
    one, other = drawn(7, 90, 12)
    found = row({"test": "t", "alternative": word}, a=one, b=other)
    sums = found["sqlrank_sums"]
    skewness, degrees = sums["skewness"], sums["effective"] - 1
    assert SKEWED < skewness < TOO_SKEWED

    def t_of(truth: float) -> float:
        t = (found["difference"] - truth) / sums["stderr"]
        return float(t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6)

    t, law = t_of(0.0), stats.t(degrees)
    wanted = {"two-sided": 2 * law.sf(abs(t)), "greater": law.sf(t), "less": law.cdf(t)}
    assert found["p_value"] == pytest.approx(wanted[word], rel=1e-9)
    # one side of 5 % is an end of two sides of 10 %
    tail = 0.025 if word == "two-sided" else 0.05
    for end, quantile in (("ci_low", 1 - tail), ("ci_high", tail)):
        truth = optimize.brentq(lambda value, q=quantile: t_of(value) - law.ppf(q), -5, 5, xtol=1e-14)
        assert found[end] == pytest.approx(truth, rel=1e-9)


def test_the_transformation_undoes_itself_and_keeps_the_order() -> None:
    for skewness in (-1.0, -0.2, 0.0, 0.2, 1.0):
        every = [restored(t, skewness) for t in np.linspace(-9, 9, 50)]
        assert every == sorted(every)
        assert [removed(t, skewness) for t in every] == pytest.approx(np.linspace(-9, 9, 50), abs=1e-12)


def test_sides_of_equal_size_and_values_that_are_not_skewed_are_compared_by_welchs_test() -> None:
    rng = np.random.default_rng(2)
    for sizes, values in (((40, 40), mostly_small), ((120, 30), lambda random, size: random.random(size))):
        one, other = (values(rng, size) for size in sizes)
        found = row({"test": "t"}, a=values_of("a", one), b=values_of("b", other))
        assert found["p_value"] == pytest.approx(stats.ttest_ind(other, one, equal_var=False).pvalue, rel=1e-9)
        assert not any("skewed" in name for name in found["test"])


RARE = [0.0] * 160 + [1.0, 2.0, 4.0, 8.0]


@each(["t", "bootstrap"])
def test_where_the_smaller_side_has_too_few_rare_values_all_is_withheld_and_the_ways_on_work(test: str) -> None:
    sides = {"a": values_of("a", RARE), "b": values_of("b", [0.0] * 12 + [0.5])}
    with compared({"test": test}, **sides) as found:
        one, notes = found[METRIC], found.notes
        assert found.remarks()[-1].endswith("in the same ratio: no number (dcg@1)")
    assert one["sqlrank_sums"]["skewness"] > TOO_SKEWED
    assert (one["ci_low"], one["ci_high"], one["p_value"], one["significant"]) == (None, None, None, None)
    (note,) = [note for note in notes if "too few of the rare values" in note]
    assert "sides of equal size, or choose test='randomization'" in note
    assert [other for other in notes if "no interval" in other] == [note]
    assert 0 < row({"test": "randomization"}, **sides)["p_value"] <= 1
    equal = row({"test": test}, a=values_of("a", RARE[-13:]), b=sides["b"])
    assert equal["ci_low"] is not None
    assert 0 < equal["p_value"] <= 1


SLACK, EXPERIMENTS = 3, 400


@pytest.mark.needs("simulation")
@each(["t", "bootstrap"])
def test_a_small_side_of_mostly_small_values_is_not_found_to_differ(test: str) -> None:
    """400 experiments of 180 and 20 queries: the error of 5 % is 1.1 points. Welch's test alone errs in 20 %."""
    rng = np.random.default_rng(11)
    every = [
        (values_of("a", mostly_small(rng, 180)), values_of("b", mostly_small(rng, 20))) for _ in range(EXPERIMENTS)
    ]
    found = [one["p_value"] for one in together(every, test=test, replicates=500)]
    errors = sum(chance is not None and chance <= 0.05 for chance in found)
    assert errors <= EXPERIMENTS * (0.05 + SLACK * math.sqrt(0.05 * 0.95 / EXPERIMENTS))
    plain = [stats.ttest_ind(list(b.values()), list(a.values()), equal_var=False).pvalue for a, b in every]
    assert sum(chance <= 0.05 for chance in plain) > 0.14 * EXPERIMENTS


def looks(
    rng: np.random.Generator, users: int, share: float, success: float
) -> Iterator[tuple[float, float, int, float]]:
    """The difference, its standard error, the number of units and the skewness of 60 looks at one experiment."""
    treated, values = rng.random(users) < share, (rng.random(users) < success).astype(float)
    for number in np.linspace(users / 60, users, 60).astype(int):
        sides = [values[:number][treated[:number] == side] for side in (False, True)]
        sizes = [len(side) for side in sides]
        if min(sizes) < 30:
            continue
        if not values[:number].any():
            continue
        variances = [side.var(ddof=1) / len(side) for side in sides]
        spread = sum(size * side.var() for size, side in zip(sizes, sides, strict=True)) / sum(sizes)
        third = sum(((side - side.mean()) ** 3).sum() for side in sides) / sum(sizes)
        alike = third * (1 / sizes[1] ** 2 - 1 / sizes[0] ** 2) / (spread * (1 / sizes[0] + 1 / sizes[1])) ** 1.5
        yield sides[1].mean() - sides[0].mean(), math.sqrt(sum(variances)), sum(sizes), float(alike)


@pytest.mark.needs("simulation")
def test_a_sequence_of_a_small_side_and_rare_successes_holds_at_60_looks() -> None:
    """200 experiments, 10 % of 6,000 users in one arm and 2 % successes: without the skewness a third are called."""
    rng, r = np.random.default_rng(3), mixture(0.05, 1_000)
    plain = called = 0
    for _ in range(200):
        seen = [look for look in looks(rng, 6_000, 0.1, 0.02) if look[1]]
        plain += any(p_value(d / error, units, r) <= 0.05 for d, error, units, _ in seen)
        told = [(Estimate(d, error, skewness=s), units) for d, error, units, s in seen if abs(s) <= TOO_SKEWED]
        called += any(p_value(estimate.distance(), units, r) <= 0.05 for estimate, units in told)
    assert plain > 40
    assert called <= 10


def log_of(*sides: tuple[int, int]) -> pd.DataFrame:
    """A log of arms of so many users, so many of whom click."""
    users = [
        (f"{arm}{n}", arm, int(n < few)) for arm, (size, few) in zip("AB", sides, strict=True) for n in range(size)
    ]
    rows = [(place, "q", "d", 1, clicked, user, arm) for place, (user, arm, clicked) in enumerate(users)]
    return pd.DataFrame(rows, columns=["impression_id", "query_id", "doc_id", "position", "clicked", "user_id", "arm"])


@each([((900, 18), (100, 6)), ((900, 18), (100, 0)), ((900, 18), (150, 9))])
def test_a_sequence_is_of_the_same_distance_as_its_p_value(sides: tuple[tuple[int, int], tuple[int, int]]) -> None:
    with arms(log_of(*sides), "success", baseline="A", sequential=True) as found:
        one = found["success"]
    sums, units, r = one["sqlrank_sums"], sum(size for size, _ in sides), mixture(0.05, 1_000)
    skewness = sums["skewness"]
    assert SKEWED < abs(skewness) < TOO_SKEWED
    t = one["difference"] / sums["stderr"]
    assert one["p_value"] == pytest.approx(p_value(removed(t, skewness), units, r), rel=1e-9)
    for end, sign in (("ci_low", 1), ("ci_high", -1)):
        t = (one["difference"] - one[end]) / sums["stderr"]
        assert removed(t, skewness) == pytest.approx(sign * radius(units, 0.05, r), rel=1e-9)


def test_a_sequence_waits_for_the_rare_values_of_the_smaller_arm() -> None:
    log, shares = log_of((900, 9), (40, 0)), {"A": 900 / 940, "B": 40 / 940}
    with arms(log, "success", baseline="A", sequential=True, shares=shares) as found:
        one, notes = found["success"], found.notes
    assert abs(one["sqlrank_sums"]["skewness"]) > TOO_SKEWED
    assert (one["ci_low"], one["p_value"], one["verdict"]) == (None, None, None)
    (note,) = [note for note in notes if "wait for more users, or give sides of equal size" in note]
    assert "test" not in note


def test_a_detectable_difference_has_no_upper_end_where_the_smaller_side_may_lack_rare_values() -> None:
    """Of the smaller side 2 of 20 values are not 0, as of the larger one, and the largest may not be among them."""
    rare = [1.0, *[0.0] * 9]
    alike, skewed = (
        row({"test": "t"}, a=values_of("a", rare * times), b=values_of("b", rare * 2)) for times in (2, 18)
    )
    assert alike["detectable_high"] > alike["detectable_difference"]
    assert skewed["detectable_high"] is None
    assert 0 < skewed["detectable_low"] < skewed["detectable_difference"]
