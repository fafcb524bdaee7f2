"""A world of clicks: an old system that is clicked, and a better one of whose documents nobody saw many."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

QUERIES, DOCUMENTS, SHOWN, IMPRESSIONS = 300, 30, 10, 400
DAYS = {"first_day": "2026-10-01", "last_day": "2026-10-28"}
Row = tuple[str, str, float]


@dataclass(frozen=True)
class World:
    """Rankings of two systems, what documents are worth, and what clicks say of those that the old one showed."""

    old: list[Row]
    new: list[Row]
    truth: list[Row]
    ctr: list[Row]
    """The labels of the rate of clicks."""
    weighted: list[Row]
    """Those of clicks over the chance that somebody looked, which is known here."""


@cache
def world(seed: int = 7, queries: int = QUERIES) -> World:
    """The documents that the old system shows are clicked by how relevant they are, and how high they stand."""
    rng = np.random.default_rng(seed)
    size = queries, DOCUMENTS
    relevance = rng.beta(1, 4, size)
    scores = {"old": relevance + rng.normal(0, 0.2, size), "new": relevance + rng.normal(0, 0.1, size)}
    shown = np.argsort(-scores["old"], axis=1)[:, :SHOWN]
    seen = np.arange(1, SHOWN + 1) ** -0.8
    clicks = rng.binomial(IMPRESSIONS, np.take_along_axis(relevance, shown, axis=1) * seen)
    every = np.tile(np.arange(DOCUMENTS), (queries, 1))
    return World(
        rows(every, scores["old"]),
        rows(every, scores["new"]),
        rows(every, relevance),
        rows(shown, clicks / IMPRESSIONS),
        rows(shown, clicks / IMPRESSIONS / seen),
    )


def rows(documents: Any, values: Any) -> list[Row]:
    """Rows of the documents of each query with their values, which are those of all documents or of these."""
    if values.shape != documents.shape:
        values = np.take_along_axis(values, documents, axis=1)
    return [
        (f"q{query}", f"d{document}", float(value))
        for query, line in enumerate(documents)
        for document, value in zip(line, values[query], strict=True)
    ]


def write(
    path: Path, found: Iterable[Sequence[Any]], names: Sequence[str], metadata: Mapping[str, Any] | None = None
) -> Path:
    """Write rows as Parquet, with metadata where there are some: texts, or what becomes JSON."""
    every = [list(column) for column in zip(*found, strict=True)]
    told = {
        key: value if isinstance(value, str | bytes) else json.dumps(value) for key, value in (metadata or {}).items()
    }
    pairs = ", ".join(f"{key}: {literal(value)}" for key, value in told.items())
    made = f", kv_metadata {{{pairs}}}" if pairs else ""
    columns = ", ".join(f'unnest(?) as "{name}"' for name in names)
    with duckdb.connect() as connection:
        connection.execute(f"copy (select {columns}) to {literal(str(path))} (format parquet{made})", every)
    return path


def literal(value: str | bytes) -> str:
    """A text or bytes as SQL."""
    if isinstance(value, bytes):
        return "'" + "".join(f"\\x{byte:02x}" for byte in value) + "'::blob"
    return "'" + value.replace("'", "''") + "'"


def marks(method: str = "sdbn", systems: Sequence[str] = ("old",), **others: Any) -> dict[str, Any]:
    """The metadata of judgments from clicks."""
    told = {"method": method, "systems": list(systems), **DAYS, "impressions": 120_000, "excluded": {}} | others
    return {"sqlrank": "1.0", "contents": "judgments of behaviour", "behaviour": told}


def run(path: Path, found: Iterable[Sequence[Any]], names: Sequence[str] = ("query_id", "doc_id", "score")) -> Path:
    """Write a ranking."""
    return write(path, found, names)


def qrels(path: Path, found: Iterable[Row], metadata: Mapping[str, Any] | None) -> Path:
    """Write judgments."""
    return write(path, found, ("query_id", "doc_id", "relevance"), metadata)
