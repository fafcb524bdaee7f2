"""Judgments that come from behaviour, such as clicks: of which systems and days, and which of those are evaluated."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import visible
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError, counted, shortened
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.inputs.reading import Reading, bare_name
from sqlrank.inputs.roles import by_tiers, column_of
from sqlrank.inputs.table import Mark, Table
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

MARK = "judgments of behaviour"
"""What the metadata of a file of such judgments say that it holds."""
MOST_NAMES = 5
"""How many systems are named."""
DAYS = (("day", "dt", "ds"), ("date", "event_date", "event_day", "log_date", "search_date"))
"""What a column of days is called, where nobody names it."""
NAMED = 5
"""How many days are named."""
Day = str | Markup | None
"""The column of the days as it was named, an SQL expression over a row, or nothing."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Where some judgments come from."""

    method: str | None
    """How they were made of clicks; None where that is unknown."""
    systems: tuple[str, ...] = ()
    """The systems whose results were clicked; none where they are unknown."""
    first_day: date | None = None
    last_day: date | None = None

    @property
    def days(self) -> tuple[date, date] | None:
        """The days of the clicks; an end that is not known is as far away as can be."""
        if self.first_day is None and self.last_day is None:
            return None
        return self.first_day or date.min, self.last_day or date.max

    def to_dict(self) -> dict[str, Any]:
        """It as the metadata of a file hold it."""
        days = {"first_day": self.first_day, "last_day": self.last_day}
        said = {name: None if day is None else day.isoformat() for name, day in days.items()}
        return {"method": self.method, "systems": list(self.systems), **said}

    def __str__(self) -> str:
        method = "" if self.method is None else f" ({visible(shortened(self.method))})"
        systems = f" on {names_in_words(self.systems)}" if self.systems else ""
        return f"clicks{method}{systems}" + ("" if self.days is None else f", {span_in_words(self.days)}")


Behaviours = tuple[Behaviour, ...]
"""Where the judgments of several files come from; nothing where no file says that they come from behaviour."""


def behaviours_of(engine: Engine, tables: Iterable[Table], judged_by: Sequence[str]) -> Behaviours:
    """Where the judgments of some tables come from, by the metadata of their files and by what the user says.

    Raises:
        DataError: the metadata of a file are not what they should be.
        UsageError: they name other systems than `judged_by`.
    """
    marks = [mark for table in tables for mark in marks_of(engine, table)]
    return with_systems((behaviour_in(told, file) for file, told in marks), judged_by)


def marks_of(engine: Engine, table: Table) -> tuple[Mark, ...]:
    """What the files of a table say of the behaviour that their rows come from; only Parquet can say it."""
    if table.marks is not None:
        return table.marks
    parquet = set(engine.parquet) if isinstance(engine, DuckDBEngine) else set()
    files = [file for file in table.files if file in parquet]
    if not files or not isinstance(engine, DuckDBEngine):
        return ()
    patterns = list(map(engine.pattern, files))
    found = engine.execute(render("sources/behaviour.sql", engine.dialect, files=patterns, mark=MARK))
    return tuple((engine.called(file), told) for file, told in found)


def with_systems(found: Iterable[Behaviour], judged_by: Sequence[str]) -> Behaviours:
    """Each of some behaviours once, with the systems that the user names; UsageError where they name others."""
    every = tuple(dict.fromkeys(found))
    if not judged_by:
        return every
    said, given = set(systems_of(every)), set(judged_by)
    if said and (said - given or (said != given and all(one.systems for one in every))):
        raise UsageError(
            f"{spelt('judged_by')} says {names_in_words(judged_by)}, and the judgments say that they come from clicks"
            f" on {names_in_words(sorted(said))}: leave it out"
        )
    named = [one if one.systems else replace(one, systems=tuple(judged_by)) for one in every]
    return tuple(dict.fromkeys(named)) or (Behaviour(None, tuple(judged_by)),)


def systems_of(behaviours: Behaviours) -> tuple[str, ...]:
    """The systems that some judgments come from."""
    return tuple(dict.fromkeys(name for one in behaviours for name in one.systems))


def remarks_on(behaviours: Behaviours) -> list[str]:
    """What is said of judgments from behaviour below the numbers."""
    return [f"judgments: from {one}" for one in behaviours]


def behaviour_in(told: bytes | None, label: str) -> Behaviour:
    """What the metadata of a file say; DataError where that is no JSON of the right kinds."""
    try:
        said = json.loads((told or b"").decode())
    except (ValueError, RecursionError):
        said = None
    return behaviour_of(said, label)


def behaviour_of(said: Any, label: str) -> Behaviour:
    """The same of what was read from JSON."""
    try:
        return Behaviour(
            method_in(said["method"]), systems_in(said.get("systems")), day_in(said, "first"), day_in(said, "last")
        )
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise DataError(
            f"{label}: its metadata call it {MARK}, and do not say which: expected behaviour to be JSON such as"
            ' {"method": "sdbn", "systems": ["old"], "first_day": "2026-10-01", "last_day": "2026-10-28"}; write the'
            " file again, or without these metadata"
        ) from error


def method_in(said: Any) -> str | None:
    """A method, or None; TypeError for anything else."""
    if said is not None and not isinstance(said, str):
        raise TypeError
    return said or None


def systems_in(said: Any) -> tuple[str, ...]:
    """Names of systems; TypeError for anything else."""
    if not isinstance(said, list | None) or not all(isinstance(name, str) for name in said or ()):
        raise TypeError
    return tuple(dict.fromkeys(said or ()))


def day_in(said: Mapping[str, Any], end: str) -> date | None:
    """The first or the last day, or None; TypeError or ValueError for anything else."""
    found = said.get(f"{end}_day")
    return None if found is None else date.fromisoformat(found)


def names_in_words(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - MOST_NAMES
    shown = [visible(shortened(name)) for name in names[:MOST_NAMES]]
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def span_in_words(days: tuple[date, date]) -> str:
    """Days from the first to the last."""
    first, last = days
    if first == date.min:
        return f"up to {last}"
    return f"from {first} on" if last == date.max else f"{first} to {last}"


def learn(engine: Engine, inputs: Inputs, reading: Reading, day: Day) -> Behaviours:
    """Where the judgments come from, which is added to what is said of the inputs.

    Raises:
        UsageError: rows are of the days of the clicks, or there are no judgments that could come from any.
        DataError: the metadata of a file of judgments are not what they should be.
    """
    if reading.judged_by and inputs.relations.without_judgments:
        raise UsageError(f"{spelt('judged_by')} says where judgments come from, and there are none")
    found = behaviours_of(engine, inputs.judgments, reading.judged_by)
    if isinstance(engine, DuckDBEngine):
        inputs.notes += shared_days(engine, inputs, reading, found, day)
    inputs.remarks += remarks_on(found)
    return found


def shared_days(
    engine: DuckDBEngine, inputs: Inputs, reading: Reading, behaviours: Behaviours, day: Day
) -> Iterator[str]:
    """Yield a note on each run of days of the clicks; UsageError unless that was allowed."""
    spans = spans_of(behaviours)
    for table in inputs.runs if spans else ():
        for name, expression in days_of(engine, table, day):
            context = {"relation": table.reader, "day": expression, "spans": spans, "shown": NAMED}
            condition = None if reading.where is None else sql_text(reading.where)
            statement = render("sources/days_within.sql", engine.dialect, condition=condition, **context)
            (shown, number), *_ = engine.execute(statement)
            if number:
                yield checked(f"{table.label}: {days_in_words(shown, number, name)}", behaviours, reading.same_days)


def checked(said: str, behaviours: Behaviours, same_days: bool) -> str:
    """A note on evaluated days that are days of the clicks; UsageError unless that was allowed."""
    spans = ", ".join(dict.fromkeys(span_in_words(one.days) for one in behaviours if one.days))
    what = f"{said} among the days of the clicks that the judgments come from ({spans})"
    if same_days:
        return f"{what}: the results of these days are judged by their own clicks"
    raise UsageError(
        f"{what}, so the results of these days would be judged by their own clicks; derive the judgments from the days"
        f" before, or allow it with {spelt('same_days')}"
    )


def check_day(day: date, option: str, behaviours: Behaviours, same_days: bool) -> None:
    """Raise UsageError for a day that rows are stored under and that is one of the clicks, unless that is allowed."""
    if any(one.days and one.days[0] <= day <= one.days[1] for one in behaviours) and not same_days:
        checked(f"{spelt(option, day)} is", behaviours, same_days)


def spans_of(behaviours: Behaviours) -> list[tuple[str, str]]:
    """The first and the last day of the clicks of each."""
    return [(first.isoformat(), last.isoformat()) for first, last in filter(None, (one.days for one in behaviours))]


def days_of(engine: DuckDBEngine, table: Table, day: Day) -> Iterator[tuple[str, Markup]]:
    """Yield the columns of days of a table and the SQL of each: that which was named, else those that go by a name."""
    if isinstance(day, Markup):
        yield str(day), day
        return
    named = None if day is None else column_of(table, bare_name(day))
    for name in by_tiers(table, DAYS) if named is None else [named]:
        yield name, sql_text(engine.dialect.ident(table.aliases.get(name, name)))


def days_in_words(shown: Collection[str], number: int, column: str) -> str:
    """The first of some days of a column, and how many more there are, as the subject of a sentence."""
    more = f" and {counted(number - len(shown), 'more day')}" if number > len(shown) else ""
    return (
        f"the {'day' if number == 1 else 'days'} {', '.join(shown)}{more} of {column} {'is' if number == 1 else 'are'}"
    )
