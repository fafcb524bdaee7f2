"""Formats: the text that reads each kind of file in DuckDB, and what its columns are."""

from __future__ import annotations

import csv
import glob
import mmap
import os
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError, shown
from sqlrank.files import compression_of, find_files, told_by_suffix
from sqlrank.remote import URL
from sqlrank.templates import render, sql_text

TREC_FIELDS = {
    "run": ("query_id", "iteration", "doc_id", "rank", "score", "tag"),
    "qrels": ("query_id", "iteration", "doc_id", "relevance"),
}
HEADERLESS = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "relevance"),
    "verdicts": ("query_id", "verdict"),
}


@dataclass(slots=True)
class Table:
    """Something that can stand after `from`, with what is known of it."""

    label: str
    """What to call it in messages."""
    reader: Markup
    """The SQL that reads it."""
    columns: dict[str, str]
    """Name and type of each column."""
    files: tuple[str, ...] = ()
    """The local files it reads."""
    costly: bool = False
    """Whether it costs to read twice, or cannot be."""
    json: bool = False
    """Whether the type of each JSON value stands beside it, in a column named for it."""
    text: bool = False
    """Whether every value is text."""
    first_line: int | None = None
    """The line of the first row in a text file of one row per line."""
    canonical: bool = False
    """Whether the columns are named by what they are, as in TREC files."""
    trec: str | None = None
    """Whether it is a TREC `run` or `qrels` file that is read as if split at single blanks."""


def read_files(engine: DuckDBEngine, argument: str, role: str, input_format: str | None, header: bool) -> Table:
    """The files that an argument names, as a table.

    Args:
        engine: what describes and reads them.
        argument: a file, folder, glob, URL, or `-` for stdin.
        role: `run`, `qrels` or `queries`.
        input_format: one of `FORMATS`, or None to tell from the suffix and then from the content.
        header: whether CSV files begin with the names of their columns.

    Raises:
        DataError: nothing is there, it is empty, or it cannot be read.
    """
    files, hive = find_files(engine, argument)
    formats = {input_format or told_by_suffix(file) or told_by_content(engine, file, role) for file in files}
    if len(formats) > 1:
        raise DataError(f"{argument}: files of several formats ({', '.join(sorted(formats))}); name one kind")
    kind = formats.pop()
    compression = compression_of(files[0])
    names = [file if URL.match(file) else glob.escape(file) for file in files]
    argument = shown(argument)
    if kind == "parquet":
        reader = sql_text(render("sources/parquet.sql", engine.dialect, files=names, hive=hive))
        columns = describe(engine, reader, argument)
        return Table(argument, reader, columns, tuple(files), costly=any(URL.match(file) for file in files))
    if kind == "json":
        return read_json(engine, argument, names, files, hive, compression)
    if kind == "trec":
        return read_trec(engine, argument, names, files, role, compression)
    return read_csv(engine, argument, names, files, role, hive, compression, kind, header)


def told_by_content(engine: DuckDBEngine, path: str, role: str) -> str:
    """The format that the content tells: Parquet, JSON, TREC or else CSV."""
    if not URL.match(path):
        with open(path, "rb") as file:
            if file.read(4) == b"PAR1":
                return "parquet"
    return format_of_line(first_line(engine, path, comments=False), role)


def format_of_line(line: str, role: str) -> str:
    """The format that the first line of a text file tells: JSON, TREC or else CSV."""
    if line.lstrip()[:1] in ("{", "["):
        return "json"
    fields, needed = len(line.split()), len(TREC_FIELDS[role]) if role in TREC_FIELDS else 0
    exact = fields == needed or (role == "run" and fields > needed > 0)
    return "trec" if exact and not any(mark in line for mark in ",;|") else "csv"


def lines_of(engine: Engine, path: str) -> Markup:
    """The text that reads a file line by line."""
    context = {"files": [path if URL.match(path) else glob.escape(path)], "compression": compression_of(path)}
    return sql_text(render("sources/lines.sql", engine.dialect, **context))


def first_line(engine: DuckDBEngine, path: str, comments: bool = True) -> str:
    """The first line of a text file that is not blank (nor a comment), without a byte order mark."""
    context = {"lines": lines_of(engine, path), "comments": comments}
    try:
        rows = engine.execute(render("sources/first_line.sql", engine.dialect, **context))
    except DataError as error:
        raise DataError(f"{path}: cannot be read: {error}") from error
    if not rows:
        raise DataError(f"{path}: the file has no lines")
    return str(rows[0][0]).removeprefix("\ufeff")


def describe(engine: DuckDBEngine, reader: Markup, label: str) -> dict[str, str]:
    """Name and type of each column of a reader."""
    try:
        rows = engine.execute(render("sources/describe.sql", engine.dialect, reader=reader))
    except (DataError, UsageError) as error:
        raise DataError(f"{label}: cannot be read: {error}") from error
    return {row[0]: row[1] for row in rows}


def read_json(
    engine: DuckDBEngine,
    label: str,
    names: Sequence[str],
    files: list[str],
    hive: bool,
    compression: str | None,
) -> Table:
    """JSON records, every value kept as it is written."""
    sniffed = sql_text(render("sources/json_sniffed.sql", engine.dialect, files=list(names), compression=compression))
    columns = describe(engine, sniffed, label)
    context = {"files": list(names), "hive": hive, "compression": compression, "names": list(columns)}
    reader = sql_text(render("sources/json.sql", engine.dialect, **context))
    return Table(label, reader, dict.fromkeys(columns, "VARCHAR"), tuple(files), costly=True, json=True, text=True)


def read_trec(
    engine: DuckDBEngine,
    label: str,
    names: Sequence[str],
    files: list[str],
    role: str,
    compression: str | None,
) -> Table:
    """A TREC run or qrels file, to be split at single blanks until that is seen to fail."""
    fields = TREC_FIELDS.get(role)
    if fields is None:
        raise UsageError(f"{label}: TREC files hold runs and qrels; {role} are read from Parquet, CSV or JSON")
    tabs = any(may_hold_tabs(file) for file in files)
    context = {"files": list(names), "names": fields, "compression": compression, "tabs": tabs}
    reader = sql_text(render("sources/trec.sql", engine.dialect, **context))
    columns = dict.fromkeys(fields, "VARCHAR")
    return Table(label, reader, columns, tuple(files), costly=True, text=True, first_line=1, canonical=True, trec=role)


def may_hold_tabs(path: str) -> bool:
    """Whether a file holds a tab, as far as can be told by a quick look at its bytes."""
    if URL.match(path) or compression_of(path) or not os.path.getsize(path):
        return True
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"\t") >= 0


def split_anew(engine: Engine, table: Table, error: DataError) -> None:
    """Read a TREC file from now on by splitting its lines at any white space, as reading it otherwise failed.

    Raises:
        DataError: it is broken, or a line has not the fields it must have, with file and line.
    """
    if "GZIP" in str(error) or "ZSTD" in str(error):
        raise DataError(f"{table.label}: cannot be read: {error}") from error
    role = table.trec or ""
    for file in table.files:
        complain_of_trec_line(engine, file, role)
    names = [name if URL.match(name) else glob.escape(name) for name in table.files]
    lines = sql_text(
        render("sources/lines.sql", engine.dialect, files=names, compression=compression_of(table.files[0]))
    )
    fields = TREC_FIELDS[role]
    table.reader = sql_text(render("sources/trec_split.sql", engine.dialect, lines=lines, names=fields))
    table.trec = None


def complain_of_trec_line(engine: Engine, file: str, role: str) -> None:
    """Raise the error that shows the first line of a TREC file with a wrong number of fields, if there is one."""
    fields = TREC_FIELDS[role]
    context = {"lines": lines_of(engine, file), "fields": len(fields), "more": role == "run"}
    for number, line in engine.execute(render("sources/trec_bad_line.sql", engine.dialect, **context)):
        raise trec_complaint(file, number, line, role)


def trec_complaint(file: str, number: int, line: str, role: str) -> DataError:
    """The error that shows a line of a TREC file with a wrong number of fields."""
    fields = TREC_FIELDS[role]
    return DataError(
        f"{file}, line {number}: {len(line.split())} fields where a TREC {role} line has {len(fields)}"
        f" ({' '.join(fields)}): {line[:100]!r}"
    )


def read_csv(
    engine: DuckDBEngine,
    label: str,
    names: Sequence[str],
    files: list[str],
    role: str,
    hive: bool,
    compression: str | None,
    kind: str,
    header: bool,
) -> Table:
    """CSV or TSV, every value as text; the names come from the first line, and nothing is guessed."""
    line = first_line(engine, files[0])
    delimiter = delimiter_of(line, kind)
    columns = next(csv.reader([line], delimiter=delimiter))
    for file in files[1:] if header else ():
        if next(csv.reader([first_line(engine, file)], delimiter=delimiter)) != columns:
            raise DataError(f"{file}: the header is not that of {files[0]} ({', '.join(columns)})")
    columns = header_of(line, delimiter, role, header, label)
    context = {"files": list(names), "hive": hive, "compression": compression, "header": header}
    reader = render("sources/csv.sql", engine.dialect, **context, names=columns, delimiter=delimiter)
    kinds = dict.fromkeys(columns, "VARCHAR")
    if hive:
        kinds = describe(engine, sql_text(reader), label)
    return Table(label, sql_text(reader), kinds, tuple(files), costly=True, text=True, first_line=1 + header)


def delimiter_of(line: str, kind: str | None) -> str:
    """What splits a line of CSV or TSV."""
    return "\t" if kind == "tsv" else next((mark for mark in ",\t;|" if mark in line), ",")


def header_of(line: str, delimiter: str, role: str, header: bool, label: str) -> list[str]:
    """The names of the columns of CSV, by its first line.

    Raises:
        DataError: a name is there twice or missing, or the columns are too few to go without names.
    """
    columns = next(csv.reader([line], delimiter=delimiter))
    if not header:
        given = HEADERLESS.get(role, ())
        if len(columns) < len(given) or not given:
            raise DataError(
                f"{label}: --no-header needs the columns {', '.join(given)}; the first line is {line[:100]!r}"
            )
        columns = [*given, *(f"column_{number}" for number in range(len(given) + 1, len(columns) + 1))]
    repeated = {name for name in columns if columns.count(name) > 1}
    if repeated or "" in columns:
        problem = f"the column {min(repeated)!r} twice" if repeated else "a column without a name"
        raise DataError(f"{label}: the header has {problem}; the first line is {line[:100]!r}")
    return columns
