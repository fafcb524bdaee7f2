"""Values where the truth is known: people of the position-based model, and people who stop when they are satisfied."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sqlrank.errors import DataError
from sqlrank.log import value
from tests.behaviour.simulated import EXAMINATION, GOING_ON, PLACES, QUERIES, Shown, logged

THETA = dict(enumerate(EXAMINATION, 1))
TRAFFIC = 1 / np.arange(1, QUERIES + 1) / (1 / np.arange(1, QUERIES + 1)).sum()
BY_POSITION = {
    "best": (0.50, 0.25, 0.42, 0.37, 0.45, 0.18, 0.19, 0.65),
    "reversed": (0.06, 0.30, 0.10, 0.27, 0.05, 0.40, 0.24, 0.01),
}
"""The share of the places of two rankings that a log of three others has shown."""


def runs(shown: Shown) -> dict[str, Any]:
    """The orders of a logged ranker, of the best one, and of the logged one from the bottom up."""
    ranker = np.stack([shown.documents[(shown.query == q) & (shown.ranker == 0)][0] for q in range(QUERIES)])
    return {"ranker": ranker, "best": np.argsort(-shown.attraction, axis=1), "reversed": ranker[:, ::-1]}


def frame(order: Any) -> Any:
    """A run of an order."""
    rows = [(query, doc, -place) for query in range(QUERIES) for place, doc in enumerate(order[query])]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])


def truth(shown: Shown, order: Any, model: str) -> float:
    """How many clicks an impression has of an order."""
    attracts = np.take_along_axis(shown.attraction, order, 1)
    if model == "pbm":
        return float(TRAFFIC @ (attracts * EXAMINATION).sum(1))
    satisfies = np.take_along_axis(shown.satisfaction, order, 1)
    goes_on = np.cumprod((1 - attracts * satisfies) * GOING_ON, axis=1)
    looks = np.hstack([np.ones((QUERIES, 1)), goes_on[:, :-1]])
    return float(TRAFFIC @ (attracts * looks).sum(1))


TABLE = {
    "pbm": {"ranker": (1.1803, 1.1754, 1.1819), "best": (1.3120, 0.5680, 1.3121), "reversed": (0.7782, 0.1267, 0.7711)},
    "dbn": {"best": (1.2759, 0.5595, 1.4147), "reversed": (0.9983, 0.1539, 0.7726)},
}
"""By people and ranking: the truth, item-position, and the position-based model with known propensities."""
SUPPORTED = {"pbm": {"ranker": 1, "best": 0.4065, "reversed": 0.1505}, "dbn": {"best": 0.4034, "reversed": 0.1529}}
"""By people and ranking: the share of its places that is supported, by what their positions earn."""


@pytest.mark.parametrize("model", TABLE)
def test_values_of_known_people(model: str) -> None:
    shown = logged(model)
    orders = runs(shown)
    with value(log=shown.frame(), systems={name: frame(order) for name, order in orders.items()}, propensities=THETA,
               anyway=True) as found:  # fmt: skip
        rows = {(row["system"], row["estimator"]): row for row in found.to_dicts()}
        support, lines = found.support, "\n".join(found.remarks())

    for name, (real, by_cells, by_model) in TABLE[model].items():
        assert truth(shown, orders[name], model) == pytest.approx(real, abs=5e-5)
        assert rows[name, "item-position"]["value"] == pytest.approx(by_cells, abs=6e-5)
        assert rows[name, "pbm"]["value"] == pytest.approx(by_model, abs=6e-5)
        covered = rows[name, "pbm"]["ci_low"] <= real <= rows[name, "pbm"]["ci_high"]
        assert covered == (model == "pbm")
    for name, wanted in BY_POSITION.items():
        shares = [row["supported"] for row in support if (row["system"], row["estimator"]) == (name, "item-position")]
        assert shares == pytest.approx(wanted, abs=5e-3)
    whole = {name: rows[name, "item-position"]["supported"] for name in TABLE[model]}
    assert whole == pytest.approx(SUPPORTED[model], abs=5e-5)
    assert rows["ranker", "item-position"]["supported"] == 1
    assert "position-based model" in lines
    if model == "pbm":
        assert rows["ranker", "item-position"]["ess"] == pytest.approx(8829, abs=1)
        assert rows["ranker", "item-position"]["ci_low"] <= 1.1803 <= rows["ranker", "item-position"]["ci_high"]


@pytest.mark.parametrize("name", BY_POSITION)
def test_what_was_not_shown_is_refused_whatever_its_interval(name: str) -> None:
    shown = logged("pbm", impressions=5000, seed=8)
    order = runs(shown)[name]

    with pytest.raises(DataError, match="the log supports"):
        value(frame(order), shown.frame())


def test_propensities_are_learned_of_the_log_where_none_are_told() -> None:
    shown = logged("pbm")
    orders = runs(shown)
    systems = {name: frame(order) for name, order in orders.items()}

    with value(log=shown.frame(), systems=systems, estimators="pbm") as found:
        learned = {row["system"]: row["value"] for row in found.to_dicts()}
        lines = "\n".join(found.remarks())

    assert learned == pytest.approx({"ranker": 1.1817, "best": 1.3128, "reversed": 0.7656}, abs=6e-3)
    assert "learned of the same log" in lines


@pytest.mark.needs("simulation")
@pytest.mark.parametrize("interval", ["delta", "bootstrap"])
def test_intervals_cover_the_truth_where_the_model_is_right(interval: str) -> None:
    """Four intervals of 30 logs, or of 20 by the bootstrap: the standard error of 95 % is 2 points or 2.4."""
    hits: dict[str, list[bool]] = {}
    for seed in range(100, 130 if interval == "delta" else 120):
        shown = logged("pbm", impressions=4000, seed=seed)
        orders = runs(shown)
        systems = {name: frame(orders[name]) for name in ("ranker", "best")}
        with value(log=shown.frame(), systems=systems, propensities=THETA, interval=interval, replicates=200,
                   min_impressions=1, anyway=True) as found:  # fmt: skip
            rows, differences = found.to_dicts(), found.differences
        real = {name: truth(shown, orders[name], "pbm") for name in systems}
        for row in rows:
            if (row["system"], row["estimator"]) != ("best", "item-position"):
                held = row["ci_low"] <= real[row["system"]] <= row["ci_high"]
                hits.setdefault(f"{row['system']} {row['estimator']}", []).append(held)
        (pair,) = (row for row in differences if row["other"] == "ranker" and row["estimator"] == "pbm")
        held = pair["ci_low"] <= real["best"] - real["ranker"] <= pair["ci_high"]
        hits.setdefault("difference", []).append(held)

    shares = {name: float(np.mean(held)) for name, held in hits.items()}
    assert min(shares.values()) >= 0.8, shares
    assert np.mean(list(shares.values())) >= 0.9, shares


@pytest.mark.needs("simulation")
def test_bounds_hold_of_what_is_not_supported() -> None:
    """20 logs: bounds that hold in 86 % of logs would pass one time in twenty."""
    held = []
    for seed in range(20):
        shown = logged("pbm", impressions=4000, seed=seed)
        order = runs(shown)["best"]
        with value(frame(order), shown.frame(), anyway=True) as found:
            row = found.to_dicts()[0]
        held.append(row["value"] <= truth(shown, order, "pbm") <= row["at_most"])

    assert all(held)


def test_every_position_has_a_propensity() -> None:
    shown = logged("pbm", impressions=2000)
    told = {position: chance for position, chance in THETA.items() if position < PLACES}

    with pytest.raises(DataError, match="position 8 has no propensity"):
        value(frame(runs(shown)["best"]), shown.frame(), estimators="pbm", propensities=told)


def drawn(impressions: int, attraction: Any, seed: int = 5) -> Any:
    """A log whose lists of three of four documents are drawn by lot, of people who look down to their first click."""
    random = np.random.default_rng(seed)
    docs = np.argsort(random.random((impressions, 4)), axis=1)[:, :3]
    clicks = random.random((impressions, 3)) < attraction[docs]
    clicks &= np.cumsum(clicks, axis=1) == 1
    return pd.DataFrame(
        {
            "impression_id": np.repeat(np.arange(impressions), 3),
            "query_id": "q",
            "doc_id": [f"d{doc}" for doc in docs.ravel()],
            "position": np.tile([1, 2, 3], impressions),
            "clicked": clicks.ravel().astype(int),
            "propensity": 1 / 4,
            "propensity_prefix": np.tile([1 / 4, 1 / 12, 1 / 24], impressions),
            "propensity_list": 1 / 24,
        }
    )


def test_a_ranking_is_valued_by_lists_that_were_drawn() -> None:
    """Weights of prefixes and lists bear people who stop, and those of single documents do not."""
    attraction = np.array([0.6, 0.4, 0.3, 0.1])
    run = pd.DataFrame({"query_id": "q", "doc_id": ["d0", "d1", "d2"], "score": [3, 2, 1]})
    real = 0.6 + 0.4 * 0.4 + 0.4 * 0.6 * 0.3
    estimators = ["item-position", "cascade", "list", "sn-cascade", "sn-list", "dr", "sn-dr"]

    with value(run, drawn(6000, attraction), estimators=estimators) as found:
        rows = {row["estimator"]: row for row in found.to_dicts()}

    for name in estimators[1:]:
        assert rows[name]["ci_low"] <= real <= rows[name]["ci_high"], name
    # a click at a place depends on those above it, which are worse in the log
    assert rows["item-position"]["ci_low"] > real
    widths = {name: row["ci_high"] - row["ci_low"] for name, row in rows.items()}
    assert widths["dr"] < widths["cascade"] < widths["list"]


@pytest.mark.needs("simulation")
def test_intervals_of_weighted_values_cover_the_truth() -> None:
    """Three intervals of 60 logs: the standard error of 95 % is 1.6 points, and the bound three of them below."""
    attraction = np.array([0.6, 0.4, 0.3, 0.1])
    run = pd.DataFrame({"query_id": "q", "doc_id": ["d0", "d1", "d2"], "score": [3, 2, 1]})
    real, held = 0.6 + 0.4 * 0.4 + 0.4 * 0.6 * 0.3, []
    for seed in range(60):
        with value(run, drawn(3000, attraction, seed), estimators=["cascade", "sn-list", "dr"]) as found:
            held += [row["ci_low"] <= real <= row["ci_high"] for row in found.to_dicts()]

    assert np.mean(held) >= 0.9
