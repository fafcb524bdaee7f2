"""Databases: DuckDB files and catalogues of extensions, which are attached, and PostgreSQL servers, by ADBC."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from sqlrank.dialects import POSTGRES
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, ResourceError, SqlrankError, UsageError, nearest, without_credentials
from sqlrank.inputs.files import rooted
from sqlrank.inputs.table import Table, column_types, listed
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

MOTHERDUCK = "motherduck"
CATALOGUES = {"ducklake": "ducklake", "md": MOTHERDUCK, "motherduck": MOTHERDUCK}
"""How the name of a catalogue begins that is no file, and the extension of DuckDB that opens it."""
CATALOGUE = re.compile(rf"({'|'.join(CATALOGUES)}):", re.IGNORECASE)
TOKENS = ("MOTHERDUCK_TOKEN", "motherduck_token")
LACKING = re.compile(r"(?:download|install|load|find) (?:the )?extension|Extension \".*\" (?:is|not)", re.IGNORECASE)
"""What DuckDB says where an extension is not there."""
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
            f"{spelt('database')}: reading PostgreSQL needs adbc-driver-postgresql and pyarrow: pip install"
            f" 'sqlrank[postgres]' ({error})"
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
    """Attach a DuckDB file or a catalogue read-only, and return the statement that does so.

    Nothing is to be done for a server.

    Raises:
        UsageError: DuckDB lacks the extension of a catalogue, or there is no token for it.
        DataError: the database cannot be opened.
    """
    if is_server(path):
        return []
    extension = extension_of(path)
    if extension is None and not os.path.isfile(path):
        raise DataError(f"{spelt('database', path)}: no such file")
    if extension == MOTHERDUCK:
        check_token(engine, path)
    name = engine.name("source")
    try:
        statement = render("sources/attach.sql", engine.dialect, path=attached_as(path), name=name)
        if ("database", name) not in engine.made:
            engine.make("database", name, statement)
    except (DataError, ResourceError, UsageError) as error:
        if extension is not None and LACKING.search(str(error)):
            raise UsageError(
                f"{spelt('database', path)}: needs the extension {extension} of DuckDB {duckdb.__version__}, which is"
                f" not installed and could not be downloaded; run INSTALL {extension} in that version where there is a"
                " network, or copy the extension to the folder of extensions here"
            ) from error
        shown = path if extension is None else repr(path)
        raise DataError(f"{spelt('database', shown)}: cannot be opened: {error}") from error
    return [statement]


def extension_of(path: str) -> str | None:
    """The extension of DuckDB that opens a database, by how its name begins; None for a file or a server."""
    found = CATALOGUE.match(path)
    return None if found is None else CATALOGUES[found[1].lower()]


def attached_as(path: str) -> str:
    """A database as DuckDB attaches it; a file of the catalogue of DuckLake is that file."""
    if extension_of(path) is None:
        return rooted(path)
    scheme, _, rest = path.partition(":")
    return f"{scheme}:{rooted(rest)}" if rest.startswith((".", "~")) else path


def check_token(engine: DuckDBEngine, path: str) -> None:
    """Raise UsageError if there is no token of MotherDuck, for which it would ask in a browser, or if it would show."""
    if "?" in path:
        raise UsageError(
            f"{spelt('database', path.partition('?')[0])}: leave out what follows the question mark, and give the token"
            " in the environment variable MOTHERDUCK_TOKEN"
        )
    if engine.owned and not any(os.environ.get(name) for name in TOKENS):
        raise UsageError(
            f"{spelt('database', path)}: MotherDuck needs the extension {MOTHERDUCK} of DuckDB and a token: set the"
            " environment variable MOTHERDUCK_TOKEN, or pass a connection= of your own in Python"
        )


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
