"""CSV and TSV: the names come from the first line, every value is text, and nothing is guessed."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError
from sqlrank.inputs.column_names import INDEX_NOTE, assumed, is_nameless, unnamed, unnamed_score
from sqlrank.inputs.files import Files, check_partitions, partition_names
from sqlrank.inputs.plain_text import opened
from sqlrank.inputs.table import Table, aliases_of, listed
from sqlrank.statement.templates import render, sql_text

USUAL_START, LONGEST_START = 1 << 16, 1 << 22
"""How many bytes are read for the first line: at first, and at most."""
BLANK = b"\xef\xbb\xbf \t"
"""What a blank line may hold: a byte order mark, blanks and tabs."""
INDEX = "sqlrank_index"
"""What a first column without a name is called, as pandas and R write the numbers of rows; nothing reads it."""
MIXED = "its lines end in different ways (\\n, \\r\\n or \\r); give all the same end"
LINE_END = re.compile(rb"\r\n|\r|\n")


class Heading:
    """The first line of a text file that is not blank, with those that a quote in it spans; DataError if it has none.

    `comments` says that a line that begins with # is a line like any other.
    """

    def __init__(self, file: str, label: str, comments: bool = True) -> None:
        with opened(file) as source:
            data = source.read(USUAL_START)
            found = first_record(data, comments)
            if found is None:
                data += source.read(LONGEST_START)
                found = first_record(data, comments, complete=len(data) < LONGEST_START)
        if found is None:
            blank = not data.strip()
            raise DataError(f"{label}: the file has no lines" if blank else f"{label}: the first line has no end")
        self.label, self.start = label, data
        self.blank, self.lines, raw = found
        if self.blank and len(set(LINE_END.findall(data)[: self.blank + 1])) > 1:
            raise DataError(f"{label}: {MIXED}")
        try:
            self.line = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.line = raw.decode("latin-1")
        if "\x00" in self.line:
            raise DataError(f"{label}, line {self.blank + 1}: holds NUL bytes and is no text")

    def fields(self, delimiter: str) -> list[str]:
        """The fields of the line."""
        return fields_of(self.line, delimiter, self.label)

    def rows(self, delimiter: str) -> Iterator[list[str]]:
        """The first rows of a file without names, as far as they were read and are whole."""
        *lines, _ = self.start.decode("utf-8-sig", "replace").splitlines()
        width = len(self.fields(delimiter))
        with suppress(csv.Error):
            yield from (row for row in csv.reader(lines, delimiter=delimiter) if len(row) == width)


def first_record(data: bytes, comments: bool, complete: bool = False) -> tuple[int, int, bytes] | None:
    """The blank lines before the first record, how many lines it has, and itself; None where more bytes are needed.

    `comments` is as for `Heading`; `complete` says that these are all bytes of the file.
    """
    lines = LINE_END.split(data)
    whole = lines if complete or LINE_END.search(data[-1:]) else lines[:-1]
    passed = () if comments else b"#"
    blank = next((place for place, line in enumerate(whole) if line.strip(BLANK) and not line.startswith(passed)), None)
    if blank is None:
        return None
    for end in range(blank + 1, len(whole) + 1):
        record = b"\n".join(whole[blank:end])
        if record.count(b'"') % 2 == 0:
            return blank, end - blank, record
    return (blank, 1, whole[blank]) if complete else None


def read_csv(engine: DuckDBEngine, given: Files) -> Table:
    """CSV or TSV as a table."""
    label, kind, files, role, hive, heads = given
    headings = [Heading(read, engine.called(read)) for read, _ in files]
    delimiter = delimiter_of(headings[0].line, kind)
    first = headings[0].fields(delimiter)
    nameless = is_nameless(first, role, heads)
    positions = None if heads.header and not nameless else heads.told
    check_alike(headings, first, delimiter, named=positions is None)
    notes = []
    if nameless:
        positions = heads.told or assumed(headings[0].rows(delimiter), role)
        read = unnamed(len(first), role, positions, label, headings[0].line)
        notes.append(f"{label}: its first line holds no names; the columns are read as {', '.join(read)}")
    typed = kind == "recbole" and positions is None
    names = [name.partition(":")[0] for name in first] if typed else first
    columns = header_of(names, role, positions, label, headings[0].line)
    if typed:
        notes.append(f"{label}: read as an atomic file of RecBole: {first[0]} is the column {columns[0]}, and so on")
    if columns[0] == INDEX:
        notes.append(f"{label}: {INDEX_NOTE}")
    if hive:
        check_partitions(label, columns, (read for read, _ in files))
    aliases = aliases_of(columns)
    names = [aliases.get(name, name) for name in columns]
    groups = [
        {"blank": blank, "files": [file for _, file in same]}
        for blank, same in groupby(
            zip((heading.blank for heading in headings), files, strict=True), lambda pair: pair[0]
        )
    ]
    context = {"header": positions is None, "names": names, "delimiter": delimiter, "hive": hive}

    def reader(place: int) -> Any:
        chosen = [group | {"files": [engine.pattern(file[place]) for file in group["files"]]} for group in groups]
        return sql_text(render("sources/csv.sql", engine.dialect, **context, groups=chosen))

    keys = partition_names(files[0][0]) if hive else []
    first_line = headings[0].blank + 1 + (headings[0].lines if positions is None else 0)
    return Table(
        label,
        reader(0),
        dict.fromkeys([name for name in [*columns, *keys] if name != INDEX], "VARCHAR"),
        tuple(read for read, _ in files),
        costly=True,
        text=True,
        first_line=first_line,
        aliases=aliases,
        portable=reader(1) if any(read != named for read, named in files) else None,
        unnamed=positions is not None,
        unnamed_score=unnamed_score(role, positions),
        assumed_rank=nameless and "rank" in (positions or {}) and not heads.told,
        notes=tuple(notes),
    )


def check_alike(headings: Sequence[Heading], first: Sequence[str], delimiter: str, named: bool) -> None:
    """Raise DataError if several files do not begin alike: with the same names, or as many fields."""
    for heading in headings[1:]:
        fields = heading.fields(delimiter)
        if len(fields) != len(first) or (named and fields != first):
            raise DataError(f"{heading.label}: the header is not that of {headings[0].label} ({listed(first)})")


def fields_of(line: str, delimiter: str, label: str) -> list[str]:
    """The fields of a record of CSV; DataError if a quote is not closed or a field is longer than Python reads."""
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise DataError(f"{label}: the first line cannot be read as CSV ({error}): {line[:100]!r}") from None


def delimiter_of(line: str, kind: str | None) -> str:
    """The delimiter of a CSV or TSV file."""
    marks = "\t,;|" if kind == "recbole" else ",\t;|"
    return "\t" if kind == "tsv" else next((mark for mark in marks if mark in line), ",")


def header_of(
    fields: Sequence[str], role: str, positions: Mapping[str, int] | None, label: str, line: str
) -> list[str]:
    """The names of the columns, made up if there are `positions`; DataError if one is doubled or missing.

    A first column without a name is an index.
    """
    if positions is not None:
        return unnamed(len(fields), role, positions, label, line)
    columns = [INDEX, *fields[1:]] if len(fields) > 1 and fields[0] == "" else list(fields)
    repeated = {name for name in columns if columns.count(name) > 1} if len(set(columns)) < len(columns) else set()
    if repeated or "" in columns:
        problem = f"the column {min(repeated)!r} twice" if repeated else "a column without a name"
        raise DataError(f"{label}: the header has {problem}; the first line is {line[:100]!r}")
    return columns
