"""sqlrank log value: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from tests.counterfactual.worked import RUN, THETA, listed, policy, ranked, rounds
from tests.support.cli_helper import completed, run_cli

VALUES = (1.286667, 1.227425)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed().to_csv("log.csv", index=False)
    ranked(**RUN).to_csv("new.csv", index=False)
    ranked(shoes="abcd", hat="xyzw").to_csv("old.csv", index=False)
    lines = [f"{position},{chance}" for position, chance in THETA.items()]
    Path("theta.csv").write_text("\n".join(["position,propensity", *lines]), encoding="utf-8")


OPTIONS = ("--log", "log.csv", "--propensities", "theta.csv", "--min-impressions", "1", "--anyway")


def test_values_and_differences_are_printed_with_their_models() -> None:
    out = completed("log", "value", "new.csv", "base=old.csv", *OPTIONS, "--quiet").out

    assert "new     item-position  item-position   1.2867" in out
    assert "base    pbm            position-based  1.1112" in out
    assert "less" in out
    assert "logged" in out
    assert "pbm: whether a position is looked at depends on the position alone" in out


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "parquet", "md", "tex"])
def test_values_are_written_in_each_format(suffix: str) -> None:
    completed("log", "value", "new.csv", *OPTIONS, "-o", f"values.{suffix}")

    if suffix in ("csv", "tsv", "parquet"):
        with duckdb.connect() as connection:
            found = connection.execute(f"select value from 'values.{suffix}'").fetchall()
        assert [value for (value,) in found] == pytest.approx(VALUES, abs=1e-6)
    elif suffix == "json":
        rows = json.loads(Path("values.json").read_text(encoding="utf-8"))["rows"]
        assert [row["value"] for row in rows] == pytest.approx(VALUES, abs=1e-6)
    else:
        assert "1.2867" in Path(f"values.{suffix}").read_text(encoding="utf-8")


def test_a_condition_leaves_rows_of_the_log_out_and_none_of_the_runs() -> None:
    out = completed("log", "value", "new.csv", *OPTIONS, "--where", "query_id = 'shoes'", "--format", "json").out

    assert [row["value"] for row in json.loads(out)["rows"]] == pytest.approx((1.7, 1.267931), abs=1e-6)


def test_a_log_with_propensities_values_a_policy() -> None:
    rounds().to_csv("rounds.csv", index=False)
    policy().to_csv("policy.csv", index=False)

    out = completed("log", "value", "policy.csv", "--log", "rounds.csv", "--anyway", "--format", "json").out
    refused = run_cli("log", "value", "policy.csv", "--log", "rounds.csv")

    assert [row["value"] for row in json.loads(out)["rows"]] == pytest.approx((0.516667, 0.476923), abs=1e-6)
    assert refused.code == 3
    assert "12 impressions have an effective number of 8.5 under its weights, and 100 are needed" in refused.err
    assert "1 more" in refused.err


def test_the_best_of_what_was_done_is_earned_too() -> None:
    listed().assign(cart=lambda rows: rows["clicked"] * (rows["position"] == 1)).to_csv("log.csv", index=False)

    out = completed("log", "value", "old.csv", *OPTIONS[:2], *OPTIONS[4:], "--signal", "best", "--format", "json").out
    by_hand = (6 * (4 / 4 + 1 / 3 + 1 / 4 + 1 / 5) + 4 * (4 / 3 + 0 + 1 / 3 + 0)) / 10

    assert json.loads(out)["rows"][0]["value"] == pytest.approx(by_hand)


WRONG = {
    "give the log that RUN is valued on with --log LOG": ["new.csv"],
    "--estimator dcg@3 is not known": ["new.csv", *OPTIONS, "--estimator", "dcg@3"],
    "trec_eval's files have no place": ["new.csv", *OPTIONS, "--format", "trec"],
}


@pytest.mark.parametrize("said", WRONG)
def test_what_cannot_be_carried_out_is_said(said: str) -> None:
    outcome = run_cli("log", "value", *WRONG[said])

    assert outcome.code == 2
    assert said in outcome.err
