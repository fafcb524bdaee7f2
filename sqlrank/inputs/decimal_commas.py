"""Numbers with decimal commas, as many programs write them between semicolons or tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError
from sqlrank.inputs.column_names import ENDS
from sqlrank.inputs.reading import Reading, bare_name
from sqlrank.inputs.roles import Roles, column_of
from sqlrank.inputs.table import Table
from sqlrank.statement.templates import render

NUMBERS = ("score", "rank", "relevance", "item_weight", "length", *ENDS)
"""The roles of numbers."""
SEEN = re.compile(rb"\d,\d")


def with_points(engine: Engine, roles: Roles, reading: Reading) -> Roles:
    """The roles of a table whose columns of numbers have points where every number of one has a decimal comma or none.

    Raises:
        DataError: the commas of a column may stand between thousands as well.
    """
    table = roles.table
    if not table.may_have_commas or "," in (reading.separator or "") or not isinstance(engine, DuckDBEngine):
        return roles
    changed: dict[str, str] = {}
    for column in dict.fromkeys(columns_of_numbers(roles, reading)):
        name = table.aliases.get(column, column)
        sql = render("sources/decimal_commas.sql", engine.dialect, reader=table.reader, name=name)
        try:
            found = engine.row(sql)
        except DataError:  # whoever reads all of it says what is wrong, and where
            return roles
        if not found["with_commas"] or found["others"]:
            continue
        if not found["decimal"]:
            raise thousands(engine, table, column)
        example = found["example"]
        changed[name] = f"{example} in the column {column} is read as {example.replace(',', '.')}"
    if not changed:
        return roles

    notes = [f"{table.label}: decimal commas: {said}" for said in changed.values()]
    context = {"names": list(changed)}
    made = table.through(engine.dialect, "sources/decimal_points.sql", context, notes=(*table.notes, *notes))
    return replace(roles, table=made)


def thousands(engine: DuckDBEngine, table: Table, column: str) -> DataError:
    """The error of a column whose commas may stand between thousands as well as before fractions."""
    context = {"reader": table.reader, "name": table.aliases.get(column, column)}
    found = engine.row(render("sources/first_comma.sql", engine.dialect, **context))
    line = "" if table.first_line is None else f", line {found['row_number'] - 1 + table.first_line}"
    value = found["value"]
    return DataError(
        f"{table.label}{line}: {value} in the column {column} may be {value.replace(',', '.')} or"
        f" {value.replace(',', '')}; write its numbers with a decimal point and nothing between thousands"
    )


def columns_of_numbers(roles: Roles, reading: Reading) -> Iterator[str]:
    """Yield the columns of a table that are read as numbers."""
    columns = roles.table.columns
    for role, column in roles.names.items():
        mapped = role == "relevance" and reading.relevance_map
        if role in NUMBERS and columns.get(column) == "VARCHAR" and not mapped:
            yield column
    weight = None if reading.weight is None else column_of(roles.table, bare_name(reading.weight))
    if weight is not None and columns[weight] == "VARCHAR":
        yield weight
