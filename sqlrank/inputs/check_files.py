"""The checks: each is one file of sql/checks, with its entry in the header comment.

A check looks at values. No condition may be left to a comparison that an optimiser can answer from the statistics of a
file: writers leave NaN out of them, and in a damaged file they may say anything. `finite` and `absent` of
sql/macros/values.sql ask the value itself whether it is a number, or there at all. Every other condition compares
values that have been found to be both, or counts rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlrank.sql_files import Entries, read_entry, sql_folder


@dataclass(frozen=True, slots=True)
class Check:
    """One file of sql/checks."""

    name: str
    template: str
    """Name of the file below sql/."""
    title: str
    message: str
    """The message, in which the columns of the statement stand in braces."""
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


@cache
def every_check() -> Entries[Check]:
    """Every check of sql/checks by name."""
    return Entries(sorted((sql_folder() / "checks").rglob("*.sql")), read_check)


@cache
def row_checks() -> Entries[Check]:
    """The checks that are conditions on the rows of an input."""
    return Entries(sorted((sql_folder() / "checks" / "rows").glob("*.sql")), read_check)


def read_check(path: Path) -> Check:
    """The check in one file."""
    entry = read_entry(path)
    return Check(
        name=path.stem,
        template=path.relative_to(sql_folder()).as_posix(),
        title=entry["title"],
        message=entry["message"],
        rows=tuple(entry.get("rows", ())),
        shows=tuple(entry.get("shows", ())),
        needs=entry.get("needs"),
        input=entry.get("input"),
        ids=entry.get("ids"),
        note=entry.get("severity") == "note",
        usage=entry.get("exit") == "usage",
    )
