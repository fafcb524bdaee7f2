"""A log looked at before anything is estimated: what it is, what was settled, and the command to go on with."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of
from sqlrank.behaviour.options import LogOptions, LogReading
from sqlrank.behaviour.session import Session, session_on
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import counted
from sqlrank.options.declared import options_of
from sqlrank.presentation import Looked
from sqlrank.spelling import plain
from sqlrank.version import __version__

ROLE_WIDTH = 14
"""How wide the names of roles are."""


@public(record=LogOptions)
def inspect(log: Any, **options: Unpack[LogOptions]) -> LogInspection:
    """Describe a click log: the roles of its columns, what to settle before an estimate, and the next command.

    Args:
        log: a log, as `judgments` takes it.
        **options: how the log is read and which rows count; see `LogOptions`.

    Returns:
        What was found; its text is what the command prints.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the log is missing, unreadable, contradicts itself, or does not support an estimate.
        ResourceError: memory or disk ran out.
    """
    engine, opened = session_on(log, signal_of(options["signal"]), options)
    with closed_on_error(engine):
        found = LogInspection(opened(), given_of(options))
    engine.close()
    return found


class LogInspection(Looked):
    """What a log is."""

    label: str
    """What it is called."""
    roles: dict[str, str]
    """The column of each role."""
    settled: list[str]
    """What was settled, a line each with its figure."""
    origin: dict[str, Any]
    """The systems that showed it, its first and last day, impressions, and how many rows do not count, by reason."""
    notes: list[str]

    def __init__(self, session: Session, options: Mapping[str, Any]) -> None:
        log = session.log
        self.label, self.roles, self.notes = log.label, log.roles, session.notes
        self.settled, self.origin = session.settled.lines, session.origin()
        self.queries = int(session.settled.facts["queries"])
        self.not_read = log.unread
        self.command = command_of(session, options)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON holds it."""
        found = {"sqlrank": __version__, "log": self.label, "roles": self.roles, "not_read": self.not_read}
        return found | self.origin | {"settled": self.settled, "notes": self.notes, "command": self.command}

    def to_json(self) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def lines(self) -> Iterator[str]:
        """The lines for people."""
        days = f", {self.origin['first_day']} to {self.origin['last_day']}" if self.origin["first_day"] else ""
        impressions = counted(self.origin["impressions"], "impression")
        yield f"{self.label}: log, {impressions} of {counted(self.queries, 'query')}{days}"
        for role, column in self.roles.items():
            yield f"  {role:<{ROLE_WIDTH}} {column if not column.startswith('sqlrank_') else 'of the lists'}"
        if self.not_read:
            yield f"  {'not read':<{ROLE_WIDTH}} {', '.join(self.not_read)}"
        if self.origin["systems"]:
            yield f"  {'systems':<{ROLE_WIDTH}} {', '.join(self.origin['systems'])}"
        yield ""
        yield from self.settled
        yield ""
        yield from (f"note: {note}" for note in self.notes)
        yield self.command

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__


def given_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options on the log that were given, or are other than usual."""
    usual = options_of(LogReading)
    return {name: value for name, value in options.items() if name in usual and value != usual[name].default}


def command_of(session: Session, options: Mapping[str, Any]) -> str:
    """The command to go on with, with the options that this one was given."""
    interleaved = "team" in session.log.columns
    verb = "interleave" if interleaved else "judgments"
    words = ["sqlrank", "log", verb, *map(shlex.quote, session.log.arguments or ["LOG"])]
    for name, value in options.items():
        spelt = options_of(LogReading)[name].spelt(name)
        if isinstance(value, Mapping):
            words += [word for pair in value.items() for word in (spelt, shlex.quote("=".join(pair)))]
        else:
            words += [spelt, *([] if isinstance(value, bool) else [shlex.quote(plain(value))])]
    return " ".join(words if interleaved else [*words, "-o judgments.parquet"])
