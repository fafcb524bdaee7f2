"""Judging in the order of the pool tells two systems apart sooner than judging depth by depth, or by chance."""

from __future__ import annotations

import numpy as np
import pytest

import sqlrank
from tests.pages.parts import part
from tests.pooling.trials import (
    ALIKE,
    APART,
    METRICS,
    SETTINGS,
    Setting,
    differences,
    experiment_of,
    in_order,
    outcomes,
    pooled,
    rows,
    settled,
    simulated,
    tables,
)

FEW = 6


@pytest.mark.parametrize(("metric", "depth"), METRICS)
def test_the_trials_evaluate_as_sqlrank_does(metric: str, depth: int) -> None:
    data, pairs = simulated(APART, FEW), pooled(APART, metric, depth, FEW)
    half = {number: in_order(known, "depth")[: len(known) // 2] for number, known in pairs.items()}
    qrels: dict[str, dict[str, float]] = {}
    for query, doc in (pair for known in half.values() for pair in known):
        qrels.setdefault(query, {})[f"d{doc}"] = float(data.relevance[query][doc])
    with sqlrank.evaluate(systems=tables(data), qrels=qrels, metrics=metric) as result:
        values = result.to_dict()
    wanted = dict.fromkeys(half, 0.0)
    for query in qrels:
        wanted[experiment_of(query)] += float(values["a"][query][metric]) - float(values["b"][query][metric])
    found = {number: differences(data, metric, known)[-1] for number, known in half.items()}
    assert found == pytest.approx(wanted, abs=1e-9)


def test_it_is_known_when_an_answer_stays_right() -> None:
    assert settled(np.array([0.0, 1.0, -1.0, 2.0, 3.0])) == 4 / 5
    assert settled(np.array([1.0, 0.5])) == 1 / 2
    assert settled(np.array([-1.0, 0.5])) == 1.0
    assert settled(np.array([1.0, 0.0])) is None


def test_the_order_of_the_pool_needs_fewer_judgments() -> None:
    found = outcomes(ALIKE, "p@10", 10, 40)
    assert found["pool"].mean < 0.5 * found["random"].mean
    assert found["pool"].mean < 0.5 * found["depth"].mean


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "depth"), METRICS)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.words)
def test_the_order_of_the_pool_needs_fewer_judgments_of_every_metric(setting: Setting, metric: str, depth: int) -> None:
    found = outcomes(setting, metric, depth, 200)
    for other in ("depth", "random"):
        assert found["pool"].median < found[other].median
        assert found["pool"].right[0] > found[other].right[0]
    assert found["pool"].mean < 0.7 * found["random"].mean
    if metric in ("p@10", "dcg@10"):  # nothing is divided by what there is to find, which shared documents tell
        assert found["pool"].mean < found["depth"].mean


@pytest.mark.slow
def test_the_table_of_the_documentation_is_that_of_the_trials() -> None:
    table = part("trials pool").rstrip()
    assert table.splitlines() == rows()
