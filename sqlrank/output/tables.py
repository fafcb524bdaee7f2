"""Tables of results for people: of declared columns, of a relation, and of columns that are made of rows one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any

import duckdb

from sqlrank.columns import Field, Kind, spare_names
from sqlrank.pages.tables import SIGNS, Cell, Column, Table, column, drawings, listed
from sqlrank.pages.words import ENGLISH, Words

Row = Mapping[str, Any]
Text = Callable[[Row], Any]
"""What a cell of a row is, or its text."""

DIGITS = 4
"""Decimals, unless told."""
MANY = 100
"""From which effective number of units on its fraction is left out."""
MOST_STARS = len("***")
LEFT = (Kind.TEXT, Kind.DAY, Kind.FLAG)
"""Those that stand to the left, as they are."""
VALUES = (Kind.NUMBER, Kind.ESTIMATE, Kind.DIFFERENCE)
"""Those whose decimals may differ from row to row."""


NO_GRADES: Mapping[float, str] = {}
"""The texts of grades that are numbers."""


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


def relation_table(
    relation: duckdb.DuckDBPyRelation,
    digits: int,
    fields: Collection[Field] = (),
    grades: Mapping[float, str] = NO_GRADES,
) -> Table:
    """The rows of a relation as a table; of the columns that are declared, without those that are not shown.

    `grades` are the texts of grades.
    """
    kinds = {one.name: one.kind for one in fields}
    how = [kinds.get(name) for name in relation.columns]

    def said(value: Any, kind: Kind | None) -> str:
        return graded(value, grades) if kind is Kind.GRADE else text_of(value, digits, kind)

    rows = [list(map(said, row, how)) for row in relation.fetchall()]
    table = listed(relation.columns, rows, numbers_of(relation)).without(*(one.name for one in fields if not one.shown))
    return replace(table, spare=spare_names(fields))


def numbers_of(relation: duckdb.DuckDBPyRelation) -> list[str]:
    """The columns of a relation that stand to the right: those that are no texts."""
    return [name for name, kind in zip(relation.columns, relation.types, strict=True) if kind != "VARCHAR"]


def text_of(value: Any, digits: int, kind: Kind | None = None) -> str:
    """A share with its decimals, a number that was given, a text or a count, and - where there is nothing."""
    if kind is Kind.GIVEN:
        return figure(value, kind, digits)
    return rounded(value, digits) if value is None or isinstance(value, float) else str(value)


def rounded(value: float | None, digits: int) -> str:
    """A number with so many decimals, zero without a sign, and - where there is none."""
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


def small(value: float | None, digits: int) -> str:
    """A probability, which is not shown as 0, and - where there is none."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if value is not None and value < least / 2 and digits else rounded(value, digits)


def number(value: float | None, digits: int, sign: str = "") -> str:
    """A number with so many decimals; a `sign` of + is shown too, as differences have it."""
    return "-" if value is None else f"{value:{sign}.{digits}f}"


def graded(grade: float | None, texts: Mapping[float, str]) -> str:
    """A grade as it was given, after the text that a map of labels made it of."""
    if grade is None:
        return "-"
    return f"{texts[grade]} ({grade:.12g})" if grade in texts else f"{grade:.12g}"


def nothing(_: Row) -> str:
    """No tone, no stars."""
    return ""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the rows of a result read."""

    digits: int = DIGITS
    """Decimals of numbers."""
    places: Callable[[Row], int] | None = None
    """Those of the values of a row, where they are not the same in all; None for `digits`."""
    tone: Callable[[Row], str] = nothing
    """Whether a row is a `gain`, a `loss`, or neither."""
    stars: Callable[[Row], str] = nothing
    """The stars of its difference."""
    said: Mapping[str, Callable[[Row], str | Cell]] = field(default_factory=dict)
    """What stands in a column in place of the value, by its name."""
    confidence: str = ""
    """That of the intervals, such as `95 %`."""
    headings: Mapping[str, str] = field(default_factory=dict)
    """What stands for the words in headings."""
    names: Collection[str] = ()
    """The columns whose heading is a name, which a terminal cuts where there is no room."""
    words: Words = ENGLISH

    def number(self, row: Row, name: str, kind: Kind) -> str:
        """A number of a row as its kind reads."""
        places = self.places(row) if self.places is not None and kind in VALUES else self.digits
        return figure(row[name], kind, places)

    def interval(self, row: Row, kind: Kind) -> str:
        """The ends of the interval of a row, and - where it has none."""
        if row["ci_low"] is None:
            return "-"
        return self.words("range", low=self.number(row, "ci_low", kind), high=self.number(row, "ci_high", kind))


def declared_table(
    fields: Sequence[Field],
    rows: Rows,
    reading: Reading,
    by: Iterable[str] = (),
    without: Collection[str] = (),
    kept: Collection[str] = (),
    caption: str = "",
) -> Table:
    """The columns that are shown, in their order, with those of the segments in their place.

    Args:
        fields: the declared columns.
        rows: the rows.
        reading: how they read.
        by: the segments.
        without: columns that have nothing to say here.
        kept: columns that stay however little room there is.
        caption: what the table is called.
    """
    shown = [field for field in fields if field.shown and field.name not in without]
    segments = rows.segments(by, reading.words("all"))
    columns: list[Column] = []
    for each in shown:
        columns += segments if each.kind is Kind.SEGMENT else columns_of(each, rows, reading)
    return Table(columns, caption, spare=spare_names((field for field in fields if field.name not in without), kept))


def columns_of(field: Field, rows: Rows, reading: Reading) -> Iterator[Column]:
    """What a declared column is in a table; an estimate has its interval next to it, in figures and drawn."""
    name, kind = field.name, field.kind
    title = name if field.title is None else field.title.format(**reading.headings)
    said = reading.said.get(name)
    if said or kind in LEFT:
        text = said or (lambda row: "-" if row[name] is None else row[name])
        yield rows.words(name, text, title, number=kind not in (*LEFT, Kind.VERDICT))
    elif kind is Kind.VERDICT:
        yield rows.words(name, lambda row: Cell(row[name], reading.tone(row)), title)
    elif kind in (Kind.ESTIMATE, Kind.DIFFERENCE):
        yield from estimate_of(field, title, rows, reading)
    else:
        yield rows.numbers(name, lambda row: reading.number(row, name, kind), title, named=name in reading.names)


def estimate_of(field: Field, title: str, rows: Rows, reading: Reading) -> Iterator[Column]:
    """An estimate, its interval, and both drawn; without a verdict of its own a difference shows its tone in colour."""
    name, kind = field.name, field.kind
    difference = kind is Kind.DIFFERENCE

    def value(row: Row) -> Cell:
        """With the sign of its tone, for those who see no colours, where rows have one."""
        tone = reading.tone(row)
        sign = "" if reading.tone is nothing or (row[name] is None and difference) else SIGNS[tone]
        return Cell(reading.number(row, name, kind), tone, sign=sign, mark=reading.stars(row))

    marks = 0 if reading.stars is nothing else MOST_STARS
    yield rows.numbers(name, value, title, colored=difference, marks=marks)
    yield rows.numbers("interval", lambda row: reading.interval(row, kind), f"{reading.confidence} interval")
    yield rows.drawn(name, lambda row: row.get("metric"), tone=reading.tone)


def figure(value: Any, kind: Kind, digits: int) -> str:
    """A number as its kind reads, and - where there is none."""
    if value is None:
        return "-"
    match kind:
        case Kind.COUNT:
            return f"{value:,}"
        case Kind.GIVEN:
            return f"{value:.12g}"
        case Kind.SHARE:
            return f"{100 * value:.1f} %"
        case Kind.CHANGE:
            return f"{100 * value:+.1f} %"
        case Kind.DIFFERENCE | Kind.SIGNED:
            return f"{value:+.{digits}f}"
        case Kind.EFFECT:
            return f"{value:+.2f}"
        case Kind.SLOPE:
            return f"{value:+.3g}"
        case Kind.EFFECTIVE:
            return f"{value:,.0f}" if value >= MANY else f"{value:.1f}"
        case Kind.PROBABILITY:
            return small(value, digits)
        case _:
            return rounded(value, digits)
