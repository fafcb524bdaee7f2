"""SQL that the user writes: one expression over a row, or over the rows of a query, and nothing beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlrank.dialects import DUCKDB, Dialect
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.functions import AGGREGATE, OPERATORS, OVER_LISTS, SCALAR
from sqlrank.lexers import problem_elsewhere
from sqlrank.table import Table
from sqlrank.templates import render, sql_text
from sqlrank.trees import CHANGING, parsed, problem_of_types

SHOWN_COLUMNS = 12
"""How many columns a message lists."""
SHOWN_TEXT = 300
"""How much of a condition a message shows."""


def check_condition(text: str, dialect: Dialect) -> None:
    """Refuse anything but one SQL expression over a row.

    DuckDB parses its own; of what other engines read only that passes which they surely read as we do.

    Raises:
        UsageError: the text is no expression, more than one, or looks at more than a row.
    """
    if not isinstance(text, str):
        raise UsageError(f"--where {text!r} is not one SQL expression: it is no text")
    problem = parsed(text).problem if dialect is DUCKDB else problem_elsewhere(text, dialect)
    if problem:
        raise UsageError(f"--where {short(text)!r} is not one SQL expression over a row: {problem}")


def check_own(text: str, dialect: Dialect) -> None:
    """Refuse anything but one SQL expression over the rows of a query.

    Raises:
        UsageError: the text is no expression, more than one, or looks at more than these rows.
    """
    found = parsed(text, aggregates=True) if dialect is DUCKDB else None
    problem = found.problem if found else problem_elsewhere(text, dialect, aggregates=True)
    problem = problem or (changing(found.columns) if found else None)
    if problem:
        raise UsageError(f"this is not one SQL expression over the rows of a query: {problem}")


def changing(columns: Iterable[list[str]]) -> str | None:
    """What is wrong with names that mean another value in each session, where no column is known to have them."""
    found = next((parts[0] for parts in columns if len(parts) == 1 and parts[0].lower() in CHANGING), None)
    return None if found is None else f"{found} is another value each time"


def check_names(text: str) -> None:
    """Refuse names that mean something of the session, where the columns of the input are not known.

    Raises:
        UsageError: with the name.
    """
    if problem := changing(parsed(text).columns):
        raise UsageError(f"--where {short(text)!r} is not one SQL expression over a row: {problem}")


def check_columns(text: str, table: Table) -> None:
    """Refuse a condition that DuckDB cannot evaluate on the columns of an input.

    Args:
        text: the condition, of which `check_condition` has found nothing wrong.
        table: the input.

    Raises:
        UsageError: a column is not there or not the only one of its name, or the types do not fit.
        DataError: the files of the input have a column in types that have nothing in common.
    """
    columns, label = table.columns, table.label
    for parts in parsed(text).columns:
        alike = [name for name in columns if name.lower() == parts[0].lower()]
        if len(alike) > 1:
            raise UsageError(
                f"--where {short(text)}: {label} has the columns {' and '.join(alike)}, which a condition cannot tell"
                " apart; rename one of them"
            )
        for conflict in [table.conflicts[name] for name in alike if name in table.conflicts]:
            if not conflict.numeric:
                raise DataError(f"{label}: {conflict.text}")
        if not alike:
            names = ", ".join(list(columns)[:SHOWN_COLUMNS]) + (", ..." if len(columns) > SHOWN_COLUMNS else "")
            name = ".".join(parts)
            raise UsageError(
                f"--where {short(text)}: {label} has no column {name!r}{nearest(parts[-1], list(columns))}"
                f" (it has {names})"
            )
    if problem := problem_of_types(text, columns):
        hint = "; values of text files are text: write cast(column as double)" if "Cannot compare" in problem else ""
        raise UsageError(f"--where {short(text)}: {problem}{hint}")


def check_values(engine: DuckDBEngine, text: str, reader: Any, query_id: str, label: str) -> None:
    """Refuse a condition that fails on a row, before a statement fails on it and takes a transaction with it.

    Raises:
        DataError: with how many rows it fails on, and one of them.
    """
    context = {"condition": sql_text(text), "reader": reader, "query_id": query_id}
    found = engine.row(render("conditions/failing.sql", engine.dialect, **context))
    if found["findings"]:
        raise DataError(
            f"{label}: --where {short(text)} cannot be evaluated on {found['findings']} rows, such as one of query"
            f" {found['query_id']!r}: a value that cannot be converted? Write try_cast(column as type)"
        )


def check_functions(engine: DuckDBEngine) -> None:
    """Refuse a connection of the caller on which a function of theirs hides one that SQL of the user may call.

    Raises:
        UsageError: with its name.
    """
    names = SCALAR | AGGREGATE | OVER_LISTS | OPERATORS
    rows = engine.execute(render("conditions/own_functions.sql", engine.dialect))
    found = next((name for (name,) in rows if name.lower() in names), None)
    if found is not None:
        raise UsageError(
            f"the connection has a function of your own called {found!r}, which hides DuckDB's; conditions and metrics"
            " of your own cannot be told from queries there: drop it, or pass another connection"
        )


def short(text: str) -> str:
    """A condition as messages show it."""
    return text if len(text) <= SHOWN_TEXT else f"{text[:SHOWN_TEXT]}..."
