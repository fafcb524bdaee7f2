"""Opens any input as a table of known columns: files, database tables, frames, dictionaries."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import accumulate, chain, repeat
from pathlib import Path
from typing import Any

import duckdb

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError, nearest, without_credentials
from sqlrank.inputs.formats import column_types, read_files
from sqlrank.inputs.lake_tables import kind_of, lake_rows
from sqlrank.inputs.nameless import Heads
from sqlrank.inputs.postgres_tables import is_query, is_server, server_rows
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import positions_of
from sqlrank.inputs.table import Table, listed, may_be_renamed
from sqlrank.statement.templates import render, sql_text

WORTH_ARROW = 200_000
"""From how many rows of dictionaries on importing pyarrow pays."""


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
        statement = render("sources/attach.sql", engine.dialect, path=path, name=name)
        if ("database", name) not in engine.made:
            engine.make("database", name, statement)
    except (DataError, UsageError) as error:
        raise DataError(f"--database {path}: cannot be opened: {error}") from error
    return [statement]


def open_input(engine: Engine, data: Any, role: str, reading: Reading) -> Table:
    """Open an input as a table of known columns, on either engine."""
    if isinstance(engine, DuckDBEngine):
        return open_table(engine, data, role, reading)
    from sqlrank.engines.spark import SparkEngine
    from sqlrank.inputs.spark_tables import open_spark_table

    assert isinstance(engine, SparkEngine)  # noqa: S101 there are two
    return open_spark_table(engine, data, role, reading)


def open_table(engine: DuckDBEngine, data: Any, role: str, reading: Reading) -> Table:
    """Open an input as a table of known columns; a path is opened once for each engine and role."""
    if isinstance(data, Table):
        return data
    if isinstance(data, str | Path):
        key = str(data), role
        if key not in engine.tables:
            engine.tables[key] = named_table(engine, str(data), role, reading)
        found: Table = engine.tables[key]
        return found
    name = engine.name(f"{role}_given_{len(engine.made) + len(engine.registered)}")
    quoted = sql_text(engine.dialect.ident(name))
    if isinstance(data, Mapping):
        value = "relevance" if role in ("qrels", "positives") else "score"
        load_nested(engine, name, pairs_in(data, role), value, role)
        return Table(
            f"the {role}",
            quoted,
            {"query_id": "VARCHAR", "doc_id": "VARCHAR", value: "DOUBLE"},
            canonical=True,
            nested=True,
        )
    if isinstance(data, duckdb.DuckDBPyRelation):
        data.create_view(name)
        engine.made.append(("view", name))
    else:
        engine.register(name, data)
    return registered_table(engine, name, data, f"the {role}")


def registered_table(engine: DuckDBEngine, name: str, data: Any, label: str) -> Table:
    """What was registered under a name as a table; what can be read only once is loaded."""
    quoted = sql_text(engine.dialect.ident(name))
    columns = column_types(engine, quoted, label)
    if hasattr(data, "read_next_batch"):
        loaded = f"{name}_loaded"
        sql = render("sources/loaded.sql", engine.dialect, name=loaded, columns=list(columns), reader=quoted)
        engine.make("table", loaded, sql, doing="reading")
        quoted = sql_text(engine.dialect.ident(loaded))
    names = names_of(data, columns)
    aliases = {name: alias for name, alias in zip(names, columns, strict=True) if name != alias}
    return Table(label, quoted, dict(zip(names, columns.values(), strict=True)), aliases=aliases)


def named_table(engine: DuckDBEngine, data: str, role: str, reading: Reading) -> Table:
    """The table in files, or in a database."""
    if reading.database is not None and is_server(reading.database):
        name = engine.name(f"{role}_of_server_{len(engine.registered)}")
        with server_rows(engine, data, reading.database) as rows:
            engine.register(name, rows)
            label = "the query" if is_query(data) else f"{data} in {without_credentials(reading.database)}"
            table = registered_table(engine, name, rows, label)
        return replace(table, foreign="a table of PostgreSQL; print the statement for it with sqlrank sql")
    if reading.database is not None:
        return catalogue_table(engine, data, reading.database)
    if kind := kind_of(data):
        rows = lake_rows(data, kind, reading.where if role == "run" else None)
        name = engine.name(f"{role}_lake_{len(engine.registered)}")
        engine.register(name, rows)
        table = registered_table(engine, name, rows, without_credentials(data))
        return replace(table, costly=True, foreign=f"a table of {kind.title()}; read it where DuckDB has the extension")
    heads = Heads(reading.header, *positions_of(reading.columns, role))
    return read_files(engine, data, role, reading.input_format, heads, reading.encoding)


def names_of(data: Any, columns: Mapping[str, str]) -> list[str]:
    """The columns of a frame as it names them: of two that differ only in case, DuckDB renames one."""
    if not may_be_renamed(columns):
        return list(columns)
    if hasattr(data, "collect_schema"):
        return list(data.collect_schema().names())
    schema = getattr(data, "schema", None)
    for names in (getattr(data, "column_names", None), getattr(data, "columns", None), getattr(schema, "names", None)):
        if names is not None and not callable(names) and len(names) == len(columns):
            return [str(name) for name in names]
    return list(columns)


def pairs_in(data: Mapping[Any, Any], role: str) -> Mapping[Any, Any]:
    """A dictionary of dictionaries; that of positives may hold lists or sets of documents."""
    if role != "positives":
        return data
    found = {}
    for query, documents in data.items():
        listed = isinstance(documents, list | tuple | set | frozenset)
        if not isinstance(documents, Mapping) and not (
            listed and all(isinstance(each, str | int) for each in documents)
        ):
            raise DataError(f"the positives must be {{query: [document, ...]}}, not {documents!r:.60} for {query!r}")
        found[query] = dict.fromkeys(documents, 1) if listed else documents
    return found


def load_nested(engine: DuckDBEngine, name: str, data: Mapping[Any, Any], value: str, role: str) -> None:
    """Load `{query: {document: number}}` into a table."""
    try:
        pairs = pairs_of(data)
        arrow = pairs.arrow(value)
        columns = [] if arrow is not None else [pairs.each_query(), pairs.documents, pairs.floats()]
    except OverflowError as error:
        raise DataError(f"the {role}: a number is too large for 64 bits: {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise DataError(f"the {role} must be {{query: {{document: number}}}}: {error}") from error
    if arrow is None:
        engine.make("table", name, render("sources/pairs.sql", engine.dialect, name=name, value=value), columns)
        return
    source = f"{name}_arrow"
    engine.register(source, arrow)
    reader = sql_text(engine.dialect.ident(source))
    sql = render("sources/loaded.sql", engine.dialect, name=name, columns=arrow.column_names, reader=reader)
    engine.make("table", name, sql)
    engine.unregister(source)


@dataclass(frozen=True)
class Pairs:
    """The queries of a dictionary, how many documents each has, and the documents and numbers of all."""

    queries: list[str]
    lengths: list[int]
    documents: list[str]
    numbers: list[Any]

    def each_query(self) -> list[str]:
        """The query of each document."""
        return list(chain.from_iterable(map(repeat, self.queries, self.lengths)))

    def floats(self) -> list[float | None]:
        """The numbers of 64 bits; OverflowError says which document has none."""
        if set(map(type, self.numbers)) <= {float}:
            return self.numbers
        pairs = zip(self.documents, self.numbers, strict=True)
        return [None if number is None else float_of(document, number) for document, number in pairs]

    def arrow(self, value: str) -> Any:
        """A table of Arrow, which DuckDB reads many times as fast; None where importing it takes longer."""
        if "pyarrow" not in sys.modules and (len(self.documents) < WORTH_ARROW or find_spec("pyarrow") is None):
            return None
        import pyarrow

        held = [(query, length) for query, length in zip(self.queries, self.lengths, strict=True) if length]
        ends = pyarrow.array(accumulate(length for _, length in held), pyarrow.int64())
        queries = pyarrow.array([query for query, _ in held], pyarrow.string())
        try:
            numbers = pyarrow.array(self.numbers, pyarrow.float64())
        except (pyarrow.ArrowException, TypeError):
            numbers = pyarrow.array(self.floats(), pyarrow.float64())
        documents = pyarrow.array(self.documents, pyarrow.string())
        columns = [pyarrow.RunEndEncodedArray.from_arrays(ends, queries), documents, numbers]
        return pyarrow.table(columns, ["query_id", "doc_id", value])


def pairs_of(data: Mapping[Any, Any]) -> Pairs:
    """The pairs of a dictionary; without a look at each from Python where all are texts."""
    queries = [query if type(query) is str else id_text(query) for query in data]
    lengths = [len(pairs) for pairs in data.values()]
    documents: list[Any] = list(chain.from_iterable(data.values()))
    numbers: list[Any] = list(chain.from_iterable(pairs.values() for pairs in data.values()))
    if set(map(type, documents)) - {str}:
        documents = [each if type(each) is str else id_text(each) for each in documents]
    return Pairs(queries, lengths, documents, numbers)


def float_of(document: str, number: Any) -> float:
    """A number of 64 bits; OverflowError says which document has none."""
    try:
        return float(number)
    except OverflowError as error:
        raise OverflowError(f"that of {document!r:.40}") from error


def id_text(value: Any) -> str:
    """An id of a dictionary as text; ValueError if it is none."""
    if value is None or value is True or value is False or not value == value:
        raise ValueError(f"{value!r} is no id")
    return str(value)


def catalogue_table(engine: DuckDBEngine, name: str, path: str) -> Table:
    """A table or view of the attached database, looked up in its catalogue so that no file can take its place."""
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
