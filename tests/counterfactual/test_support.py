"""The share of its places that a log supports: they count by what their positions earn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sqlrank.counterfactual.supported import weighted_support
from sqlrank.counterfactual.unit_sums import Weights
from sqlrank.errors import DataError
from sqlrank.log import value
from tests.support.tables import each

CLICKS = (240, 40, 40, 20, 12, 8)
"""Clicks at each of six positions, of 400 impressions: two thirds of all are at the first one."""
ANYWAY: dict[str, Any] = {"anyway": True, "min_support": 0.0}


def log_of(clicks: tuple[int, ...] = CLICKS, query: str = "q", first: int = 0) -> pd.DataFrame:
    """Two rankings by turns, 200 impressions each, of which the second one has each pair of documents the other way."""
    rows = []
    for one in range(400):
        shown = "abcdef" if one % 2 else "badcfe"
        for place, doc in enumerate(shown, 1):
            rows.append((first + one, query, doc, place, int(one < clicks[place - 1])))
    return pd.DataFrame(rows, columns="impression_id query_id doc_id position clicked".split())


def ranking(documents: str, query: str = "q") -> pd.DataFrame:
    """A run of one query."""
    return pd.DataFrame({"query_id": query, "doc_id": list(documents), "rank": range(1, len(documents) + 1)})


def valued(run: Any, log: pd.DataFrame, **options: Any) -> tuple[dict[str, Any], Any]:
    """The only row of a value, and the value."""
    found = value(run, log, **ANYWAY, **options)
    (row,) = found.to_dicts()
    return row, found


def test_a_worthless_first_place_that_was_never_shown_is_most_of_a_ranking() -> None:
    """By impressions five of six places are shown, 83 %, which was enough for a value and a verdict."""
    log = log_of()
    with pytest.raises(DataError) as refused:
        value(ranking("zbcdef"), log)
    assert "the log supports 33 % of its positions (shown 5 times or more), weighted by reward" in str(refused.value)
    assert "most is missing for query 'q', with 33 % supported" in str(refused.value)
    row, found = valued(ranking("zbcdef"), log)
    assert row["supported"] == pytest.approx(120 / 360, rel=1e-12)
    assert [one["supported"] for one in found.support] == [0, 1, 1, 1, 1, 1]
    (difference,) = found.differences
    # as good as the best known at the first place it earns what was shown, and no more
    assert (difference["bound_low"], difference["bound_high"]) == pytest.approx((-0.6, 0.0), abs=1e-12)
    assert (difference["ci_low"], difference["p_value"]) == (None, None)
    line = "run by item-position: 67 % of its positions, weighted by reward, are unsupported and excluded"
    assert any(each.startswith(line) for each in found.remarks())


def test_last_places_that_were_never_shown_are_little_of_it() -> None:
    """By impressions half of the places are shown, and there was no value."""
    with value(ranking("abcxyz"), log_of()) as found:
        (row,) = found.to_dicts()
    assert row["supported"] == pytest.approx(320 / 360, rel=1e-12)
    assert row["value"] == pytest.approx((240 + 40 + 40) / 400)
    assert row["at_most"] > row["value"]


def test_places_without_any_reward_count_by_impressions() -> None:
    log = log_of((0, 0, 0, 40, 20, 10))
    row, found = valued(ranking("zbc"), log)
    assert row["supported"] == pytest.approx(2 / 3, rel=1e-12)
    said = "weighted by impressions, as their positions earned nothing"
    assert found.to_dicts(per_query=True)[0]["supported"] == pytest.approx(2 / 3, rel=1e-12)
    with pytest.raises(DataError, match=rf"supports 67 % of its positions \(shown 5 times or more\), {said}"):
        value(ranking("zbc"), log)


def test_a_query_that_earned_nothing_is_as_much_of_a_ranking_as_others() -> None:
    """What the log showed for it may be worthless where what the candidate would show is not."""
    log = pd.concat([log_of(), log_of((0,) * 6, "other", 1_000)])
    runs = pd.concat([ranking("abcdef"), ranking("uvwxyz", "other")])
    row, _ = valued(runs, log)
    assert row["supported"] == pytest.approx(0.5, rel=1e-12)
    with value(ranking("abcdef"), log, **ANYWAY) as without:
        assert without.to_dicts()[0]["supported"] == pytest.approx(0.5, rel=1e-12)


@each(["item-position", "pbm", "document", "ips_dcg@6"])
def test_all_that_is_shown_is_exactly_all(estimator: str) -> None:
    looks = {place: 1 / place for place in range(1, 7)}
    asked: dict[str, Any] = {} if estimator in ("item-position", "document") else {"propensities": looks}
    with value(ranking("bacdef"), log_of(), estimators=estimator, min_support=1, anyway=True, **asked) as found:
        (row,) = found.to_dicts()
    assert row["supported"] == 1
    assert not any("the log supports" in note for note in found.notes)


def test_gains_count_ranks_by_the_discounted_gain_of_their_position() -> None:
    """Ranks below the log's last position gain as any document does; a query without results is its whole list."""
    log, looks = pd.concat([log_of(), log_of(query="other", first=1_000)]), np.array([1, 0.5, 0.4, 0.3, 0.2, 0.1])
    asked: dict[str, Any] = {"propensities": dict(enumerate(looks, 1)), "estimators": "ips_dcg@8"}
    discount = 1 / np.log2(np.arange(2, 10))
    gains = np.array(CLICKS) / 400 / looks
    gains = discount * np.append(gains, [gains.mean()] * 2)
    row, _ = valued(ranking("zabcdefy"), log[log["query_id"] == "q"], **asked)
    assert row["supported"] == pytest.approx(gains[1:7].sum() / gains.sum(), rel=1e-12)
    row, _ = valued(ranking("zabcde"), log, **asked)
    assert row["supported"] == pytest.approx(gains[1:6].sum() / (2 * gains[:6].sum()), rel=1e-12)


def test_logged_propensities_count_positions_by_what_they_earn() -> None:
    log = log_of().assign(propensity=0.5)
    with value(ranking("zbcdef"), log, estimators="item-position", **ANYWAY) as found:
        (row,), support = found.to_dicts(), found.support
    assert row["mean_weight"] == pytest.approx(5 / 6)
    assert row["supported"] == pytest.approx(120 / 360, rel=1e-12)
    assert [one["supported"] for one in support] == pytest.approx([0, 1, 1, 1, 1, 1])


def test_weights_of_positions_that_earn_more_count_more() -> None:
    rows = [
        {"position": 1, "places": 100, "rewards": 30, "raw_2": 40.0},
        {"position": 2, "places": 50, "rewards": 10, "raw_2": 55.0},
    ]
    weights = Weights(ess=100, largest=0.1, mean=95 / 150, error=0.01, most=2)
    found = weighted_support(rows, 2, weights)
    assert found.share == pytest.approx((0.4 * 30 + 1.1 * 10) / 40)
    assert found.by_position == pytest.approx({1: 0.4, 2: 1.0})
    unearned = weighted_support([row | {"rewards": 0} for row in rows], 2, weights)
    assert unearned.share == pytest.approx(95 / 150)
    assert "by impressions" in unearned.counted_by
