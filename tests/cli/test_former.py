"""Former commands and options end in an error that gives the new ones, which can be typed as they stand."""

from __future__ import annotations

import shlex

from sqlrank.cli.application import command_of
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
    for command, flag in OPTIONS:
        assert flag not in {each for parameter in command_of(command).params for each in parameter.opts}


@each(sorted(OPTIONS))
def test_a_former_option_gives_the_new_one_with_its_value(case: tuple[str, str]) -> None:
    command, flag = case
    wanted = OPTIONS[case].format(value="a=b")
    for words in ((flag, "a=b"), (f"{flag}=a=b",)):
        assert f"{flag} a=b: write {wanted}" in error_of(2, *command.split(), "file", *words)
