"""What the shell offers while a line is typed: metrics, and columns of the files that are named on it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

MOST_BYTES = 1 << 16
"""How much of a text file is read for its first line."""
ROLES = (
    *("query_id", "doc_id", "score", "rank", "relevance", "system", "subtopic", "item_weight"),
    *("rater", "verdict", "low", "high"),
)
FILES = ("qrels", "positives", "queries", "items", "history")
"""The options that name files with columns."""


def metric_names(incomplete: str) -> list[str]:
    """Metrics as they are asked for, with @10 where they need a cutoff."""
    from sqlrank.metrics.catalogue import catalogue, likeness_catalogue

    every = [*catalogue().values(), *likeness_catalogue().values()]
    names = [metric.name + ("@10" if metric.cutoff == "required" else "") for metric in every]
    return [name for name in names if name.startswith(incomplete)]


def column_names(ctx: Any, incomplete: str) -> list[str]:
    """The columns of the files that are named."""
    return [name for name in dict.fromkeys(columns_of(ctx)) if name.startswith(incomplete)]


def role_columns(ctx: Any, incomplete: str) -> list[str]:
    """Roles, and after an equals sign the columns of the files that are named."""
    role, equals, begun = incomplete.partition("=")
    if not equals:
        return [f"{name}=" for name in ROLES if name.startswith(role)]
    return [f"{role}={name}" for name in column_names(ctx, begun)]


def columns_of(ctx: Any) -> Iterator[str]:
    """The columns of every file of the line; of one that cannot be read there are none.

    Files that are arguments are not told apart while a line is not whole; they are in `ctx.args`.
    """
    given = [ctx.params[name] for name in FILES if ctx.params.get(name)]
    for path in [*ctx.args, *(path for one in given for path in ([one] if isinstance(one, str) else one))]:
        # A shell has no place for an error: what cannot be read offers nothing.
        with suppress(Exception):
            yield from header_of(path if os.path.exists(path) else path.partition("=")[2])


def header_of(path: str) -> list[str]:
    """The columns of one file, of which no more than the beginning of a text is read."""
    import csv
    import json
    import zlib

    name = path.removesuffix(".gz").lower()
    if name.endswith((".parquet", ".pq")):
        return parquet_columns(path)
    with open(path, "rb") as file:
        start = file.read(MOST_BYTES)
    if path.endswith(".gz"):
        start = zlib.decompressobj(wbits=31).decompress(start, MOST_BYTES)
    line = start.decode(errors="replace").removeprefix("\ufeff").splitlines()[0]
    if name.endswith((".json", ".jsonl", ".ndjson")):
        return list(json.loads(line.strip().lstrip("[").rstrip(",]")))
    return next(csv.reader([line], delimiter="\t" if name.endswith(".tsv") else ","))


def parquet_columns(path: str) -> list[str]:
    """The columns of a Parquet file."""
    from sqlrank.engines.duckdb import DuckDBEngine
    from sqlrank.inputs.duckdb_tables import open_table
    from sqlrank.inputs.reading import Reading

    engine = DuckDBEngine()
    try:
        return list(open_table(engine, path, "run", Reading()).columns)
    finally:
        engine.close()


def evaluation_names(incomplete: str) -> list[str]:
    """The evaluations of the project."""
    from sqlrank.cli.project_settings import find_settings

    names: list[str] = []
    with suppress(Exception):  # as above
        names += getattr(find_settings(Path.cwd()), "evaluations", [])
    return [name for name in names if name.startswith(incomplete)]
