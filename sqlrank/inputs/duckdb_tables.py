"""Opens any input as a table of known columns: files, database tables, frames, dictionaries."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError, without_credentials
from sqlrank.inputs.column_names import Heads
from sqlrank.inputs.files import lake_of
from sqlrank.inputs.formats import read_files
from sqlrank.inputs.reading import Reading, Scored
from sqlrank.inputs.roles import columns_in, positions_of
from sqlrank.inputs.table import Table, check_distinct_names, column_types, may_be_renamed
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

NAME_END = re.compile(r"[.\[]")
"""Where the name of a column ends in a path."""
OF_DATABASE = "a table of a database, whose rows have no order"
COMPARED_ALIKE = frozenset(("VARCHAR", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DATE", "BOOLEAN"))
"""The types whose values compare in Arrow as in DuckDB."""
READ = "biufMUSO"
"""The kinds of fields of arrays that are read: booleans, numbers, times, texts and objects."""


def open_input(engine: Engine, data: Any, role: str, reading: Reading) -> Table:
    """Open an input as a table of known columns, on either engine."""
    if isinstance(engine, DuckDBEngine):
        return open_table(engine, data, role, reading)
    if isinstance(data, Scored):
        raise UsageError(f"{data.lines}: Spark does not read LETOR, of whose lines {spelt('scores')} are")
    from sqlrank.engines.spark import SparkEngine
    from sqlrank.inputs.spark_tables import open_spark_table

    assert isinstance(engine, SparkEngine)  # noqa: S101 there are two
    table = open_spark_table(engine, data, role, reading)
    table.unordered = "read by Spark, where rows have no order"
    return table


def open_table(engine: DuckDBEngine, data: Any, role: str, reading: Reading) -> Table:
    """Open an input as a table of known columns; a path is opened once for each engine and role."""
    if isinstance(data, Table):
        return data
    if isinstance(data, Scored):
        from sqlrank.inputs.letor_files import with_scores

        return with_scores(engine, open_table(engine, data.lines, role, reading), data.scores, reading.encoding)
    if isinstance(data, str | Path):
        asked = role == "run" and reading.where is not None and reading.database is None and lake_of(str(data))
        key = str(data), role, reading.where if asked else None
        if key not in engine.tables:
            engine.tables[key] = named_table(engine, str(data), role, reading)
        found: Table = engine.tables[key]
        return found
    name = engine.name(f"{role}_given_{len(engine.made) + len(engine.registered)}")
    quoted = sql_text(engine.dialect.ident(name))
    if isinstance(data, Mapping):
        from sqlrank.inputs.dictionaries import load_nested, pairs_in

        value = "relevance" if role in ("qrels", "positives") else "score"
        distinct = load_nested(engine, name, pairs_in(data, role), value, role)
        return Table(
            f"the {role}",
            quoted,
            {"query_id": "VARCHAR", "doc_id": "VARCHAR", value: "DOUBLE"},
            canonical=True,
            nested=True,
            distinct=distinct,
        )
    if isinstance(data, duckdb.DuckDBPyRelation):
        data.create_view(name)
        engine.made.append(("view", name))
    else:
        data = columns_of(data, f"the {role}") if is_array(data) else of_texts(data)
        engine.register(name, data)
    table = registered_table(engine, name, data, f"the {role}")
    if isinstance(data, duckdb.DuckDBPyRelation):
        table.unordered = "a relation of DuckDB, whose rows have no order"
    if type(data).__module__ == "pyarrow._dataset":
        table.reader = asked_of(engine, table, table.columns)
        table.unordered = "a data set of Arrow, whose rows have no order"
    return table


def of_texts(data: Any) -> Any:
    """A frame whose cells hold no arrays of texts of NumPy, which DuckDB does not read, but lists of them."""
    if type(data).__module__.partition(".")[0] != "pandas" or not hasattr(data, "dtypes"):
        return data
    objects = [place for place, kind in enumerate(data.dtypes) if getattr(kind, "kind", "") == "O"]
    arrays = [place for place in objects if any(map(is_array_of_texts, data.iloc[:, place]))]
    if not arrays:
        return data
    changed = data.copy(deep=False)
    for place in arrays:
        column = data.iloc[:, place]
        cells = [cell.tolist() if is_array_of_texts(cell) else cell for cell in column]
        changed.isetitem(place, type(column)(cells, index=column.index, dtype=object))
    return changed


def is_array_of_texts(cell: Any) -> bool:
    """Whether a value is an array of texts of a length that NumPy fixes."""
    return getattr(getattr(cell, "dtype", None), "kind", "") in ("U", "S")


def registered_table(engine: DuckDBEngine, name: str, data: Any, label: str) -> Table:
    """What was registered under a name as a table; what can be read only once is loaded."""
    quoted = sql_text(engine.dialect.ident(name))
    engine.streams[name] = label
    columns = column_types(engine, quoted, label)
    if hasattr(data, "read_next_batch"):
        loaded = f"{name}_loaded"
        engine.keep(loaded, render("sources/every_row.sql", engine.dialect, relation=quoted), doing="reading")
        quoted = sql_text(engine.dialect.ident(loaded))
    names = names_of(data, columns)
    check_distinct_names(label, names)
    aliases = {name: alias for name, alias in zip(names, columns, strict=True) if name != alias}
    return Table(label, quoted, dict(zip(names, columns.values(), strict=True)), aliases=aliases)


def named_table(engine: DuckDBEngine, data: str, role: str, reading: Reading) -> Table:
    """The table in files, or in a database."""
    if reading.database is not None:
        return table_of_database(engine, data, role, reading.database)
    if lake := lake_of(data):
        return table_of_lake(engine, data, role, lake, reading.where)
    parts = [part for text in reading.columns.values() for part in columns_in("query_id", text)]
    named = frozenset(NAME_END.split(part)[0] for part in parts)
    heads = Heads(reading.header, *positions_of(reading.columns, role), named)
    return read_files(engine, data, role, reading.input_format, heads, reading.encoding)


def table_of_database(engine: DuckDBEngine, data: str, role: str, database: str) -> Table:
    """A table, view or query of a PostgreSQL server, or of an attached DuckDB file."""
    from sqlrank.inputs.databases import catalogue_table, is_query, is_server, server_rows

    if not is_server(database):
        return replace(catalogue_table(engine, data, database), unordered=OF_DATABASE)
    name = engine.name(f"{role}_of_server_{len(engine.registered)}")
    with server_rows(engine, data, database) as rows:
        engine.register(name, rows)
        label = "the query" if is_query(data) else f"{data} in {without_credentials(database)}"
        table = registered_table(engine, name, rows, label)
    advice = "a table of PostgreSQL; print the statement for it with sqlrank sql"
    return replace(table, foreign=advice, unordered=OF_DATABASE)


def table_of_lake(engine: DuckDBEngine, data: str, role: str, kind: str, where: str | None) -> Table:
    """A table of Delta or Iceberg; a condition on the run leaves files out."""
    from sqlrank.inputs.lake_tables import lake_rows

    found = lake_rows(data, kind, where if role == "run" else None)
    name = engine.name(f"{role}_lake_{len(engine.registered)}")
    engine.register(name, found.rows)
    table = registered_table(engine, name, found.rows, without_credentials(data))
    table.whole = found.whole
    if found.divided_by is not None:
        table.reader = asked_of(engine, table, found.divided_by)
    advice = f"a table of {kind.title()}; read it where DuckDB has the extension"
    return replace(table, costly=True, foreign=advice, unordered=f"a table of {kind.title()}, whose rows have no order")


def asked_of(engine: DuckDBEngine, table: Table, columns: Collection[str]) -> Markup:
    """A data set of Arrow that is asked of no columns but some whose values compare there as in DuckDB."""
    plain = [name for name in columns if table.columns.get(name) in COMPARED_ALIKE]
    context = {"reader": table.reader, "columns": [table.aliases.get(name, name) for name in table.columns]}
    return sql_text(render("sources/unpushed.sql", engine.dialect, plain=plain, **context))


def names_of(data: Any, columns: Mapping[str, str]) -> list[str]:
    """The columns of a frame as it names them: of two that differ only in case, DuckDB renames one."""
    if not may_be_renamed(columns):
        return list(columns)
    if isinstance(data, dict):
        return list(data)
    if hasattr(data, "collect_schema"):
        return list(data.collect_schema().names())
    schema = getattr(data, "schema", None)
    for names in (getattr(data, "column_names", None), getattr(data, "columns", None), getattr(schema, "names", None)):
        if names is not None and not callable(names) and len(names) == len(columns):
            return [str(name) for name in names]
    return list(columns)


def is_array(data: Any) -> bool:
    """Whether an input is an array of NumPy, or a scalar."""
    return type(data).__module__.partition(".")[0] == "numpy" and hasattr(data, "dtype")


def columns_of(data: Any, label: str) -> dict[str, Any]:
    """The fields of a structured array by name, as DuckDB reads them.

    Raises:
        UsageError: the array has no fields, more than one dimension or masked values, or a field is of a kind that is
            not read.
    """
    advice = "pass a data frame, or a structured array of one dimension whose fields are the columns"
    if data.dtype.names is None or data.ndim != 1:
        raise UsageError(
            f"{label}: an array of NumPy of shape {data.shape} and type {data.dtype} has no names of columns; {advice}"
        )
    if hasattr(data, "mask"):
        raise UsageError(f"{label}: a masked array of NumPy cannot be read, as its masked values would count; {advice}")
    return {name: column_of(data[name], f"{label}: the field {name}") for name in data.dtype.names}


def column_of(field: Any, label: str) -> Any:
    """A field in the order of bytes of this machine, in one piece, its texts as objects."""
    import numpy

    kind = field.dtype.kind
    if kind not in READ or field.ndim != 1:
        raise UsageError(f"{label} holds {field.dtype} of shape {field.shape}, which is not read; leave it out")
    if kind == "S":
        field = numpy.char.decode(field, "utf-8")
    if kind in "US":
        return field.astype(object)
    if kind == "M":
        return field.astype("datetime64[us]")
    native = field.dtype.newbyteorder("=")
    return numpy.ascontiguousarray(field, numpy.float32 if native == numpy.float16 else native)
