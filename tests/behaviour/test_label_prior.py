"""The prior of click rates that a log tells: its strength by scipy, and what it does where clicks are few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sqlrank.behaviour.estimating import UNTOLD, quantile_functions
from sqlrank.behaviour.folder import Folder
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.log import judgments
from sqlrank.statement.templates import sql_text

Counts = Sequence[tuple[int, int]]
"""Of pairs, clicks and impressions."""
ORDINARY: Counts = [(clicks, 40) for clicks in (0, 1, 1, 2, 3, 3, 4, 6, 9, 14)]
RARE: Counts = [*[(0, 300)] * 40, *[(1, 300)] * 12, (3, 500), (7, 900), (9, 400)]
LOGS: dict[str, Counts] = {
    "ordinary": ORDINARY,
    "rare": RARE,
    "a tail seen once": [*ORDINARY, *[(0, 1)] * 90, *[(1, 1)] * 10],
    "alike": [(20, 100)] * 30,
    "0 and 1": [(12, 12)] * 8 + [(0, 15)] * 20,
    "frequent": [(90, 100), (99, 100), (70, 100)],
    "seen once": [(1, 1), (0, 1), (0, 1)],
    "no clicks": [(0, 10)] * 3,
}


def prior_of(counts: Counts) -> dict[str, float]:
    engine = DuckDBEngine()
    rows = [["q"] * len(counts), [str(number) for number in range(len(counts))], *map(list, zip(*counts, strict=True))]
    kinds = {"query_id": "varchar", "doc_id": "varchar", "clicks": "bigint", "impressions": "bigint"}
    engine.load("cells", kinds, rows)
    return Folder(engine).row("strength", cells=sql_text("cells"))


def by_scipy(counts: Counts) -> dict[str, float]:
    """The same posterior mean of 1 / (1 + shape), by scipy's beta-binomial distribution."""
    from scipy.stats import betabinom

    clicks, impressions = np.array(counts, dtype=float).T
    overall = (clicks.sum() + 0.5) / (impressions.sum() + 1)
    least = min(overall, 1 - overall)
    shapes = 2.0 ** np.arange(-8, 12.25, 0.25)
    rates, logarithms = [], []
    for strength in shapes / least:
        told = ((clicks / (impressions + strength)).sum() + overall / (1 + strength)) / (
            (impressions / (impressions + strength)).sum() + 1 / (1 + strength)
        )
        rates.append(told)
        logarithms.append(betabinom.logpmf(clicks, impressions, told * strength, (1 - told) * strength).sum())
    share = 1 / (1 + shapes)
    likely = np.exp(np.array(logarithms) - max(logarithms)) * share**2 * (1 - share)
    mean = (likely * share).sum() / likely.sum()
    doubt = np.sqrt((likely * share**2).sum() / likely.sum() - mean**2)
    return {"rate": (likely * rates).sum() / likely.sum(), "strength": (1 / mean - 1) / least, "doubt": doubt}


@pytest.mark.parametrize("name", LOGS)
def test_the_strength_is_that_of_the_beta_binomial_likelihood(name: str) -> None:
    assert prior_of(LOGS[name]) == pytest.approx(by_scipy(LOGS[name]), rel=1e-6, abs=1e-9)


def test_pairs_seen_once_say_nothing_of_the_spread() -> None:
    alone, with_few = prior_of(ORDINARY), prior_of([*ORDINARY, (0, 1), (0, 1), (0, 1)])
    assert with_few["strength"] == pytest.approx(alone["strength"], rel=0.1)
    untold = prior_of([(1, 1), (0, 1), (0, 1)])
    # 1 / (1 + shape) has the mean 2/3 then, and 1.5 / 4 is the rate: half a click and 5/6 without one.
    assert untold["strength"] == pytest.approx(0.5 / (1.5 / 4), rel=0.02)
    assert untold["doubt"] > UNTOLD > alone["doubt"]


def log_of(clicks: Any, impressions: Any, queries: Any) -> pd.DataFrame:
    pairs = pd.DataFrame({"query_id": queries, "doc_id": np.arange(len(queries)), "c": clicks, "n": impressions})
    rows = pairs.loc[pairs.index.repeat(impressions)]
    number = rows.groupby("doc_id").cumcount()
    columns = {"impression_id": range(len(rows)), "position": 1, "clicked": (number < rows["c"]).astype(int).to_numpy()}
    return rows[["query_id", "doc_id"]].assign(**columns).astype({"doc_id": str})


def labels_of(clicks: Any, impressions: Any, queries: Any) -> tuple[pd.DataFrame, list[str]]:
    """The labels, in the order of the pairs, and the lines below them."""
    with judgments(log_of(clicks, impressions, queries), method="ctr", min_impressions=0) as found:
        rows = found.rows.df()
        return rows.set_index(rows["doc_id"].astype(int)).sort_index(), found.remarks()


def test_an_impression_of_new_documents_leaves_a_label_as_it_was() -> None:
    """By moments it went from 0.156 (0.085 to 0.243) to 0.277, certain to the fourth place."""
    clicks, impressions = map(list, zip(*ORDINARY, strict=True))
    before, _ = labels_of(clicks, impressions, [0] * 10)
    after, lines = labels_of([*clicks, 0, 0, 0], [*impressions, 1, 1, 1], [0] * 13)
    columns = ["relevance", "low", "high"]
    assert after.loc[4, columns].tolist() == pytest.approx(before.loc[4, columns].tolist(), abs=0.005)
    assert any(line.startswith("prior: the click rate of the query, worth up to ") for line in lines)
    assert not any("a weak prior" in line for line in lines)


def test_rates_of_0_and_1_have_ends_around_their_labels() -> None:
    rows, _ = labels_of([12, 0, 0, 15], [12, 15, 20, 15], [0] * 4)
    assert ((rows["low"] <= rows["relevance"]) & (rows["relevance"] <= rows["high"])).all()
    assert rows["low"].between(0, 1).all()
    assert rows["high"].between(0, 1).all()
    _, lines = labels_of([1, 0, 0], [1, 1, 1], [0] * 3)
    assert any(
        "a weak prior of about half a click: the log says little about how far rates differ" in line for line in lines
    )


@pytest.mark.parametrize(
    "shapes", [(0.001, 0.9), (0.9, 0.001), (0.01, 400.0), (0.05, 2.0), (2.0, 0.05), (0.002, 0.002)]
)
def test_ends_of_shapes_near_0_are_scipys(shapes: tuple[float, float]) -> None:
    from scipy.stats import beta

    engine = DuckDBEngine()
    name = quantile_functions(engine)["quantile_of_beta"]
    for z, tail in ((-1.959963984540054, 0.025), (1.959963984540054, 0.975)):
        found = engine.execute(f"select {name}({shapes[0]}::double, {shapes[1]}::double, {z}, {tail})")[0][0]
        assert found == pytest.approx(beta.ppf(tail, *shapes), rel=1e-3, abs=1e-12)


WORLDS = {"rare clicks": (0.8, 0.8 / 0.0026 - 0.8), "a tail seen once": (1.0, 9.0), "alike": (2e5, 8e5)}


@pytest.mark.parametrize("world", WORLDS)
def test_labels_hold_the_truth_where_clicks_are_few(world: str) -> None:
    """Three logs of 600 pairs; by moments some hold none of it."""
    random = np.random.default_rng(11)
    held = []
    for _ in range(3):
        rates = random.beta(*WORLDS[world], 600)
        impressions = np.maximum(1, random.poisson(np.tile(1000 / np.arange(1, 16), 40)))
        if world == "a tail seen once":
            impressions[random.random(600) < 0.7] = 1
        rows, _ = labels_of(random.binomial(impressions, rates), impressions, np.repeat(np.arange(40), 15))
        held.append(((rows["low"] <= rates) & (rates <= rows["high"])).mean())
    assert np.mean(held) > 0.92
    assert min(held) > 0.88
