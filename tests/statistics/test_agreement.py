"""Agreement of raters: worked numbers, and beside krippendorff and statsmodels."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import krippendorff as peer
import numpy as np
import pytest
from statsmodels.stats import inter_rater

from sqlrank.statistics.agreement_coefficients import (
    NONE,
    Cluster,
    Clusters,
    Measure,
    Pattern,
    cohen,
    fleiss,
    interval_alpha,
    nominal_alpha,
)
from sqlrank.statistics.ordinal_alpha import ordinal_alpha

THREE = (0.0, 1.0, 2.0)
ALPHAS: dict[str, Callable[[Clusters], Measure]] = {
    "nominal": nominal_alpha,
    "ordinal": ordinal_alpha,
    "interval": lambda clusters: interval_alpha(clusters, THREE),
}
MEASURES = ALPHAS | {"fleiss": fleiss}


def alone(patterns: Mapping[Pattern, int]) -> Clusters:
    """Items of these patterns, each a cluster of its own."""
    return {((pattern, 1),): items for pattern, items in patterns.items()}


def clusters_of(table: Any) -> Clusters:
    """Items by raters of 0, 1, ... or NaN, each on its own."""
    found = Counter(tuple(sorted(int(value) for value in row if not np.isnan(value))) for row in table)
    return alone({pattern: items for pattern, items in found.items() if len(pattern) > 1})


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
    patterns = {
        tuple(place for place, number in enumerate(row.split()) for _ in range(int(number))): 1
        for row in rows.split("|")
    }
    assert fleiss(alone(patterns))(NONE) == pytest.approx(0.210, abs=5e-4)


def test_cohen_of_a_table_by_hand() -> None:
    # 20 + 15 of 50 agree: 0.7; by chance 25/50 * 30/50 + 25/50 * 20/50 = 0.5.
    assert cohen(alone({(1, 1): 20, (1, 0): 5, (0, 1): 10, (0, 0): 15}))(NONE) == pytest.approx(0.4, rel=1e-12)


def test_krippendorff_by_hand() -> None:
    # Pairs (0, 0), (1, 1), (0, 1): 1 - 5 * 2 / (2 * 3 * 3), whatever the distance of two categories is.
    clusters = alone({(0, 0): 1, (1, 1): 1, (0, 1): 1})
    for measure in ALPHAS.values():
        assert measure(clusters)(NONE) == pytest.approx(1 - 5 * 2 / 18, rel=1e-12)


def test_ordinal_and_interval_distances_by_hand() -> None:
    # Judgments 0 0 0 1 2 2 of three items. Middles of the order: 1.5, 3.5 and 5. Pairs seen: (0, 1) and (0, 2).
    clusters = alone({(0, 0): 1, (0, 1): 1, (2, 2): 1})
    ordinal = 1 - 5 * 2 * 2**2 / (2 * (3 * 1 * 2**2 + 3 * 2 * 3.5**2 + 1 * 2 * 1.5**2))
    interval = 1 - 5 * 2 * 4**2 / (2 * (3 * 1 * 4**2 + 3 * 2 * 6**2 + 1 * 2 * 2**2))
    assert ordinal_alpha(clusters)(NONE) == pytest.approx(ordinal, rel=1e-12)
    assert interval_alpha(clusters, (1.0, 5.0, 7.0))(NONE) == pytest.approx(interval, rel=1e-12)


@pytest.mark.parametrize("level", ALPHAS)
@pytest.mark.parametrize(("raters", "missing"), [(2, 0.0), (3, 0.3), (7, 0.6)])
def test_alpha_is_that_of_krippendorff(level: Any, raters: int, missing: float) -> None:
    for seed in range(5):
        table = drawn(seed, 40, raters, missing)
        wanted = peer.alpha(reliability_data=table.T, level_of_measurement=level, value_domain=list(THREE))
        assert ALPHAS[level](clusters_of(table))(NONE) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_of_many_uneven_levels_is_that_of_krippendorff(level: Any) -> None:
    rng = np.random.default_rng(8)
    numbers = np.sort(rng.normal(1e6, 3.0, 150))
    truth = rng.integers(0, 150, (200, 1))
    table = np.clip(truth + rng.integers(-9, 10, (200, 4)), 0, 149).astype(float)
    table[rng.random(table.shape) < 0.3] = math.nan
    values = np.where(np.isnan(table), math.nan, numbers[np.nan_to_num(table).astype(int)])
    wanted = peer.alpha(reliability_data=values.T, level_of_measurement=level)
    every = ALPHAS | {"interval": lambda clusters: interval_alpha(clusters, numbers.tolist())}
    assert every[level](clusters_of(table))(NONE) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("raters", [2, 3, 7])
def test_kappas_are_those_of_statsmodels(raters: int) -> None:
    for seed in range(5):
        table = drawn(seed, 40, raters)
        counts, _ = inter_rater.aggregate_raters(table.astype(int), n_cat=3)
        assert fleiss(clusters_of(table))(NONE) == pytest.approx(inter_rater.fleiss_kappa(counts), rel=1e-10)
        cells: Counter[Pattern] = Counter((int(row[0]), int(row[1])) for row in table)
        square = np.array([[cells[(one, other)] for other in range(3)] for one in range(3)])
        wanted = inter_rater.cohens_kappa(square).kappa
        assert cohen(alone(cells))(NONE) == pytest.approx(wanted, rel=1e-10)


def random_clusters(rng: random.Random, name: str) -> Clusters:
    """A few clusters of a few items of up to five categories, with as many raters each where that is needed."""
    found: Counter[Cluster] = Counter()
    for _ in range(rng.randint(3, 8)):
        items: Counter[Pattern] = Counter()
        for _ in range(rng.randint(1, 5)):
            raters = {"fleiss": 3, "cohen": 2}.get(name, rng.randint(2, 5))
            chosen = rng.choices(range(5), k=raters)
            items[tuple(chosen if name == "cohen" else sorted(chosen))] += rng.randint(1, 2)
        found[tuple(sorted(items.items()))] += rng.randint(1, 2)
    return found


@pytest.mark.parametrize("name", [*MEASURES, "cohen"])
def test_the_value_without_a_cluster_is_that_of_the_others(name: str) -> None:
    rng, numbers = random.Random(name), [-2.0, 0.1, 0.5, 3.0, 100.0]
    every = MEASURES | {"cohen": cohen, "interval": lambda clusters: interval_alpha(clusters, numbers)}
    prepare = every[name]
    for _ in range(60):
        clusters = random_clusters(rng, name)
        measure = prepare(clusters)
        for cluster in clusters:
            others = {each: number - (each == cluster) for each, number in clusters.items()}
            wanted = prepare({each: number for each, number in others.items() if number})(NONE)
            found = measure(cluster)
            assert found == (None if wanted is None else pytest.approx(wanted, rel=1e-10, abs=1e-10))


def test_nothing_is_said_where_all_verdicts_are_alike_or_nothing_is_compared() -> None:
    alike: list[dict[Pattern, int]] = [{(1, 1, 1): 5}, {}]
    for patterns in alike:
        for measure in MEASURES.values():
            assert measure(alone(patterns))(NONE) is None
    assert cohen(alone({(1, 1): 7}))(NONE) is None
    assert cohen({})(NONE) is None
    assert fleiss(alone({(0, 0): 3, (0, 1, 2): 2}))(NONE) is None
