"""Periods of one export: a column or an expression over a row, and the ranges of its values that are compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlrank.dialects import DUCKDB
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.inputs.expressions import COLUMN
from sqlrank.spelling import spelt
from sqlrank.statement.conditions import check_names
from sqlrank.statement.syntax_trees import parsed
from sqlrank.statement.templates import render, sql_text

EXAMPLE = "dt=2026-11-03..2026-11-09,2026-11-10..2026-11-16"
RANGE = re.compile(r"(?:(?P<name>[^=.,][^=,]*?)\s*=\s*)?(?P<first>[^=,]+?)(?:\s*\.\.\s*(?P<last>[^=,]+?))?\s*")
"""A range with its name, or one value."""
KINDS = {date: "date", datetime: "timestamp", int: "bigint"}
"""The type as which values are compared, by that of the ends of a range."""


@dataclass(frozen=True, slots=True)
class Period:
    """Rows whose value lies between two ends, both of which belong to it."""

    name: str
    first: str
    last: str
    kind: type | None
    """What the ends are; None for a text, of which there is one."""

    @property
    def ends(self) -> tuple[Any, Any]:
        """The ends as values of its kind."""
        return value_of(self.first), value_of(self.last)

    @property
    def days(self) -> int | None:
        """How many days it has, where its ends are days."""
        first, last = self.ends
        return int((last - first).days) + 1 if self.kind is date else None


@dataclass(frozen=True, slots=True)
class Periods:
    """What tells the rows of periods apart, and the periods, the baseline first."""

    expression: str
    """A column, or an expression over a row."""
    each: tuple[Period, ...]
    system: str | None = None
    """The system that they are of, where there are several."""
    one_by_one: bool = False
    """Whether queries count one by one, however much days differ."""

    @property
    def column(self) -> str | None:
        """The column, where it is one and no expression."""
        return self.expression if COLUMN.fullmatch(self.expression) else None

    @property
    def sql(self) -> str:
        """It as SQL."""
        return DUCKDB.ident(self.column) if self.column else self.expression

    def condition(self, period: Period) -> str:
        """The condition on a row."""
        context = {"expression": sql_text(self.sql), "first": period.first, "last": period.last}
        kind = sql_text(KINDS[period.kind]) if period.kind else None
        return render("conditions/period.sql", DUCKDB, kind=kind, **context).strip()

    def of_system(self, column: str) -> str:
        """The condition that a row is of its system."""
        return render("conditions/is_text.sql", DUCKDB, column=column, value=self.system).strip()

    def request(self, request: Request, period: Period, judged: bool) -> Request:
        """The request of one period; `judged` says that the judgments have the column too."""
        reading, condition = request.reading, self.condition(period)
        if self.system is not None:
            named = reading.columns.get("run.system") or reading.columns.get("system") or "system"
            condition = f"{condition} and {self.of_system(named)}"
        run = joined(reading.conditions.run, condition)
        qrels = joined(reading.conditions.qrels, condition) if judged else reading.conditions.qrels
        bare = not reading.conditions.parts_labels
        conditions = replace(reading.conditions, run=run, qrels=qrels, bare=bare)
        return replace(request, reading=replace(reading, where=run, conditions=conditions))


def joined(given: str | None, condition: str) -> str:
    """A condition of the user and another one."""
    return condition if given is None else f"({given}) and {condition}"


def read_periods(text: str | None, system: str | None = None, one_by_one: bool = False) -> Periods | None:
    """The periods that a text names, of one system; None without a text. UsageError for a text that names none."""
    if text is None:
        if system is not None:
            raise UsageError(
                f"{spelt('system', system)}: it says whose {spelt('periods')} are compared, and there are none"
            )
        return None
    expression, ranges = split(text)
    problem = None if COLUMN.fullmatch(expression) else parsed(expression).problem
    if problem:
        raise UsageError(f"{spelt('periods', expression)}: {problem}; give a column, or an expression over a row")
    check_names(expression, "periods")
    each = tuple(read_period(part, text) for part in ranges.split(","))
    if len(each) < 2:
        raise UsageError(
            f"{spelt('periods', text)}: there is one period; give two or more, as in {spelt('periods', EXAMPLE)}"
        )
    kinds = {period.kind for period in each}
    if len(kinds) > 1:
        raise UsageError(
            f"{spelt('periods', text)}: some ends are days, numbers or times and others are not; give all alike"
        )
    check_apart(each)
    return Periods(expression, each, system, one_by_one)


def split(text: str) -> tuple[str, str]:
    """What stands before the first = outside of brackets and quotes, and what after it."""
    depth, quote = 0, ""
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "=" and not depth and text[:place].strip() and text[place + 1 :].strip():
            return text[:place].strip(), text[place + 1 :].strip()
        depth += (letter in "([") - (letter in ")]")
    raise UsageError(f"{spelt('periods', text)}: give a column and its ranges, as in {spelt('periods', EXAMPLE)}")


def read_period(text: str, whole: str) -> Period:
    """One range; UsageError for a text that is none."""
    found = RANGE.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{spelt('periods', whole)}: {text!r} is not a range; give FIRST..LAST or NAME=FIRST..LAST")
    first, last = found["first"].strip(), (found["last"] or found["first"]).strip()
    values = [value_of(end) for end in (first, last)]
    kind: type | None = type(values[0])
    if values[0] is None or kind is not type(values[1]):
        if found["last"]:
            raise UsageError(
                f"{spelt('periods', whole)}: {first}..{last} is not a range of days, times or whole numbers, such as"
                " 2026-11-03..2026-11-09; of texts give one"
            )
        kind = None
    elif values[0] > values[1]:
        raise UsageError(f"{spelt('periods', whole)}: {first}..{last} ends before it begins")
    return Period((found["name"] or text).strip(), first, last, kind)


def value_of(text: str) -> Any:
    """A day, a time or a whole number; None for any other text."""
    readers: tuple[Callable[[str], Any], ...] = (int, date.fromisoformat, datetime.fromisoformat)
    for read in readers:
        try:
            return read(text)
        except ValueError:
            continue
    return None


def check_apart(periods: Sequence[Period]) -> None:
    """Raise UsageError where two periods have one name, or rows in common."""
    names = [period.name for period in periods]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(
            f"{spelt('periods')}: two periods are called {twice!r}; name them, as in dt=before=...,after=..."
        )
    known = [period for period in periods if period.kind is not None]
    for one, other in zip(ordered := sorted(known, key=lambda each: each.ends[0]), ordered[1:], strict=False):
        if one.ends[1] >= other.ends[0]:
            raise UsageError(
                f"{spelt('periods')}: {one.name} and {other.name} overlap; let one end before the other begins"
            )
