"""The checks: each is one file of sql/checks, with its entry in the header comment.

A check looks at values. No condition may be left to a comparison that an optimiser can answer from the statistics of a
file: writers leave NaN out of them, and in a damaged file they may say anything. `finite` and `absent` of
sql/macros/values.sql ask the value itself whether it is a number, or there at all. Every other condition compares
values that have been found to be both, or counts rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from jinja2 import TemplateError

from sqlrank.dialects import Dialect
from sqlrank.errors import SqlrankError
from sqlrank.spelling import OptionGap
from sqlrank.sql_files import Entries, read_entry, sql_folder
from sqlrank.statement.templates import render

KEYS = frozenset(("title", "message", "rows", "shows", "needs", "input", "ids", "severity", "exit"))
"""What an entry may say."""
CHECKED = frozenset(("run", "qrels", "queries", "items", "history", "baseline", "verdicts", "judgments", "log"))
"""The inputs whose rows conditions may be about."""
OF_THE_PASS = frozenset(("findings", "rows_read", "weight", "top", "labels_told", "option"))
"""What the pass over the rows of an input gives messages, besides the columns of the example; `option` is an option."""


class Shown(str):
    """A value in a message: `{findings:row has|rows have}` adds the words of a number, `{findings:~is|are}` is them."""

    def __format__(self, words: str) -> str:
        if "|" not in words:
            return super().__format__(words)
        one, several = words.removeprefix("~").split("|")
        chosen = one if self == "1" else several
        return chosen if words.startswith("~") else f"{self} {chosen}"


@dataclass(frozen=True, slots=True)
class Check:
    """One file of sql/checks."""

    name: str
    template: str
    """Name of the file below sql/."""
    title: str
    message: str
    """The message, in which the columns of the statement stand in braces, and options as `OptionGap` reads them."""
    rows: tuple[str, ...]
    """The inputs whose rows a condition is about; empty for a check with a statement of its own."""
    shows: tuple[str, ...]
    """Columns of the example, for a condition."""
    needs: str | None
    """A variable without which the check does not apply."""
    input: str | None
    """The input that a statement is about, for the message."""
    ids: str | None
    """The column of ids that match nowhere; they are then compared in other forms."""
    note: bool
    """Whether a finding is a note rather than an error."""
    usage: bool
    """Whether the finding is about the request rather than the data."""

    def text(self, dialect: Dialect, variables: Mapping[str, Any]) -> str:
        """Its SQL: a statement, or a condition on a row."""
        try:
            return render(self.template, dialect, **variables)
        except (TemplateError, TypeError) as error:
            raise self.broken(str(error)) from error

    def said(self, shown: Mapping[str, Any]) -> str:
        """Its message about what was found."""
        try:
            return self.message.format(option=OptionGap(), **{name: Shown(value) for name, value in shown.items()})
        except (KeyError, ValueError) as error:
            raise self.broken(f"its message names {error}, and it has {', '.join(shown)}") from error

    def broken(self, why: str) -> SqlrankError:
        """The error of a check that is wrong itself, with its file."""
        return SqlrankError(f"the check {sql_folder() / self.template} is broken: {why}")


@cache
def every_check() -> Entries[Check]:
    """Every check of sql/checks by name."""
    return Entries(sorted((sql_folder() / "checks").rglob("*.sql")), read_check)


@cache
def row_checks() -> Entries[Check]:
    """The checks that are conditions on the rows of an input."""
    return Entries(sorted((sql_folder() / "checks" / "rows").glob("*.sql")), read_check)


def read_check(path: Path) -> Check:
    """The check in one file; SqlrankError, with the file, if its entry is not complete or says what is not known."""
    try:
        return check_of(path, read_entry(path))
    except (KeyError, ValueError) as error:
        lacks = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise SqlrankError(f"the check {path} is broken: {lacks}") from error


def check_of(path: Path, entry: Mapping[str, Any]) -> Check:
    """The check of an entry; KeyError or ValueError for what is missing or not known."""
    rows, shows = tuple(entry.get("rows", ())), tuple(entry.get("shows", ()))
    severity, message = entry.get("severity", "error"), entry["message"]
    if unknown := sorted(entry.keys() - KEYS):
        raise ValueError(f"{unknown[0]} is none of {', '.join(sorted(KEYS))}")
    if severity not in ("error", "note"):
        raise ValueError(f"severity is 'error' or 'note', not {severity!r}")
    if unknown := sorted(set(rows) - CHECKED):
        raise ValueError(f"rows are those of {', '.join(sorted(CHECKED))}, not of {unknown[0]!r}")
    if path.parent.name == "rows":
        named = {name for _, name, _, _ in Formatter().parse(message) if name}
        if unknown := sorted(named - OF_THE_PASS - set(shows)):
            raise ValueError(f"its message names {unknown[0]}, which is not among what it shows")
    return Check(
        name=path.stem,
        template=path.relative_to(sql_folder()).as_posix(),
        title=entry["title"],
        message=message,
        rows=rows,
        shows=shows,
        needs=entry.get("needs"),
        input=entry.get("input"),
        ids=entry.get("ids"),
        note=severity == "note",
        usage=entry.get("exit") == "usage",
    )
