"""Why the mean of different queries changed: by hand, by the influence of every unit, and what is planted is found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import sqlrank
from tests.comparison.test_unpaired import given
from tests.support.comparisons import METRIC
from tests.support.tables import hold

Side = Mapping[str, tuple[str, float]]
"""The segment and the value of each query."""


def compared(one: Side, other: Side, **options: Any) -> sqlrank.Comparison:
    """The comparison of two sides by their segments."""
    values = {name: {query: value for query, (_, value) in side.items()} for name, side in (("a", one), ("b", other))}
    country = {query: segment for side in (one, other) for query, (segment, _) in side.items()}
    queries = pa.table({"query_id": list(country), "country": list(country.values())})
    settings = {"by": "country", "queries": queries, "test": "t", "paired": False} | options
    return sqlrank.compare(**given(**values), metrics=METRIC, **settings)


def parts(comparison: sqlrank.Comparison) -> dict[tuple[str, ...], dict[str, Any]]:
    """The parts by what they are of."""
    return {
        (part["kind"], part["part"], *([part["country"]] if part["kind"] == "segment" else [])): part
        for part in comparison.all_parts
    }


def drawn(seed: int) -> tuple[Side, Side]:
    """Two sides with segments, of which one is gone and one is new, and with queries of both."""
    random = np.random.default_rng(seed)
    sides: tuple[dict[str, tuple[str, float]], dict[str, tuple[str, float]]] = ({}, {})
    segments = ["de", "fr", "us", "es"]
    for number, side in enumerate(sides):
        chances = random.dirichlet(np.ones(3))
        for place in range(int(random.integers(4, 40))):
            segment = segments[number + int(random.choice(3, p=chances))]
            side[f"{number} {place}"] = segment, float(random.random())
    for place in range(int(random.integers(0, 9))):
        segment = segments[1 + int(random.integers(2))]
        for side in sides:
            side[f"both {place}"] = segment, float(random.random())
    return sides


def test_parts_of_two_segments_by_hand() -> None:
    one = {"p": ("de", 0.2), "q": ("de", 0.4), "r": ("fr", 0.8), "s": ("fr", 1.0)}
    other = {"t": ("de", 0.4), "u": ("de", 0.6), "v": ("de", 0.5), "s": ("fr", 0.7)}
    with compared(one, other) as comparison:
        found = parts(comparison)
        difference = comparison[METRIC]["difference"]
    middle = (0.6 + 0.55) / 2
    wanted = {
        ("segment", "within", "de"): (0.5 + 0.75) / 2 * (0.5 - 0.3),
        ("segment", "within", "fr"): (0.5 + 0.25) / 2 * (0.7 - 0.9),
        ("segment", "mix", "de"): 0.25 * ((0.3 + 0.5) / 2 - middle),
        ("segment", "mix", "fr"): -0.25 * ((0.9 + 0.7) / 2 - middle),
        ("segments", "within"): 0.125 - 0.075,
        ("segments", "mix"): 0.25 * (0.4 - 0.8),
        ("queries", "within"): 0.25 * (0.7 - 1.0),
        ("queries", "mix"): 0.0,
        ("queries", "gone"): -(0.25 * (0.2 + 0.4 + 0.8) - 0.75 * middle),
        ("queries", "new"): 0.25 * (0.4 + 0.6 + 0.5) - 0.75 * middle,
    }
    assert {name: part["contribution"] for name, part in found.items()} == pytest.approx(wanted, abs=1e-12)
    assert difference == pytest.approx(-0.05, abs=1e-12)
    german = found["segment", "within", "de"]
    assert (german["baseline_share"], german["share"]) == (0.5, 0.75)
    assert (german["baseline_value"], german["value"]) == pytest.approx((0.3, 0.5))
    assert (german["baseline_queries"], german["queries"]) == (2, 3)


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, 80), marks=pytest.mark.needs("random"))])
def test_parts_sum_to_the_difference(seeds: range) -> None:
    def check(seed: int) -> None:
        with compared(*drawn(seed)) as comparison:
            difference = comparison[METRIC]["difference"]
            for kind in ("segments", "segment", "queries"):
                found = [part["contribution"] for part in comparison.all_parts if part["kind"] == kind]
                nothing = kind == "queries" and not found
                assert nothing or math.fsum(found) == pytest.approx(difference, abs=1e-16, rel=1e-15)

    hold(seeds, check)


@pytest.mark.parametrize(("seed", "clustered"), [(0, False), (1, True), (2, True)])
def test_intervals_come_from_the_influence_of_every_unit(seed: int, clustered: bool) -> None:
    one, other = drawn(seed)
    random = np.random.default_rng(seed)
    queries = list(dict.fromkeys([*one, *other]))
    weight = {query: float(random.integers(1, 5)) for query in queries}
    unit = {query: f"u{random.integers(9)}" if clustered else query for query in queries}
    country = [(one.get(query) or other[query])[0] for query in queries]
    table = pa.table({"query_id": queries, "country": country, "w": list(weight.values()), "user": list(unit.values())})
    options = {"queries": table, "weight": "w"} | ({"cluster": "user"} if clustered else {})
    with compared(one, other, **options) as comparison:
        found, row = parts(comparison), comparison[METRIC]
    plain = by_side(one, other, weight, set(), 0, 0.0)
    step = 1e-6
    moved: dict[tuple[str, ...], dict[str, float]] = {name: {} for name in plain}
    factor = [math.sqrt(n / (n - 1)) for n in (len({unit[q] for q in side}) for side in (one, other))]
    for each in sorted(set(unit.values())):
        # How much a part moves with the weight of a unit on either side.
        for number, side in enumerate((one, other)):
            up, down = (
                by_side(one, other, weight, {q for q in side if unit[q] == each}, number, sign * step)
                for sign in (1, -1)
            )
            for name in plain:
                slope = (up[name] - down[name]) / (2 * step) * factor[number]
                moved[name][each] = moved[name].get(each, 0.0) + slope
    for name, value in plain.items():
        assert found[name]["contribution"] == pytest.approx(value, abs=1e-12), name
        half = (found[name]["ci_high"] - found[name]["ci_low"]) / 2
        quantile = stats.t.ppf(0.975, row["sqlrank_effective"] - 1)
        error = math.sqrt(math.fsum(slope**2 for slope in moved[name].values()))
        assert half == pytest.approx(quantile * error, rel=1e-4, abs=1e-9), name


def by_side(
    one: Side, other: Side, weight: Mapping[str, float], queries: set[str], number: int, step: float
) -> dict[tuple[str, ...], float]:
    """The parts with the weights of some queries of one side changed by a share."""
    sides = (one, other)
    changed = {(at, q): weight[q] * (1 + step * (at == number and q in queries)) for at in (0, 1) for q in sides[at]}
    return two_weights(one, other, changed)


def two_weights(one: Side, other: Side, weight: Mapping[tuple[int, str], float]) -> dict[tuple[str, ...], float]:
    """The parts where a query has a weight on either side."""
    sides = (one, other)
    whole = [math.fsum(weight[at, query] for query in side) for at, side in enumerate(sides)]
    means = [math.fsum(weight[at, q] * v for q, (_, v) in side.items()) / whole[at] for at, side in enumerate(sides)]
    middle = sum(means) / 2
    found: dict[tuple[str, ...], float] = {}

    def add(within: tuple[str, ...], mix: tuple[str, ...], inside: list[list[str]]) -> None:
        sizes = [math.fsum(weight[at, query] for query in inside[at]) for at in (0, 1)]
        heights = [
            math.fsum(weight[at, q] * sides[at][q][1] for q in inside[at]) / sizes[at] for at in (0, 1) if inside[at]
        ]
        shares = [sizes[at] / whole[at] for at in (0, 1)]
        if len(heights) == 2:
            found[within] = found.get(within, 0.0) + sum(shares) / 2 * (heights[1] - heights[0])
        found[mix] = found.get(mix, 0.0) + (shares[1] - shares[0]) * (sum(heights) / len(heights) - middle)

    for segment in sorted({segment for side in sides for segment, _ in side.values()}):
        members = [[q for q, (own, _) in side.items() if own == segment] for side in sides]
        add(("segment", "within", segment), ("segment", "mix", segment), members)
    for query in sorted({*one, *other}):
        kind = "gone" if query not in other else "new" if query not in one else "mix"
        inside = [[query] if query in side else [] for side in sides]
        add(("queries", "within"), ("queries", kind), inside)
    return found


def test_a_change_of_the_mix_is_told_from_a_change_of_quality() -> None:
    random = np.random.default_rng(4)

    def side(name: str, german: float, lost: float) -> Side:
        values = {}
        for place in range(600):
            segment = "de" if random.random() < german else "fr"
            values[f"{name}{place}"] = segment, (0.4 if segment == "de" else 0.7) + random.normal(0, 0.1) - lost
        return values

    before = side("a", 0.4, 0.0)
    with compared(before, side("b", 0.7, 0.0)) as mix, compared(before, side("c", 0.4, 0.08)) as quality:
        of_mix, of_quality = parts(mix), parts(quality)
    assert of_mix["segments", "mix"]["ci_high"] < 0
    assert of_mix["segments", "within"]["ci_low"] < 0 < of_mix["segments", "within"]["ci_high"]
    assert of_quality["segments", "within"]["ci_high"] < 0
    moved = {part: abs(of_quality["segments", part]["contribution"]) for part in ("mix", "within")}
    assert moved["mix"] < moved["within"] / 3


def test_a_mix_that_turns_the_sign_is_said() -> None:
    one = {f"p{n}": ("de", 0.2) if n < 2 else ("fr", 0.8) for n in range(8)}
    other = {f"r{n}": ("de", 0.3) if n < 6 else ("fr", 0.9) for n in range(8)}
    with compared(one, other) as comparison:
        said = [note for note in comparison.notes if "changes the sign" in note]
    assert len(said) == 1
    assert "goes down in total and up within country (+0.1000): the mix alone (-0.3000)" in said[0]
