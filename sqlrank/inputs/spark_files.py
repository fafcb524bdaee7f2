"""Reading files in Spark: Parquet, CSV, JSON lines and TREC.

Paths and globs go to Spark as they are, which alone can see what a cluster sees. Text is looked through once, so that
a line that is wrong is told with its number before anything is computed.
"""

from __future__ import annotations

import csv
import glob
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.engines.spark import SparkEngine
from sqlrank.errors import DataError, SqlrankError, UsageError
from sqlrank.inputs.beginnings import BEGINNINGS, QUEPID_RATINGS, Start, check_letor, told_by_beginning
from sqlrank.inputs.column_names import TREC_FIELDS, unnamed_score
from sqlrank.inputs.csv_files import INDEX, header_of
from sqlrank.inputs.files import check_partitions, lake_of, partitions, told_by_suffix
from sqlrank.inputs.headings import SEPARATOR, delimiter_of, fields_of
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import trec_complaint
from sqlrank.process.remote import URL, path_of
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

SUFFIX = r"(\.[^./]+(?:\.(?:gz|gzip|bz2|zst|zstd|snappy|lz4|deflate))?)$"
GLOB = str.maketrans({mark: f"\\{mark}" for mark in "\\*?[]{}"})
"""What Hadoop takes for a pattern, in a path that is none."""


@dataclass(slots=True)
class Found:
    """The files of one argument."""

    engine: SparkEngine
    label: str
    """The argument as it was written."""
    path: str
    """The same as Spark is given it."""
    files: tuple[str, ...]
    """One of the files, or two of several."""
    lines: Markup = field(default_factory=Markup)
    """The relation of its lines, for text."""
    first: str = ""
    """The first of them that is not blank, once it was asked for: each look is a job."""

    def partitioned(self) -> list[str]:
        """The files, as patterns, where folders below what was named may hold columns."""
        below = [file for file in self.files if not file.endswith(path_of(self.path)) and partitions(file)]
        return [file.translate(GLOB) for file in below]

    def read_lines(self) -> None:
        """Make the relation of the lines."""
        name = self.engine.name(f"lines_{len(self.engine.made)}")
        context = {"name": name, "path": self.path}
        self.engine.make("view", name, render("sources/lines.sql", self.engine.dialect, **context))
        self.lines = sql_text(self.engine.dialect.ident(name))

    def first_line(self, comments: bool = True) -> str:
        """The first line that is not blank (nor a comment), without a byte order mark."""
        self.first = self.first or self.asked_line(comments=True)
        return self.first if comments or not self.first.startswith("#") else self.asked_line(comments=False)

    def asked_line(self, comments: bool) -> str:
        """The same, asked of Spark."""
        context = {"lines": self.lines, "comments": comments}
        rows = self.engine.execute(render("sources/first_line.sql", self.engine.dialect, **context))
        if not rows:
            raise DataError(f"{self.label}: the file has no lines")
        return str(rows[0][0]).removeprefix("\ufeff")

    def look(self, kind: str, **context: Any) -> tuple[int, str, str, str]:
        """How many lines have a quote left open; file, number and text of the first that is wrong, or nothing."""
        sql = render("sources/look.sql", self.engine.dialect, kind=kind, lines=self.lines, **context)
        quotes, wrong = self.engine.execute(sql)[0]
        if wrong is None:
            return quotes, "", "", ""
        file, place, line = wrong
        sql = render("sources/line_number.sql", self.engine.dialect, lines=self.lines, file=file, place=place)
        number = self.engine.execute(sql)[0][0]
        return quotes, self.label if len(self.files) == 1 else file, str(number), line


def described(engine: SparkEngine, reader: Markup, label: str) -> dict[str, str]:
    """Name and type of each column, texts by DuckDB's name of their type."""
    try:
        rows = engine.execute(render("sources/describe.sql", engine.dialect, reader=reader))
    except SqlrankError as error:
        raise DataError(f"{label}: cannot be read: {error}") from None
    texts = ("string", "varchar", "char")
    return {name: "VARCHAR" if kind.startswith(texts) else kind.upper() for name, kind, *_ in rows}


def located(argument: str) -> str:
    """An argument as Spark is to see it: a local file of this very name is no pattern and has a whole path."""
    if URL.match(argument):
        return argument
    if os.path.exists(argument):
        return os.path.abspath(argument).translate(GLOB)
    return os.path.abspath(argument) if glob.glob(argument) else argument


def find_paths(engine: SparkEngine, argument: str) -> Found:
    """The files of an argument; DataError if there is none, or one is empty."""
    if kind := lake_of(argument):
        raise DataError(
            f"{argument}: a table of {kind.title()}, whose files hold rows that it has deleted; pass the data frame of"
            f" spark.read.format('{kind}').load(...), or the name of the table"
        )
    path = located(argument)
    context = {"path": path, "suffix": SUFFIX}
    try:
        rows = engine.execute(render("sources/files.sql", engine.dialect, **context))
    except DataError as error:
        absent = "does not exist" in str(error)
        text = "no such file, no file matches, and no table has this name" if absent else f"cannot be read: {error}"
        raise DataError(f"{argument}: {text}") from None
    if not rows:
        raise DataError(f"{argument}: the folder holds no data file")
    for _, _, empty in rows:
        if empty is not None:
            raise DataError(f"{argument if len(rows) == 1 and rows[0][0] == rows[0][1] else empty}: the file is empty")
    return Found(engine, argument, path, tuple(dict.fromkeys(file for row in rows for file in row[:2])))


def read_paths(
    engine: SparkEngine, argument: str, role: str, input_format: str | None, positions: Mapping[str, int] | None
) -> Table:
    """The files that an argument names, as a table; arguments as in `formats.read_files`."""
    found = find_paths(engine, argument)
    try:
        return READERS[format_of(found, role, input_format, positions is not None)](found, role, positions)
    except SqlrankError as error:
        if str(error).startswith((argument, *found.files)):
            raise
        raise type(error)(f"{argument}: {error}") from None


def format_of(found: Found, role: str, input_format: str | None, placed: bool) -> str:
    """The format of the files; of text, their lines are a relation then. UsageError if Spark does not read it.

    `placed` says that their first lines are rows.
    """
    formats = {input_format or told_by_suffix(file) for file in found.files}
    for kind in sorted(map(str, formats - {None, *READERS, *BEGINNINGS})):
        raise UsageError(f"{found.label}: Spark does not read {kind} (it reads {', '.join(READERS)})")
    if formats != {"parquet"}:
        found.read_lines()
        line = found.first_line(comments=False)
        if input_format not in (None, "json", "letor"):
            check_letor(line, found.label)
        if line.startswith("PAR1"):
            formats = (formats - {None}) | {"parquet"}
        elif input_format in (None, "json"):
            start = Start(line, role, line, placed=placed)
            formats = {each if each == "parquet" else told_by_beginning(start, each, found.label) for each in formats}
    if formats == {"quepid"} and tuple(line.strip().split(",")) == QUEPID_RATINGS:
        formats = {"csv"}  # of which a line that is none is told
    kind, *others = sorted(str(kind) for kind in formats)
    if others:
        raise DataError(f"files of several formats ({', '.join([kind, *others])}); name one kind")
    if kind not in READERS:
        title = BEGINNINGS[kind].title
        raise UsageError(f"{found.label}: Spark does not read {title} (it reads {', '.join(READERS)})")
    return kind


def read_parquet(found: Found, role: str, positions: Mapping[str, int] | None) -> Table:
    """Parquet, with the columns that hive partitions add."""
    for file in found.partitioned():
        check_partitions(found.label, described(found.engine, parquet_of(found, file), found.label), [file])
    reader = parquet_of(found, found.path)
    return Table(found.label, reader, described(found.engine, reader, found.label), found.files)


def parquet_of(found: Found, path: str) -> Markup:
    """What reads Parquet; a file that is named itself brings no partitions."""
    engine = found.engine
    name = engine.name(f"parquet_{len(engine.made)}")
    try:
        engine.make("view", name, render("sources/parquet.sql", engine.dialect, name=name, path=path))
    except SqlrankError as error:
        raise DataError(f"{found.label}: cannot be read: {error}") from None
    return sql_text(engine.dialect.ident(name))


def read_csv(found: Found, role: str, positions: Mapping[str, int] | None, kind: str = "csv") -> Table:
    """CSV or TSV, every value as text; the names come from the first line, and nothing is guessed."""
    line = found.first_line()
    delimiter = delimiter_of(line, kind)
    names = fields_of(line, delimiter, found.label)
    if SEPARATOR.fullmatch(line.strip().encode()) or (line.startswith("#") and len(names) == 1):
        text = repr(line.strip()[:60])
        raise DataError(f"{found.label}: {text} is above the header, which Spark does not read; remove it")
    columns = header_of(names, role, positions, found.label, line)
    if columns[0] == INDEX:
        raise DataError(f"{found.label}: the header has a column without a name, which Spark does not read; name it")
    check_partitions(found.label, columns, found.partitioned())
    header = positions is None
    engine = found.engine
    schema = ", ".join(f"{engine.dialect.ident(name)} string" for name in [*columns, "sqlrank_corrupt"])
    quotes, file, number, wrong = found.look("csv", schema=schema, delimiter=delimiter)
    if wrong and not quotes:
        count = len(next(csv.reader([wrong], delimiter=delimiter)))
        fields = f"Expected Number of Columns: {len(columns)} Found: {count}"
        raise DataError(f"{file}, line {number}: {fields} (it is {wrong[:100]})")
    name = engine.name(f"csv_{len(engine.made)}")
    context: dict[str, Any] = {"name": name, "columns": columns, "path": found.path, "delimiter": delimiter}
    context |= {"header": header, "multiline": quotes > 0}
    engine.make("view", name, render("sources/csv.sql", engine.dialect, **context))
    reader = sql_text(engine.dialect.ident(name))
    kinds = described(engine, reader, found.label)
    first = None if quotes else 1 + header
    return Table(
        found.label,
        reader,
        kinds,
        found.files,
        costly=True,
        text=True,
        first_line=first,
        unnamed=not header,
        unnamed_score=unnamed_score(role, positions),
    )


def read_trec(found: Found, role: str, positions: Mapping[str, int] | None) -> Table:
    """A TREC run or qrels file, its lines split at white space."""
    fields = TREC_FIELDS.get(role)
    if fields is None:
        raise UsageError(f"{found.label}: {spelt('queries')} takes Parquet, CSV or JSON, not TREC")
    _, file, number, wrong = found.look("trec", fields=len(fields), more=role == "run")
    if wrong:
        raise trec_complaint(file, int(number), wrong.strip(" \t\r"), role)
    context: dict[str, Any] = {"names": fields, "lines": found.lines}
    reader = sql_text(render("sources/trec.sql", found.engine.dialect, **context))
    comments = render("sources/trec_comments.sql", found.engine.dialect, lines=found.lines)
    return Table(
        found.label,
        reader,
        dict.fromkeys(fields, "VARCHAR"),
        found.files,
        costly=True,
        text=True,
        first_line=1,
        canonical=True,
        comments=int(found.engine.execute(comments)[0][0]),
    )


def read_json(found: Found, role: str, positions: Mapping[str, int] | None) -> Table:
    """JSON lines, every value kept as it is written."""
    if found.first_line().lstrip().startswith("["):
        raise DataError(f"{found.label}: a JSON list; Spark reads JSON lines, a record on each")
    _, file, number, wrong = found.look("json")
    if wrong:
        raise DataError(f"{file}: Malformed JSON in line {number}: {wrong[:100]!r}")
    engine = found.engine
    rows = engine.execute(render("sources/json_names.sql", engine.dialect, lines=found.lines))
    names: Sequence[str] = list(dict.fromkeys(name for row in rows for name in row[0] or ()))
    columns = [(name, f'$["{name}"]' if "'" in name else f"$['{name}']") for name in names]
    reader = sql_text(render("sources/json.sql", engine.dialect, columns=columns, lines=found.lines))
    kinds = dict.fromkeys(names, "VARCHAR")
    return Table(found.label, reader, kinds, found.files, costly=True, json=True, text=True)


READERS: dict[str, Callable[[Found, str, Mapping[str, int] | None], Table]] = {
    "parquet": read_parquet,
    "csv": read_csv,
    "tsv": partial(read_csv, kind="tsv"),
    "json": read_json,
    "trec": read_trec,
}
"""What reads each format."""
