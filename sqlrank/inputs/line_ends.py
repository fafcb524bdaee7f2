"""Text files whose lines end in different ways, of which DuckDB reads none: copies whose lines end alike."""

from __future__ import annotations

import os
import re

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import ResourceError
from sqlrank.inputs.plain_text import copy_path, opened
from sqlrank.process.remote import URL
from sqlrank.spelling import spelt

WINDOW = 1 << 16
"""How many bytes are looked at, from the beginning and before the end."""
BLOCK = 1 << 20
LINE_END = re.compile(rb"\r\n|\r|\n")
QUOTED = re.compile(rb'"[^"]*"?')
MIXED = "its lines end in different ways (\\n, \\r\\n or \\r); give all the same end"


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
