"""Rows of queries with what the table of queries says of each: its text, and columns that are no segments."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import duckdb

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import find_roles
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text


def described_queries(
    engine: Engine, reading: Reading, rows: duckdb.DuckDBPyRelation, systems: Sequence[str], numbers: Collection[str]
) -> duckdb.DuckDBPyRelation:
    """The rows with every column of the table of queries that they have not, before the columns that are `numbers`.

    Raises:
        UsageError: there is no table of queries, or no column of it has their ids.
    """
    if reading.queries is None or not isinstance(engine, DuckDBEngine):
        raise UsageError(f"there is no table of queries here: evaluate in DuckDB, with {spelt('queries', 'FILE')}")
    roles = prepared(engine, find_roles(open_table(engine, reading.queries, "queries", reading), "queries", reading))
    table, key = roles.table, roles.names.get("query_id")
    if key is None:
        raise UsageError(
            f"{table.label}: no column has the ids of queries; name it with"
            f" {spelt('columns', {'queries.query_id': 'NAME'})}"
        )
    more = {name: table.aliases.get(name, name) for name in table.columns if name not in {key, *rows.columns}}
    first: dict[str, str | None] = {name: None for name in rows.columns if name not in numbers}
    columns = first | more | {name: None for name in rows.columns if name in numbers}
    context: dict[str, Any] = {"reader": table.reader, "id": table.aliases.get(key, key), "systems": systems}
    context |= {"columns": columns, "rows": sql_text(rows.sql_query())}
    return engine.relation(render("sources/described_queries.sql", engine.dialect, **context))
