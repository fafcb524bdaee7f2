"""Tables of declared columns, for people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from sqlrank.columns import Field, Kind, spare_names
from sqlrank.output.raters import interval
from sqlrank.output.tables import Row, Rows, rounded, small
from sqlrank.pages.tables import SIGNS, Cell, Column, Table

Tone = Callable[[Row], str]
"""Whether a row is a `gain`, a `loss`, or neither."""
MANY = 100
"""From which effective number of units on its fraction is left out."""


def declared_table(
    fields: Sequence[Field],
    rows: Rows,
    digits: int,
    tone: Tone = lambda _: "",
    confidence: str = "",
    by: Iterable[str] = (),
    without: Collection[str] = (),
) -> Table:
    """The columns that are shown, after those of segments.

    Args:
        fields: the declared columns, in order.
        rows: the rows.
        digits: decimals of numbers.
        tone: what each row is.
        confidence: that of the intervals, such as `95 %`.
        by: the segments.
        without: columns that have nothing to say here.
    """
    shown = [field for field in fields if field.shown and field.name not in without]
    columns = [column for field in shown for column in columns_of(field, rows, digits, tone, confidence)]
    return Table([*rows.segments(by), *columns], spare=spare_names(shown))


def columns_of(field: Field, rows: Rows, digits: int, tone: Tone, confidence: str) -> list[Column]:
    """What a declared column is in a table; an estimate has its interval next to it, in figures and drawn."""
    name, title = field.name, field.title
    if field.kind is Kind.ESTIMATE:
        # a terminal leaves the colour to the verdict
        return [
            rows.numbers(name, lambda row: signed(row[name], digits, tone(row)), title, colored=False),
            rows.numbers("interval", lambda row: interval(row, digits), f"{confidence} interval"),
            rows.drawn(name, tone=tone),
        ]
    if field.kind is Kind.VERDICT:
        return [rows.words(name, lambda row: Cell(row[name], tone(row)), title)]
    if field.kind in (Kind.TEXT, Kind.DAY):
        return [rows.words(name, title=title)]
    return [rows.numbers(name, lambda row: figure(row[name], field.kind, digits), title)]


def figure(value: Any, kind: Kind, digits: int) -> str:
    """A number as its kind reads, and - where there is none."""
    if value is None:
        return "-"
    match kind:
        case Kind.COUNT:
            return f"{value:,}"
        case Kind.SHARE:
            return f"{100 * value:.1f} %"
        case Kind.EFFECTIVE:
            return f"{value:,.0f}" if value >= MANY else f"{value:.1f}"
        case Kind.PROBABILITY:
            return small(value, digits)
        case _:
            return rounded(value, digits)


def signed(value: float | None, digits: int, tone: str) -> Cell:
    """An estimate with the sign of its tone, for those who see no colours."""
    return Cell(rounded(value, digits), tone, sign=SIGNS[tone])
