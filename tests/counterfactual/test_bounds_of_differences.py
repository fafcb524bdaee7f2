"""Differences whose sign the log does not tell have bounds and no verdict; users who search most count once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sqlrank.log import value
from tests.counterfactual.worked import policy
from tests.pages.stated import assert_stated
from tests.support.tables import each

SHOWN = (["a", "b", "c"], ["b", "a", "c"])
RATES = {"a": 0.5, "b": 0.4, "c": 0.2}
PAGE = "explanation/what-a-ranking-would-have-earned.md"


def log_of(impressions: int = 1_200, gain: float = 0.0) -> pd.DataFrame:
    """A log of two rankers, drawn by lot; `gain` is what the second one adds to the chance of a click."""
    rng = np.random.default_rng(1)
    rows = [
        (
            one,
            f"u{one % 300}",
            "q",
            doc,
            place,
            int(rng.random() < RATES[doc] / place + gain * (one % 2)),
            f"r{one % 2}",
        )
        for one in range(impressions)
        for place, doc in enumerate(SHOWN[one % 2], 1)
    ]
    return pd.DataFrame(rows, columns="impression_id user_id query_id doc_id position clicked system".split())


def ranking(*documents: str) -> pd.DataFrame:
    """A run of one query."""
    return pd.DataFrame({"query_id": "q", "doc_id": documents, "rank": range(1, len(documents) + 1)})


def test_a_first_place_that_was_never_shown_gives_bounds_and_no_verdict() -> None:
    log = log_of()
    cells = log.groupby(["position", "doc_id"])["clicked"].mean()
    with value(ranking("z", "a", "c"), log, min_support=0.3) as found:
        (difference,), (row,), notes = found.differences, found.to_dicts(), found.notes
    earned = cells[2, "a"] + cells[3, "c"]
    shown = log["clicked"].sum() / 1_200
    assert row["value"] == pytest.approx(earned, rel=1e-12)
    assert row["at_most"] == pytest.approx(earned + cells[1].max(), rel=1e-12)
    assert difference["bound_low"] == pytest.approx(earned - shown, rel=1e-12)
    assert difference["bound_high"] == pytest.approx(earned + cells[1].max() - shown, rel=1e-12)
    assert difference["bound_low"] < 0 < difference["bound_high"]
    assert (difference["ci_low"], difference["ci_high"], difference["p_value"]) == (None, None, None)
    (note,) = [note for note in notes if "the log does not support enough of them to say which earns more" in note]
    assert "interleave the two rankers" in note


def test_bounds_on_one_side_of_0_leave_the_verdict() -> None:
    with value(ranking("b", "a", "z"), log_of(gain=0.3), min_support=0.5) as found:
        (difference,) = found.differences
    assert 0 < difference["bound_low"] < difference["bound_high"]
    assert difference["p_value"] < 0.05
    assert difference["ci_low"] > 0


def test_two_candidates_are_bounded_by_what_both_leave_open_and_what_is_supported_has_no_bounds() -> None:
    log = log_of()
    runs = {"one": ranking("a", "b", "z"), "other": ranking("b", "y", "c"), "known": ranking("b", "a", "c")}
    with value(systems=runs, log=log, min_support=0.5) as found:
        rows = {row["system"]: row for row in found.to_dicts()}
        differences = {(row["system"], row["other"]): row for row in found.differences}
    one, other, known = (rows[name] for name in runs)
    both = differences["other", "one"]
    assert both["bound_low"] == pytest.approx(other["value"] - one["at_most"], rel=1e-12)
    assert both["bound_high"] == pytest.approx(other["at_most"] - one["value"], rel=1e-12)
    assert known["value"] == known["at_most"]
    assert differences["known", "logged"]["bound_low"] is None
    assert differences["known", "logged"]["p_value"] is not None


@each(["ips_dcg@3", "snips_dcg@3"])
def test_gains_of_a_document_that_was_never_shown_give_bounds_and_no_verdict(estimator: str) -> None:
    """It gains at most what the best document of its query does, here at the first rank."""
    log, looks = log_of(), {1: 1.0, 2: 0.5, 3: 0.25}
    gains = log["clicked"] / log["position"].map(looks)
    each, discount = gains.groupby(log["doc_id"]).mean(), 1 / np.log2(np.arange(2, 5))
    shown = (gains * discount[log["position"] - 1]).sum() / 1_200
    per = each.sum() if estimator.startswith("snips") else 1.0
    earned = (each["a"] * discount[1] + each["c"] * discount[2]) / per
    asked: dict[str, Any] = {"estimators": estimator, "propensities": looks, "min_support": 0.3}
    with value(ranking("z", "a", "c"), log, **asked) as found:
        (difference,), (row,), notes = found.differences, found.to_dicts(), found.notes
        lines = found.remarks()
    assert row["value"] == pytest.approx(earned, rel=1e-12)
    assert row["at_most"] == pytest.approx(earned + each.max() / per, rel=1e-12)
    assert difference["bound_low"] == pytest.approx(earned - shown / per, rel=1e-12)
    assert difference["bound_high"] == pytest.approx(earned + each.max() / per - shown / per, rel=1e-12)
    assert (difference["ci_low"], difference["ci_high"], difference["p_value"]) == (None, None, None)
    assert any("the log does not support enough of them to say which earns more" in note for note in notes)
    assert any("are unsupported and excluded from the value" in line for line in lines)


def test_gains_of_a_query_without_results_are_bounded_at_each_of_its_places() -> None:
    log = pd.concat(
        [log_of(), log_of(300).assign(query_id="other", impression_id=lambda rows: 5_000 + rows.index // 3)]
    )
    looks = {1: 1.0, 2: 1.0, 3: 1.0}
    with value(ranking("a", "b", "c"), log, estimators="ips_dcg@2", propensities=looks, min_support=0.5) as found:
        (row,) = found.to_dicts()
    best = log[log["query_id"] == "other"].groupby("doc_id")["clicked"].mean().max()
    wanted = row["value"] + best * (1 + 1 / np.log2(3)) * 300 / 1_500
    assert row["at_most"] == pytest.approx(wanted, rel=1e-12)


@each(
    {
        "cells": (False, ["item-position", "pbm"], "differences are over the positions that the log supports"),
        "gains": (
            False,
            ["ips_dcg@2"],
            "differences are over all documents, and those that the log",
        ),
        "both": (False, ["pbm", "ips_dcg@2"], "differences are, by pbm: over the positions that the log supports,"),
        "weights": (True, ["item-position"], "differences are over all impressions by the propensities of the log"),
        "nothing": (True, ["item-position"], "documents that it never shows count as nothing"),
        "mean": (True, ["sn-item-position"], "documents that it never shows count as the mean of the rest"),
    }
)
def test_differences_say_what_they_are_over(case: tuple[bool, list[str], str]) -> None:
    weighted, estimators, wanted = case
    log = log_of().assign(propensity=0.5) if weighted else log_of()
    looks = None if weighted else {1: 1.0, 2: 0.5, 3: 0.25}
    with value(ranking("b", "a", "c"), log, estimators=estimators, propensities=looks, anyway=True) as found:
        assert wanted in found.compared()


def test_gains_of_what_was_never_shown_are_no_part_of_a_difference_that_has_all_that_was_shown() -> None:
    """The difference is of the gain of a and c and of the gain of all, and not of the places that both have."""
    log, looks = log_of(), {1: 1.0, 2: 1.0, 3: 1.0}
    with value(ranking("z", "a", "c"), log, estimators="ips_dcg@3", propensities=looks, anyway=True) as found:
        (difference,) = found.differences
    discount = 1 / np.log2(np.arange(2, 5))
    rate = log.groupby("doc_id")["clicked"].mean()
    shown = (log["clicked"] * discount[log["position"] - 1]).sum() / 1_200
    wanted = rate["a"] * discount[1] + rate["c"] * discount[2] - shown
    assert difference["difference"] == pytest.approx(wanted, rel=1e-12)


@each({"never": "b", "always": "a"})
def test_a_value_to_which_all_users_add_the_same_has_no_interval(first: str) -> None:
    """Of 600 impressions with b first none was clicked, which does not rule out 0.5 % (the rule of three)."""
    log = log_of().assign(clicked=lambda rows: ((rows["doc_id"] == "a") & (rows["position"] == 1)).astype(int))
    for interval in ("delta", "bootstrap", "student"):
        with value(ranking(first), log, interval=interval, replicates=50) as found:
            (row,), notes = found.to_dicts(), found.notes
        assert row["value"] == (first == "a")
        assert (row["ci_low"], row["ci_high"]) == (None, None)
        assert any("no interval, as all users add the same to it" in note for note in notes)


@each([1.2, 2.5])
def test_users_who_search_most_count_as_often_as_they_are(exponent: float) -> None:
    rng = np.random.default_rng(4)
    searches = np.ceil(rng.pareto(exponent, 80) + 0.5).astype(int)
    user = np.repeat(np.arange(80), searches)
    action = rng.choice(3, len(user), p=[0.5, 0.3, 0.2])
    clicked = (rng.random(len(user)) < rng.beta(2, 4, 80)[user]).astype(int)
    propensity = np.array([0.5, 0.3, 0.2])[action]
    columns: dict[str, Any] = {"impression_id": range(len(user)), "user_id": user, "query": "q", "position": 1}
    columns |= {"doc_id": [f"a{one}" for one in action], "clicked": clicked, "propensity": propensity}
    asked = policy()
    with value(asked, pd.DataFrame(columns), estimators="item-position", anyway=True) as found:
        (row,) = found.to_dicts()
    chance = asked.drop_duplicates("doc_id").set_index("doc_id")["propensity"]
    counts = clicked * chance.reindex(columns["doc_id"]).to_numpy() / propensity
    sums, sizes = (np.bincount(user, weights, 80) for weights in (counts, np.ones(len(user))))
    total, number = sums.sum() / sizes.sum(), len(searches)
    left_out = (sums.sum() - sums) / (sizes.sum() - sizes)
    linear = (sums - total * sizes) / (sizes.sum() - sizes)
    assert left_out == pytest.approx(total - linear, rel=1e-9)
    error = math.sqrt((linear**2).sum() * (number - 1) / number)
    degrees = sizes.sum() ** 2 / (sizes**2).sum() - 1
    assert row["ci_high"] - row["value"] == pytest.approx(stats.t.ppf(0.975, degrees) * error, rel=1e-9)


def test_one_user_who_searched_nearly_everything_gives_no_interval() -> None:
    log = log_of(400).assign(user_id=lambda rows: np.where(rows["impression_id"] < 380, "heavy", rows["user_id"]))
    with value(ranking("a", "b", "c"), log) as found:
        (row,), notes = found.to_dicts(), found.notes
    assert row["value"] is not None
    assert (row["ci_low"], row["ci_high"], found.differences[0]["p_value"]) == (None, None, None)
    assert any("one user has nearly all of the impressions" in note for note in notes)


def test_the_page_states_what_intervals_of_heavy_users_cover() -> None:
    """4,000 experiments: the error of 95 % is 0.3 points."""
    rng = np.random.default_rng(5)
    sizes = np.ceil(rng.pareto(1, (4_000, 100)) + 0.5).astype(int)
    sums = rng.binomial(sizes, rng.beta(2, 4, sizes.shape))
    every = sizes.sum(axis=1, keepdims=True)
    mean = sums.sum(axis=1, keepdims=True) / every
    residual = sums - mean * sizes
    far, effective = abs(mean[:, 0] - 1 / 3), (every[:, 0] ** 2) / (sizes**2).sum(axis=1)
    error = np.sqrt(((residual / (every - sizes)) ** 2).sum(axis=1) * 0.99)
    plain = np.sqrt((residual**2).sum(axis=1) * 100 / 99) / every[:, 0]
    known = effective >= 1.5
    covered = (far <= stats.t.ppf(0.975, np.maximum(effective - 1, 0.5)) * error)[known].mean()
    assert_stated(100 * covered, PAGE, "intervals of 95 % so cover # %; by")
    assert_stated(100 * (far <= stats.t.ppf(0.975, 99) * plain).mean(), PAGE, "by the number of users they would # %.")
