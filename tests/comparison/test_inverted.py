"""The interval of the randomization test: the differences that it would not find significant."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

import sqlrank
from sqlrank.comparison import replicates
from sqlrank.statistics.exact_tests import ends_of_signs
from tests.comparison.test_clusters import clustered
from tests.comparison.test_clusters import found as row_of
from tests.pages.stated import assert_stated
from tests.support.comparisons import METRIC, compared, row, sides
from tests.support.tables import hold


def test_the_ends_of_few_differences_are_those_by_hand() -> None:
    # of 64 choices of signs 2 keep all together; 2 more have the smallest difference alone: 4/64 is above 0.05
    found = row(a=[0] * 6, b=[1, 2, 3, 4, 5, 6])
    assert (found["p_value"], found["ci_low"], found["ci_high"]) == (2 / 64, 1, 6)
    # 128 choices: 2 of all together, 2 of the 1 alone, 2 of the 1 and the 2: 6/128 is at most 0.05. Next stands the 2
    found = row(a=[0] * 7, b=[1, 2, 3, 4, 5, 6, 7])
    assert (found["ci_low"], found["ci_high"]) == (2, 6)
    assert row(a=[0] * 6, b=[0, 0, 0, 4, 5, 6])["ci_low"] == 0
    found = row(a=[2] * 8, b=[2] * 8)
    assert (found["p_value"], found["ci_low"], found["ci_high"]) == (1, None, None)


def test_so_few_queries_that_nothing_is_significant_have_no_interval_and_a_note_says_so() -> None:
    with compared(a=[0] * 5, b=[1, 2, 3, 4, 5]) as comparison:
        assert (comparison[METRIC]["ci_low"], comparison[METRIC]["ci_high"]) == (None, None)
        assert "with so few queries the test over all signs has no p value up to 0.05" in " ".join(comparison.notes)


def p_of(units: list[tuple[int, int]], taken: float) -> float:
    """The share of all choices of signs as far from 0 with a mean taken off, by trying them."""
    values = np.array([total - taken * weight for total, weight in units])
    signs = np.array(list(product((1, -1), repeat=len(units))))
    return float(np.mean(np.abs(signs @ values) >= abs(values.sum()) - 1e-9))


def test_zeros_and_ones_are_covered_less_often_than_they_should() -> None:
    # Differences of 1 with probability 0.225 and of -1 with 0.025: every count of both, with its probability.
    number, won, lost = 8, 0.225, 0.025
    covered = 0.0
    for wins in range(number + 1):
        for losses in range(number + 1 - wins):
            ties = number - wins - losses
            low, high = ends_of_signs([(1, 1)] * wins + [(-1, 1)] * losses + [(0, 1)] * ties, 0.05)
            assert low is not None
            assert high is not None
            ways = math.comb(number, wins) * math.comb(number - wins, losses)
            covered += (low <= won - lost <= high) * ways * won**wins * lost**losses * (1 - won - lost) ** ties
    assert_stated(100 * covered, "explanation/comparison.md", "an inverted test that should cover 95 % would cover # %")


@pytest.mark.parametrize("seed", range(6))
def test_the_ends_are_where_the_p_value_of_what_is_taken_off_passes_alpha(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = [
        (int(total), int(weight)) for total, weight in zip(rng.integers(-50, 90, 9), rng.integers(1, 9, 9), strict=True)
    ]
    low, high = ends_of_signs(units, 0.05)
    assert low is not None
    assert high is not None
    for inside in (low + 1e-6, (low + high) / 2, high - 1e-6):
        assert p_of(units, inside) > 0.05
    for outside in (low - 1e-6, high + 1e-6):
        assert p_of(units, outside) <= 0.05


def drawn(queries: int, seed: int) -> tuple[list[float], list[float]]:
    """Values whose differences are skewed, a fifth of them 0."""
    rng = np.random.default_rng(seed)
    first = rng.uniform(5, 6, queries)
    moved = np.where(rng.random(queries) < 0.2, 0, rng.gamma(2, 0.5, queries) - 0.8)
    return first.tolist(), (first + moved).tolist()


@pytest.mark.parametrize("queries", [30, 80])
def test_a_shift_just_inside_the_interval_is_not_significant_and_one_just_outside_is(queries: int) -> None:
    first, second = drawn(queries, queries)
    found = row(a=first, b=second)
    for end, inwards in ((found["ci_low"], 1), (found["ci_high"], -1)):
        for step, significant in ((1e-6, False), (-1e-6, True)):
            shifted = [value - end - inwards * step for value in second]
            assert (row(a=first, b=shifted)["p_value"] <= 0.05) is significant


def test_the_interval_of_many_queries_is_nearly_that_of_student() -> None:
    first, second = drawn(400, 5)
    found, students = row(a=first, b=second), row({"test": "t"}, a=first, b=second)
    width = students["ci_high"] - students["ci_low"]
    for name in ("ci_low", "ci_high"):
        assert found[name] == pytest.approx(students[name], abs=0.03 * width)


def test_threads_and_further_metrics_change_nothing() -> None:
    first, second = drawn(60, 7)
    found = row({"threads": 1}, a=first, b=second)
    runs, qrels = sides(a=first, b=second)
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=["num_rel_ret", METRIC, "rr"], threads=2) as comparison:
        again = comparison[METRIC]
    assert (again["ci_low"], again["ci_high"]) == (found["ci_low"], found["ci_high"])


def test_weights_count_in_both_means_and_clusters_keep_and_change_their_signs_whole() -> None:
    second, weights = [1.0, 2, 3, 4, 5, 6, 7, 8], [1.0, 2, 3, 1, 2, 3, 1, 2]
    weighted = row_of(*clustered([*"abcdefgh"], [0.0] * 8, second, {"traffic": weights}), weight="traffic")
    values, names = [float(place) for place in range(1, 17)], [f"t{place // 2}" for place in range(16)]
    whole = row_of(*clustered([*names], [0.0] * 16, values), cluster="topic")
    of_weights = [(int(value * weight), int(weight)) for value, weight in zip(second, weights, strict=True)]
    of_clusters = [(int(one + other), 2) for one, other in zip(values[::2], values[1::2], strict=True)]
    for found, units in ((weighted, of_weights), (whole, of_clusters)):
        assert (found["ci_low"], found["ci_high"]) == pytest.approx(ends_of_signs(units, 0.05), rel=1e-9)


def test_an_exact_p_value_and_drawn_ends_agree() -> None:
    # 15 of 60 queries differ: p is exact, the ends are drawn
    rng = np.random.default_rng(3)
    for mean in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5):
        second = [5 + float(each) for each in rng.normal(mean, 0.6, 15)] + [5.0] * 45
        found = row(a=[5.0] * 60, b=second)
        assert found["test"] == "randomization-exact"
        assert (found["p_value"] > 0.05) is (found["ci_low"] < 0 < found["ci_high"])


def test_many_segments_are_finished_some_at_a_time_with_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(11)
    columns = {"segment": [f"s{place % 7}" for place in range(180)], "traffic": rng.uniform(1, 4, 180).tolist()}
    first, second = rng.uniform(0, 5, (2, 180)).tolist()
    runs, qrels = clustered([f"t{place // 3}" for place in range(180)], first, second, columns)
    kept, crowd = replicates.MOST_KEPT, replicates.CROWD

    def check(more: dict[str, Any]) -> None:
        found = []
        for limits in ({}, {"MOST_KEPT": 10_000}, {"CROWD": 1}):
            for name, value in ({"MOST_KEPT": kept, "CROWD": crowd} | limits).items():
                monkeypatch.setattr(replicates, name, value)
            options = {"by": "segment", "replicates": 1_000, "metrics": [METRIC, "num_rel_ret"], **more}
            with sqlrank.compare(systems=runs, qrels=qrels, **options) as comparison:
                found.append(comparison.all_rows)
        assert found[0] == found[1] == found[2]
        assert len(found[0]) == 16

    hold([{}, {"weight": "traffic"}, {"cluster": "topic"}], check)


@pytest.mark.parametrize("crowd", [1, 1_000])
def test_a_replicate_in_which_every_query_changes_its_sign_is_one(crowd: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replicates, "CROWD", crowd)
    drawn: list[list[tuple[Any, ...]]] = []

    def count(self: replicates.Replicates, base: str) -> None:
        drawn.append(self.engine.relation(f"from {self.name(base)}").fetchall())

    monkeypatch.setattr(replicates.Replicates, "drop", count)
    values = [float(place) for place in range(12)]
    runs, qrels = clustered([*"uvvvvv"], values[:6], values[6:])
    options: dict[str, Any] = {"by": "topic", "replicates": 1_000, "metrics": METRIC, "correction": "max-t"}
    with sqlrank.compare(systems=runs, qrels=qrels, **options):
        (rows,) = drawn
    assert sorted(row[:2] for row in rows) == [(scope, number) for scope in range(3) for number in range(1_000)]
    alone = [tuple(map(int, row[2:])) for row in rows if row[0] == 1]
    assert set(alone) == {(0, 0), (1, 6 * 10**11)}
    assert 400 < alone.count((0, 0)) < 600
