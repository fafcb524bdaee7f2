"""The split of units: against scipy, where it is off, and what it leaves of a verdict."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sqlrank.log import arms
from sqlrank.statistics.chi_square import beyond, independent
from tests.experiments.drawn import log_of, of_units
from tests.support.cli_helper import run_cli


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 7, 12])
@pytest.mark.parametrize("statistic", [0.0, 0.1, 1.0, 5.0, 20.0, 700.0])
def test_tails_of_chi_square_are_those_of_scipy(degrees: int, statistic: float) -> None:
    assert beyond(statistic, degrees) == pytest.approx(stats.chi2.sf(statistic, degrees), rel=1e-9)


def test_the_shares_of_rows_are_held_against_each_other_as_scipy_does() -> None:
    table = [[10, 20, 5], [30, 15, 9]]
    assert independent(table) == pytest.approx(stats.chi2_contingency(table, correction=False).pvalue, rel=1e-9)
    assert independent([[0, 0], [3, 4]]) == 1


@pytest.mark.parametrize("shares", [None, {"A": 0.4, "B": 0.35, "C": 0.25}])
def test_the_split_is_tested_by_chi_square(shares: dict[str, float] | None) -> None:
    log = log_of(150, shares=(0.4, 0.35, 0.25))
    counts = of_units(log)["arm"].value_counts().sort_index()
    planned = [len(of_units(log)) * share for share in (shares or dict.fromkeys("ABC", 1 / 3)).values()]
    with arms(log, "ctr", baseline="A", shares=shares) as found:
        assert found.split.p_value == pytest.approx(stats.chisquare(counts, planned).pvalue, rel=1e-9)
        assert [row["units"] for row in found.split.rows[:3]] == list(counts)
        days = found.shares.filter("\"by\" = 'first day'").aggregate("sum(units)").fetchall()
    assert days == [(counts.sum(),)]


def lost(log: pd.DataFrame, device: str | None = None, share: float = 0.7) -> pd.DataFrame:
    """The log without most of the users of B, of one device or of all."""
    of_b = log["arm"].eq("B") & (True if device is None else log["device"].eq(device))
    users = log.loc[of_b, "user_id"].unique()
    gone = np.random.default_rng(1).choice(users, int(share * len(users)), replace=False)
    return log[~log["user_id"].isin(gone)]


def test_a_mismatch_leaves_no_verdict_whatever_the_difference() -> None:
    with arms(lost(log_of(300, effect=0.4)), "success", baseline="A", by="device", margins={"success": 0.1}) as found:
        row = found["success"]
        assert found.is_mismatch
        assert (row["verdict"], row["significant"], row["p_not_worse"]) == ("withheld", None, None)
        assert row["p_value"] < 1e-6
        assert any(
            note.startswith("sample ratio mismatch: the arms do not have the planned shares") for note in found.notes
        )
        said = found.remarks()
    assert "verdict: none, because of the sample ratio mismatch" in said
    assert any(line.startswith("split by device: alike in all 2 (p ") for line in said)


def test_the_segment_that_makes_a_mismatch_is_named() -> None:
    with arms(lost(log_of(300), "phone", 0.9), "ctr", baseline="A", by="device") as found:
        assert not found.is_mismatch
        assert [row["verdict"] == "withheld" for row in found.all_rows] == [False, True, False]
        assert any("as planned in total and off by device: phone (p " in note for note in found.notes)
    with arms(lost(log_of(900), "phone", 1), "ctr", baseline="A", by="device") as found:
        assert any(line.startswith("split by device: off in 1 of 2, such as phone (p ") for line in found.split.lines)


def test_a_mismatch_ends_with_the_code_of_gates_and_no_gate_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lost(log_of(300, effect=0.4)).to_parquet("log.parquet")
    command = ["log", "arms", "log.parquet", "--baseline", "A", "--fail-on-drop", "ctr=1%", "--junit", "gates.xml"]
    outcome = run_cli(*command, "--format", "json")

    assert outcome.code == 4
    assert json.loads(outcome.out)["split"]["mismatch"] is True
    assert "sample ratio mismatch: split: users A" in outcome.err
    assert "no verdict, because of the sample ratio mismatch" in outcome.err
    assert 'tests="2" failures="2"' in Path("gates.xml").read_text()


def test_few_units_tell_no_shares() -> None:
    with arms(log_of(4, seed=3), "ctr", baseline="A") as found:
        assert found.split.p_value is None
        assert not found.is_mismatch


def test_arms_that_differ_in_bots_are_said() -> None:
    log = log_of(300)
    robots = list(log.loc[log["arm"] == "B", "user_id"].unique())[:40]
    again = pd.concat([log[log["user_id"].isin(robots)].assign(clicked=1, impression_id=lambda one, n=n:
                       one["impression_id"] + 100_000 * n) for n in range(1, 12)])  # fmt: skip
    whole = pd.concat([log.assign(clicked=log["clicked"].where(~log["user_id"].isin(robots), 1)), again])
    with arms(whole, "ctr", baseline="A") as found:
        assert any(note.startswith("arms differ in users that look automated (A 0 users, B") for note in found.notes)
