"""The test of the largest t: beside all choices of signs, and its error where systems do not vary alike."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import sqlrank
from sqlrank.comparison import replicates
from tests.comparison.test_clusters import clustered
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.comparisons import METRIC, compared, query_names, sides
from tests.support.tables import each

Array = Any
SEARCH = FIXTURES / "search"
RUNS = (SEARCH / "keyword.parquet", SEARCH / "semantic.parquet", "--qrels", SEARCH / "qrels.parquet")
JOINT: dict[str, Any] = {"correction": "max-t", "all_pairs": True}


def values(systems: int, queries: int, seed: int = 1) -> dict[str, list[float]]:
    """Values of systems that vary ever more, and get ever better."""
    rng = np.random.default_rng(seed)
    return {f"s{place}": list(9 + (1 + place) * rng.normal(0.2, 0.5, queries)) for place in range(systems)}


def t_values(differences: Array) -> Array:
    """Student's t of the differences of pairs, given as columns."""
    number = len(differences)
    return abs(differences.mean(axis=0)) / (differences.std(axis=0, ddof=1) / number**0.5)


def by_brute_force(differences: Array) -> list[float]:
    """The adjusted p value of each pair, over all choices of the signs of queries, or of clusters."""
    seen = t_values(differences)
    largest = np.array(
        [t_values(differences * np.array(signs)[:, None]).max() for signs in product((1, -1), repeat=len(differences))]
    )
    return [float((largest >= each * (1 - 1e-9)).mean()) for each in seen]


def pairs_of(given: dict[str, list[float]]) -> Array:
    """The differences of all pairs, in columns."""
    columns = [np.array(column) for column in given.values()]
    return np.column_stack([other - one for one, other in combinations(columns, 2)])


def adjusted(comparison: sqlrank.Comparison) -> list[float]:
    """The adjusted p values of the totals."""
    return [row["p_adjusted"] for row in comparison.all_rows if row["is_total"]]


@each([(3, 7), (4, 9)])
def test_p_values_are_those_of_all_signs(case: tuple[int, int]) -> None:
    systems, queries = case
    given = values(systems, queries)
    with compared(JOINT, **given) as comparison:
        assert adjusted(comparison) == pytest.approx(by_brute_force(pairs_of(given)), abs=0.02)
        said = f"adjusted p: {systems * (systems - 1) // 2} p values, by the largest t"
        assert said in "\n".join(comparison.remarks())


def test_no_p_value_is_below_that_of_its_pair_alone() -> None:
    with compared(JOINT, **values(5, 30)) as comparison:
        assert all(row["p_adjusted"] >= row["p_value"] for row in comparison.all_rows)
    with compared(JOINT | {"all_pairs": False}, **values(2, 30)) as comparison:
        (row,) = comparison.all_rows
        assert row["p_adjusted"] == pytest.approx(row["p_value"], abs=0.01)


def test_clusters_change_their_signs_together() -> None:
    rng = np.random.default_rng(4)
    names: list[str | None] = [f"t{number}" for number in range(8) for _ in range(3)]
    first = list(5 + rng.random(24))
    second = list(5.2 + rng.random(24) + np.repeat(rng.normal(0, 0.3, 8), 3))
    runs, qrels = clustered(names, first, second)
    metrics = [METRIC, "sdcg(max=20)@1"]
    options: dict[str, Any] = {"correction": "max-t", "cluster": "topic"}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **options) as comparison:
        sums = (np.array(second) - first).reshape(8, 3).sum(axis=1)
        assert adjusted(comparison) == pytest.approx(by_brute_force(sums[:, None]), abs=0.02)
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=metrics, **options) as comparison:
        both = adjusted(comparison)
        # the gain of the one is linear in the relevance and that of the other is not, so that the two are not one
        assert both[0] >= by_brute_force(sums[:, None])[0] - 0.02


def test_weights_count() -> None:
    given = values(3, 8)
    weights = list(np.random.default_rng(2).lognormal(0, 1, 8))
    runs, qrels = sides(**given)
    queries = pa.table({"query_id": query_names(8), "traffic": weights})
    options = JOINT | {"queries": queries, "weight": "traffic"}
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **options) as comparison:
        weighted = pairs_of(given) * np.array(weights)[:, None]
        assert adjusted(comparison) == pytest.approx(by_brute_force(weighted), abs=0.02)


def test_segments_are_a_family_of_their_own_however_many_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    total = ["compare", *RUNS, *"-m ndcg@10 -m rr --correction max-t --quiet --format csv".split()]
    request = [*total, "--by", "country", "--queries", SEARCH / "queries.parquet"]
    outcome = run_cli(*request)
    monkeypatch.setattr(replicates, "MOST_KEPT", 15_000)
    assert run_cli(*request).out == outcome.out
    found = [row["p_adjusted"] for row in outcome.table if row["is_total"] == "true"]
    assert found == [row["p_adjusted"] for row in run_cli(*total).table]


@each({"greater": 1, "less": -1}.items())
def test_one_side_looks_at_one_side(case: tuple[str, int]) -> None:
    alternative, side = case
    given = values(3, 9)
    with compared({"correction": "max-t", "alternative": alternative}, **given) as comparison:
        found = adjusted(comparison)
    first, *others = (np.array(column) for column in given.values())
    differences = side * np.column_stack([column - first for column in others])
    signed = [np.array(signs)[:, None] * differences for signs in product((1, -1), repeat=9)]
    seen, *drawn = ((one.mean(axis=0) / (one.std(axis=0, ddof=1) / 3)).clip(min=0) for one in (differences, *signed))
    largest = np.array([one.max() for one in drawn])
    assert found == pytest.approx([(largest >= one * (1 - 1e-9)).mean() for one in seen], abs=0.02)


def test_it_goes_with_the_randomization_test_and_ties_are_no_difference() -> None:
    said = error_of(2, "compare", *RUNS, "--correction", "max-t", "--test", "t")
    assert "--correction max-t changes signs at random, as --test randomization, not t" in said
    with compared(JOINT, a=[1.0] * 5, b=[1.0] * 5, c=[1.0, 1.0, 1.0, 1.0, 2.0]) as comparison:
        assert adjusted(comparison) == [1.0, 1.0, 1.0]
