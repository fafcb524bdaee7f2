"""Databases: a DuckDB file, which is attached, and a PostgreSQL server, whose rows are streamed in through ADBC."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlrank.dialects import POSTGRES
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, SqlrankError, UsageError, nearest, without_credentials
from sqlrank.inputs.files import rooted
from sqlrank.inputs.table import Table, column_types, listed
from sqlrank.statement.templates import render, sql_text

SERVER = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
QUERY = re.compile(r"\s*(?:select|with|values|table)\s", re.IGNORECASE)
KEPT = re.compile(r"bool|u?int|float|double|halffloat|string|large_string|date|timestamp|time|list|large_list")
"""The types of Arrow that are read as they are; others, such as numbers of any length, as texts."""


def is_server(database: str | None) -> bool:
    """Whether a database is a PostgreSQL server."""
    return database is not None and SERVER.match(database) is not None


def is_query(text: str) -> bool:
    """Whether an input is a query rather than the name of a relation."""
    return QUERY.match(text) is not None


@contextmanager
def server_rows(engine: DuckDBEngine, data: str, database: str) -> Iterator[Any]:
    """The rows of a relation or a query as a reader of batches of Arrow, as long as the block runs.

    Raises:
        UsageError: the driver is missing, or the query is none that only reads.
        DataError: the server cannot be reached, or there is no such relation.
    """
    with connected(engine, database).cursor() as cursor, told(data, database):
        query = sql_text(data.strip().rstrip(";")) if is_query(data) else None
        relation = None if query is not None else relation_of(cursor, data, database)
        source = {"query": query, "relation": relation}
        schema = cursor.adbc_execute_schema(render("sources/server_rows.sql", POSTGRES, columns=[], **source))
        columns = [{"name": field.name, "as_text": not KEPT.match(str(field.type))} for field in schema]
        cursor.execute(render("sources/server_rows.sql", POSTGRES, columns=columns, **source))
        yield cursor.fetch_record_batch()


def connected(engine: DuckDBEngine, database: str) -> Any:
    """The connection of an engine to a server: one for all inputs, which all see the same rows, and read only."""
    if database in engine.servers:
        return engine.servers[database]
    try:
        from adbc_driver_postgresql import dbapi
    except ImportError as error:
        raise UsageError(
            "--database: reading PostgreSQL needs adbc-driver-postgresql and pyarrow: pip install 'sqlrank[postgres]'"
            f" ({error})"
        ) from None
    with told("", database):
        connection = engine.servers[database] = dbapi.connect(database)
        with connection.cursor() as cursor:
            cursor.execute(render("sources/server_read_only.sql", POSTGRES))
        connection.commit()
    return connection


def relation_of(cursor: Any, name: str, database: str) -> Any:
    """A table or view by its name, alone or after its schema; DataError if there is none, or several."""
    cursor.execute(render("sources/server_relations.sql", POSTGRES))
    rows = [(str(schema), str(relation), bool(visible)) for schema, relation, visible in cursor.fetchall()]
    found = [row for row in rows if name in (f"{row[0]}.{row[1]}", row[1])]
    chosen = [row for row in found if row[2] or name != row[1]] or found
    label = without_credentials(database)
    if len(chosen) != 1:
        known = [f"{schema}.{relation}" for schema, relation, _ in found or rows]
        problem = f"several relations are called {name!r}" if found else f"there is no table or view {name!r}"
        hint = "" if found else nearest(name, [relation for _, relation, _ in rows])
        raise DataError(f"{label}: {problem}{hint} (it has {listed(known)})")
    schema, relation, _ = chosen[0]
    return sql_text(f"{POSTGRES.ident(schema)}.{POSTGRES.ident(relation)}")


@contextmanager
def told(data: str, database: str) -> Iterator[None]:
    """Say what a server says as an error of ours, without the password."""
    try:
        yield
    except SqlrankError:
        raise
    except Exception as error:  # whatever the driver raises
        what = f"{data[:100]}: " if data else ""
        lines = " ".join(str(error).split())
        raise DataError(f"{without_credentials(database)}: {what}{lines[:400]}") from None


def attach(engine: DuckDBEngine, path: str) -> list[str]:
    """Attach a DuckDB file read-only, and return the statement that does so; DataError if it cannot be opened.

    Nothing is to be done for a server.
    """
    if is_server(path):
        return []
    if not os.path.isfile(path):
        raise DataError(f"--database {path}: no such file")
    name = engine.name("source")
    try:
        statement = render("sources/attach.sql", engine.dialect, path=rooted(path), name=name)
        if ("database", name) not in engine.made:
            engine.make("database", name, statement)
    except (DataError, UsageError) as error:
        raise DataError(f"--database {path}: cannot be opened: {error}") from error
    return [statement]


def catalogue_table(engine: DuckDBEngine, name: str, path: str) -> Table:
    """A table or view of a database, attached and looked up in its catalogue so that no file can take its place."""
    attach(engine, path)
    rows = engine.execute(render("sources/catalogue.sql", engine.dialect, database=engine.name("source")))
    known = {f"{schema}.{table}": (schema, table) for _, schema, table in rows}
    found = [key for key in known if name in (key, known[key][1])]
    if len(found) != 1:
        problem = f"several tables are called {name!r}: {', '.join(found)}" if found else f"there is no table {name!r}"
        hint = (
            "" if found else nearest(name, [table for _, table in known.values()]) + f" (it has {listed(list(known))})"
        )
        raise DataError(f"{path}: {problem}{hint}")
    reader = sql_text(".".join(engine.dialect.ident(part) for part in (engine.name("source"), *known[found[0]])))
    return Table(f"{name} in {path}", reader, column_types(engine, reader, name))
