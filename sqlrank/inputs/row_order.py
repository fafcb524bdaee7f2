"""What the order of rows says: ids of documents that have none, and ranks of rankings that stand in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError
from sqlrank.inputs.column_names import PLACE, ROW, TIERS
from sqlrank.inputs.reading import Reading, told_of
from sqlrank.inputs.roles import Roles, has
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render

if TYPE_CHECKING:
    from sqlrank.inputs.required_roles import System

OF_ROWS = ("doc_id", "rank")
"""The roles that the number of a row may play."""


def with_rows(engine: Engine, table: Table, kind: str, reading: Reading) -> Table:
    """A table with the number of each row, where `--column` asks for it; UsageError where rows have no order."""
    told = [(name, role) for name, role, text in told_of(reading.columns, kind, TIERS[kind]) if text == ROW]
    if not told or has(table, ROW):
        return table
    for name, role in told:
        option = spelt("columns", {name: ROW})
        if role not in OF_ROWS:
            raise UsageError(f"{option}: the number of a row may be the doc_id or the rank of a run, and no {role}")
        if kind != "run" and name != role:
            raise UsageError(f"{option}: the number of a row is an id or a rank in a run alone")
        if kind == "run" and (why := without_order(engine, table)):
            raise UsageError(f"{option}: {table.label} is {why}; give it a column that numbers the rows")
    if kind != "run":
        return table

    return table.through(
        engine.dialect,
        "sources/numbered_rows.sql",
        {"name": ROW, "json": table.json},
        columns=table.columns | {ROW: "BIGINT"},
        costly=True,
        numbered=True,
    )


def without_order(engine: Engine, table: Table) -> str | None:
    """What a table is whose rows have no order to rely on; None where they have one."""
    if table.unordered is not None or not isinstance(engine, DuckDBEngine):
        return table.unordered
    if table.unlisted or table.canonical:
        return "no table of a row for each document with named columns"
    if not engine.execute(render("sources/keeps_order.sql", engine.dialect))[0][0]:
        return "read on a connection that does not keep the order of rows (preserve_insertion_order)"
    return None


def with_row_roles(engine: Engine, roles: Roles) -> Roles:
    """The roles of a table in which the order of the rows of a query is the rank, where `--column` says so."""
    table = roles.table
    asked = [role for role in OF_ROWS if table.numbered and roles.names.get(role) == ROW]
    if asked and table.unlisted:
        raise UsageError(
            f"{spelt('columns', {asked[0]: ROW})}: a row of {table.label} holds a whole list, whose order is the"
            " rank already"
        )
    notes = [f"{table.label}: each row is a document of its own"] if "doc_id" in asked else []
    if "rank" not in asked:
        return replace(roles, table=replace(table, notes=(*table.notes, *notes)))
    groups = [
        table.aliases.get(name, name)
        for role in ("system", "query_id")
        if role in roles.names
        for name in roles.columns_of(role)
    ]

    notes.append(f"{table.label}: the order of the rows of a query is the rank")
    made = table.through(
        engine.dialect,
        "sources/row_ranks.sql",
        {"name": ROW, "place": PLACE, "groups": groups},
        columns=table.columns | {PLACE: "BIGINT"},
        notes=(*table.notes, *notes),
    )
    return replace(roles, table=made, names=roles.names | {"rank": PLACE})


def check_row_ids(systems: Sequence[System], apart: bool) -> None:
    """Raise UsageError if ids by row are to be those of other tables, or of several systems.

    `apart` says that the judgments are not those of the run, or that there are none.
    """
    asked = any(one.roles.table.numbered and one.roles.names.get("doc_id") == ROW for one in systems)
    if not asked:
        return
    if apart:
        raise UsageError(
            f"{spelt('columns', {'doc_id': ROW})}: the rows of a run are documents that no other input has; it is for"
            " one run that carries its labels, without judgments, items, history or baseline of their own"
        )
    if len(systems) > 1 or systems[0].has_column:
        raise UsageError(
            f"{spelt('columns', {'doc_id': ROW})}: the same row of two systems is not the same document; name a column"
            " with the ids of documents, or evaluate the systems one by one"
        )
