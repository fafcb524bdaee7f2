"""Judging in the order of the pool tells two systems apart sooner than judging depth by depth, or by chance."""

from __future__ import annotations

import numpy as np
import pytest

import sqlrank
from tests.judging.pooling.simulated import ALIKE, APART, SETTINGS, Setting, simulated, tables
from tests.judging.pooling.trials import (
    METRICS,
    WORTH,
    decided,
    differences,
    ends,
    experiment_of,
    in_order,
    outcomes,
    pooled,
    settled,
)
from tests.pages.parts import part
from tests.pages.stated import stated

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


@pytest.mark.parametrize("metric", WORTH)
def test_the_trials_bound_as_sqlrank_does(metric: str) -> None:
    data = simulated(APART, FEW)
    pairs = [pair for known in pooled(APART, metric, 10, FEW).values() for pair in in_order(known, "depth")]
    half = len(pairs) // 2
    qrels: dict[str, dict[str, float]] = {}
    for query, doc in pairs[:half]:
        qrels.setdefault(query, {})[f"d{doc}"] = float(data.relevance[query][doc])
    with sqlrank.pool(systems=tables(data), qrels=qrels, metric=metric, top_relevance=3) as pool:
        (found,) = pool.possible
    wanted, queries = ends(data, metric, pairs), len(data.relevance)
    assert (-found.bound_high, -found.bound_low) == pytest.approx(tuple(wanted[half] / queries), abs=1e-9)
    # when all is judged, they are the difference
    assert tuple(wanted[-1]) == pytest.approx((differences(data, metric, pairs)[-1],) * 2, abs=1e-9)


def test_it_is_known_when_bounds_decide() -> None:
    assert decided(np.array([[-2.0, 2.0], [-1.0, 2.0], [0.0, 2.0], [0.5, 1.0], [0.5, 0.5]])) == 3 / 4
    assert decided(np.array([[-2.0, -1.0], [-1.0, -1.0]])) == 0
    assert decided(np.array([[-2.0, 1.0], [0.0, 0.0]])) is None


def test_it_is_known_when_an_answer_stays_right() -> None:
    assert settled(np.array([0.0, 1.0, -1.0, 2.0, 3.0])) == 4 / 5
    assert settled(np.array([1.0, 0.5])) == 1 / 2
    assert settled(np.array([-1.0, 0.5])) == 1.0
    assert settled(np.array([1.0, 0.0])) is None


@pytest.mark.needs("simulation")
def test_the_order_of_the_pool_needs_fewer_judgments() -> None:
    """40 experiments: the pool is to need less than half of what others do, on average."""
    found = outcomes(ALIKE, "p@10", 10, 40)
    assert found["pool"].mean < 0.5 * found["random"].mean
    assert found["pool"].mean < 0.5 * found["depth"].mean


def told(order: str, column: int) -> dict[tuple[str, str], float]:
    """A column of the table of the documentation, of one order, by systems and metric."""
    found: dict[tuple[str, str], float] = {}
    systems = metric = ""
    for line in part("trials pool").splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        systems, metric = cells[0] or systems, cells[1] or metric
        if cells[3] == order and cells[column] != "none":
            found[systems, metric] = float(cells[column])
    return found


HINDSIGHT, BOUNDS = 10, 12
"""The columns of the medians."""


def test_the_sentences_on_what_is_needed_are_those_of_the_table() -> None:
    page, near = "explanation/pooling.md", (ALIKE.words, "p@10")
    pool, depth = told("`sqlrank pool`", HINDSIGHT), told("depth by depth", HINDSIGHT)
    alone = [pool.pop(near), depth.pop(near)]
    sentence = "needs # % of the judging, compared with # % depth by depth, for near-identical systems on p@10 alone"
    assert [float(figure) for figure in stated(page, sentence)] == alone
    sentence = "depth by depth needs # to # %, and the order of the pool # to # % (medians, in hindsight)"
    assert [float(figure) for figure in stated(page, sentence)] == [*span(depth), *span(pool)]
    certain = [span(told(order, BOUNDS)) for order in ("`sqlrank pool`", "depth by depth", "random")]
    sentence = "By bounds the order of the pool needs # to # %, depth by depth # to # %, and chance # to # %"
    assert [float(figure) for figure in stated(page, sentence)] == [end for ends_of in certain for end in ends_of]


def span(found: dict[tuple[str, str], float]) -> tuple[float, float]:
    """The least and the largest."""
    return min(found.values()), max(found.values())


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(("metric", "depth"), METRICS)
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.words)
def test_the_order_of_the_pool_needs_fewer_judgments_of_every_metric(setting: Setting, metric: str, depth: int) -> None:
    """200 experiments: a tenth of them is 1.5 standard errors of a share of a half."""
    found = outcomes(setting, metric, depth, 200)
    for other in ("depth", "random"):
        assert found["pool"].median < found[other].median
        assert found["pool"].right[0] > found[other].right[0]
    assert found["pool"].mean < 0.7 * found["random"].mean
    if metric in ("p@10", "dcg@10"):  # nothing is divided by what there is to find, which shared documents tell
        assert found["pool"].mean < found["depth"].mean
