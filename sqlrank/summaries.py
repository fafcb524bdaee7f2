"""The few rows that an evaluation comes down to: how many queries were what, and the numbers of each metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.measures import Measure
from sqlrank.templates import render, sql_text

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """How many queries of one system were what."""

    judged: int
    """Queries with judgments."""
    shared: int
    """Judged queries with results."""
    missing: int
    """Judged queries without results."""
    unjudged: int
    """Queries with results and without judgments."""
    no_relevant: int
    """Evaluated queries where nothing is relevant."""
    tied: int
    """Evaluated queries whose numbers depend on the order of documents with equal scores."""
    tied_documents: int
    """Documents of positive relevance with the score of a neighbour that has another."""


def add_counts(counts: dict[str, QueryCounts], documents: dict[str, float], rows: Iterable[Row]) -> None:
    """Add the counts of some of the queries to those of others.

    Args:
        counts: the counts by system, to be added to.
        documents: how many judged documents were found near the top, by system, to be added to.
        rows: what sources/counts.sql gave.
    """
    for row in rows:
        system, *numbers, found = row.values()
        before = astuple(counts[system]) if system in counts else (0,) * len(numbers)
        counts[system] = QueryCounts(*(int(number) + counted for number, counted in zip(numbers, before, strict=True)))
        documents[system] = documents.get(system, 0) + float(found)


def in_order(counts: dict[str, QueryCounts], systems: Sequence[str]) -> dict[str, QueryCounts]:
    """The counts with the systems in the order in which they were given, then by name."""
    places = {name: place for place, name in enumerate(systems)}
    return {name: counts[name] for name in sorted(counts, key=lambda name: (places.get(name, len(places)), name))}


def long_rows(row: Row, by: Iterable[str], measures: Iterable[Measure]) -> Iterator[Row]:
    """The rows of each metric, from one that has the numbers of all side by side."""
    total = row.get("is_total", False)
    scope = {"system": row["system"], "is_total": total} | {name: None if total else row[name] for name in by}
    for measure in measures:
        if measure.summary != "none":
            columns = {name: f"{measure.column}_{name}" for name in ("value", "queries", "stderr")}
            yield scope | {"metric": measure.text} | {name: row.get(column) for name, column in columns.items()}


def load_rows(engine: DuckDBEngine, base: str, rows: Sequence[Row], by: Sequence[str]) -> None:
    """Put rows of the summary where the output reads them."""
    kinds = {"system": "varchar"} | dict.fromkeys(by, "varchar") | ({"is_total": "boolean"} if by else {})
    kinds |= {"metric": "varchar", "value": "double", "queries": "bigint", "stderr": "double"}
    columns = [(column, sql_text(kind)) for column, kind in kinds.items()]
    name = engine.name(base)
    sql = render("sources/few.sql", engine.dialect, name=name, columns=columns)
    engine.make("table", name, sql, [[row[column] for row in rows] for column in kinds])
