"""Telling the format of files, and reading them as one table by what reads that format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, without_credentials
from sqlrank.inputs.beginnings import BEGINNINGS, Start, check_letor, format_of_line, told_by_beginning
from sqlrank.inputs.column_names import PANDAS_INDEX, Heads
from sqlrank.inputs.csv_files import Heading
from sqlrank.inputs.files import FORMATS, Files, check_no_lake, find_files, told_by_suffix
from sqlrank.inputs.plain_text import opened, plain_files
from sqlrank.inputs.table import Table

DELIMITED = ("csv", "tsv")
"""The formats of one row per line and a delimiter."""
BINARY = ("parquet", "ranx")
"""The formats that are no text."""
WINDOW = 1 << 16
"""How many bytes tell what a file of JSON is."""


def read_files(
    engine: DuckDBEngine,
    argument: str,
    role: str,
    input_format: str | None = None,
    heads: Heads = Heads(),  # noqa: B008 it cannot change
    encoding: str | None = None,
) -> Table:
    """The files of a path, folder, glob, URL or `-` as a table; a format of None is told by suffix, then by content."""
    found, hive = find_files(engine, argument)
    label = without_credentials(argument)
    check_no_lake(label, found)
    if role == "run" and input_format in BEGINNINGS and not BEGINNINGS[input_format].holds_runs:
        input_format = None
    formats = {file: input_format or told_by_suffix(engine.called(file)) for file in found}
    untold = [file for file, kind in formats.items() if kind is None]
    formats |= {file: "parquet" for file in untold if is_parquet(file)}
    read, notes = sheets_among(engine, formats)
    formats |= dict.fromkeys(read, "csv")
    sheets = bool(read)
    texts = [file for file, kind in formats.items() if kind not in BINARY and file not in read]
    read |= dict(zip(texts, plain_files(engine, texts, encoding), strict=True))
    for file in texts:
        formats[file] = told_by_content(engine, read[file], role, formats[file], input_format, heads)
    kinds = sorted({str(kind) for kind in formats.values()})
    if len(kinds) > 1:
        raise DataError(f"{label}: files of several formats ({', '.join(kinds)}); name one kind")
    pairs = [(read.get(file, file), engine.called(file)) for file in found]
    table = read_as(engine, Files(label, kinds[0], pairs, role, hive, heads))
    if kinds == ["trec"] and input_format is None and told_by_suffix(pairs[0][1]) in DELIMITED:
        table.notes = (f"{label}: read as TREC {role}, which its lines are, whatever its name",)
    for name in filter(PANDAS_INDEX.fullmatch, table.columns):
        note = f"{label}: the column {name!r} is an index of pandas by its name, and read only if --column names it"
        table.notes = (*table.notes, note)
    if sheets:
        table.notes = (*notes, *table.notes)
        table.foreign = "an Excel file; export CSV"
    return table


def read_as(engine: DuckDBEngine, files: Files) -> Table:
    """Files of one format as a table, by the reader of that format."""
    if files.kind not in FORMATS:
        raise UsageError(f"{files.label}: DuckDB has no reader of {files.kind} here")
    module, _, name = FORMATS[files.kind].reader.partition(":")
    reader: Callable[[DuckDBEngine, Files], Table] = getattr(import_module(f"sqlrank.inputs.{module}"), name)
    table = reader(engine, files)
    return table if table.format else replace(table, format=files.kind)


def sheets_among(engine: DuckDBEngine, formats: Mapping[str, str | None]) -> tuple[dict[str, str], list[str]]:
    """The files of Excel, each with its copy as CSV, and notes on the sheets that were chosen."""
    books = [file for file, kind in formats.items() if kind == "excel"]
    if not books:
        return {}, []
    from sqlrank.inputs.excel_files import sheet_of

    sheets = {file: sheet_of(engine, file) for file in books}
    return {file: copy for file, (copy, _) in sheets.items()}, [note for _, notes in sheets.values() for note in notes]


def is_parquet(file: str) -> bool:
    """Whether a file begins as Parquet does."""
    with opened(file) as source:
        return bool(source.read(4) == b"PAR1")


def told_by_content(
    engine: DuckDBEngine, file: str, role: str, by_name: str | None, given: str | None, heads: Heads
) -> str:
    """The format of a text file by its content, where that says more than its name or none was `given`."""
    label = engine.called(file)
    if given in BEGINNINGS and BEGINNINGS[given].json:
        return given
    line = "" if by_name == "json" else Heading(file, label, comments=False).line
    if given not in (None, "json"):
        if given != "letor":
            check_letor(line, label)
        return str(given)
    is_json = by_name == "json" or (by_name is None and format_of_line(line, role) == "json")
    text, placed = beginning_of(file) if is_json else "", heads.marked or not heads.header
    return told_by_beginning(Start(line, role, text, heads.named, placed), by_name, label)


def beginning_of(file: str) -> str:
    """The first characters of a file of JSON."""
    with opened(file) as source:
        return bytes(source.read(WINDOW)).decode("utf-8-sig", "ignore")
