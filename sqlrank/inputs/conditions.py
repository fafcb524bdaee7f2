"""Conditions checked against the columns, the values and the connection of an input."""

from __future__ import annotations

from collections.abc import Iterable

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.inputs.reading import Reading, option_of
from sqlrank.inputs.required_roles import Found
from sqlrank.inputs.roles import has
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.allowed_functions import AGGREGATE, OPERATORS, OVER_LISTS, SCALAR
from sqlrank.statement.conditions import spelt_sql
from sqlrank.statement.syntax_trees import parsed, problem_of_types
from sqlrank.statement.templates import render

SHOWN_COLUMNS = 12
"""How many columns a message lists."""


def check_columns(text: str, table: Table, option: str = "where") -> None:
    """Raise UsageError if DuckDB cannot evaluate a parsed expression; DataError if types differ between the files."""
    columns, label = table.columns, table.label
    for parts in parsed(text).columns:
        alike = [name for name in columns if name.lower() == parts[0].lower()]
        if len(alike) > 1:
            raise UsageError(
                f"{spelt_sql(option, text)}: {label} has the columns {' and '.join(alike)}, which a condition cannot"
                " tell apart; rename one of them"
            )
        for conflict in [table.conflicts[name] for name in alike if name in table.conflicts]:
            if not conflict.numeric:
                raise DataError(f"{label}: {conflict.text}")
        if not alike:
            known = table.named
            names = ", ".join(known[:SHOWN_COLUMNS]) + (", ..." if len(known) > SHOWN_COLUMNS else "")
            name = ".".join(parts)
            raise UsageError(
                f"{spelt_sql(option, text)}: {label} has no column {name!r}{nearest(parts[-1], known)} (it has {names})"
            )
    if problem := problem_of_types(text, columns, condition=option.startswith("where")):
        of_texts = "Cannot compare" in problem or ("No function matches" in problem and "VARCHAR" in problem)
        hint = "; values of text files are text: write cast(column as double)" if of_texts else ""
        raise UsageError(f"{spelt_sql(option, text)}: {problem.rstrip('.')}{hint}")


def check_computed(reading: Reading, tables: Iterable[Table]) -> None:
    """Raise UsageError if no table has the columns of an expression."""
    tables = list(tables)
    for name, text in reading.computed.items():
        if not any(has(table, name) for table in tables):
            check_columns(text, tables[0], option_of(name))


def holds(table: Table, text: str) -> bool:
    """Whether a table has every column of an expression."""
    known = {name.lower() for name in table.columns}
    return all(parts[0].lower() in known for parts in parsed(text).columns)


def notes_on_condition(reading: Reading, found: Found) -> list[str]:
    """A note on a condition that holds for the run alone, where the judgments have its columns too."""
    where, judged = reading.where, [roles.table for roles in found.judgments]
    if where is None or not reading.conditions.bare or reading.conditions.qrels is not None or not judged:
        return []
    if not parsed(where).columns or not all(holds(table, where) for table in judged):
        return []
    labels = " and ".join(dict.fromkeys(table.label for table in judged))
    return [
        f"{spelt('where')} holds for the rankings alone, and {labels} has its columns too:"
        f" {spelt('where', f'{reading.judged_role}:')} is for the judgments, and {spelt('where', 'run:')} says that the"
        " rankings are meant"
    ]


def check_functions(engine: DuckDBEngine) -> None:
    """Raise UsageError if a function of the caller's connection hides one that user SQL may call."""
    names = SCALAR | AGGREGATE | OVER_LISTS | OPERATORS
    rows = engine.execute(render("conditions/own_functions.sql", engine.dialect))
    found = next((name for (name,) in rows if name.lower() in names), None)
    if found is not None:
        raise UsageError(
            f"the connection has a function of your own called {found!r}, which hides DuckDB's; conditions and metrics"
            " of your own cannot be told from queries there: drop it, or pass another connection"
        )
