"""delta_gsb, its interval and the decision: by hand, against the formulas written out, and by simulation."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import sqlrank
from sqlrank.judging.verdicts.decisions import REFUSE, SHIP, UNDECIDED, reading
from sqlrank.statistics.delta_gsb import preference_of
from sqlrank.statistics.student import critical_value
from tests.support.examples import examples
from tests.support.trials_gsb import SETTINGS, Setting, check, draw, summed, trials
from tests.support.verdict_data import arrow, decision_of, sums

Verdict = tuple[str, int, float]
"""A query, a verdict of 1, 0 or -1, and its weight."""
Rated = tuple[str, str, int, float]
"""A query, a rater, a verdict of 1, 0 or -1, and its weight."""


def judged(verdicts: Sequence[Verdict], alpha: float = 0.05) -> dict[str, Any]:
    """The row of all verdicts."""
    table = arrow(verdicts, "query_id", "verdict", "weight")
    with sqlrank.gsb(table, weight="weight", alpha=alpha) as result:
        return result.total


def rated(rows: Iterable[Sequence[Any]], *columns: str) -> dict[str, Any]:
    """The row of all verdicts of known raters."""
    with sqlrank.gsb(arrow(rows, *columns), weight="weight" if "weight" in columns else None) as result:
        return result.total


def each_alone(good: int, same: int, bad: int) -> list[Verdict]:
    """So many verdicts, each of a query of its own."""
    values = [1] * good + [0] * same + [-1] * bad
    return [(f"q{number}", value, 1.0) for number, value in enumerate(values)]


def test_the_worked_example_reads_as_in_the_textbook_and_decides_nothing() -> None:
    row = judged(each_alone(1, 1, 2))

    # residuals 1.25, 0.25, -0.75 twice: stderr = sqrt(4/3 * 2.75) / 4
    # with one good and one bad more: two good, three bad of six, so -1/6, and its spread sqrt((5/6 - 1/36) / 6)
    assert (row["good"], row["same"], row["bad"], row["total"]) == (1, 1, 2, 4)
    assert (row["delta_gsb"], row["p_sign"]) == (-0.25, 1.0)
    assert (row["reading"], row["decision"]) == ("not better: do not ship", "not enough evidence")
    assert row["stderr"] == pytest.approx(math.sqrt(4 / 3 * 2.75) / 4, rel=1e-15)
    spread = math.sqrt((5 / 6 - 1 / 36) / 6)
    assert (row["ci_low"], row["ci_high"]) == (-1.0, pytest.approx(-1 / 6 + stats.t.ppf(0.975, 3) * spread, rel=1e-12))
    # The exact sign test's, which is larger than that of -1/6.
    assert row["p_value"] == row["p_adjusted"] == 1.0
    row = judged(each_alone(1, 1, 2), alpha=0.5)
    assert row["ci_low"] == pytest.approx(-1 / 6 - stats.t.ppf(0.75, 3) * spread, rel=1e-12)
    assert row["ci_high"] == pytest.approx(-1 / 6 + stats.t.ppf(0.75, 3) * spread, rel=1e-12)


@pytest.mark.parametrize(("good", "decision"), [(2, UNDECIDED), (3, UNDECIDED), (5, UNDECIDED), (6, SHIP), (20, SHIP)])
def test_verdicts_that_all_agree_need_to_be_six_queries(good: int, decision: str) -> None:
    row = judged(each_alone(good, 0, 0))

    # n + 1 good and one bad of n + 2
    centre, decided = good / (good + 2), 1.0
    spread = math.sqrt((decided - centre**2) / (good + 2))
    low = max(-1, centre - stats.t.ppf(0.975, good - 1) * spread)
    low = low if decision == SHIP else min(low, 0)
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
    # a: good, good; b: same; c: bad: delta 1/4, residuals of the queries 1.5, -0.25, -1.25; the others weigh 1/2, 3/4,
    # 3/4 of all
    row = judged([("a", 1, 1), ("a", 1, 1), ("b", 0, 1), ("c", -1, 1)])

    assert row["delta_gsb"] == 0.25
    assert row["stderr"] == pytest.approx(math.sqrt(2 / 3 * (3**2 + (1 / 3) ** 2 + (5 / 3) ** 2)) / 4, rel=1e-14)


def test_weights_weigh_the_difference_and_not_the_counts() -> None:
    # (3 * 1 + 1 * 0 - 2 * 1) / 6; residuals 3 * 5/6, -1/6, -2 * 7/6; the others have 1/2, 5/6, 2/3 of the weight
    row = judged([("a", 1, 3), ("b", 0, 1), ("c", -1, 2)])

    assert (row["good"], row["same"], row["bad"]) == (1, 1, 1)
    assert row["delta_gsb"] == pytest.approx(1 / 6, rel=1e-15)
    assert row["stderr"] == pytest.approx(math.sqrt(2 / 3 * (5**2 + 1 / 25 + 3.5**2)) / 6, rel=1e-14)
    assert row["p_sign"] == 1.0


def variance(verdicts: Sequence[Rated], centre: float, raters: bool) -> float:
    """That of the sum, clustered one way or both ways."""
    total = math.fsum(verdict[3] for verdict in verdicts)
    alone = []
    for key in (0, 1) if raters else (0,):
        residuals, weights = defaultdict[Any, float](float), defaultdict[Any, float](float)
        for verdict in verdicts:
            residuals[verdict[key]] += verdict[3] * (verdict[2] - centre)
            weights[verdict[key]] += verdict[3]
        kept = [(residuals[each] / (1 - weight / total)) ** 2 for each, weight in weights.items() if weight]
        alone.append((len(kept) - 1) / len(kept) * math.fsum(kept))
    cells = defaultdict[Any, float](float)
    for query, rater, value, weight in verdicts:
        cells[query, rater] += weight * (value - centre)
    return max(*alone, sum(alone) - math.fsum(cell**2 for cell in cells.values())) if raters else alone[0]


def written_out(verdicts: Sequence[Rated], alpha: float, rated: bool = False) -> dict[str, Any]:
    """The definitions, one sum after the other."""
    total = math.fsum(verdict[3] for verdict in verdicts)
    won, lost = (math.fsum(verdict[3] for verdict in verdicts if verdict[2] == side) / total for side in (1, -1))
    delta, decided = won - lost, won + lost
    weights: list[dict[Any, float]] = [defaultdict(float), defaultdict(float)]
    for query, rater, _, weight in verdicts:
        weights[0][query] += weight
        weights[1][rater] += weight
    counts = [sum(weight > 0 for weight in part.values()) for part in weights]
    raters = rated and counts[1] > 1
    effective = min(total**2 / math.fsum(weight**2 for weight in part.values()) for part in weights[: 1 + raters])
    if counts[0] < 2 or effective < 1.5:
        return {"delta_gsb": delta, **dict.fromkeys(("stderr", "ci_low", "ci_high", "p_value"))}
    together, each = variance(verdicts, delta, raters) / total**2, [verdict[3] for verdict in verdicts]
    most, clusters = total**2 / math.fsum(weight**2 for weight in each), min(counts[: 1 + raters])
    number = effective
    if decided - delta**2 > 1e-12:
        found = math.inf if together < 1e-12 else (decided - delta**2) * most / (most - 1) / together
        number = max(effective, min(found, most))
    centre = delta * number / (number + 2)
    spread = math.sqrt(((decided * number + 2) / (number + 2) - centre**2) / (number + 2))
    margin = float(stats.t.ppf(1 - alpha / 2, effective - 1)) * spread
    p_value = 2 * stats.t.sf(abs(centre) / spread, effective - 1)
    if most == pytest.approx(clusters) and effective == pytest.approx(clusters):
        wins, losses = (sum(weight > 0 and value == side for _, _, value, weight in verdicts) for side in (1, -1))
        p_value = max(p_value, stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0)
    low, high = max(-1, centre - margin), min(1, centre + margin)
    low, high = (low, high) if p_value <= alpha else (min(low, 0.0), max(high, 0.0))
    return {"delta_gsb": delta, "stderr": math.sqrt(together), "ci_low": low, "ci_high": high, "p_value": p_value}


@given(st.floats(0.5, 600), st.sampled_from([1e-8, 1e-3, 0.01, 0.05, 0.5]))
def test_the_quantile_is_right_between_whole_degrees_of_freedom_too(degrees: float, alpha: float) -> None:
    outside = 1 - (1 - alpha)
    assert critical_value(degrees, 1 - alpha) == pytest.approx(stats.t.isf(outside / 2, degrees), rel=1e-9)


VALUES, WEIGHTS = st.sampled_from([-1, 0, 1]), st.sampled_from([0.0, 0.25, 1.0, 3.0])


@examples(8)
@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), VALUES, WEIGHTS), min_size=1, max_size=40).filter(
        lambda verdicts: any(weight for _, _, weight in verdicts)
    ),
    st.sampled_from([0.01, 0.05, 0.1]),
)
def test_the_estimate_is_that_of_the_definitions(verdicts: list[Verdict], alpha: float) -> None:
    row = judged(verdicts, alpha)
    expected = written_out([(query, "", value, weight) for query, value, weight in verdicts], alpha)

    check_estimate(row, expected, alpha)
    assert row["p_sign"] == pytest.approx(
        stats.binomtest(row["good"], max(1, row["good"] + row["bad"])).pvalue if row["good"] + row["bad"] else 1.0
    )


@examples(8)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.sampled_from("12")),
        st.tuples(VALUES, WEIGHTS),
        min_size=1,
        max_size=24,
    ).filter(lambda found: any(weight for _, weight in found.values()))
)
def test_with_raters_the_estimate_is_clustered_both_ways(found: dict[tuple[str, str, str], tuple[int, float]]) -> None:
    verdicts = [(query, rater, value, weight) for (query, rater, _), (value, weight) in found.items()]
    rows = [(*key, *each) for key, each in found.items()]
    row = rated(rows, "query_id", "rater", "doc_id", "verdict", "weight")

    check_estimate(row, written_out(verdicts, 0.05, True), 0.05)


def check_estimate(row: dict[str, Any], expected: dict[str, Any], alpha: float) -> None:
    """The row has these estimates, and what follows from them."""
    for name, value in expected.items():
        assert row[name] == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)), name
    assert row["reading"] == reading(row["delta_gsb"])
    if row["ci_low"] is None:
        assert (row["decision"], row["p_adjusted"]) == (UNDECIDED, None)
        return
    assert -1 <= row["ci_low"] <= row["delta_gsb"] <= row["ci_high"] <= 1
    outside = row["ci_low"] > 1e-12 or row["ci_high"] < -1e-12
    assert outside is (row["p_value"] <= alpha) is (row["decision"] != UNDECIDED)
    if outside:
        assert row["decision"] == (SHIP if row["delta_gsb"] > 0 else REFUSE)
    assert (row["judgments_needed"] is None) is (outside or row["delta_gsb"] == 0)


@pytest.mark.parametrize("weights", [(0.1, 0.2, 0.3), (1e-6, 2e-6, 3e-6), (1.1, 2.2, 3.3)])
def test_weights_that_cancel_leave_exactly_nothing(weights: tuple[float, float, float]) -> None:
    row = judged([("a", 1, weights[0]), ("b", 1, weights[1]), ("c", -1, weights[2])])

    assert (row["delta_gsb"], row["decision"]) == (0.0, UNDECIDED)


def test_verdicts_without_weight_are_no_evidence() -> None:
    heavy = [("a", 1, 1.0), ("b", 1, 1.0)]
    light = [(f"c{number}", 1, 0.0) for number in range(100)]

    assert judged(heavy + light)["ci_low"] == pytest.approx(judged(heavy)["ci_low"])
    assert judged(heavy + [(query, value, 1e-9) for query, value, _ in light])["decision"] == UNDECIDED


def test_the_interval_follows_alpha() -> None:
    wide, narrow = preference_of(sums(20, 10, 10), 0.01), preference_of(sums(20, 10, 10), 0.1)

    assert (decision_of(wide, 0.01), decision_of(narrow, 0.1)) == (UNDECIDED, SHIP)
    assert wide.ci_low is not None
    assert narrow.ci_low is not None
    assert wide.ci_low < 0 < narrow.ci_low


def scaled(factor: float, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The row of verdicts in another unit of weight."""
    return judged([(query, value, weight * factor) for query, value, weight in verdicts])


def close(row: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Whether two rows are the same, but for the last digits."""
    return row == {
        name: pytest.approx(value, rel=1e-9) if isinstance(value, float) else value for name, value in expected.items()
    }


def some(count: int, seed: int = 4) -> list[Verdict]:
    """Verdicts with weights, several for a query."""
    rng = random.Random(seed)
    return [
        (f"q{rng.randrange(count // 2)}", rng.choice((1, 1, 0, -1)), rng.lognormvariate(0, 1)) for _ in range(count)
    ]


@pytest.mark.parametrize("power", [-300, -160, -11, -3, 7, 20, 150, 300])
def test_nothing_depends_on_the_unit_of_weights(power: int) -> None:
    verdicts = [*some(40), ("nothing", 1, 0.0)]

    assert close(scaled(10.0**power, verdicts), judged(verdicts))


def test_a_segment_of_tiny_weights_is_itself_beside_one_of_huge_weights() -> None:
    rows = [(query, value, weight, part) for part in "ab" for query, value, weight in some(30, seed=ord(part))]
    rows = [(query + part, value, weight, part) for query, value, weight, part in rows]
    units = [(*row[:2], row[2] * {"a": 1e-250, "b": 1e250}[row[3]], row[3]) for row in rows]
    found = []
    for one in (rows, units):
        with sqlrank.gsb(arrow(one, "query_id", "verdict", "weight", "part"), by="part", weight="weight") as result:
            found.append(result.rows.project("part, delta_gsb, stderr, ci_low, ci_high, p_value").fetchall())
            total = result.total

    for before, after in zip(found[0][:2], found[1][:2], strict=True):
        assert after == (before[0], *(pytest.approx(value, rel=1e-9) for value in before[1:]))
    assert [total[name] for name in ("delta_gsb", "stderr", "ci_low")] == pytest.approx(found[1][1][1:4], rel=1e-9)


def test_the_order_of_the_rows_does_not_matter() -> None:
    verdicts = some(60)
    expected = judged(verdicts)
    random.Random(1).shuffle(verdicts)

    assert close(judged(verdicts), expected)


def test_a_verdict_of_weight_2_is_two_equal_ones_of_the_same_query_and_rater() -> None:
    rng = random.Random(6)
    # More verdicts tell their own spread a little better, of which the interval is made.
    once = [(f"q{query}", f"r{query % 3}", "d", rng.choice((1, 0, query % 3 - 1)), 2.0) for query in range(30)]
    once += [(f"q{query}", f"r{query % 2}", "e", 1, 1.0) for query in range(5)]
    halves = [(*row[:2], row[2] + part, row[3], row[4] / 2) for row in once for part in "12"]
    columns = ("query_id", "rater", "doc_id", "verdict", "weight")
    whole, split = rated(once, *columns), rated(halves, *columns)

    assert split["decision"] == whole["decision"]
    for name, most in {"delta_gsb": 1e-12, "stderr": 1e-12, "ci_low": 0.02, "ci_high": 0.02, "p_value": 0.02}.items():
        assert split[name] == pytest.approx(whole[name], rel=most), name


def test_one_query_with_all_the_weight_has_no_interval() -> None:
    for light in (0.0, 1e-200, 1e-6):
        row = judged([("a", 1, 1.0), ("b", -1, light), ("c", 1, light)])
        assert (row["ci_low"], row["ci_high"], row["p_value"], row["stderr"]) == (None, None, None, None)
        assert row["decision"] == UNDECIDED


def test_degrees_of_freedom_are_those_of_the_effective_number_of_queries() -> None:
    light = [(f"light {number}", number % 2, 1e-6) for number in range(1000)]
    heavy = [(f"heavy {number}", 1, 1.0) for number in range(6)]

    assert judged(heavy)["decision"] == SHIP
    assert judged(heavy[:5] + light)["decision"] == UNDECIDED


def test_one_query_of_several_with_nearly_all_the_weight_has_no_interval() -> None:
    rows = [(f"q{query}", query % 2, 0.1 if query else 1000.0) for query in range(9)]
    with sqlrank.gsb(arrow(rows, "query_id", "verdict", "weight"), weight="weight") as result:
        assert (result.total["ci_low"], result.total["p_value"], result.decision) == (None, None, UNDECIDED)
        assert "no interval: one query has nearly all the weight" in result.remarks()


def test_one_rater_of_several_with_nearly_all_the_weight_has_no_interval() -> None:
    rows = [(f"q{query}", f"r{rater}", query % 2, 1.0 if rater else 1e-4) for query in range(9) for rater in range(2)]
    with sqlrank.gsb(arrow(rows, "query_id", "rater", "verdict", "weight"), weight="weight") as result:
        assert (result.total["ci_low"], result.total["p_value"], result.decision) == (None, None, UNDECIDED)
        assert "no interval: one rater has nearly all the weight" in result.remarks()


def by_rater(raters: int, queries: int, lenient: int = 0) -> list[tuple[str, str, int]]:
    """Every rater judges every query; the lenient ones say good, the others good and bad in turn."""
    return [
        (f"q{query}", f"r{rater}", 1 if rater < lenient else (-1) ** (query + rater))
        for rater in range(raters)
        for query in range(queries)
    ]


def test_raters_with_a_bias_of_their_own_are_fewer_than_their_verdicts() -> None:
    columns = ("query_id", "rater", "verdict")
    rows = by_rater(5, 200, lenient=2)
    known, unknown = rated(rows, *columns), rated([(row[0], row[2]) for row in rows], "query_id", "verdict")

    assert known["delta_gsb"] == unknown["delta_gsb"] == pytest.approx(0.4)
    assert (known["decision"], unknown["decision"]) == (UNDECIDED, SHIP)
    assert known["stderr"] > 3 * unknown["stderr"]


def test_raters_never_make_surer() -> None:
    rng = random.Random(8)
    for raters in (2, 3, 7):
        rows = [(query, rater, rng.choice((1, 0, -1))) for query, rater, _ in by_rater(raters, 12)]
        known = rated(rows, "query_id", "rater", "verdict")
        unknown = rated([(row[0], row[2]) for row in rows], "query_id", "verdict")
        assert known["ci_low"] <= unknown["ci_low"] < unknown["ci_high"] <= known["ci_high"]
        assert known["stderr"] >= unknown["stderr"]


def test_unanimous_raters_leave_an_interval_of_some_width() -> None:
    for raters in (2, 5, 6, 20):
        row = rated(by_rater(raters, 20, lenient=raters), "query_id", "rater", "verdict")
        assert (row["delta_gsb"], row["ci_high"]) == (1.0, 1.0)
        assert row["ci_low"] < 0.9
        assert row["decision"] == (SHIP if raters >= 6 else UNDECIDED)


def test_one_rater_keeps_the_interval_of_the_queries_and_it_is_said() -> None:
    rows = [(f"q{number}", "anna", value) for number, value in enumerate([1] * 20 + [0] * 5 + [-1] * 5)]
    with sqlrank.gsb(arrow(rows, "query_id", "rater", "verdict")) as result:
        total, remarks, conventions = result.total, result.remarks(), result.settings()
    unknown = rated([(row[0], row[2]) for row in rows], "query_id", "verdict")

    assert (total["ci_low"], total["ci_high"], total["decision"]) == (unknown["ci_low"], unknown["ci_high"], SHIP)
    assert "one rater: the interval says nothing about other raters" in remarks
    assert conventions["clustering"] == "query"


def test_the_edge_of_alpha_is_no_contradiction() -> None:
    for good, bad in ((20, 9), (14, 5), (30, 17), (12, 4)):
        p = preference_of(sums(good, 5, bad)).p_value
        assert p is not None
        for alpha in (math.nextafter(p, 0), p, math.nextafter(p, 1)):
            found = preference_of(sums(good, 5, bad), alpha)
            assert found.p_value is not None
            assert found.ci_low is not None
            assert (found.p_value <= alpha) is (found.ci_low > 0)


@pytest.mark.parametrize(
    "setting",
    [
        Setting("alone", 12),
        Setting("alike", 9, 4, 0.5, weights="lognormal 1", each=True),
        Setting("raters", 14, 4, 0.2, 0.4, 0.5, "zeros"),
    ],
)
def test_the_sums_of_the_trials_are_those_of_the_statement(setting: Setting) -> None:
    verdicts = draw(setting, 0.1, 3, np.random.default_rng(5))
    for number, expected in enumerate(summed(verdicts)):
        rows = [
            (
                f"q{query}",
                f"r{judge}",
                int(verdicts.values[number, query, judge]),
                verdicts.weights[number, query, judge],
            )
            for query, judge in np.argwhere(verdicts.given[number])
        ]
        columns = ("query_id", "rater" if verdicts.raters else "annotation", "verdict", "weight")
        row, found = rated(rows, *columns), preference_of(expected)
        assert (row["good"], row["same"], row["bad"]) == (expected.good, expected.same, expected.bad)
        for name in ("delta_gsb", "stderr", "ci_low", "ci_high", "p_value"):
            assert row[name] == pytest.approx(getattr(found, name), rel=1e-9), name


@pytest.mark.needs("simulation")
def test_a_sample_of_the_trials_keeps_the_bounds() -> None:
    """600 intervals of each setting: the standard error of 95 % is 0.9 points, and 3 are allowed."""
    together = [setting for setting in SETTINGS if setting.segments or (setting.bias and setting.queries == 200)]
    settings = (*SETTINGS[:20:5], *together)
    for setting, row in zip(settings, trials(300, 1, settings), strict=True):
        check(setting, row, 0.03)
