"""Opens any input as a table of known columns in Spark: paths, catalogue tables, frames, dictionaries."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlrank.engines.protocol import is_spark
from sqlrank.engines.spark import SparkEngine
from sqlrank.errors import DataError, SqlrankError, UsageError
from sqlrank.inputs.dictionaries import pairs_in
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import positions_of
from sqlrank.inputs.spark_files import described, read_paths
from sqlrank.inputs.table import Table
from sqlrank.process.remote import URL
from sqlrank.statement.templates import render, sql_text

PAIRS = "query_id string, doc_id string, "
BYTES_OF_PAIR = 64
"""About how many a document takes in a dictionary that was passed, to weigh it against files."""
UNITS = ["", "Ki", "Mi", "Gi", "Ti", "Pi"]
"""Powers of 1024; Spark has 8 EiB for what it knows nothing of."""


def open_spark_table(engine: SparkEngine, data: Any, role: str, reading: Reading) -> Table:
    """Whatever was given as a table of known columns; DataError if it cannot be read, UsageError if it is no input."""
    table = opened(engine, data, role, reading)
    if table.size is None:
        table.size = size_of(engine, table)
    return table


def opened(engine: SparkEngine, data: Any, role: str, reading: Reading) -> Table:
    """The table, whose size is known where its rows came from this process."""
    if isinstance(data, str | Path):
        text = str(data)
        if not is_table(engine, text):
            positions = None if reading.header else positions_of(reading.columns, role)[0]
            return read_paths(engine, text, role, reading.input_format, positions)
        return view_of(engine, role, text, lambda: engine.session.table(text))
    label = f"the {role}"
    if is_spark(data):
        return view_of(engine, role, label, lambda: data)
    if isinstance(data, Mapping):
        value = "relevance" if role in ("qrels", "positives") else "score"
        rows = pairs_of(pairs_in(data, role), role)
        table = view_of(engine, role, label, lambda: engine.session.createDataFrame(rows, f"{PAIRS}{value} double"))
        table.canonical, table.nested, table.size = True, True, len(rows) * BYTES_OF_PAIR
        return table
    if not hasattr(data, "__arrow_c_stream__"):
        raise UsageError(f"a {type(data).__name__} cannot be read by Spark; give a path, a table or a data frame")
    rows = arrow_of(data)
    table = view_of(engine, role, label, lambda: engine.session.createDataFrame(rows))
    table.size = rows.nbytes
    return table


def size_of(engine: SparkEngine, table: Table) -> int | None:
    """How many bytes Spark takes a table to have, or None where it has to guess."""
    plan = engine.execute(render("sources/size.sql", engine.dialect, reader=table.reader))[0][0]
    found = re.search(r"sizeInBytes=([\d.]+) (\w*)B", plan)
    return None if found is None or found[2] not in UNITS else int(float(found[1]) * 1024 ** UNITS.index(found[2]))


def arrow_of(data: Any) -> Any:
    """A data frame as an Arrow table of types that Spark knows: plain texts, and no categories."""
    import pyarrow

    table = pyarrow.table(data)
    for number, column in enumerate(table.schema):
        kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
        if pyarrow.types.is_string_view(kind) or pyarrow.types.is_large_string(kind):
            kind = pyarrow.string()
        if kind != column.type:
            table = table.set_column(number, column.name, table.column(number).cast(kind))
    return table


def view_of(engine: SparkEngine, role: str, label: str, make: Any) -> Table:
    """A data frame as a table."""
    try:
        reader = sql_text(engine.dialect.ident(engine.register(role, make)))
    except SqlrankError as error:
        raise DataError(f"{label}: cannot be read: {error}") from None
    return Table(label, reader, described(engine, reader, label))


def pairs_of(data: Mapping[Any, Any], role: str) -> list[tuple[str, str, float | None]]:
    """The rows of `{query: {document: number}}`."""
    try:
        return [
            (str(query), str(document), None if number is None else float(number))
            for query, pairs in data.items()
            for document, number in pairs.items()
        ]
    except (AttributeError, TypeError, ValueError) as error:
        raise DataError(f"the {role} must be {{query: {{document: number}}}}: {error}") from error


def is_table(engine: SparkEngine, text: str) -> bool:
    """Whether a text is the name of a table or view rather than a path."""
    if "/" in text or URL.match(text) or glob.has_magic(text) or os.path.exists(text):
        return False
    try:
        return bool(engine.call(lambda: engine.session.catalog.tableExists(text)))
    except SqlrankError:  # it cannot even be a name
        return False
