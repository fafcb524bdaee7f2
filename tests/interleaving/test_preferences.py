"""What votes say: as scipy has it, however the log lies, and as often wrong as it may be."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sqlrank.interleaving.estimates import UNDECIDED
from sqlrank.log import interleave
from tests.interleaving.drafted import drafted, votes_of
from tests.support.together import in_one_log


def row_of(data: Any, **options: Any) -> dict[str, Any]:
    """The one row of a call."""
    with interleave(data, **options) as found:
        (row,) = found.to_dicts()
    return row


def test_votes_of_users_are_those_of_another_program() -> None:
    from scipy.stats import binomtest

    data = drafted(taste=0.04, spread=0.1)
    votes, row = votes_of(data), row_of(data)
    wins, losses = int((votes > 0).sum()), int((votes < 0).sum())
    exact = binomtest(wins, wins + losses)

    assert (row["wins_a"], row["wins_b"], row["ties"]) == (wins, losses, int((votes == 0).sum()))
    assert row["p_value"] == pytest.approx(exact.pvalue, rel=1e-9)
    assert row_of(data, test="sign")["p_value"] == row["p_value"]


def test_t_of_votes_of_users_is_that_of_scipy_with_a_vote_for_each_more() -> None:
    from scipy.stats import t

    data = drafted(taste=0.04, spread=0.1)
    votes, row = np.append(votes_of(data), [1, -1]), row_of(data, test="t")
    centre, spread = votes.mean(), votes.std() / np.sqrt(len(votes))
    degrees = len(votes) - 3

    assert row["p_value"] == pytest.approx(2 * t.sf(abs(centre) / spread, degrees), rel=1e-7)
    ends = (centre + t.ppf([0.025, 0.975], degrees) * spread) / 2
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(ends), abs=1e-9)


def test_randomization_draws_signs_for_users() -> None:
    data = drafted(users=150, taste=0.05, spread=0.2)
    signed = data["clicked"] * np.where(data["team"] == "A", 1, -1)
    lists = pd.DataFrame({"user": data["user_id"], "list": data["impression_id"], "signed": signed})
    votes = np.sign(lists.groupby(["user", "list"])["signed"].sum())
    sums = votes.groupby("user").sum().to_numpy()
    random = np.random.default_rng(1)
    drawn = np.abs((random.integers(0, 2, (20_000, len(sums))) * 2 - 1) @ sums)
    expected = np.mean(drawn >= abs(sums.sum()))
    row = row_of(data, unit="impression", test="randomization")

    assert row["p_value"] == pytest.approx(expected, abs=0.02)
    assert row["p_value"] != row_of(data, unit="impression", test="randomization", seed=7)["p_value"]
    assert (row["ci_low"] <= 0 <= row["ci_high"]) == (row["p_value"] > 0.05)


def test_signs_of_units_that_differ_otherwise_are_drawn_apart() -> None:
    """Of users with one, two, three and more votes: the draws vary as much as sums of signs do."""
    from sqlrank.engines.duckdb import DuckDBEngine
    from sqlrank.statement.templates import render, sql_text

    engine = DuckDBEngine()
    sizes = [1, 1, 2, 3, 5, 7, 7, 9, 12, 20]
    engine.load("votes", {"pair": "bigint", "difference": "bigint"}, [[1] * len(sizes), sizes])
    context = {"votes": sql_text("votes"), "segments": [], "seed": 3, "draws": 4000}
    text = render("interleaving/signs.sql", engine.dialect, **context)
    total = f"select var_samp(total), avg(total) from ({text.partition('draws as (')[2].partition(chr(10) + ')')[0]})"
    variance, mean = engine.execute(f"{text.partition('draws as (')[0].rstrip().rstrip(',')} {total}")[0]
    engine.close()

    assert variance == pytest.approx(sum(size**2 for size in sizes), rel=0.08)
    assert mean == pytest.approx(0, abs=1.2)


def test_neither_the_order_of_rows_nor_threads_change_anything() -> None:
    data = drafted(users=300, taste=0.05, spread=0.2)
    data = data.assign(device=np.where(data["user_id"] % 3 == 0, "phone", "desk"))
    for options in ({}, {"unit": "impression", "test": "randomization"}, {"sequential": True}):
        with interleave(data, by="device", threads=1, **options) as one:
            rows = one.to_dicts()
        with interleave(data.sample(frac=1, random_state=4), by="device", threads=2, **options) as other:
            assert other.to_dicts() == [pytest.approx(row) for row in rows]


def test_segments_are_what_they_are_alone() -> None:
    data = drafted(users=300, taste=0.05, spread=0.2)
    data = data.assign(**{'de"vice': np.where(data["user_id"] % 3 == 0, "phone", "desk")})
    with interleave(data, by='de"vice', correction="none") as found:
        rows = found.to_dicts()
    for row in rows[:2]:
        alone = row_of(data[data['de"vice'] == row['de"vice']])
        assert {name: row[name] for name in alone} == pytest.approx(alone)
    with interleave(data.rename(columns={'de"vice': "segment_2"}), by="segment_2") as found:
        assert [row["segment_2"] for row in found.to_dicts()] == [row['de"vice'] for row in rows]
    assert rows[-1]["is_total"]
    assert {name: rows[-1][name] for name in alone} == pytest.approx(row_of(data))


def test_rankers_that_are_the_same_have_no_preference() -> None:
    data = drafted(users=200)
    twice = pd.concat([data, data.assign(
        impression_id=data["impression_id"] + 10**6, user_id=data["user_id"] + 10**6,
        team=data["team"].map({"A": "B", "B": "A"}),
    )])  # fmt: skip
    row = row_of(twice)

    assert row["wins_a"] == row["wins_b"]
    assert (row["delta_ab"], row["p_value"]) == (0, 1)


def test_days_add_up_to_the_whole_and_their_sequence_ends_in_that_of_the_whole() -> None:
    data = drafted(users=300, taste=0.1)
    with interleave(data, unit="impression", sequential=True) as found:
        days, (row,) = found.days.fetchall(), found.to_dicts()
        names = found.days.columns
    last = dict(zip(names, days[-1], strict=True))

    assert sum(dict(zip(names, day, strict=True))["wins_a"] for day in days) == row["wins_a"]
    assert (last["running"], last["running_low"], last["running_high"]) == pytest.approx(
        (row["delta_ab"], row["ci_low"], row["ci_high"])
    )


def test_a_preference_that_fades_is_said() -> None:
    data = drafted(users=1500, days=10)
    early = data["time"] < pd.Timestamp("2026-03-04")
    novel = data["clicked"].where(~(early & (data["team"] == "B") & (data["impression_id"] % 2 == 0)), 0)
    with interleave(data.assign(clicked=novel)) as found:
        said = [line for line in found.remarks() if "changes by" in line]
    with interleave(data) as found:
        assert not [line for line in found.remarks() if "changes by" in line]

    assert said[0].startswith("A and B: the preference changes by -")


def test_the_size_of_a_next_test_is_that_of_verdicts_and_nearly_the_textbooks() -> None:
    from sqlrank.interleaving.estimates import Votes, units_needed
    from sqlrank.judging.verdicts.rows import judgments_needed
    from sqlrank.statistics.delta_gsb import preference_of
    from tests.support.verdict_data import sums

    # (z of .975 + z of .8)^2 (1 - t - 4 delta^2) / (4 delta^2), for a difference of .02 and .05 and shares of ties.
    for wins_a, wins_b, ties, textbook in (
        (520, 480, 0, 4898), (320, 280, 400, 2936), (170, 130, 700, 1464), (550, 450, 0, 778), (350, 250, 400, 464),
    ):  # fmt: skip
        votes = Votes(wins_a, wins_b, ties, 0, sums(wins_a, ties, wins_b).queries)
        needed = units_needed(votes, 0.05)
        verdicts = sums(wins_a, ties, wins_b)
        if textbook > 1000:
            # judgments needed are more than there are
            assert needed == judgments_needed(verdicts, preference_of(verdicts), 0.05)["judgments_needed"]
        assert needed is not None
        assert textbook < needed < 1.06 * textbook + 10


RUNS = 300


@cache
def experiments(number: int, **options: Any) -> pd.DataFrame:
    """The log of so many experiments of one kind."""
    return in_one_log(drafted(seed=seed, **options) for seed in range(number))


def decisions(data: Any, **options: Any) -> list[str]:
    """The decision of each experiment."""
    with interleave(data, by="trial", correction="none", **options) as found:
        return [row["decision"] for row in found.to_dicts() if not row["is_total"]]


@pytest.mark.needs("simulation")
@pytest.mark.parametrize(
    ("options", "most"),
    [({}, 0.07), ({"unit": "impression"}, 0.085), ({"unit": "impression", "test": "randomization"}, 0.085)],
    ids=["user", "impression by t", "impression by randomization"],
)
def test_heavy_users_with_tastes_of_their_own_make_no_more_errors(options: dict[str, Any], most: float) -> None:
    """Of 300 experiments without a difference at most 5 % may find one: 7 % is two standard errors above."""
    found = decisions(experiments(RUNS, users=300, spread=0.2), replicates=400, **options)

    assert len(found) == RUNS
    assert sum(decision != UNDECIDED for decision in found) / RUNS <= most


@pytest.mark.needs("simulation")
def test_a_test_of_impressions_alone_would_err_far_more() -> None:
    """Of 300 experiments 12 % err or more, which is why impressions of a user are not taken for independent."""
    found = decisions(experiments(RUNS, users=300, spread=0.2).drop(columns="user_id"))

    assert sum(decision != UNDECIDED for decision in found) >= 0.12 * RUNS


@pytest.mark.needs("simulation")
def test_the_better_ranker_is_found() -> None:
    """60 experiments: a power of 80 % would find 54 one time in twenty-five."""
    found = decisions(experiments(60, users=400, taste=0.12, spread=0.1))

    assert sum(decision == "A is preferred" for decision in found) >= 54
    assert "B is preferred" not in found
