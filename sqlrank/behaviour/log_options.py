"""The options of every call on a log: how it is read, and which of its rows count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypedDict

from sqlrank.behaviour.asked import Counting, Signal
from sqlrank.errors import no_option
from sqlrank.inputs.reading import Reading


class LogOptions(TypedDict, total=False):
    """How a log is read, by the names of the command line."""

    columns: Mapping[str, str]
    """Column names by role: impression_id, query_id, doc_id, position, clicked, user_id, session_id, time,
    click_time, system, arm, application, seen, dwell, cart, purchase, page, sort, is_ad, is_bot; of interleaved lists
    team, rank_a, rank_b, length_a and length_b; shown, clicks, ranking_a and ranking_b of lists; propensity,
    propensity_prefix and propensity_list of what was shown."""
    where: str
    """An SQL condition on the rows."""
    separator: str
    """What stands between the values of texts that are lists."""
    actions: Mapping[str, str]
    """Of logs of events: what actions say, `shown`, `click`, `cart` or `purchase`, by what they are called."""
    shown_depth: int
    """The last position that was displayed, of lists that are longer."""
    position_base: int
    """The position of the first document, 0 or 1; without it, what the log shows."""
    page_size: int
    """How many documents a page has, where positions begin anew on each."""
    exclude_bots: bool
    """Whether users do not count who behave like no person."""
    sorted_too: bool
    """Whether lists count whose order the user chose."""
    fold_queries: bool
    """Whether queries are one that differ in case and outer blanks alone."""
    input_format: str
    """One of parquet, csv, tsv, json; without it, by suffix and content."""
    encoding: str
    """How text files are encoded; without it UTF-8."""
    header: bool
    """Whether CSV files begin with the names of their columns."""
    database: str
    """A DuckDB file, opened read-only, whose table the log is."""
    timezone: str
    """The time zone in which times that have one are read; without it UTC."""
    sql_time_limit: float
    """Seconds after which a statement with `where` is stopped."""


COUNTING = {
    "shown_depth": "depth",
    "position_base": "base",
    "page_size": "page_size",
    "exclude_bots": "without_bots",
    "sorted_too": "sorted_too",
    "fold_queries": "fold",
}
"""The options that say which rows count, by the fields of `Counting`."""


def split(options: Mapping[str, Any], signal: Signal) -> tuple[Reading, Counting]:
    """How a log is read, and which rows count; UsageError for an option that there is not."""
    if unknown := [name for name in options if name not in LogOptions.__annotations__]:
        every = list(LogOptions.__annotations__)
        raise no_option(f"{unknown[0]}= is no option of a log", unknown[0], every, f" (it takes {', '.join(every)})")
    given = {name: value for name, value in options.items() if value is not None}
    counting = {COUNTING[name]: value for name, value in given.items() if name in COUNTING}
    known = {field.name for field in fields(Reading)}
    return Reading(**{name: value for name, value in given.items() if name in known}), Counting(signal, **counting)
