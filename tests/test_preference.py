"""delta_gsb, its interval and the decision: by hand, against the formulas written out, and by simulation."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import sqlrank
from sqlrank.preference import REFUSE, SHIP, UNDECIDED, Sums, decide, judgments_needed, preference_of

Verdict = tuple[str, int, float]
"""A query, a verdict of 1, 0 or -1, and its weight."""


def arrow(rows: Iterable[Sequence[Any]], *columns: str) -> Any:
    """An Arrow table of these rows."""
    return pyarrow.table(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))


def judged(verdicts: Sequence[Verdict], alpha: float = 0.05) -> dict[str, Any]:
    """The row of all verdicts."""
    table = arrow(verdicts, "query_id", "verdict", "weight")
    with sqlrank.gsb(table, weight="weight", alpha=alpha) as result:
        return result.total


def each_alone(good: int, same: int, bad: int) -> list[Verdict]:
    """So many verdicts, each of a query of its own."""
    values = [1] * good + [0] * same + [-1] * bad
    return [(f"q{number}", value, 1.0) for number, value in enumerate(values)]


def test_the_worked_example_is_not_to_be_shipped() -> None:
    row = judged(each_alone(1, 1, 2))

    # residuals 1.25, 0.25, -0.75 twice: stderr = sqrt(4/3 * 2.75) / 4
    # with one good and one bad more: delta' = -1/6, squares 2 * (7/6)^2 + (1/6)^2 + 3 * (5/6)^2 = 29/6
    assert (row["good"], row["same"], row["bad"], row["total"]) == (1, 1, 2, 4)
    assert (row["delta_gsb"], row["p_value"], row["decision"]) == (-0.25, 1.0, "do not ship")
    assert row["stderr"] == pytest.approx(math.sqrt(4 / 3 * 2.75) / 4, rel=1e-15)
    assert (row["ci_low"], row["ci_high"]) == (-1.0, 1.0)
    spread = math.sqrt(6 / 5 * 29 / 6) / 6
    row = judged(each_alone(1, 1, 2), alpha=0.5)
    assert row["ci_low"] == pytest.approx(-1 / 6 - stats.t.ppf(0.75, 3) * spread, rel=1e-12)
    assert row["ci_high"] == pytest.approx(-1 / 6 + stats.t.ppf(0.75, 3) * spread, rel=1e-12)


@pytest.mark.parametrize(("good", "decision"), [(2, UNDECIDED), (3, UNDECIDED), (5, UNDECIDED), (6, SHIP), (20, SHIP)])
def test_verdicts_that_all_agree_need_to_be_six_queries(good: int, decision: str) -> None:
    row = judged(each_alone(good, 0, 0))

    # delta' = n / (n + 2); the squares are n (2 / (n + 2))^2 + ((2 / (n + 2))^2 + (1 + n / (n + 2))^2)
    short = 2 / (good + 2)
    spread = math.sqrt((good + 2) / (good + 1) * ((good + 1) * short**2 + (2 - short) ** 2)) / (good + 2)
    low = max(-1, 1 - short - stats.t.ppf(0.975, good - 1) * spread)
    assert (row["delta_gsb"], row["stderr"], row["decision"]) == (1.0, 0.0, decision)
    assert row["ci_low"] == pytest.approx(low, rel=1e-9)
    assert row["ci_high"] == 1.0


def test_raters_who_agree_on_few_queries_are_no_more_evidence_than_the_queries() -> None:
    for copies in (1, 3, 50):
        rows = [(query, 1, 1.0) for query in ("a", "b", "c", "d") for _ in range(copies)]
        row = judged(rows)
        assert row["decision"] == UNDECIDED
        assert row["ci_low"] == pytest.approx(judged(each_alone(4, 0, 0))["ci_low"], rel=1e-9)


def test_a_clustered_standard_error_is_that_counted_by_hand() -> None:
    # a: good, good; b: same; c: bad: delta 1/4, residuals of the queries 1.5, -0.25, -1.25
    row = judged([("a", 1, 1), ("a", 1, 1), ("b", 0, 1), ("c", -1, 1)])

    assert row["delta_gsb"] == 0.25
    assert row["stderr"] == pytest.approx(math.sqrt(3 / 2 * (1.5**2 + 0.25**2 + 1.25**2)) / 4, rel=1e-15)


def test_weights_weigh_the_difference_and_not_the_counts() -> None:
    # (3 * 1 + 1 * 0 - 2 * 1) / 6; residuals 3 * 5/6, -1/6, -2 * 7/6
    row = judged([("a", 1, 3), ("b", 0, 1), ("c", -1, 2)])

    assert (row["good"], row["same"], row["bad"]) == (1, 1, 1)
    assert row["delta_gsb"] == pytest.approx(1 / 6, rel=1e-15)
    assert row["stderr"] == pytest.approx(math.sqrt(3 / 2 * (2.5**2 + 1 / 36 + (7 / 3) ** 2)) / 6, rel=1e-14)
    assert row["p_value"] == 1.0


def written_out(verdicts: Sequence[Verdict], alpha: float) -> dict[str, Any]:
    """The definitions, one sum after the other."""
    total = math.fsum(weight for _, _, weight in verdicts)
    delta = math.fsum(weight * value for _, value, weight in verdicts) / total
    residuals: dict[str, float] = defaultdict(float)
    weights: dict[str, float] = defaultdict(float)
    for query, value, weight in verdicts:
        residuals[query] += weight * (value - delta)
        weights[query] += weight
    queries = sum(weight > 0 for weight in weights.values())
    if queries < 2:
        return {"delta_gsb": delta, "stderr": None, "ci_low": None, "ci_high": None}
    together = queries / (queries - 1) * math.fsum(residual**2 for residual in residuals.values())
    alone = math.fsum((weight * (value - delta)) ** 2 for _, value, weight in verdicts)
    squares = math.fsum(weight**2 for _, _, weight in verdicts)
    most = math.fsum(weight**2 for weight in weights.values()) / squares
    effect = most if alone < 1e-12 * squares else min(max(1, together / alone), most)
    extra = squares / total * effect
    more = [*verdicts, ("good one", 1, extra), ("bad one", -1, extra)]
    size = total + 2 * extra
    centre = math.fsum(weight * value for _, value, weight in more) / size
    residuals = defaultdict(float)
    for query, value, weight in more:
        residuals[query] += weight * (value - centre)
    spread = math.sqrt((queries + 2) / (queries + 1) * math.fsum(r**2 for r in residuals.values())) / size
    margin = float(stats.t.ppf(1 - alpha / 2, queries - 1)) * spread
    return {
        "delta_gsb": delta,
        "stderr": math.sqrt(together) / total,
        "ci_low": max(-1, centre - margin),
        "ci_high": min(1, centre + margin),
    }


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([-1, 0, 1]), st.sampled_from([0.0, 0.25, 1.0, 3.0])),
        min_size=1,
        max_size=40,
    ).filter(lambda verdicts: any(weight for _, _, weight in verdicts)),
    st.sampled_from([0.01, 0.05, 0.1]),
)
def test_the_estimate_is_that_of_the_definitions(verdicts: list[Verdict], alpha: float) -> None:
    row, expected = judged(verdicts, alpha), written_out(verdicts, alpha)

    for name, value in expected.items():
        assert row[name] == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)), name
    assert row["p_value"] == pytest.approx(
        stats.binomtest(row["good"], max(1, row["good"] + row["bad"])).pvalue if row["good"] + row["bad"] else 1.0
    )
    if row["ci_low"] is not None:
        assert -1 <= row["ci_low"] <= row["delta_gsb"] <= row["ci_high"] <= 1
        assert (row["decision"] == SHIP) is (row["delta_gsb"] > 0 and row["ci_low"] > 1e-12)
    assert (row["decision"] == REFUSE) is (row["delta_gsb"] <= 0)
    assert (row["judgments_needed"] is None) is (row["decision"] != UNDECIDED or row["stderr"] is None)


@pytest.mark.parametrize(
    ("delta", "low", "decision"),
    [
        (-0.1, -0.2, REFUSE),
        (0.0, -0.1, REFUSE),
        (0.0, None, REFUSE),
        (0.1, None, UNDECIDED),
        (0.1, -0.1, UNDECIDED),
        (0.1, 0.0, UNDECIDED),
        (0.1, 1e-9, SHIP),
    ],
)
def test_the_decision_is_that_of_the_interval(delta: float, low: float | None, decision: str) -> None:
    assert decide(delta, low) == decision


@pytest.mark.parametrize("weights", [(0.1, 0.2, 0.3), (1e-6, 2e-6, 3e-6), (1.1, 2.2, 3.3)])
def test_weights_that_cancel_leave_exactly_nothing(weights: tuple[float, float, float]) -> None:
    row = judged([("a", 1, weights[0]), ("b", 1, weights[1]), ("c", -1, weights[2])])

    assert (row["delta_gsb"], row["decision"]) == (0.0, REFUSE)


def test_verdicts_without_weight_are_no_evidence() -> None:
    heavy = [("a", 1, 1.0), ("b", 1, 1.0)]
    light = [(f"c{number}", 1, 0.0) for number in range(100)]

    assert judged(heavy + light)["ci_low"] == pytest.approx(judged(heavy)["ci_low"])
    assert judged(heavy + [(query, value, 1e-9) for query, value, _ in light])["decision"] == UNDECIDED


def sums(good: int, same: int, bad: int) -> Sums:
    """The sums of verdicts of a query each."""
    total = good + same + bad
    delta = (good - bad) / total
    squares = good * (1 - delta) ** 2 + same * delta**2 + bad * (1 + delta) ** 2
    return Sums(good, same, bad, total, total, delta, good, same, bad, total, squares, 0.0)


def test_the_interval_follows_alpha() -> None:
    wide, narrow = preference_of(sums(20, 10, 10), 0.01), preference_of(sums(20, 10, 10), 0.1)

    assert (wide.decision, narrow.decision) == (UNDECIDED, SHIP)
    assert wide.ci_low is not None
    assert narrow.ci_low is not None
    assert wide.ci_low < 0 < narrow.ci_low


def test_the_judgments_needed_are_the_fewest_whose_interval_would_be_far_enough_from_zero() -> None:
    # 18 good, 12 same, 10 bad: delta 0.2, 0.66 of variance each
    def reach(number: int) -> float:
        centre = 0.2 * number / (number + 2)
        squares = number * (0.66 + (0.2 - centre) ** 2) + (1 - centre) ** 2 + (1 + centre) ** 2
        spread = math.sqrt((number + 2) / (number + 1) * squares) / (number + 2)
        return centre - (float(stats.t.ppf(0.975, number - 1)) + float(stats.norm.ppf(0.8))) * spread

    needed = preference_of(sums(18, 12, 10)).judgments_needed
    assert needed == 136
    assert reach(135) < 0 <= reach(136)


def test_the_judgments_needed_are_those_of_the_textbook_where_they_are_many() -> None:
    found = sums(36_000, 30_000, 35_900)
    delta = 100 / 101_900
    variance = 71_900 / 101_900 - delta**2
    textbook = (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2 * variance / delta**2

    assert preference_of(found).judgments_needed == pytest.approx(textbook, rel=1e-5)


def test_more_judgments_are_needed_than_there_are() -> None:
    for good in range(2, 40):
        found = preference_of(sums(good, 20, 10))
        if found.decision == UNDECIDED:
            assert found.judgments_needed is not None
            assert found.judgments_needed > good + 30
    assert judgments_needed(sums(2, 1, 1), 1e-12, 0.4, 1.0, 0.05) is None


def experiments(queries: int, most: int, alike: float, seed: int) -> Iterable[tuple[str, str, str]]:
    """2,000 experiments of a true delta_gsb of 0.2, as rows; verdicts of a query are the same ones with `alike`."""
    rng = random.Random(seed)

    def draw() -> str:
        return rng.choices(("good", "same", "bad"), (0.45, 0.3, 0.25))[0]

    for number in range(2_000):
        for query in range(queries):
            shared = draw()
            for _ in range(rng.randint(1, most)):
                yield f"{number}", f"{number}/{query}", shared if rng.random() < alike else draw()


@pytest.mark.slow
@pytest.mark.parametrize(("queries", "most", "alike"), [(40, 1, 0.0), (20, 4, 0.7), (20, 4, 0.0), (150, 1, 0.0)])
def test_the_interval_covers_the_true_difference_as_often_as_it_says(queries: int, most: int, alike: float) -> None:
    table = arrow(experiments(queries, most, alike, seed=1), "experiment", "query_id", "verdict")
    with sqlrank.gsb(table, by="experiment") as result:
        found = result.rows.filter("not is_total").project("ci_low <= 0.2 and ci_high >= 0.2, decision").fetchall()

    assert len(found) == 2_000
    assert sum(covered for covered, _ in found) / 2_000 == pytest.approx(0.95, abs=0.015)


@pytest.mark.slow
@pytest.mark.parametrize(("good", "same", "bad", "number"), [(9, 6, 5, 136), (4, 5, 1, 43), (8, 1, 1, 13)])
def test_so_many_judgments_as_are_asked_for_decide_four_times_in_five(
    good: int, same: int, bad: int, number: int
) -> None:
    rng = random.Random(2)
    rows = [
        (f"{experiment}", f"{experiment}/{query}", rng.choices((1, 0, -1), (good, same, bad))[0])
        for experiment in range(2_000)
        for query in range(number)
    ]
    with sqlrank.gsb(arrow(rows, "experiment", "query_id", "verdict"), by="experiment") as result:
        decisions = result.rows.filter("not is_total").project("decision").fetchall()

    assert sum(decision == SHIP for (decision,) in decisions) / 2_000 == pytest.approx(0.8, abs=0.04)
