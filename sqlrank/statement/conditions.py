"""User SQL: one expression over a row, or over the rows of a query."""

from __future__ import annotations

from collections.abc import Iterable

from sqlrank.dialects import DUCKDB, Dialect
from sqlrank.errors import UsageError, shortened
from sqlrank.statement.lexers import problem_elsewhere
from sqlrank.statement.syntax_trees import CHANGING, parsed

SHOWN_TEXT = 300
"""How much of a condition a message shows."""


def check_condition(text: str, dialect: Dialect, option: str = "--where") -> None:
    """Raise UsageError unless a text, which an option gave, is one SQL expression over a row.

    DuckDB parses its own; of what other engines read only that passes which they surely read as we do.
    """
    if not isinstance(text, str):
        raise UsageError(f"{option} {text!r} is not one SQL expression: it is no text")
    problem = parsed(text).problem if dialect is DUCKDB else problem_elsewhere(text, dialect)
    if problem:
        raise UsageError(f"{option} {short(text)!r} is not one SQL expression over a row: {problem}")


def check_own(text: str, dialect: Dialect) -> None:
    """Raise UsageError unless a text is one SQL expression over the rows of a query."""
    found = parsed(text, aggregates=True) if dialect is DUCKDB else None
    problem = found.problem if found else problem_elsewhere(text, dialect, aggregates=True)
    problem = problem or (changing(found.columns) if found else None)
    if problem:
        raise UsageError(f"this is not one SQL expression over the rows of a query: {problem}")


def changing(columns: Iterable[list[str]]) -> str | None:
    """The problem with a name whose value depends on the session, where no column has it."""
    found = next((parts[0] for parts in columns if len(parts) == 1 and parts[0].lower() in CHANGING), None)
    return None if found is None else f"{found} is another value each time"


def check_names(text: str, option: str = "--where") -> None:
    """Raise UsageError if a condition uses a name such as current_user, whose value depends on the session."""
    if problem := changing(parsed(text).columns):
        raise UsageError(f"{option} {short(text)!r} is not one SQL expression over a row: {problem}")


def short(text: str) -> str:
    """A condition as messages show it."""
    return shortened(text, SHOWN_TEXT)
