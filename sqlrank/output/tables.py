"""What the tables of all kinds of results have in common: rows of which columns are made, and numbers as texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from operator import itemgetter
from typing import Any

import duckdb

from sqlrank.pages.drawn_intervals import drawings
from sqlrank.pages.tables import Cell, Column, Table, column, listed

Row = Mapping[str, Any]
Text = Callable[[Row], Any]
"""What a cell of a row is, or its text."""

DIGITS = 4
"""Decimals, unless told."""


class Rows:
    """Rows of a result, of which columns are made: each is the value of its name, or a text or a `Cell` of the row."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = list(rows)

    def words(self, name: str, text: Text | None = None, title: str | None = None, **how: Any) -> Column:
        """A column that stands to the left; arguments as of `column`."""
        return column(name, map(text or itemgetter(name), self.rows), title, **how)

    def numbers(self, name: str, text: Text | None = None, title: str | None = None, **how: Any) -> Column:
        """A column that stands to the right; arguments as of `column`."""
        return self.words(name, text, title, number=True, **how)

    def segments(self, by: Iterable[str], total: str = "(all)") -> list[Column]:
        """A column for each segment, whose name in the program is that of no other column, however it is called."""

        def said(row: Row, name: str) -> str:
            return total if row["is_total"] else "(null)" if row[name] is None else str(row[name])

        return [self.words(f"by {name}", partial(said, name=name), name) for name in by]

    def drawn(
        self, value: str, group: Text = lambda _: None, zero: bool = True, tone: Callable[[Row], str] = lambda _: ""
    ) -> Column:
        """The intervals around a value, drawn on one scale with those of their group; `zero` as of `drawings`."""
        found = drawings(self.rows, (value, "ci_low", "ci_high"), group, zero)
        cells = (Cell("", tone(row), interval=drawn) for row, drawn in zip(self.rows, found, strict=True))
        return column("drawn", cells, bar=True)


def relation_table(relation: duckdb.DuckDBPyRelation, digits: int, numbers: Collection[str]) -> Table:
    """The rows of a relation as a table, of which the columns `numbers` stand to the right."""
    rows = [[text_of(value, digits) for value in row] for row in relation.fetchall()]
    return listed(relation.columns, rows, numbers)


def text_of(value: Any, digits: int) -> str:
    """A share with its decimals, a text or a count, and - where there is nothing."""
    return rounded(value, digits) if value is None or isinstance(value, float) else str(value)


def rounded(value: float | None, digits: int) -> str:
    """A number with so many decimals, zero without a sign, and - where there is none."""
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


def small(value: float | None, digits: int) -> str:
    """A probability, which is not shown as 0, and - where there is none."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if value is not None and value < least / 2 and digits else rounded(value, digits)
