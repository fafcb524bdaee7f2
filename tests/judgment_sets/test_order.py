"""Whether two sets of judgments order systems alike: worked numbers, coverage by trial, and what the command does."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import sqlrank
from sqlrank.judgment_sets.order import Order, order_of, tau_b

Values = Any
"""A row for each query, a column for each system."""


def pairs_of(people: Values, model: Values) -> list[dict[str, Any]]:
    """The rows of the statement for one metric."""
    rows = []
    for one, other in combinations(range(people.shape[1]), 2):
        sides = {"people": people[:, one] - people[:, other], "model": model[:, one] - model[:, other]}
        row = {"metric": "m", "queries": len(people), "unlike": int((sides["people"] != sides["model"]).sum())}
        for name, found in sides.items():
            row |= {
                f"{name}_difference": float(found.mean()),
                f"{name}_stderr": found.std(ddof=1) / math.sqrt(len(found)),
            }
            row |= {f"{name}_changed": int((found != 0).sum()), f"{name}_largest": abs(found).max()}
        rows.append(row)
    return rows


def order(people: Values, model: Values) -> Order:
    return order_of("m", pairs_of(people, model), 0.05, None)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([1, 2, 3], [1, 2, 3], 1.0),
        ([1, 2, 3], [3, 2, 1], -1.0),
        ([1, 2, 3], [1, 3, 2], 1 / 3),
        ([1, 1, 2], [1, 2, 3], 2 / math.sqrt(2 * 3)),
        ([1, 1, 1], [1, 2, 3], None),
    ],
)
def test_tau_b_is_as_worked_out_by_hand(one: list[float], other: list[float], expected: float | None) -> None:
    found = tau_b((one[i] - one[j], other[i] - other[j]) for i, j in combinations(range(len(one)), 2))
    assert found == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("seed", range(5))
def test_tau_b_is_scipys(seed: int) -> None:
    from scipy.stats import kendalltau

    one, other = np.random.default_rng(seed).integers(0, 4, (2, 7)).tolist()
    found = tau_b((one[i] - one[j], other[i] - other[j]) for i, j in combinations(range(7), 2))
    assert found == pytest.approx(kendalltau(one, other).statistic)


def said(found: Order) -> list[float | None]:
    """How many pairs are alike and opposite, and both ends."""
    return [found.alike, found.opposite, found.low, found.high]


def pair(people: float, model: float, **changed: Any) -> dict[str, Any]:
    """Two systems over 50 queries of which none tie, told by their t under each set."""
    row: dict[str, Any] = {"queries": 50, "unlike": 50}
    for name, difference in (("people", people), ("model", model)):
        row |= {f"{name}_difference": difference, f"{name}_stderr": 1.0, f"{name}_changed": 50, f"{name}_largest": 9.0}
    return row | changed


def test_the_ends_are_worked_out_by_hand() -> None:
    # One-sided p of t(49): of 2.0 0.0255, of 3.0 0.0021, of 4.0 0.0001; three pairs, two that both sets tell by Holm.
    found = order_of("m", [pair(4, 5), pair(-3, 6), pair(2, 9)], 0.05, 1.0)
    assert found.tau == pytest.approx(1 / 3)
    assert said(found) == pytest.approx([2, 1, 1 / 3, 1 / 3])
    found = order_of("m", [pair(4, 5), pair(-3, 6), pair(1, 9)], 0.05, 1.0)
    assert said(found) == pytest.approx([1, 1, -1 / 3, 1 / 3])
    # Holm: the p of 2.0 is below 0.05, and twice as large above.
    found = order_of("m", [pair(4, 5), pair(2, 6), pair(2, 9)], 0.05, 1.0)
    assert said(found) == pytest.approx([1, 0, -1 / 3, 1])


def test_one_difference_under_both_sets_is_ordered_alike_whatever_chance_does() -> None:
    assert order_of("m", [pair(1, 1, unlike=0), pair(0, 0, unlike=0, people_changed=0)], 0.05, 1.0).alike == 1


def test_few_queries_and_systems_that_all_tie_have_no_interval() -> None:
    assert order_of("m", [pair(4, 5, queries=9)], 0.05, 1.0).low is None
    found = order_of("m", [pair(0, 5)], 0.05, 1.0)
    assert (found.tau, found.low, found.alike) == (None, None, None)


GAPS = {
    "one order, large gaps": (np.arange(8) * 0.25, np.arange(8) * 0.25),
    "one order, small gaps": (np.arange(8) * 0.01, np.arange(8) * 0.01),
    "three reversed": (np.arange(8) * 0.05, np.array([2, 1, 0, 3, 4, 5, 6, 7]) * 0.05),
    "alike but for a hair": (np.arange(8) * 1e-9, np.array([4, 1, 6, 3, 0, 7, 2, 5]) * 1e-9),
    "alike under people": (np.arange(8) * 1e-9, np.arange(8) * 0.08),
}
"""The true means of eight systems under people's and a model's judgments."""


def share_held(name: str, trials: int, queries: int = 50) -> tuple[float, float]:
    """How often the interval holds the true tau, and how wide it is on average."""
    means = [side.tolist() for side in GAPS[name]]
    truth = tau_b((means[0][i] - means[0][j], means[1][i] - means[1][j]) for i, j in combinations(range(8), 2)) or 0.0
    rng, held, widths = np.random.default_rng(4), 0, []
    for _ in range(trials):
        topic = rng.normal(0, 0.2, (queries, 1)) + rng.normal(0, 0.15, (queries, 8))
        people, model = (topic + mean + rng.normal(0, 0.1, (queries, 8)) for mean in means)
        found = order(people, model)
        assert found.low is not None
        assert found.high is not None
        assert found.tau is not None
        assert found.low - 1e-9 <= found.tau <= found.high + 1e-9
        held += found.low - 1e-9 <= truth <= found.high + 1e-9
        widths.append(found.high - found.low)
    return held / trials, float(np.mean(widths))


@pytest.mark.parametrize("name", GAPS)
def test_intervals_hold_the_true_tau(name: str) -> None:
    """Sixty experiments; percentiles of the bootstrap held a true 1 in none of 25 with small gaps."""
    held, width = share_held(name, 60)
    assert held >= 0.9
    assert width > 1.5 if "alike" in name else width < (0.3 if "large" in name else 2)


def test_the_command_has_the_interval_of_its_values() -> None:
    """Three systems of which the third is the worst under both sets, and the others swap."""
    rng, docs, rows = np.random.default_rng(2), range(6), []
    judged: dict[str, dict[str, dict[str, int]]] = {"people": {}, "model": {}}
    runs: dict[str, dict[str, dict[str, float]]] = {"a": {}, "b": {}, "c": {}}
    for number in range(40):
        query = f"q{number}"
        grades = rng.integers(0, 3, 6)
        judged["people"][query] = {f"d{doc}": int(grades[doc]) for doc in docs}
        judged["model"][query] = {f"d{doc}": int(max(0, grades[doc] + rng.integers(-1, 2))) for doc in docs}
        for name, noise in (("a", 0.5), ("b", 0.52), ("c", 8.0)):
            runs[name][query] = {f"d{doc}": float(grades[doc] + rng.normal(0, noise)) for doc in docs}
    with sqlrank.compare_judgments(None, judged, ["ndcg@3"], systems=runs) as result:
        found, lines = result.orders["model"][0], result.remarks()
        for comparison in result.comparisons.values():
            values = {(row["system"], row["query_id"]): row for row in comparison.per_query.df().to_dict("records")}
            rows.append(
                np.array(
                    [
                        [values["b", q]["baseline_value"], values["b", q]["value"], values["c", q]["value"]]
                        for q in judged["people"]
                    ]
                )
            )
    expected = order_of("ndcg@3", pairs_of(*rows), 0.05, 1.0)
    assert said(found) == said(expected)
    assert found.tau == pytest.approx(expected.tau)
    assert (found.alike, found.pairs) == (2, 3)
    assert any(
        "of 3 pairs 2 are in the same order, 0 in the opposite one, and 1 not told apart" in one for one in lines
    )
