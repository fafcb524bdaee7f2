"""Checks as CONTRIBUTING says to add them: a file, of either severity; one that is wrong is named by its file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sqlrank
from sqlrank.errors import SqlrankError
from sqlrank.inputs import check_files
from sqlrank.sql_files import sql_folder
from sqlrank.statement import templates
from tests.support.cli_helper import FIXTURES
from tests.support.tables import hold

RUN, QRELS = str(FIXTURES / "bad" / "run.csv"), str(FIXTURES / "bad" / "qrels.csv")
ENTRY = """\
title = "an id is short"
rows = ["run", "qrels"]
shows = ["doc_id"]
severity = "note"
message = "{findings} of {rows_read} ids are short, such as {doc_id}"
"""
CONDITION = "length(doc_id) < 3"

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes one more check on rows, by its entry and its condition."""
    caches = (templates.environment, check_files.row_checks, check_files.every_check)
    below = templates.folders
    shutil.copytree(sql_folder() / "checks", tmp_path / "checks")

    def written(entry: str, condition: str) -> Path:
        path = tmp_path / "checks" / "rows" / "short_id.sql"
        path.write_text(f"{{#\n{entry}#}}\n{condition}\n", encoding="utf-8")
        return path

    monkeypatch.setattr(check_files, "sql_folder", lambda: tmp_path)
    monkeypatch.setattr(templates, "folders", lambda dialect: [tmp_path, *below(dialect)])
    for each in caches:
        each.cache_clear()
    yield written
    for each in caches:
        each.cache_clear()


def test_a_number_in_a_message_brings_the_words_for_it() -> None:
    message = "{findings:row has|rows have} {copies} copies, which {findings:~is|are} {told}"
    shown = {"copies": 2, "told": "told"}
    assert message.format(findings=check_files.Shown(1), **shown) == "1 row has 2 copies, which is told"
    assert message.format(findings=check_files.Shown(0), **shown) == "0 rows have 2 copies, which are told"


def test_every_number_before_a_plural_brings_the_words_for_one() -> None:
    bare = re.compile(r"(?<!of )\{(?:findings|rows_read|judgments|documents|returned)\} (?!of \{)[a-z]+")
    allowed = {"rank_repeated"}  # of several documents, by its condition
    found = [name for name, check in check_files.every_check().items() if bare.search(check.message)]
    assert [name for name in found if name not in allowed] == []


def notes() -> list[str]:
    """What an evaluation notes."""
    with sqlrank.evaluate(RUN, QRELS, ["p@1"]) as result:
        return result.notes


def test_a_note_on_rows_is_said_of_each_input_with_an_example_and_its_line(write: Write) -> None:
    write(ENTRY, CONDITION)
    assert [note for note in notes() if "short" in note] == [
        f"{RUN}, line 2: 4 of 4 ids are short, such as 'd1'",
        f"{QRELS}, line 2: 3 of 3 ids are short, such as 'd1'",
    ]


def test_a_note_without_an_example_is_said_of_the_input(write: Write) -> None:
    write(ENTRY.replace('["doc_id"]', "[]").replace(", such as {doc_id}", ""), CONDITION)
    assert f"{RUN}: 4 of 4 ids are short" in notes()


def test_the_same_finding_of_severity_error_stops(write: Write) -> None:
    write(ENTRY.replace('"note"', '"error"'), CONDITION)
    with pytest.raises(sqlrank.DataError, match="line 2: 4 of 4 ids are short, such as 'd1'"):
        notes()


def test_a_check_that_is_wrong_is_named_by_its_file(write: Write) -> None:
    def check(case: tuple[str, str, str]) -> None:
        entry, condition, why = case
        path = write(entry, condition)
        with pytest.raises(SqlrankError, match=f"the check {path} is broken: .*{why}"):
            notes()

    cases = [
        (ENTRY.replace('"note"', '"warning"'), CONDITION, "severity is 'error' or 'note', not 'warning'"),
        (ENTRY.replace("severity", "severty"), CONDITION, "severty is none of"),
        (ENTRY.replace('"qrels"', '"qrel"'), CONDITION, "not of 'qrel'"),
        (ENTRY.replace('title = "an id is short"\n', ""), CONDITION, "there is no 'title'"),
        (ENTRY.replace("{doc_id}", "{document}"), CONDITION, "its message names document"),
        (ENTRY.replace('"note"', "note"), CONDITION, "Invalid value"),
        (ENTRY, "lenght(doc_id) < 3", "lenght does not exist"),
        (ENTRY, "length(doc_id) <", "syntax error"),
        (ENTRY, "length({{ doc }}) < 3", "Undefined reaches SQL"),
        (ENTRY, "length({{ doc ) < 3", "unexpected '\\)'"),
    ]
    hold(cases, check)
