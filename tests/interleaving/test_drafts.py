"""The lists behind votes: picks that both rankers would have made, lists that end, and drafts that are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pytest

from sqlrank.errors import DataError, UsageError
from sqlrank.log import interleave
from tests.interleaving.drafted import drafted

Rows = list[dict[str, Any]]


def lists(*shown: tuple[str, str, str], ranks: Sequence[str] = ()) -> pd.DataFrame:
    """Lists as documents, teams and clicks, a letter for each place; `ranks` are the lists of A and B."""
    rows = []
    for number, (documents, teams, clicks) in enumerate(shown):
        for place, (document, team, click) in enumerate(zip(documents, teams, clicks, strict=True), 1):
            row = {"impression_id": number, "query_id": "q", "doc_id": document, "position": place, "user_id": number}
            row |= {"team": team if team != "-" else None, "clicked": int(click)}
            for name, ranking in zip(("rank_a", "rank_b"), ranks, strict=False):
                row[name] = ranking.find(document) + 1 or None
            rows.append(row)
    return pd.DataFrame(rows)


def credits_of(data: pd.DataFrame, **options: Any) -> list[tuple[float, float]]:
    with interleave(data, **options) as found:
        names = found.credits.columns
        rows = [dict(zip(names, row, strict=True)) for row in found.credits.order("impression_id").fetchall()]
    return [(row["credit_1"], row["credit_2"]) for row in rows]


def test_a_pick_that_both_would_have_made_is_no_ones() -> None:
    # a is the best of both, then b is the best that is left to both.
    data = lists(("acbd", "ABBA", "1110"), ("acbd", "BAAB", "0011"), ranks=("abcd", "acbd"))

    with interleave(data) as found:
        assert "both rankers would have made 4 picks: clicks on them count for neither" in found.remarks()
    assert credits_of(data) == [(0, 1), (0, 1)]
    assert credits_of(data.drop(columns=["rank_a", "rank_b"])) == [(1, 2), (1, 1)]


def test_a_list_is_cut_where_one_ranker_has_no_documents_left() -> None:
    data = lists(("abcde", "ABAAA", "10101"), ("abcde", "BAABA", "00001"), ("abcde", "BAAAA", "00011"))
    with interleave(data) as found:
        said, (row,) = found.remarks(), found.to_dicts()

    assert credits_of(data) == [(1, 0), (1, 0), (0, 0)]
    # Of the third list nothing was clicked while both had documents left.
    assert (row["wins_a"], row["ties"], row["without_clicks"]) == (2, 0, 1)
    assert any("2 lists (67 %) go on where one ranker has no documents left" in line for line in said)


def test_documents_without_a_team_take_no_turn() -> None:
    # The second place is an ad that was not marked as one.
    data = lists(("axbcd", "A-BBA", "11001"), ("axbcd", "B-AAB", "00010"), ("abcd", "ABBA", "1000"))

    assert credits_of(data) == [(2, 0), (1, 0), (1, 0)]


def broken(data: pd.DataFrame) -> pd.DataFrame:
    """Every tenth list sorted by team."""
    parts = [part.sort_values("team") if number % 10 == 0 else part for number, part in data.groupby("impression_id")]
    found = pd.concat(parts)
    return found.assign(position=found.groupby("impression_id").cumcount() + 1)


def unfair(data: pd.DataFrame) -> pd.DataFrame:
    """A begins all lists but every fifth."""
    first = data[data["position"] == 1].set_index("impression_id")["team"]
    turned = data["impression_id"].map(first).eq("B") & (data["impression_id"] % 5 != 0)
    return data.assign(team=data["team"].where(~turned, data["team"].map({"A": "B", "B": "A"})))


REFUSED: list[tuple[Callable[[pd.DataFrame], pd.DataFrame], dict[str, Any], str]] = [
    (unfair, {}, "of the first picks of lists and"),
    (broken, {}, "not made by a team draft, such as"),
    (
        lambda data: data.assign(team=data["team"].where(data.index > 0, "x")),
        {},
        "in each round of 3 every ranker (A, B, x) has one pick; is each of these a ranker",
    ),
    (lambda data: data.assign(system=data["team"] + (data["impression_id"] % 2).astype(str)), {}, "are of 2 systems"),
    (lambda data: data.assign(team="A"), {}, "team names 1 ranker (A)"),
    (lambda data: data.assign(team=data["team"].where(data["position"] > 2)), {}, "no ranker picked"),
    (lambda data: data.drop(columns="team"), {}, "has no column team, which team draft lists are credited by"),
    (lambda data: data, {"design": "balanced"}, "has no column rank_a, which balanced lists are credited by"),
    (lambda data: data.assign(rank_a=0, rank_b=1), {}, "have a rank in a list that is below 1"),
    (
        lambda data: data.assign(rank_a=data["position"], rank_b=data["position"], length_a=5, length_b=9),
        {"design": "probabilistic"},
        "have a rank in a list that is below 1, or beyond its length, such as",
    ),
    (lambda data: data, {"credit": "cart=3"}, "has no column cart for credit="),
    (lambda data: data.assign(position=data["position"] + 130 * (data["position"] > 5)), {}, "has 136 documents"),
]


@pytest.mark.parametrize(("change", "options", "says"), REFUSED, ids=[says[:30] for _, _, says in REFUSED])
def test_what_is_no_experiment_is_refused(
    change: Callable[[pd.DataFrame], pd.DataFrame], options: dict[str, Any], says: str
) -> None:
    with pytest.raises(DataError, match=says.replace("(", r"\(").replace(")", r"\)")):
        interleave(change(drafted()), **options)


UNUSABLE: list[tuple[dict[str, Any], str]] = [
    ({"unit": "session"}, "has no column of sessions"),
    ({"unit": "impression", "test": "sign"}, "takes impressions for independent"),
    ({"baseline": "C"}, "the rankers are A, B"),
    ({"credit": "win"}, "--credit win is not known|credit"),
    ({"credit": "cart=-1"}, "a number above 0"),
    ({"credit": "like=2"}, "like"),
    ({"design": "optimized"}, "optimized"),
    ({"sequential": True, "test": "t"}, "is a test of its own"),
    ({"by": "colour"}, "colour"),
    ({"by": "decision"}, "the output has a column of that name"),
]


@pytest.mark.parametrize(("options", "says"), UNUSABLE)
def test_what_cannot_be_asked_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises((UsageError, DataError), match=says):
        interleave(drafted(users=50), **options)


def test_lists_longer_than_the_bits_of_a_bigint_are_counted_too() -> None:
    data = drafted(users=30, length=100)
    cut = data[data["position"] <= 60]
    with interleave(data) as wide, interleave(cut) as narrow, interleave(data, shown_depth=60) as shown:
        assert narrow.to_dicts() == [pytest.approx(row) for row in shown.to_dicts()]
        (row,) = wide.to_dicts()
    assert row["wins_a"] + row["wins_b"] + row["ties"] + row["without_clicks"] == 30


def test_carts_and_purchases_are_worth_what_is_said() -> None:
    data = drafted(users=50)
    data = data.assign(cart=data["clicked"] * (data.index % 2 == 0), purchase=data["clicked"] * (data.index % 5 == 0))
    worth = 3 * data["cart"] + 10 * data["purchase"]
    for number, team in enumerate("AB"):
        own = worth.where(data["team"] == team, 0).groupby(data["impression_id"]).sum()
        found = [pair[number] for pair in credits_of(data, credit="cart=3,purchase=10")]
        assert found == pytest.approx(own.to_list())


def test_three_rankers_are_compared_pair_by_pair() -> None:
    data = drafted(users=800, taste=0.25, teams=("x", "y", "z"), seed=3)
    with interleave(data) as found:
        rows = found.to_dicts()
    with interleave(data, baseline="y") as found:
        against = found.to_dicts()

    assert [(row["a"], row["b"]) for row in rows] == [("x", "y"), ("x", "z"), ("y", "z")]
    assert [row["decision"] for row in rows] == ["x is preferred", "x is preferred", "not enough evidence"]
    assert [(row["a"], row["b"]) for row in against] == [("x", "y"), ("z", "y")]
    assert [row["p_adjusted"] for row in rows][2] == rows[2]["p_value"]
