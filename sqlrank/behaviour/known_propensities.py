"""Propensities that are told: a table of how likely each position is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import find_roles
from sqlrank.spelling import spelt
from sqlrank.statement.templates import sql_text

KIND = "propensities"


def open_propensities(engine: DuckDBEngine, data: Any) -> tuple[Markup, str]:
    """The relation of positions and their propensities, and what it is called.

    Raises:
        DataError: a column is missing, a position appears twice or is no whole number, or a propensity is not above 0.
    """
    if isinstance(data, Mapping):
        label, name = "the propensities", engine.name("propensities_given")
        engine.load(name, {"position": "bigint", "propensity": "double"}, [list(data), list(data.values())])
        reader: Any = sql_text(engine.dialect.ident(name))
        columns = {"position": "position", "propensity": "propensity"}
    else:
        roles = find_roles(open_table(engine, data, KIND, Reading()), KIND, Reading())
        need(roles, KIND, ("position", "propensity"))
        label, reader, columns = roles.table.label, roles.table.reader, roles.names
    relation = Folder(engine).keep("propensities", reader=reader, **columns)
    wrong = Folder(engine, "facts").row("propensities", propensities=relation)
    if wrong["findings"]:
        raise DataError(
            f"{label}: each position, a whole number from 1 on, has one propensity above 0; position"
            f" {wrong['position']} has {wrong['propensity']} in {counted(wrong['rows_of'], 'row')}"
        )
    return relation, label


def check_covered(engine: DuckDBEngine, cells: Markup, propensities: Markup, label: str) -> None:
    """Raise DataError if a position of the cells has no propensity."""
    found = Folder(engine, "facts").row("uncovered", cells=cells, propensities=propensities)
    if found["rows_of"]:
        share = 100 * found["rows_of"] / found["rows_read"]
        raise DataError(
            f"{label}: position {found['position']} has no propensity; {share:.1f} % of the rows are at such positions;"
            f" add them, or leave out positions so far down with {spelt('shown_depth', found['deepest'] or 1)}"
        )
