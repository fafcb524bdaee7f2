"""Values worked out by hand and by OBP, with every refusal off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sqlrank.log import value
from tests.counterfactual.worked import (
    ACTIONS,
    CANDIDATE,
    EXPECTED,
    LOGGED,
    REWARDS,
    RUN,
    THETA,
    expected,
    listed,
    policy,
    ranked,
    rounds,
    slates,
)

ROUNDS: dict[str, tuple[float, dict[str, Any]]] = {
    "item-position": (0.516667, {}),
    "cascade": (0.516667, {}),
    "list": (0.516667, {}),
    "sn-item-position": (0.476923, {}),
    "dm": (0.4, {}),
    "dr": (0.491667, {}),
    "sn-dr": (0.484615, {}),
    "switch-dr": (0.425, {"clip": 1.5}),
    "dr-os": (0.431868, {"clip": 1}),
}
"""OBP 0.5.5, of twelve rounds."""
SLATES = {
    "list": (1.9, 0.658281),
    "item-position": (1.386111, 0.490472),
    "cascade": (1.347222, 0.505093),
    "sn-list": (1.212766, None),
    "sn-item-position": (1.295569, None),
    "sn-cascade": (1.193903, None),
}
BOUNDS = {"bernstein": -1.640610, "hoeffding": -0.189937, "student": 0.125055}


def one(found: Any) -> dict[str, Any]:
    """The only row."""
    (row,) = found.to_dicts()
    return dict(row)


@pytest.mark.parametrize("estimator", ROUNDS)
def test_rounds_of_one_slot_are_valued_as_obp_does(estimator: str) -> None:
    wanted, options = ROUNDS[estimator]
    told = expected() if estimator.endswith(("dm", "dr", "dr-os")) else None

    with value(policy(), rounds(), estimators=estimator, expected=told, anyway=True, **options) as found:
        assert one(found)["value"] == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize(("estimator", "clip", "tested"), [("switch-dr", 1.5, False), ("switch-dr", 3.0, True),
                                                         ("dr-os", 1.0, False), ("dr-os", 1_000.0, True),
                                                         ("dr", 1.5, False), ("item-position", 1.5, True)])  # fmt: skip
def test_what_weights_no_longer_correct_is_not_tested(estimator: str, clip: float, tested: bool) -> None:
    with value(policy(), rounds(), estimators=estimator, clip=clip, anyway=True) as found:
        row, (difference,), notes = one(found), found.differences, found.notes
    assert row["value"] is not None
    assert difference["difference"] is not None
    for number in (row["ci_low"], row["ci_high"], *(difference[name] for name in ("ci_low", "ci_high", "p_value"))):
        assert (number is not None) == tested
    said = [note for note in notes if note.endswith("or take dr")]
    assert len(said) == (not tested)
    assert all("which should correct the expected rewards" in note for note in said)


def test_clipping_says_what_it_costs() -> None:
    with value(policy(), rounds(), estimators="item-position", clip=1.5, anyway=True) as found:
        row = one(found)

    assert row["value"] == pytest.approx(0.433333, abs=1e-6)
    assert row["clipped"] == pytest.approx(4 / 12)
    assert row["clipped_mass"] == pytest.approx(2 / 13)
    assert row["mean_weight"] == pytest.approx(13 / 12)


def test_weights_and_intervals_of_rounds() -> None:
    with value(policy(), rounds(), anyway=True) as found:
        plain, normalised = found.to_dicts()

    assert (plain["estimator"], normalised["estimator"]) == ("item-position", "sn-item-position")
    assert plain["mean_weight"] == pytest.approx(1.083333, abs=1e-6)
    assert plain["ess"] == pytest.approx(8.535354, abs=1e-6)
    assert plain["largest_weight"] == pytest.approx(0.153846, abs=1e-6)
    assert (plain["ci_low"], plain["ci_high"]) == pytest.approx((0.036718, 0.996615), abs=1e-6)
    half = 2.2009851600916384 * 0.178593
    assert (normalised["ci_high"] - normalised["ci_low"]) / 2 == pytest.approx(half, abs=2e-6)


@pytest.mark.parametrize("interval", BOUNDS)
def test_lower_bounds_of_few_rounds(interval: str) -> None:
    with value(policy(), rounds(), estimators="item-position", interval=interval, anyway=True) as found:
        row = one(found)

    assert row["ci_low"] == pytest.approx(BOUNDS[interval], abs=1e-6)
    assert row["ci_high"] is None


def test_doubly_robust_values_are_those_of_plain_numpy() -> None:
    """Rewards learned of the other half are checked by told ones; these by the formula."""
    action, reward = np.array(ACTIONS), np.array(REWARDS)
    weight = np.array(CANDIDATE)[action] / np.array(LOGGED)[action]
    prospect = float(np.dot(CANDIDATE, EXPECTED))
    wanted = np.mean(weight * (reward - np.array(EXPECTED)[action]) + prospect)

    with value(policy(), rounds(), estimators=["dr", "dm"], expected=expected(), anyway=True) as found:
        robust, direct = found.to_dicts()

    assert robust["value"] == pytest.approx(wanted, abs=1e-12)
    assert direct["value"] == pytest.approx(prospect, abs=1e-12)
    assert direct["ci_low"] is None


@pytest.mark.parametrize("estimator", SLATES)
def test_slates_are_valued_as_obp_does(estimator: str) -> None:
    log, candidate = slates()
    wanted, error = SLATES[estimator]

    with value(candidate, log, estimators=estimator, anyway=True) as found:
        row = one(found)

    assert row["value"] == pytest.approx(wanted, abs=1e-6)
    if error is not None:
        assert (row["ci_high"] - row["ci_low"]) / 2 == pytest.approx(2.5705818366147395 * error, abs=3e-6)


def test_the_cascade_is_doubly_robust_as_obp_has_it() -> None:
    log, shown = slates()
    likely = shown.set_index(["slate_id", "position", "doc_id"])["pscore_cascade"]
    every = pd.DataFrame(
        [
            (slate, slot, doc, 0.25, likely.get((slate, slot, doc)))
            for slate in log["slate_id"].unique()
            for slot in range(3)
            for doc in "abcd"
        ],
        columns=["slate_id", "position", "doc_id", "propensity", "propensity_prefix"],
    )
    told = pd.DataFrame({"doc_id": list("abcd"), "reward": [0.5, 0.4, 0.3, 0.1]})

    with value(every, log, estimators="dr", expected=told, anyway=True) as found:
        assert one(found)["value"] == pytest.approx(1.040069, abs=1e-6)


def test_a_ranking_is_valued_by_what_the_log_shows_of_itself() -> None:
    asked: dict[str, Any] = {
        "estimators": ["item-position", "pbm"],
        "propensities": THETA,
        "min_impressions": 1,
        "anyway": True,
    }
    by_query = {}
    for query in RUN:
        log = listed()
        with value(ranked(**RUN), log[log["query_id"] == query], **asked) as found:
            by_query[query] = [row["value"] for row in found.to_dicts()]
    with value(ranked(**RUN), listed(), **asked) as found:
        cells, model = found.to_dicts()

    assert by_query["shoes"] == pytest.approx([1.7, 1.267931], abs=1e-6)
    assert by_query["hat"] == pytest.approx([0.666667, 1.166667], abs=1e-6)
    assert cells["value"] == pytest.approx((6 * 1.7 + 4 * 2 / 3) / 10)
    assert model["value"] == pytest.approx(1.227425, abs=1e-6)
    # positions have 5, 3, 2 and 1 clicks in 10 impressions each, and the third is shown of 4 of these
    assert cells["supported"] == pytest.approx((5 + 3 + 0.4 * 2 + 1) / 11, rel=1e-12)
    assert model["supported"] == 1
    assert [row["supported"] for row in found.support[:4]] == pytest.approx([1, 1, 0.4, 1])
    # of the third place of the shoes, whose best document there has 1 click in 4 impressions
    assert cells["at_most"] == pytest.approx(cells["value"] + 6 * 0.25 / 10)


def test_gains_are_those_of_clicks_over_propensities() -> None:
    """Every document is in every list, as Joachims, Swaminathan and Schnabel have it."""
    log = listed()
    rank = {(query, doc): place for query, docs in RUN.items() for place, doc in enumerate(docs, 1)}
    worth = log["clicked"] / log["position"].map(THETA)
    places = np.array([rank[pair] for pair in zip(log["query_id"], log["doc_id"], strict=True)])
    discount = np.where(places <= 3, 1 / np.log2(places + 1), 0)

    with value(ranked(**RUN), log, estimators=["ips_dcg@3", "snips_dcg@3"], propensities=THETA, min_impressions=1,
               anyway=True) as found:  # fmt: skip
        plain, normalised = found.to_dicts()

    assert plain["value"] == pytest.approx((worth * discount).sum() / 10, abs=1e-12)
    assert normalised["value"] == pytest.approx((worth * discount).sum() / worth.sum(), abs=1e-12)
