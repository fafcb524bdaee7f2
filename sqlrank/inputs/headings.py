"""How a text file of rows begins, its first record and the lines before it, and how its lines end."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, ResourceError
from sqlrank.inputs.column_names import Heads, is_known
from sqlrank.inputs.plain_text import copy_path, opened
from sqlrank.process.remote import URL
from sqlrank.spelling import spelt

USUAL_START, LONGEST_START = 1 << 16, 1 << 22
"""How many bytes are read for the first record: at first, and at most."""
BLANK = b"\xef\xbb\xbf \t"
"""What a blank line may hold: a byte order mark, blanks and tabs."""
MARK = b"\xef\xbb\xbf"
SEPARATOR = re.compile(rb'"?sep=([\t -!#-/:-@\[-`{-~])"?', re.IGNORECASE)
"""The line by which Excel is told what stands between two fields."""
COMMENT = b"#"
Comments = Callable[[str, str], bool]
"""Whether a line that begins with # is a comment, by itself and the first line that does not begin so."""
WINDOW = 1 << 16
"""How many bytes are looked at, from the beginning and before the end."""
BLOCK = 1 << 20
LINE_END = re.compile(rb"\r\n|\r|\n")
QUOTED = re.compile(rb'"[^"]*"?')
MIXED = "its lines end in different ways (\\n, \\r\\n or \\r); give all the same end"


class Record(NamedTuple):
    """The first record of a file."""

    before: int
    """How many lines stand before it."""
    lines: int
    """How many lines it has."""
    raw: bytes
    separator: str | None = None
    """The separator that a line before it names."""
    comments: int = 0
    """How many of the lines before it are comments."""


def no_comment(line: str, following: str) -> bool:
    """That a line which begins with # is a line like any other."""
    return False


def every_comment(line: str, following: str) -> bool:
    """That every line which begins with # is a comment."""
    return True


class Heading:
    """The first record of a text file, with the lines that a quote in it spans; DataError if it has none.

    Blank lines, a line `sep=;` and comments may stand before it.
    """

    def __init__(self, file: str, label: str, comments: Comments = no_comment) -> None:
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
        self.before, self.lines, raw, self.separator, self.comments = found
        if self.before and len(set(LINE_END.findall(data)[: self.before + 1])) > 1:
            raise DataError(f"{label}: {MIXED}")
        try:
            self.line = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            self.line = raw.decode("latin-1")
        if "\x00" in self.line:
            raise DataError(f"{label}, line {self.before + 1}: holds NUL bytes and is not a text")

    def fields(self, delimiter: str) -> list[str]:
        """The fields of the record."""
        return fields_of(self.line, delimiter, self.label)

    def rows(self, delimiter: str) -> Iterator[list[str]]:
        """The first rows of a file without names, as far as they were read and are whole."""
        *lines, _ = self.start.decode("utf-8-sig", "replace").splitlines()
        width = len(self.fields(delimiter))
        with suppress(csv.Error):
            yield from (row for row in csv.reader(lines[self.before :], delimiter=delimiter) if len(row) == width)


def first_record(data: bytes, comments: Comments, complete: bool = False) -> Record | None:
    """The first record; None where more bytes are needed.

    `comments` is as for `Heading`; `complete` says that these are all bytes of the file.
    """
    lines = LINE_END.split(data)
    whole = lines if complete or LINE_END.search(data[-1:]) else lines[:-1]
    filled = [place for place, line in enumerate(whole) if line.strip(BLANK)]
    separator = None
    if filled and (named := SEPARATOR.fullmatch(whole[filled[0]].removeprefix(MARK))):
        separator, filled = named[1].decode(), filled[1:]
    if not filled:
        return None
    others = [place for place in filled if not whole[place].removeprefix(MARK).startswith(COMMENT)]
    if not others and comments is every_comment and not complete:
        return None
    following = others[0] if others else filled[-1]
    last = whole[following].decode("utf-8", "replace")
    marked = [whole[place].removeprefix(MARK).decode("utf-8", "replace") for place in filled if place < following]
    passed = next((number for number, line in enumerate(marked) if not comments(line, last)), len(marked))
    first = filled[passed]
    for end in range(first + 1, len(whole) + 1):
        record = b"\n".join(whole[first:end])
        if record.count(b'"') % 2 == 0:
            return Record(first, end - first, record, separator, passed)
    return Record(first, 1, whole[first], separator, passed) if complete else None


def is_comment(line: str, following: str, heads: Heads, kind: str | None) -> bool:
    """Whether a line that begins with # is a comment, and not the names of columns or a row.

    The first name may begin with #, as in `#qid`: a line with a known name and as many fields as the next line has are
    names, and so is one with as many fields where the next line has no known name either.
    """
    delimiter = delimiter_of(following, kind)
    fields, others = (lenient_fields(text, delimiter) for text in (line, following))
    if not heads.header:
        return len(fields) != len(others)
    if any(field in heads.named for field in fields):
        return False
    alike = len(fields) == len(others)
    if alike and any(is_known(field.lstrip("# ")) for field in fields):
        return False
    named = any(is_known(field) or field in heads.named for field in others)
    return not alike or len(fields) == 1 or named


def lenient_fields(line: str, delimiter: str) -> list[str]:
    """The fields of a line that may be none of CSV."""
    with suppress(csv.Error):
        return next(csv.reader([line], delimiter=delimiter), [])
    return line.split(delimiter)


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


def with_one_end(engine: DuckDBEngine, file: str) -> str:
    """A text file, or a copy whose lines all end alike where those at its beginning or its end do not.

    Lines that differ in the middle alone are refused by whoever reads the file. A file that is elsewhere is not looked
    at.
    """
    if file in engine.copies:
        return engine.copies[file]
    if URL.match(file) or not differ(file):
        return file
    copy = f"{copy_path(engine, file)}.lines"
    label = engine.called(file)
    try:
        write_alike(file, copy)
    except OSError as error:
        raise ResourceError(
            f"{label}: its text cannot be kept in {engine.scratch}: {error.strerror or error};"
            f" name another folder with {spelt('temp_dir')}"
        ) from error
    engine.copies[file], engine.origins[copy] = copy, label
    return copy


def differ(file: str) -> bool:
    """Whether lines end in different ways, as far as the beginning and the end of a file tell."""
    with opened(file) as source:
        size = source.seek(0, os.SEEK_END)
        source.seek(0)
        start = source.read(WINDOW)
        source.seek(max(len(start), size - WINDOW))
        end = source.read()
    if size > len(start):
        start = start.removesuffix(b"\r")
    ends = {*LINE_END.findall(QUOTED.sub(b"", start))}
    if b'"' not in end:
        ends |= {*LINE_END.findall(end.removeprefix(b"\n"))}
    return len(ends) > 1


def write_alike(file: str, copy: str) -> None:
    """Write a file of which every line ends in a line feed; what is quoted stays as it is."""
    quoted, kept = False, b""
    with opened(file) as source, open(copy, "wb") as target:
        while block := source.read(BLOCK):
            block = kept + block
            kept = b"\r" if block.endswith(b"\r") else b""
            pieces = block.removesuffix(kept).split(b'"')
            for number, piece in enumerate(pieces):
                if number:
                    quoted = not quoted
                pieces[number] = piece if quoted else LINE_END.sub(b"\n", piece)
            target.write(b'"'.join(pieces))
        target.write(b"\n" if kept else b"")
