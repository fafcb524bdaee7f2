"""JSON records: a list or one record per line, every value kept as it is written."""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, without_credentials
from sqlrank.inputs.files import Files, check_partitions, partition_names
from sqlrank.inputs.plain_text import opened
from sqlrank.inputs.table import Table, aliases_of, column_types, may_be_renamed
from sqlrank.statement.templates import render, sql_text

TAIL = 1 << 16
"""How many bytes of the end of a file are looked at."""


BULK = re.compile(rb"\{\s*\"(index|create)\"\s*:\s*\{[^{}]*\}\s*\}\s*\n")
"""The first line of a bulk request of Elasticsearch or OpenSearch."""


def check_list(file: str, label: str) -> None:
    """Raise DataError if a JSON list is not closed, which DuckDB reads as a shorter list, or for a bulk request."""
    with opened(file) as source:
        beginning = source.read(TAIL).removeprefix(b"\xef\xbb\xbf").lstrip()
        if action := BULK.match(beginning):
            name = action[1].decode()
            raise DataError(
                f"{label}: is a bulk request of OpenSearch or Elasticsearch: a line of an action stands before each"
                f" document; keep the documents alone: grep -v '^{{\"{name}\"' {shlex.quote(label)} > documents.jsonl"
            )
        if beginning[:1] != b"[":
            return
        size = source.seek(0, os.SEEK_END)
        source.seek(max(size - TAIL, 0))
        if not source.read().rstrip().endswith(b"]"):
            raise DataError(f"{label}: the list of records is not closed; the file is cut: fetch or write it again")


def read_json(engine: DuckDBEngine, given: Files) -> Table:
    """JSON records as a table."""
    label, files, hive = given.label, given.pairs, given.hive
    for read, named in files:
        check_list(read, without_credentials(named))
    patterns = [[engine.pattern(file[place]) for file in files] for place in (0, 1)]
    sniffed = sql_text(render("sources/json_sniffed.sql", engine.dialect, files=patterns[0]))
    names = list(column_types(engine, sniffed, label))
    if may_be_renamed(names):
        rows = engine.execute(render("sources/json_keys.sql", engine.dialect, files=patterns[0]))
        names = [row[0] for row in rows]
    keys = partition_names(files[0][0]) if hive else []
    if hive:
        check_partitions(label, names, (read for read, _ in files))
    aliases = aliases_of(names)

    def reader(place: int) -> Any:
        context = {"files": patterns[place], "hive": hive, "names": names, "keys": keys, "aliases": aliases}
        return sql_text(render("sources/json.sql", engine.dialect, **context))

    copied = any(read != named for read, named in files)
    return Table(
        label,
        reader(0),
        dict.fromkeys([*names, *keys], "VARCHAR"),
        tuple(read for read, _ in files),
        costly=True,
        json=True,
        text=True,
        aliases=aliases,
        portable=reader(1) if copied else None,
    )
