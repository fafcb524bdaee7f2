"""Telling the format of files, and reading them as one table by what reads that format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, without_credentials
from sqlrank.inputs.beginnings import BEGINNINGS, Start, check_letor, format_of_line, told_by_beginning
from sqlrank.inputs.column_names import PANDAS_INDEX, Heads
from sqlrank.inputs.files import FORMATS, Files, check_no_lake, find_files, told_by_suffix
from sqlrank.inputs.headings import Heading, every_comment, with_one_end
from sqlrank.inputs.plain_text import is_plain, opened, plain_files
from sqlrank.inputs.table import Table
from sqlrank.process.remote import URL
from sqlrank.spelling import spelt

DELIMITED = ("csv", "tsv")
"""The formats of one row per line and a delimiter."""
BINARY = ("parquet", "ranx")
"""The formats that are no text."""
PARQUET = (b"PAR1", b"PARE")
"""How a Parquet file begins, or one whose footer is encrypted."""
BEGINNING = 64
"""How many bytes tell Parquet from text."""
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
    renamed = {} if input_format else named_otherwise(engine, formats)
    formats |= renamed
    read, notes = sheets_among(engine, formats)
    formats |= dict.fromkeys(read, "csv")
    sheets = bool(read)
    texts = [file for file, kind in formats.items() if kind not in BINARY and file not in read]
    read |= dict(zip(texts, plain_files(engine, texts, encoding), strict=True))
    mixed = end_alike(engine, read, [file for file in texts if formats[file] != "json"])
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
        note = (
            f"{label}: the column {name!r} is an index of pandas by its name, and read only if {spelt('columns')} names"
            " it"
        )
        table.notes = (*table.notes, note)
    table.notes = (*table.notes, *notes_on_names(engine, renamed, kinds[0]))
    if mixed and table.foreign is None:
        table.foreign = "a text file whose lines end in different ways; give all the same end"
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


def named_otherwise(engine: DuckDBEngine, formats: Mapping[str, str | None]) -> dict[str, str | None]:
    """The files whose first bytes say something else than their names: Parquet, or None for texts called .parquet.

    The name of a file elsewhere is believed, where it says a format.
    """
    found: dict[str, str | None] = {}
    for file, kind in formats.items():
        if kind in ("excel", "ranx") or (kind is not None and URL.match(file)):
            continue
        with opened(file) as source:
            start = source.read(BEGINNING)
        if start.startswith(PARQUET):
            found |= {} if kind == "parquet" else {file: "parquet"}
        elif kind == "parquet" and is_plain(start):
            found[file] = None
    return found


def end_alike(engine: DuckDBEngine, read: dict[str, str], files: Iterable[str]) -> bool:
    """Replace files by copies whose lines end alike, where theirs do not; whether there is such a file."""
    alike = {file: with_one_end(engine, read[file]) for file in files}
    mixed = any(read[file] != copy for file, copy in alike.items())
    read |= alike
    return mixed


def notes_on_names(engine: DuckDBEngine, renamed: Mapping[str, str | None], kind: str) -> Iterator[str]:
    """Yield a note on each file whose name says another format than that which it is read as."""
    what = "a Parquet file" if kind == "parquet" else kind.upper()
    for name in map(engine.called, renamed):
        if told_by_suffix(name) is not None:
            yield f"{name}: read as {what}, which it is, whatever its name"


def told_by_content(
    engine: DuckDBEngine, file: str, role: str, by_name: str | None, given: str | None, heads: Heads
) -> str:
    """The format of a text file by its content, where that says more than its name or none was `given`."""
    label = engine.called(file)
    if given in BEGINNINGS and BEGINNINGS[given].json:
        return given
    line = "" if by_name == "json" else Heading(file, label, every_comment).line
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
