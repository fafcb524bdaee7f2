"""Telling the format of files, and reading them as one table by what reads that format."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, shortened, without_credentials
from sqlrank.inputs.column_names import TREC_FIELDS, Heads, is_number
from sqlrank.inputs.csv_files import Heading
from sqlrank.inputs.files import FORMATS, Files, check_no_lake, find_files, told_by_suffix
from sqlrank.inputs.plain_text import opened, plain_files
from sqlrank.inputs.table import Table

LETOR = re.compile(r"\s*[-+]?[0-9.]+(\s+qid:\S+(\s+\d+:\S+)*|(\s+\d+:\S+)+)\s*(#.*)?\Z", re.DOTALL)
"""A line of LETOR: a label, the query, and features as NUMBER:VALUE; some writers leave out the query."""
DELIMITED = ("csv", "tsv")
"""The formats of one row per line and a delimiter."""


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
    formats = {file: input_format or told_by_suffix(engine.called(file)) for file in found}
    untold = [file for file, kind in formats.items() if kind is None]
    formats |= {file: "parquet" for file in untold if is_parquet(file)}
    read, notes = sheets_among(engine, formats)
    formats |= dict.fromkeys(read, "csv")
    sheets = bool(read)
    texts = [file for file, kind in formats.items() if kind != "parquet" and file not in read]
    read |= dict(zip(texts, plain_files(engine, texts, encoding), strict=True))
    for file in texts:
        if formats[file] != "json":
            check_known(Heading(read[file], engine.called(file), comments=False).line, engine.called(file))
    formats |= {file: told_by_content(engine, read[file], role) for file, kind in formats.items() if kind is None}
    formats |= dict.fromkeys(dictionaries_among(formats, read, role, heads), "dictionaries")
    if input_format is None and role in TREC_FIELDS:
        named = [file for file, kind in formats.items() if kind in DELIMITED]
        formats |= {file: "trec" for file in named if in_trec(engine, read[file], role)}
    kinds = sorted({str(kind) for kind in formats.values()})
    if len(kinds) > 1:
        raise DataError(f"{label}: files of several formats ({', '.join(kinds)}); name one kind")
    pairs = [(read.get(file, file), engine.called(file)) for file in found]
    table = read_as(engine, Files(label, kinds[0], pairs, role, hive, heads))
    if kinds == ["trec"] and input_format is None and told_by_suffix(pairs[0][1]) in DELIMITED:
        table.notes = (f"{label}: read as TREC {role}, which its lines are, whatever its name",)
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
    return reader(engine, files)


def sheets_among(engine: DuckDBEngine, formats: Mapping[str, str | None]) -> tuple[dict[str, str], list[str]]:
    """The files of Excel, each with its copy as CSV, and notes on the sheets that were chosen."""
    books = [file for file, kind in formats.items() if kind == "excel"]
    if not books:
        return {}, []
    from sqlrank.inputs.excel_files import sheet_of

    sheets = {file: sheet_of(engine, file) for file in books}
    return {file: copy for file, (copy, _) in sheets.items()}, [note for _, notes in sheets.values() for note in notes]


def dictionaries_among(
    formats: Mapping[str, str | None], read: Mapping[str, str], role: str, heads: Heads
) -> list[str]:
    """The files of JSON that are an object of dictionaries rather than records."""
    records = [file for file, kind in formats.items() if kind == "json"]
    if not records:
        return []
    from sqlrank.inputs.nested_json import PAIRED, is_of_dictionaries

    return [file for file in records if role in PAIRED and is_of_dictionaries(read[file], heads.named)]


def in_trec(engine: DuckDBEngine, file: str, role: str) -> bool:
    """Whether the first line of a file can be nothing but TREC: its second field is Q0 or 0, its numbers are such."""
    fields = Heading(file, engine.called(file), comments=False).line.split()
    if role == "run":
        return len(fields) == 6 and fields[1].upper() == "Q0" and all(map(is_number, fields[3:5]))
    return len(fields) == 4 and fields[1].upper() in ("0", "Q0") and is_number(fields[3])


def check_known(line: str, label: str) -> None:
    """Raise DataError if the first line of a text file is of LETOR, whose fields may be taken for those of TREC."""
    if LETOR.match(line):
        raise DataError(
            f"{label}: is LETOR text (svmlight: a label, qid: and features), which sqlrank does not read; write a line"
            " for each document as CSV: query_id (what follows qid:), doc_id, relevance (the label) and the score that"
            f" a model gave it. The first line is {shortened(line.strip())!r}"
        )


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
