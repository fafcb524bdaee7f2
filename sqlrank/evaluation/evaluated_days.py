"""The days of what is evaluated, which are not to be those of the clicks that judge it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError, counted
from sqlrank.evaluation.behaviour_labels import Behaviours, behaviours_of, remarks_on, span_in_words
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.inputs.reading import Reading, bare_name
from sqlrank.inputs.roles import by_tiers, column_of
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

DAYS = (("day", "dt", "ds"), ("date", "event_date", "event_day", "log_date", "search_date"))
"""What a column of days is called, where nobody names it."""
NAMED = 5
"""How many days are named."""

Day = str | Markup | None
"""The column of the days as it was named, an SQL expression over a row, or nothing."""


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
