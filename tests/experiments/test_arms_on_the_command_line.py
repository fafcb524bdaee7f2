"""The command on arms: every format, gates, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

from tests.experiments.drawn import log_of
from tests.support.cli_helper import completed, run_cli

COMMAND = ("log", "arms", "log.parquet", "--baseline", "A", "-m", "ctr")


@pytest.fixture(autouse=True)
def a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log_of(150, effect=0.3).to_parquet("log.parquet")


def test_every_format_has_the_row() -> None:
    document = json.loads(completed(*COMMAND, "--format", "json").out)
    (row,) = document["rows"]
    (line,) = completed(*COMMAND, "--format", "csv").table
    assert {name: "" if value is None else value for name, value in row.items()}.keys() == line.keys()
    assert float(line["difference"]) == pytest.approx(row["difference"], rel=1e-11)
    assert json.loads(completed(*COMMAND, "--format", "jsonl").out) == row
    assert completed(*COMMAND, "--format", "tsv").out.splitlines()[0].split("\t") == list(row)
    shown = f"{row['difference']:+.4f}"
    for kind in ("table", "markdown", "latex"):
        assert shown.lstrip("+") in completed(*COMMAND, "--format", kind).out
    completed(*COMMAND, "-o", "arms.parquet")
    with duckdb.connect() as connection:
        assert connection.sql("select difference, verdict from 'arms.parquet'").fetchall() == [
            (pytest.approx(row["difference"], rel=1e-11), row["verdict"])
        ]
        ((meant,),) = connection.sql(
            "select decode(value) from parquet_kv_metadata('arms.parquet') where decode(key) = 'behaviour'"
        ).fetchall()
    assert json.loads(meant)["unit"] == "user"


def test_days_are_shown_below_the_table_and_refused_where_there_is_no_place() -> None:
    shown = completed(*COMMAND, "--days", "--plot").out
    assert "2026-10-06" in shown
    assert "change a day" in shown
    assert "choose table, markdown or json" in run_cli(*COMMAND, "--days", "--format", "csv").err
    assert run_cli(*COMMAND, "--format", "trec").code == 2


def test_gates_hold_and_fail_with_their_code() -> None:
    held = run_cli(*COMMAND, "--fail-on-drop", "ctr=1%", "--not-worse-than", "ctr=1%")
    assert held.code == 0
    turned = ["log", "arms", "log.parquet", "--baseline", "B", "-m", "ctr"]
    failed = run_cli(*turned, "--fail-on-drop", "success=0.001", "--not-worse-than", "ctr=1%", "--junit", "gates.xml")
    assert failed.code == 4
    assert "success of A drops by" in failed.err
    assert "ctr of A is not shown to be less than 1 % below B" in failed.err
    assert 'tests="3" failures="2"' in Path("gates.xml").read_text()


def test_gates_of_metrics_of_which_less_is_better_are_of_a_rise() -> None:
    better = ("--fail-on-drop", "abandonment=1%", "--not-worse-than", "abandonment=1%")
    held = completed(*COMMAND, *better)
    assert "--fail-on-drop abandonment=1%, B: false-alarm rate" in held.out
    assert "detects a true rise of" in held.out
    outcome = run_cli("log", "arms", "log.parquet", "--baseline", "B", *better, "--confidently")
    assert outcome.code == 4
    assert re.search(r"abandonment of A rises by [\d.]+ % \(0\.\d+, 0\.\d+ to 0\.\d+\) from B, more", outcome.err)
    assert "abandonment of A is not shown to be less than 1 % above B" in outcome.err


def test_metrics_without_a_better_have_no_gate() -> None:
    outcome = run_cli(*COMMAND, "--fail-on-drop", "impressions=1%")
    assert outcome.code == 2
    assert "--fail-on-drop impressions: neither more nor less of it is better" in outcome.err
    assert "there is no metric 'ndcg@10' of a log" in run_cli(*COMMAND, "--not-worse-than", "ndcg@10=1%").err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--shares", "A"), "write ARM=SHARE, for example A=0.5,B=0.5"),
        (("--shares", "A=x,B=1"), "'x' is not a number"),
        (("--shares", "A=0.5", "--shares", "A=0.5"), "A is given twice"),
        (("--before", "soon"), "takes a date such as 2026-11-10"),
        (("--planned", "0"), "give 1 to 10,000,000,000"),
        (("--planned", "9"), "--planned is for --sequential"),
        (("--sequential", "--not-worse-than", "ctr=1%"), "leave out --margin and --not-worse-than"),
    ],
)
def test_options_that_say_nothing_are_refused(options: tuple[str, ...], said: str) -> None:
    outcome = run_cli(*COMMAND, *options)
    assert outcome.code == 2
    assert said in outcome.err
