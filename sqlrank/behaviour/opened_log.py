"""Logs opened: a row for each document shown, with its impression, query, position, and what happened."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlrank.behaviour.event_tables import JOIN, is_events, told_apart
from sqlrank.behaviour.export_sources import source_of
from sqlrank.behaviour.log_lists import log_roles
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows, is_spark
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.column_names import OF_POLICIES, TIERS
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.opened_inputs import InputRows, Opened, input_rows
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.relation_maker import Part, RelationMaker
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import Roles, has, require
from sqlrank.inputs.single_table import lock, open_single
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.behaviour.events import OfEvents

KIND = "log"
NEEDED = ("impression_id", "query_id", "doc_id", "position", "clicked")
IDS = (
    *("impression_id", "query_id", "doc_id", "user_id", "session_id", "system", "arm", "application"),
    *("time", "click_time", "sort", "swap", "team"),
)
"""The columns that are read as they are."""
MARKS = ("clicked", "cart", "purchase", "seen", "is_ad", "is_bot")
"""Those that say whether something happened."""
NUMBERS = ("dwell", "page", "page_size", "rank_a", "rank_b", "length_a", "length_b", *OF_POLICIES)
NO_ACTIONS: Mapping[str, str] = MappingProxyType({})
INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
"""The types of columns whose values are whole numbers of a size that they may be."""
UNITS = ("user_id", "session_id", "impression_id")
"""What may be independent of each other, the best first."""


@dataclass(slots=True, kw_only=True)
class Log(Opened):
    """A log as opened."""

    read: Markup
    """The relation with the values as they are in the file."""
    relation: Markup
    """The same with positions as numbers, and 1 or 0 for what happened."""
    roles: dict[str, str]
    """The column of each role."""
    arguments: tuple[str, ...] = ()
    """The paths that it was opened from, as they were named."""
    lines: list[str] = field(default_factory=list)
    """What was settled when it was opened."""
    unread: list[str] = field(default_factory=list)
    """The columns that play no role."""
    segments: dict[str, str] = field(default_factory=dict)
    """The columns of the segments that were asked for, by what they are called in the relation."""

    @property
    def label(self) -> str:
        """What it is called."""
        return self.labels[KIND]

    @property
    def columns(self) -> frozenset[str]:
        """The roles that it has."""
        return frozenset(self.roles)

    def rows_read(self, counts: Mapping[str, int]) -> dict[str, InputRows]:
        """The row counts, as notes on inputs take them."""
        return {KIND: input_rows(counts.get(KIND, 0), comments=self.comments, where=self.filtered)}

    @property
    def unit(self) -> str:
        """What is independent of each other: users, else sessions, else impressions."""
        return next(unit for unit in UNITS if unit in self.roles)


def open_log(
    engine: DuckDBEngine,
    data: Any,
    reading: Reading,
    writes: Sequence[str] = (),
    actions: Mapping[str, str] = NO_ACTIONS,
) -> Log:
    """Find, describe and open a log: rows of what was shown, lists, events, or an export of analytics.

    `actions` says what those of events mean that are not known.

    Raises:
        DataError: a column is missing or may be one of two, or nothing says what was shown.
    """
    given = list(data) if isinstance(data, list | tuple) else [data]
    if not given:
        raise UsageError("there is no log: the list of inputs is empty")
    paths = tuple(str(one) for one in given if isinstance(one, str | Path))
    source = source_of(open_plain(engine, given[0], reading)) if len(given) == 1 and is_table(given[0]) else None
    if source is not None:
        from sqlrank.behaviour.exports import open_export

        maker, roles, made = open_export(engine, given[0], source, reading, actions, writes)
        log = of_made(maker, roles, made, dict(source.shown_as) | told_names(roles))
        log.arguments = paths
        return log
    if len(given) > 1 or of_events(engine, given[0], reading):
        log = log_of_events(engine, given, reading, writes, actions)
        log.arguments = paths
        return log
    if actions:
        raise UsageError(f"{spelt('actions')} names actions of events, and the rows of this log are not events")
    needed = "impression_id, query_id, doc_id, position and clicked"
    maker, roles = open_single(engine, given[0], KIND, reading, needed, log_roles, tuple(TIERS[KIND]))
    lock(engine, reading, [roles], writes)
    check_roles(roles)
    log = typed(maker, roles)
    log.arguments = paths
    return log


def of_events(engine: DuckDBEngine, data: Any, reading: Reading) -> bool:
    """Whether a table is one of events."""
    return is_table(data) and is_events(open_plain(engine, data, reading))


def is_table(data: Any) -> bool:
    """Whether an input can be opened as a table."""
    return not (is_spark(data) or isinstance(data, Mapping))


def open_plain(engine: DuckDBEngine, data: Any, reading: Reading) -> Table:
    """The table of an input, whatever it holds."""
    return open_table(engine, data, KIND, replace(reading, where=None))


def log_of_events(
    engine: DuckDBEngine, given: Sequence[Any], reading: Reading, writes: Sequence[str], actions: Mapping[str, str]
) -> Log:
    """The log that events make, with what searches returned where they are given."""
    from sqlrank.behaviour.events import open_events

    events, searches = told_apart(engine, given, reading)
    maker, roles, made = open_events(engine, events, searches, reading, actions)
    lock(engine, reading, [roles], writes)
    return of_made(maker, roles, made, roles.names)


def told_names(roles: Roles) -> dict[str, str]:
    """The columns that were told, by role."""
    told = {name.rpartition(".")[2] for name in roles.given}
    return {role: name for role, name in roles.names.items() if role in told}


def of_made(maker: RelationMaker, roles: Roles, made: OfEvents, named: Mapping[str, str]) -> Log:
    """The log that was made of events; `named` is where its columns come from, by role."""
    log = typed(maker, Roles(made.table, made.roles), False)
    log.notes = notes_of(roles, ["action", *log.roles])
    log.lines, log.roles = made.lines, {role: named.get(role, role) for role in log.roles}
    log.tables, log.unread = {KIND: None}, unread(roles, roles.names.values())
    return log


def typed(maker: RelationMaker, roles: Roles, filtered: bool = True) -> Log:
    """The rows of a log in the types that its columns are meant to have; `filtered` by the condition here."""
    engine, where = maker.engine, maker.reading.where if filtered else None
    read_roles = [role for role in (*IDS, "position", *MARKS, *NUMBERS) if role in roles.names]
    names = {role: roles.names[role] for role in read_roles}
    segments = {segment(place): require(roles.table, name) for place, name in enumerate(maker.reading.by, 1)}
    part = maker.part(roles, names | segments, where=where)
    read = maker.make(f"{KIND}_input", [part], roles.table.costly)
    name = engine.name("log_shown")
    groups = {"ids": IDS, "marks": MARKS, "numbers": NUMBERS}
    of_groups = {group: [role for role in every if role in roles.names] for group, every in groups.items()}
    of_groups["ids"] += list(segments)
    kinds = {role: roles.table.columns[roles.names[role]].upper() for role in ("position", *of_groups["marks"])}
    whole = [role for role, kind in kinds.items() if kind in INTEGERS]
    context = {"log": read if roles.table.costly else values_of(maker, part), "whole": whole}
    sql = render("behaviour/shown.sql", engine.dialect, name=name, **context, **of_groups)
    engine.make("view", name, sql)
    return Log(
        labels={KIND: roles.table.label},
        tables={KIND: roles.table if where is None else None},
        runs=[roles.table],
        count=partial(count_rows, engine),
        sources=[*maker.sources, sql],
        notes=notes_of(roles, [role for role in read_roles if not is_arm_alone(roles, role)]),
        where=where,
        filtered=0 if where is None else maker.count_filtered([roles.table], read),
        read=read,
        relation=sql_text(engine.dialect.ident(name)),
        roles=names,
        unread=unread(roles, [*names.values(), *segments.values()]),
        segments=segments,
    )


def is_arm_alone(roles: Roles, role: str) -> bool:
    """Whether a column that names arms is read as the system too, which needs no note."""
    return role == "system" and roles.names[role] == roles.names.get("arm")


def segment(place: int) -> str:
    """What the column of a segment is called in a log, by its place from 1."""
    return f"segment_{place}"


def values_of(maker: RelationMaker, part: Part) -> Markup:
    """The same rows without what hides values from the statistics of files, which checks need and counts do not."""
    columns = tuple(replace(each, form="plain") if each.form in ("number", "opaque") else each for each in part.columns)
    return maker.make(f"{KIND}_values", [replace(part, columns=columns)], False)


def notes_of(roles: Roles, read: Sequence[str]) -> list[str]:
    """The notes on a table, and on the columns of roles that are read."""
    return [*roles.table.notes, *(note for role, note in roles.notes.items() if role in read)]


def unread(roles: Roles, read: Collection[str]) -> list[str]:
    """The columns of a table that are not among those read."""
    return [name for name in roles.table.named if name not in read]


def check_roles(roles: Roles) -> None:
    """Raise DataError if a column that every log has is missing, with what the rows look like instead."""
    names, label = roles.names, roles.table.label
    texts = [names.get(role) for role in ("shown", "clicks")]
    if "impression_id" not in names and all(texts):
        raise DataError(
            f"{label}: {texts[0]} and {texts[1]} look like lists of what was shown and clicked in one text; give the"
            f" text between their values with {spelt('separator', '|')}"
        )
    if "impression_id" not in names and "impression_id" not in roles.unclear:
        named = "query_id, as UBI calls it" if has(roles.table, "user_query") else "NAME"
        raise DataError(
            f"{label} has no column that says which rows were shown together; name it with"
            f" {spelt('columns', {'impression_id': named})} (it has {', '.join(roles.table.named)})"
        )
    need(roles, KIND, NEEDED[:-1])
    if "clicked" not in {*names, *roles.unclear}:
        raise DataError(
            f"{label} has no column for the clicked; name it with {spelt('columns', {'clicked': 'NAME'})} (it has"
            f" {', '.join(roles.table.named)}); {JOIN}"
        )
    need(roles, KIND, NEEDED[-1:])
