"""Detecting the format of a file, and opening it as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, without_credentials
from sqlrank.inputs.csv_files import Heading, read_csv
from sqlrank.inputs.files import find_files, told_by_suffix
from sqlrank.inputs.json_files import read_json
from sqlrank.inputs.parquet_files import read_parquet
from sqlrank.inputs.plain_text import opened, plain_files
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import TREC_FIELDS, read_trec
from sqlrank.statement.templates import render


def read_files(
    engine: DuckDBEngine,
    argument: str,
    role: str,
    input_format: str | None = None,
    positions: Mapping[str, int] | None = None,
    encoding: str | None = None,
) -> Table:
    """The files of a path, folder, glob, URL or `-` as a table; a format of None is told by suffix, then by content."""
    found, hive = find_files(engine, argument)
    label = without_credentials(argument)
    formats = {file: input_format or told_by_suffix(engine.called(file)) for file in found}
    untold = [file for file, kind in formats.items() if kind is None]
    formats |= {file: "parquet" for file in untold if is_parquet(file)}
    texts = [file for file, kind in formats.items() if kind != "parquet"]
    read = dict(zip(texts, plain_files(engine, texts, encoding), strict=True))
    formats |= {file: told_by_content(engine, read[file], role) for file, kind in formats.items() if kind is None}
    kinds = sorted({str(kind) for kind in formats.values()})
    if len(kinds) > 1:
        raise DataError(f"{label}: files of several formats ({', '.join(kinds)}); name one kind")
    files = [(read.get(file, file), engine.called(file)) for file in found]
    return read_as(engine, kinds[0], label, files, role, hive, positions)


def read_as(
    engine: DuckDBEngine,
    kind: str,
    label: str,
    files: Sequence[tuple[str, str]],
    role: str,
    hive: bool,
    positions: Mapping[str, int] | None,
) -> Table:
    """Files of one format, each as it is to be read and as it was named, as a table."""
    match kind:
        case "parquet":
            return read_parquet(engine, label, [read for read, _ in files], hive, column_types)
        case "json":
            return read_json(engine, label, files, hive, column_types)
        case "trec":
            return read_trec(engine, label, files, role)
        case "csv" | "tsv":
            return read_csv(engine, label, files, kind, role, hive, positions)
    raise UsageError(f"{label}: DuckDB has no reader of {kind} here")


def is_parquet(file: str) -> bool:
    """Whether a file begins as Parquet does."""
    with opened(file) as source:
        return bool(source.read(4) == b"PAR1")


def told_by_content(engine: DuckDBEngine, file: str, role: str) -> str:
    """The format by the content of a text file: JSON, TREC or else CSV."""
    return format_of_line(Heading(file, engine.called(file), comments=False).line, role)


def format_of_line(line: str, role: str) -> str:
    """The format by the first line of a text file: JSON, TREC or else CSV."""
    if line.lstrip()[:1] in ("{", "["):
        return "json"
    fields, needed = len(line.split()), len(TREC_FIELDS[role]) if role in TREC_FIELDS else 0
    exact = fields == needed or (role == "run" and fields > needed > 0)
    return "trec" if exact and not any(mark in line for mark in ",;|") else "csv"


def column_types(engine: DuckDBEngine, reader: Markup, label: str) -> dict[str, str]:
    """The name and type of each column of a relation."""
    try:
        rows = engine.execute(render("sources/describe.sql", engine.dialect, reader=reader))
    except (DataError, UsageError) as error:
        text = str(error)
        raise DataError(text if text.startswith(label) else f"{label}: cannot be read: {text}") from error
    return {row[0]: row[1] for row in rows}
