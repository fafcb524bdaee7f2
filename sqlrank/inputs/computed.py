"""Columns that an SQL expression of the user computes from a row: segments and the weight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError
from sqlrank.inputs.expressions import option_of
from sqlrank.inputs.reading import SEGMENTED, Reading
from sqlrank.inputs.required_roles import Found
from sqlrank.inputs.roles import has
from sqlrank.inputs.table import Table
from sqlrank.statement.syntax_trees import parsed, type_of
from sqlrank.statement.templates import sql_text

UNKNOWN = "STRING"
"""The type of an expression that another engine evaluates."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A column of a table that an expression makes."""

    name: str
    expression: Markup
    kind: str
    """Its type."""


def computed_in(engine: Engine, table: Table, kind: str, reading: Reading) -> list[Computed]:
    """The columns that are made of those of a table, an input of a kind.

    Raises:
        UsageError: the table has a column of the same name, or DuckDB cannot evaluate the expression.
    """
    if kind not in SEGMENTED:
        return []
    from sqlrank.inputs.conditions import check_columns

    found = []
    for name, text in reading.computed.items():
        if name == text and has(table, name):
            continue
        if has(table, name):
            raise UsageError(f"{option_of(name)}: {table.label} has a column {name}; give the expression another name")
        if not holds(table, text):
            continue
        kind_of = UNKNOWN
        if isinstance(engine, DuckDBEngine):
            check_columns(text, table, option_of(name))
            kind_of = type_of(text, table.columns)
        found.append(Computed(name, sql_text(text), kind_of))
    return found


def check_computed(reading: Reading, tables: Iterable[Table]) -> None:
    """Raise UsageError if no table has the columns of an expression."""
    from sqlrank.inputs.conditions import check_columns

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
        f"--where holds for the rankings alone, and {labels} has its columns too: --where {reading.judged_role}: is for"
        " the judgments, and --where run: says that the rankings are meant"
    ]
