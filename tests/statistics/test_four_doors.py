"""The same units say the same through `compare`, `gsb`, `log interleave` and its statement."""

from __future__ import annotations

from functools import cache
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import sqlrank
from sqlrank.log import interleave, interleave_sql
from sqlrank.statistics.signs import Signs

WORKED = [(24, 6, 10), (8, 0, 0), (0, 0, 8), (3, 9, 3), (5, 0, 0), (6, 0, 0)]
"""How many units are 1, 0 and -1."""
NUMBER = 200
NAMES = ("estimate", "low", "high", "p_value", "decides")


@cache
def splits() -> tuple[tuple[int, int, int], ...]:
    """Those worked out, and random ones of 2 to 80 units."""
    rng = np.random.default_rng(11)
    drawn = []
    for number in rng.integers(2, 80, NUMBER):
        ties, gain = rng.choice([0, 0.2, 0.5, 0.9]), rng.choice([0, 0.3, 0.8])
        decided = 1 - ties
        drawn.append(rng.multinomial(number, (decided * (1 + gain) / 2, ties, decided * (1 - gain) / 2)))
    return (*WORKED, *((int(wins), int(same), int(losses)) for wins, same, losses in drawn))


@cache
def units() -> pd.DataFrame:
    """A row for each unit: its set, its name and whether it is 1, 0 or -1."""
    rows = [
        (f"{place:03}", f"{place:03}u{number:03}", sign)
        for place, split in enumerate(splits())
        for number, sign in enumerate(np.repeat([1, 0, -1], split))
    ]
    return pd.DataFrame(rows, columns=["part", "query_id", "sign"])


def pure(test: str) -> list[tuple[Any, ...]]:
    """What the rule says of each set."""
    found = []
    for wins, ties, losses in splits():
        number = wins + ties + losses
        low, high, p_value = Signs(wins / number, losses / number, number, number - 1, (wins, losses)).finding(
            test, 0.05
        )
        estimate = (wins - losses) / number
        found.append((estimate, low, high, p_value, np.sign(estimate) if p_value <= 0.05 else 0))
    return found


def by_comparison(test: str | None) -> list[tuple[Any, ...]]:
    """The same of success@1: a unit of 0 is a query that both answer and one that neither does, in turn."""
    data, first = units(), {"good": 2.0, "bad": 1.0}
    second, judged = {"good": 1.0, "bad": 2.0}, {"good": 1, "bad": 0}
    both = {name: place % 2 == 0 for place, name in enumerate(data["query_id"])}
    rows = list(data.itertuples())
    systems = {
        "old": {
            row.query_id: first if row.sign < 0 or (not row.sign and both[row.query_id]) else second for row in rows
        },
        "new": {
            row.query_id: first if row.sign > 0 or (not row.sign and both[row.query_id]) else second for row in rows
        },
    }
    options: dict[str, Any] = {} if test is None else {"test": test}
    with sqlrank.compare(
        systems=systems,
        qrels=dict.fromkeys(data["query_id"], judged),
        queries=data[["query_id", "part"]],
        metrics="success@1",
        by="part",
        correction="none",
        **options,
    ) as result:
        rows = sorted((row for row in result.all_rows if not row["is_total"]), key=lambda row: row["part"])
        return [
            (
                row["difference"],
                row["ci_low"],
                row["ci_high"],
                row["p_value"],
                np.sign(row["difference"]) * row["significant"],
            )
            for row in rows
        ]


def by_verdicts() -> list[tuple[Any, ...]]:
    """The same of side-by-side verdicts."""
    data = units().rename(columns={"sign": "verdict"})
    decided = {"better: ship": 1, "worse: do not ship": -1, "not enough evidence": 0}
    with sqlrank.gsb(data, by="part", correction="none") as result:
        rows = result.rows.filter("not is_total").order("part")
        names = "delta_gsb, ci_low, ci_high, p_value, decision"
        return [(*row[:4], decided[row[4]]) for row in rows.project(names).fetchall()]


def lists() -> pd.DataFrame:
    """Interleaved lists of two: users click a pick of A, of B, or both."""
    data = units()
    frames = []
    for position in (1, 2):
        team = np.where((np.arange(len(data)) % 2 == 0) == (position == 1), "A", "B")
        clicked = np.where(team == "A", data["sign"] >= 0, data["sign"] <= 0).astype(int)
        frame = pd.DataFrame({"impression_id": data["query_id"], "user_id": data["query_id"], "part": data["part"]})
        frames.append(frame.assign(query_id="q", doc_id=f"d{position}", position=position, team=team, clicked=clicked))
    return pd.concat(frames)


def by_votes(test: str | None) -> list[tuple[Any, ...]]:
    """The same of interleaved lists, whose `delta_ab` is half of the mean vote."""
    decided = {"A is preferred": 1, "B is preferred": -1, "not enough evidence": 0}
    options: dict[str, Any] = {} if test is None else {"test": test}
    with interleave(lists(), by="part", correction="none", **options) as result:
        rows = sorted((row for row in result.to_dicts() if not row["is_total"]), key=lambda row: row["part"])
    return [
        (*(2 * row[name] for name in ("delta_ab", "ci_low", "ci_high")), row["p_value"], decided[row["decision"]])
        for row in rows
    ]


def agree(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    """All numbers are alike to 1e-12, and what is decided is the same."""
    assert len(found) == len(expected) == len(splits())
    for split, one, other in zip(splits(), found, expected, strict=True):
        for name, value, as_expected in zip(NAMES, one, other, strict=True):
            assert value == pytest.approx(as_expected, rel=1e-12, abs=1e-12), (split, name)


@pytest.mark.parametrize("test", [None, "t", "randomization", "sign"])
def test_votes_and_differences_say_what_the_rule_says(test: str | None) -> None:
    expected = pure(test or "randomization")

    agree(by_votes(test), expected)
    known = [place for place, (_, ties, _) in enumerate(splits()) if not is_alone(place)]
    compared = by_comparison(test)
    agree([compared[place] if place in known else expected[place] for place in range(len(expected))], expected)


def is_alone(place: int) -> bool:
    """Whether a set has ties alone, all of one value, which do not show that the metric has two."""
    wins, ties, losses = splits()[place]
    return not wins + losses and ties < 2


def test_verdicts_say_what_votes_and_differences_do() -> None:
    agree(by_verdicts(), pure("randomization"))


def test_forty_units_and_eight_that_agree() -> None:
    for found in (by_comparison(None), by_verdicts(), by_votes(None)):
        assert found[0] == pytest.approx((0.35, 0.0637559, 0.6029108, 0.0243065, 1), abs=1e-7)
        assert found[1] == pytest.approx((1, 0.3513441, 1, 0.0078125, 1), abs=1e-7)
        assert [each[4] for each in found[:6]] == [1, 1, -1, 0, 0, 1]


def test_the_statement_of_votes_says_the_same_to_the_digits_of_its_quantile() -> None:
    expected = pure("t")
    with duckdb.connect() as connection:
        connection.register("lists", lists())
        sql = interleave_sql("lists", unit="user", columns={"user_id": "user_id"}, by="part")
        result = connection.execute(f"select part, delta_ab, ci_low, ci_high from ({sql}) order by part").fetchall()
    for split, (_, *found), (estimate, low, high, *_) in zip(splits(), result, expected, strict=True):
        assert 2 * found[0] == pytest.approx(estimate, abs=1e-12)
        if sum(split) > 11:
            assert [2 * end for end in found[1:]] == pytest.approx([low, high], abs=2e-4), split
