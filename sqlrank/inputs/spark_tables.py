"""Whatever is given as an input, as a table of known columns in Spark: paths, catalogue tables, frames, dictionaries.

Paths and globs go to Spark as they are, which alone can see what a cluster sees. Text is looked through once, so that
a line that is wrong is told with its number before anything is computed.
"""

from __future__ import annotations

import csv
import glob
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from sqlrank.engines.protocol import is_spark
from sqlrank.engines.spark import SparkEngine
from sqlrank.errors import DataError, SqlrankError, UsageError
from sqlrank.inputs.csv_files import delimiter_of, fields_of, header_of, unnamed_score
from sqlrank.inputs.files import partitions, refuse_partitions, told_by_suffix
from sqlrank.inputs.formats import format_of_line
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.remote import URL, path_of
from sqlrank.inputs.roles import positions_of
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import TREC_FIELDS, trec_complaint
from sqlrank.statement.templates import render, sql_text

SUFFIX = r"(\.[^./]+(?:\.(?:gz|gzip|bz2|zst|zstd|snappy|lz4|deflate))?)$"
GLOB = str.maketrans({mark: f"\\{mark}" for mark in "\\*?[]{}"})
"""What Hadoop takes for a pattern, in a path that is none."""
PAIRS = "query_id string, doc_id string, "


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


def open_spark_table(engine: SparkEngine, data: Any, role: str, reading: Reading) -> Table:
    """Whatever was given as a table of known columns.

    Raises:
        DataError: it is not there or cannot be read.
        UsageError: it is of a kind that cannot be an input.
    """
    if isinstance(data, str | Path):
        text = str(data)
        if not is_table(engine, text):
            positions = None if reading.header else positions_of(reading.columns, role)
            return read_paths(engine, text, role, reading.input_format, positions)
        return view_of(engine, role, text, lambda: engine.session.table(text))
    label = f"the {role}"
    if is_spark(data):
        return view_of(engine, role, label, lambda: data)
    if isinstance(data, Mapping):
        value = "relevance" if role == "qrels" else "score"
        rows = pairs_of(data, role)
        table = view_of(engine, role, label, lambda: engine.session.createDataFrame(rows, f"{PAIRS}{value} double"))
        table.canonical = table.nested = True
        return table
    if not hasattr(data, "__arrow_c_stream__"):
        raise UsageError(f"a {type(data).__name__} cannot be read by Spark; give a path, a table or a data frame")
    return view_of(engine, role, label, lambda: engine.session.createDataFrame(arrow_of(data)))


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
    """The files of an argument.

    Raises:
        DataError: there is none, or one is empty.
    """
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
    formats = {input_format or told_by_suffix(file) for file in found.files}
    if formats == {"parquet"}:
        return read_parquet(found)
    try:
        found.read_lines()
        if None in formats:
            line = found.first_line(comments=False)
            formats = (formats - {None}) | {"parquet" if line.startswith("PAR1") else format_of_line(line, role)}
        if len(formats) > 1:
            known = ", ".join(sorted(str(kind) for kind in formats))
            raise DataError(f"files of several formats ({known}); name one kind")
        kind = formats.pop()
        if kind == "parquet":
            return read_parquet(found)
        if kind == "json":
            return read_json(found)
        return read_trec(found, role) if kind == "trec" else read_csv(found, role, kind, positions)
    except SqlrankError as error:
        if str(error).startswith((argument, *found.files)):
            raise
        raise type(error)(f"{argument}: {error}") from None


def read_parquet(found: Found) -> Table:
    """Parquet, with the columns that hive partitions add."""
    for file in found.partitioned():
        refuse_partitions(found.label, described(found.engine, parquet_of(found.engine, file), found.label), [file])
    reader = parquet_of(found.engine, found.path)
    return Table(found.label, reader, described(found.engine, reader, found.label), found.files)


def parquet_of(engine: SparkEngine, path: str) -> Markup:
    """What reads Parquet; a file that is named itself brings no partitions."""
    return sql_text(render("sources/parquet.sql", engine.dialect, path=path).strip())


def read_csv(found: Found, role: str, kind: str | None, positions: Mapping[str, int] | None) -> Table:
    """CSV or TSV, every value as text; the names come from the first line, and nothing is guessed."""
    line = found.first_line()
    delimiter = delimiter_of(line, kind)
    columns = header_of(fields_of(line, delimiter, found.label), role, positions, found.label, line)
    refuse_partitions(found.label, columns, found.partitioned())
    header = positions is None
    engine = found.engine
    schema = ", ".join(f"{engine.dialect.ident(name)} string" for name in [*columns, "sqlrank_corrupt"])
    quotes, file, number, wrong = found.look("csv", schema=schema, delimiter=delimiter)
    if wrong and not quotes:
        count = len(next(csv.reader([wrong], delimiter=delimiter)))
        fields = f"Expected Number of Columns: {len(columns)} Found: {count}"
        raise DataError(f"{file}, line {number}: Original Line: {wrong[:100]}; {fields}")
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


def read_trec(found: Found, role: str) -> Table:
    """A TREC run or qrels file, its lines split at white space."""
    fields = TREC_FIELDS.get(role)
    if fields is None:
        raise UsageError(f"{found.label}: --queries takes Parquet, CSV or JSON, not TREC")
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


def read_json(found: Found) -> Table:
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
