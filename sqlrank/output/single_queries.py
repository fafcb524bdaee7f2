"""Queries by themselves, below a summary: the worst and the best ones, and those that moved most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import duckdb

from sqlrank.evaluation.extreme_queries import TEXT
from sqlrank.output.formats import dicts
from sqlrank.output.tables import numbers_of
from sqlrank.output.writing import SINGLE_QUERIES, Destination
from sqlrank.pages.tables import Cell, Table, column

if TYPE_CHECKING:
    from sqlrank.comparison.result import Comparison
    from sqlrank.evaluation.result import Result

BEFORE = "baseline_value"
"""The column of the values of the baseline."""
SPARE = ("metric",)
"""What is left out where a terminal has no room: all rows have the same."""
LONGEST = 40
"""How long the texts of queries are on a terminal."""


def chosen(result: Result | Comparison, to: Destination) -> Iterator[tuple[str, duckdb.DuckDBPyRelation]]:
    """The queries that are asked for, by their kinds."""
    for kind in SINGLE_QUERIES:
        if kind in to.additions:
            yield kind, getattr(result, kind)(to.additions[kind])


def extreme_tables(result: Result, to: Destination) -> Iterator[Table]:
    """The worst and the best queries of an evaluation, by its first metric."""
    for kind, rows in chosen(result, to):
        yield queries_table(rows, f"{kind}: system", to.digits)


def changed_tables(comparison: Comparison, to: Destination) -> Iterator[Table]:
    """The queries with the largest losses and gains of the first metric, and those that moved most by each."""
    for kind, rows in chosen(comparison, to):
        title = "moved most: system" if kind == "movers" else f"{kind}: system"
        table = queries_table(rows, title, to.digits).without("place")
        if kind == "movers":
            yield table
        elif comparison.all_pairs:
            yield replace(table, spare=SPARE, whole_in="json")
        else:
            yield replace(table.titled(baseline_value=comparison.baseline), spare=SPARE, whole_in="json")


def queries_table(relation: duckdb.DuckDBPyRelation, title: str, digits: int) -> Table:
    """A row for each query; `title` stands above the systems and says which queries these are."""
    rows, numbers, columns = relation.fetchall(), numbers_of(relation), []
    for place, name in enumerate(relation.columns):
        cells = [Cell(text_of(name, row[place], digits)) for row in rows]
        longest = LONGEST if name == TEXT else None
        columns.append(column(name, cells, number=name in numbers, longest=longest, named=name == BEFORE))
    return Table(columns).titled(system=title)


def text_of(name: str, value: Any, digits: int) -> str:
    """A cell of a query."""
    if isinstance(value, float):
        return f"{value:{'+' if name == 'difference' else ''}.{digits}f}"
    return "-" if value is None else str(value)


def extremes_of(result: Result, to: Destination) -> dict[str, list[dict[str, Any]]]:
    """What a JSON document of an evaluation holds of single queries: a list for each kind, the first one first."""
    metric = result.ranked_measure().text
    return {
        kind: [
            {name: value for name, value in row.items() if name != metric} | {"metric": metric, "value": row[metric]}
            for row in dicts(rows)
        ]
        for kind, rows in chosen(result, to)
    }


def changes_of(comparison: Comparison, to: Destination) -> dict[str, list[dict[str, Any]]]:
    """What a JSON document of a comparison holds of single queries."""
    return {kind: list(dicts(rows)) for kind, rows in chosen(comparison, to)}
