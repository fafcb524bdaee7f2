"""Former commands and options end in an error that gives the new ones, which can be typed as they stand."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import sqlrank
from sqlrank.cli.application import command_of
from sqlrank.cli.commands import COMMANDS as NOW
from sqlrank.cli.former import COMMANDS, OPTIONS
from tests.support.cli_helper import FIXTURES, error_of, run_cli
from tests.support.tables import each

SEARCH = FIXTURES / "search"
KEYWORD, SEMANTIC, QRELS = (SEARCH / f"{name}.parquet" for name in ("keyword", "semantic", "qrels"))
JUDGED = ["--qrels", QRELS, "-m", "rr"]
FORMER: list[tuple[list[object], str]] = [
    (["report", KEYWORD, *JUDGED, "-o", "a page.html"], "eval"),
    (["report", KEYWORD, SEMANTIC, *JUDGED, "-o", "page.html"], "compare"),
    (["report", KEYWORD, SEMANTIC, f"again={KEYWORD}", *JUDGED, "-o", "page.html"], "compare --all-pairs"),
    (["report", "--gsb", SEARCH / "verdicts.csv", "-o", "page.html"], "gsb"),
    (["power", KEYWORD, SEMANTIC, *JUDGED, "--sizes", "50,100"], "compare --plan"),
]


@each(FORMER)
def test_a_former_command_gives_the_new_one(case: tuple[list[object], str]) -> None:
    words, new = case
    said = error_of(2, *words)
    told = said.partition("is part of another command: sqlrank ")[2].strip()
    assert told.startswith(f"{new} ")
    assert run_cli(*shlex.split(told)).code == 0


def test_every_former_command_is_tried_and_gone() -> None:
    assert {str(words[0]) for words, _ in FORMER} == set(COMMANDS)
    named = {each.name for command in NOW for each in command_of(command).params}
    assert not named & (set(OPTIONS) - {"report"})


RENAMINGS = [
    ("eval run.csv --baseline old.csv", "--baseline-run old.csv"),
    ("explain q run.csv --baseline old.csv", "--baseline-run old.csv"),
    ("monitor log.csv --baseline 2026-01-01..2026-01-28", "--baseline-days 2026-01-01..2026-01-28"),
    ("sql runs --baseline=x", "--baseline-run x or --baseline-days x"),
    ("dbt . runs --baseline x", "--baseline-run x or --baseline-days x"),
    ("monitor log.csv --method cs", "--rule cs"),
    ("log value run.csv --iterations 9", "--replicates 9"),
    ("log interleave log.csv --iterations 9", "--replicates 9"),
    ("compare a.csv b.csv --judgments human=c.csv", "--qrels human=c.csv"),
    ("eval run.csv --worst 5", "--show worst=5"),
    ("eval run.csv --best=5", "--show best=5"),
    ("compare a.csv b.csv --movers 5", "--show movers=5"),
    ("gsb verdicts.csv --disputed 5", "--show disputed=5"),
    ("agreement labels.csv --disputed", "--show disputed=VALUE"),
    ("monitor log.csv --report page.html", "-o page.html (with -o - for the table too)"),
]


@each(RENAMINGS)
def test_an_option_that_was_renamed_gives_its_new_name(case: tuple[str, str]) -> None:
    line, wanted = case
    assert error_of(2, *line.split()).rstrip().endswith(f": write {wanted}")


def test_python_and_settings_give_the_new_name_too() -> None:
    calls: list[tuple[Callable[..., Any], str, str]] = [
        (partial(sqlrank.evaluate, "run.csv"), "baseline", "baseline_run"),
        (partial(sqlrank.monitor, "run.csv"), "baseline", "baseline_days"),
        (partial(sqlrank.monitor, "run.csv"), "method", "rule"),
        (partial(sqlrank.log.value, "run.csv", "log.csv"), "iterations", "replicates"),
        (partial(sqlrank.log.interleave, "log.csv"), "iterations", "replicates"),
    ]
    for call, given, new in calls:
        with pytest.raises(sqlrank.UsageError, match=f"has no option '{given}': write {new}$"):
            call(**{given: "x"})
    for command, key, wanted in (
        ("monitor", 'method = "cs"', "method is not an option of monitor: write --rule cs"),
        (
            "monitor",
            'baseline = "2026-01-01..2026-01-28"',
            "baseline is not an option of monitor: write --baseline-days 2026",
        ),
        ("monitor", 'report = "page.html"', "report is not an option of monitor: write -o page.html"),
        ("eval", "worst = 5", "worst is not an option of eval: write --show worst=5"),
        ("compare", "movers = 5", "movers is not an option of compare: write --show movers=5"),
        ("compare", 'judgments = { human = "a.csv" }', "judgments: write --qrels human=a.csv"),
    ):
        for table in ("[evaluations.daily]\n", ""):
            Path("sqlrank.toml").write_text(f"{table}{key}\n", encoding="utf-8")
            said = error_of(2, command, *(["--config", "daily"] if table else []), "run.csv")
            assert wanted.partition(": ")[2] in said
            assert not table or wanted in said


def test_defaults_that_are_of_other_commands_stay_theirs() -> None:
    others = 'method = "ctr"\nbaseline = "keyword"\nsequential = true\nshares = { A = 0.5, B = 0.5 }\n'
    Path("sqlrank.toml").write_text(others, encoding="utf-8")
    for command in ("eval", "monitor", "gsb"):
        assert "run.csv" in error_of(3, command, "run.csv", *(["--day", "d"] if command == "monitor" else []))
