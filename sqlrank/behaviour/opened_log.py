"""Logs opened: a row for each document shown, with its impression, query, position, and what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.log_lists import log_roles
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows
from sqlrank.errors import DataError
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.column_names import TIERS
from sqlrank.inputs.opened_inputs import InputRows, Opened, input_rows
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import Roles
from sqlrank.inputs.single_table import lock, open_single
from sqlrank.statement.templates import render, sql_text

KIND = "log"
NEEDED = ("impression_id", "query_id", "doc_id", "position", "clicked")
IDS = ("impression_id", "query_id", "doc_id", "user_id", "session_id", "system", "application", "time", "sort", "swap")
"""The columns that are read as they are."""
MARKS = ("clicked", "cart", "purchase", "seen", "is_ad", "is_bot")
"""Those that say whether something happened."""
NUMBERS = ("dwell", "page", "page_size")
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


def open_log(engine: DuckDBEngine, data: Any, reading: Reading, writes: Sequence[str] = ()) -> Log:
    """Find, describe and open a log; DataError if a column is missing or may be one of two."""
    known = tuple(TIERS[KIND])
    maker, roles = open_single(
        engine, data, KIND, reading, "impression_id, query_id, doc_id, position and clicked", log_roles, known
    )
    lock(engine, reading, [roles], writes)
    check_roles(roles)
    read_roles = [role for role in (*IDS, "position", *MARKS, *NUMBERS) if role in roles.names]
    part = maker.part(roles, {role: roles.names[role] for role in read_roles}, where=reading.where)
    read = maker.make(f"{KIND}_input", [part], roles.table.costly)
    name = engine.name("log_shown")
    groups = {"ids": IDS, "marks": MARKS, "numbers": NUMBERS}
    of_groups = {group: [role for role in every if role in roles.names] for group, every in groups.items()}
    sql = render("behaviour/shown.sql", engine.dialect, name=name, log=read, **of_groups)
    engine.make("view", name, sql)
    return Log(
        labels={KIND: roles.table.label},
        tables={KIND: roles.table if reading.where is None else None},
        runs=[roles.table],
        count=partial(count_rows, engine),
        sources=[*maker.sources, sql],
        notes=[*roles.table.notes, *roles.notes.values()],
        where=reading.where,
        filtered=0 if reading.where is None else maker.count_filtered([roles.table], read),
        read=read,
        relation=sql_text(engine.dialect.ident(name)),
        roles={role: roles.names[role] for role in read_roles},
    )


def check_roles(roles: Roles) -> None:
    """Raise DataError if a column that every log has is missing, with what the rows look like instead."""
    names, label = roles.names, roles.table.label
    if "action" in names and "clicked" not in names:
        raise DataError(
            f"{label}: {names['action']} says what happened in a row, so its rows are events; name both files of UBI,"
            " or make a row for each document shown, with whether it was clicked"
        )
    if "impression_id" not in names and "impression_id" not in roles.unclear:
        raise DataError(
            f"{label} has no column that says which rows were shown together; name it with --column impression_id=NAME"
            f" (it has {', '.join(roles.table.named)})"
        )
    need(roles, KIND, NEEDED)


def check_rows(engine: DuckDBEngine, log: Log) -> CheckRunner:
    """Check the rows, and return what ran the checks, with the number of rows."""
    runner = CheckRunner(engine, log, {}, KIND, compared=False)
    runner.scan(KIND, log.read, {"queries": True, "documents": True})
    return runner
