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


ACTIONS = ("index", "create")
"""The keys of the lines of a bulk request of Elasticsearch or OpenSearch that stand before a document."""
BULK = re.compile(rb"\{\s*\"(?:%s)\"\s*:\s*\{[^{}]*\}\s*\}\s*\n" % "|".join(ACTIONS).encode())
"""Its first line."""


def is_bulk(file: str, label: str) -> bool:
    """Whether a file is a bulk request; DataError if it is a list that is not closed, which DuckDB reads as shorter."""
    with opened(file) as source:
        beginning = source.read(TAIL).removeprefix(b"\xef\xbb\xbf").lstrip()
        if BULK.match(beginning):
            return True
        if beginning[:1] != b"[":
            return False
        size = source.seek(0, os.SEEK_END)
        source.seek(max(size - TAIL, 0))
        if not source.read().rstrip().endswith(b"]"):
            raise DataError(f"{label}: the list of records is not closed; the file is cut: fetch or write it again")
    return False


def check_bulk(engine: DuckDBEngine, label: str, names: list[str], rows: Any, actions: list[str]) -> None:
    """Raise DataError for a bulk request whose documents cannot be told from its actions by their keys."""
    others = ", ".join(name for name in ("delete", "update") if name in names)
    ((acted, documents),) = engine.execute(render("sources/json_bulk.sql", engine.dialect, rows=rows, actions=actions))
    if others or acted != documents:
        found = f"actions of {others}" if others else f"{acted:,} actions and {documents:,} documents"
        raise DataError(
            f"{label}: is a bulk request of OpenSearch or Elasticsearch with {found}; write its documents alone, as"
            f" every second line: sed -n 'n;p' {shlex.quote(label)} > documents.jsonl"
        )


def read_json(engine: DuckDBEngine, given: Files) -> Table:
    """JSON records as a table."""
    label, files, hive = given.label, given.pairs, given.hive
    bulk = [is_bulk(read, without_credentials(named)) for read, named in files]
    patterns = [[engine.pattern(file[place]) for file in files] for place in (0, 1)]
    sniffed = sql_text(render("sources/json_sniffed.sql", engine.dialect, files=patterns[0]))
    names = list(column_types(engine, sniffed, label))
    if may_be_renamed(names):
        rows = engine.execute(render("sources/json_keys.sql", engine.dialect, files=patterns[0]))
        names = [row[0] for row in rows]
    keys = partition_names(files[0][0]) if hive else []
    if hive:
        check_partitions(label, names, (read for read, _ in files))
    actions = [name for name in ACTIONS if any(bulk) and name in names]
    documents = [name for name in names if name not in actions]
    aliases = aliases_of(documents)

    def reader(place: int) -> Any:
        context = {"files": patterns[place], "hive": hive, "names": documents, "keys": keys, "aliases": aliases}
        return sql_text(render("sources/json.sql", engine.dialect, **context, actions=actions))

    if actions:
        check_bulk(engine, label, names, sniffed, actions)
    copied = any(read != named for read, named in files)
    return Table(
        label,
        reader(0),
        dict.fromkeys([*documents, *keys], "VARCHAR"),
        tuple(read for read, _ in files),
        costly=True,
        json=True,
        text=True,
        aliases=aliases,
        portable=reader(1) if copied else None,
    )
