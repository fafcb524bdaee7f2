"""Exports of GA4 and Snowplow as logs: clicks are given to the lists before them, of which no event names its list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.events import MOST_ORPHANS, OfEvents
from sqlrank.behaviour.export_sources import (
    GA4,
    HOURS,
    KIND,
    NOUNS,
    TOLD,
    Source,
    context_of,
    conversion_line,
    export_roles,
    late_lines,
    of_lists,
)
from sqlrank.behaviour.folder import Folder
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted, percent, shortened
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.relation_maker import RelationMaker
from sqlrank.inputs.roles import Roles
from sqlrank.inputs.single_table import lock, open_single
from sqlrank.inputs.table import Table, listed
from sqlrank.spelling import spelt

NONE_READ: Mapping[str, Any] = {"events": 0, "unknown": 0, "without_id": 0}
NONE_DONE: Mapping[str, Any] = {"deeds": 0, "orphans": 0, "no_search": 0}
"""The counts of an action that there is not."""


def open_export(
    engine: DuckDBEngine,
    data: Any,
    source: Source,
    reading: Reading,
    actions: Mapping[str, str],
    writes: Sequence[str],
) -> tuple[RelationMaker, Roles, OfEvents]:
    """Open an export as a log with a row for each document that a search showed.

    Raises:
        DataError: a column is missing, nothing says what was shown, or many clicks are on what was not shown.
        UsageError: `--column` or `--action` cannot be carried out.
    """

    def roles_of(engine: DuckDBEngine, table: Table, kind: str, reading: Reading) -> Roles:
        return export_roles(source, table, reading)

    maker, roles = open_single(engine, data, KIND, reading, "events", roles_of, known=TOLD)
    lock(engine, reading, [roles], writes)
    return maker, roles, Export(engine, maker, roles, source, actions).shown()


class Export:
    """Makes a log of an export."""

    def __init__(
        self, engine: DuckDBEngine, maker: RelationMaker, roles: Roles, source: Source, actions: Mapping[str, str]
    ) -> None:
        self.engine, self.maker, self.roles, self.source = engine, maker, roles, source
        self.told = {name.lower(): kind for name, kind in actions.items()}
        self.label = roles.table.label
        self.sql = Folder(engine, "exports", prefix="export_", doing="reading")
        self.lines: list[str] = []
        self.read: dict[str, dict[str, Any]] = {}

    def shown(self) -> OfEvents:
        """The documents that searches showed, with what was done with them."""
        once = self.once()
        self.counted_once(once)
        terms = self.sql.keep("terms", items=once)
        shown = self.sql.keep("shown", items=once, terms=terms)
        self.check_lists(shown)
        clicks = self.sql.keep("clicks", "attributed", items=once, shown=shown, actions=["click"], hours=None)
        self.check_clicks(shown, clicks)
        kinds = [kind for kind in ("cart", "purchase") if kind in self.read]
        done = [clicks]
        if kinds:
            done.append(self.sql.keep("conversions", "attributed", items=once, shown=shown, actions=kinds, hours=HOURS))
            self.lines.append(conversion_line(self.sql.rows("joined", done=done[1], shown=shown), kinds))
        self.lines += late_lines(self.source, [row["latest"] for row in self.read.values()])
        carried = [*(["system"] if "system" in self.roles.names else []), *self.applications(shown)]
        log = self.sql.keep("log", shown=shown, done=done, carried=carried, kinds=kinds)
        roles = ["impression_id", "query_id", "doc_id", "user_id", "time", *carried, *kinds, "position", "clicked"]
        columns = dict.fromkeys(roles, "VARCHAR") | dict.fromkeys(("time", "position", "clicked", *kinds), "BIGINT")
        table = Table(self.label, log, columns, canonical=True)
        return OfEvents(table, dict(zip(roles, roles, strict=True)), self.lines, self.maker.sources)

    def once(self) -> Markup:
        """The items of events, each once."""
        chosen, context = self.roles.names, context_of(self.source, self.roles)
        part = self.maker.part(self.roles, chosen, where=self.maker.reading.where)
        events = self.maker.make("export_input", [part], self.roles.table.costly)
        template = "ga4"
        if self.source is not GA4:
            template = "snowplow"
            events = self.sql.view("delivered", events=events, **context)
        actions = self.actions(events)
        names = [name for every in actions.values() for name in every]
        items = self.sql.keep(
            "items", template, events=events, actions=actions, names=[*names, *self.searches], **context
        )
        once = self.sql.keep("once", items=items)
        self.read = {row["action"]: row for row in self.sql.rows("read", items=items, once=once)}
        self.sql.drop("items")
        return once

    @property
    def searches(self) -> tuple[str, ...]:
        """The events that say what was searched for alone."""
        return tuple(name for name in self.source.searches if name not in self.told)

    def actions(self, events: Markup) -> dict[str, list[str]]:
        """The names of events by what they say, as they occur; DataError where none shows, or none clicks."""
        rows = self.sql.rows("names", events=events)
        events_of = {row["name"]: row["events"] for row in rows}
        if unknown := [name for name in self.told if name not in events_of]:
            raise DataError(f"{self.label}: no event has the name {unknown[0]!r} of {spelt('actions')}")
        kinds = {name: kind for kind, names in self.source.actions.items() for name in names} | self.told
        found = {kind: [name for name in events_of if kinds.get(name) == kind] for kind in NOUNS}
        if not found["shown"]:
            raise self.nothing_shown(events_of)
        if not found["click"]:
            raise DataError(
                f"{self.label}: no event says what was clicked ({', '.join(self.source.actions['click'])}); it has"
                f" {listed(list(events_of))}; name one with {spelt('actions', {'NAME': 'click'})}"
            )
        told = {kind: ", ".join(f"{name} ({events_of[name]:,})" for name in names) for kind, names in found.items()}
        said = "; ".join(f"{kind} is {names}" for kind, names in told.items() if names)
        others = [
            f"{name} ({events_of[name]:,})" for name in events_of if name not in kinds and name not in self.searches
        ]
        rest = f"; not read: {listed(others)}" if others else ""
        self.lines.append(f"export of {self.source.name}: {said}{rest}")
        return found

    def nothing_shown(self, names: Mapping[str, int]) -> DataError:
        """The error of an export in which no event shows a list."""
        return DataError(
            f"{self.label}: no event shows a list ({self.source.absent}): no row says what was shown and not clicked"
            f" (its events: {listed(list(names)) or 'none'}); name one with {spelt('actions', {'NAME': 'shown'})}"
        )

    def counted_once(self, once: Markup) -> None:
        """Say what was left out before lists and clicks are brought together; DataError where clicks alone are."""
        if again := next((row["again"] for row in self.read.values()), 0):
            same = "their user, time and items" if self.source is GA4 else "their event_id, their event_fingerprint"
            self.lines.append(
                f"{counted(again, 'event', 'repeats', 'repeat')} another ({same} are the same): each counts once"
            )
        if "shown" not in self.read:
            raise self.nothing_shown({})
        lists, clicks = (self.read.get(action, NONE_READ) for action in ("shown", "click"))
        if lists["unknown"] or clicks["unknown"]:
            lost = [row["unknown"] / max(row["events"], 1) for row in (lists, clicks)]
            said = (
                f"{lists['unknown']:,} of {counted(lists['events'], 'list')} and {clicks['unknown']:,} of"
                f" {counted(clicks['events'], 'click', 'has', 'have')} no user, session or time"
            )
            if lost[1] - lost[0] > MOST_ORPHANS or lost[0] == 1:
                raise DataError(f"{self.label}: {said}: without them labels are too low; is the export whole?")
            self.lines.append(f"{said}: left out")
        if empty := self.read.get("empty", NONE_READ)["events"]:
            self.lines.append(
                counted(empty, "event", "has", "have", " of lists") + " no items: they say what was searched for alone"
            )
        if nameless := sum(self.read.get(action, NONE_READ)["without_id"] for action in NOUNS):
            self.lines.append(
                counted(nameless, "item", "has", "have", " of events")
                + " no id: left out, and others keep their places"
            )

    def check_lists(self, shown: Markup) -> None:
        """Say which lists count, and where their positions are from; DataError where none answers a search."""
        rows = self.sql.rows("lists", shown=shown)
        lists, no_search, inherited, by_place = (
            sum(row[name] for row in rows) for name in ("impressions", "no_search", "inherited", "by_place")
        )
        if lists == no_search:
            raise DataError(
                f"{self.label}: {counted(lists, 'list', 'was', 'were')} shown, and no event says what was searched for"
                f" ({self.source.shown_as['query_id']}), in it or before it in its session; name the column of the"
                f" query with {spelt('columns', {'query_id': 'NAME'})}"
            )
        if no_search:
            self.lines.append(
                f"{no_search:,} of {counted(lists, 'list')} answer no search ({of_lists(rows, 'no_search')}): left out"
            )
        if inherited:
            several = sum(row["inherited"] > 0 for row in rows) > 1
            asked = f": are all of these results of a search? {spelt('where')} keeps those that are" if several else ""
            self.lines.append(
                f"{counted(inherited, 'list')} take the search of the last event before them in the session"
                f" ({of_lists(rows, 'inherited')}){asked}"
            )
        if by_place:
            self.lines.append(
                f"{by_place:,} of {counted(lists, 'list')} do not say the position of each item: it is its place among"
                " the items"
            )

    def check_clicks(self, shown: Markup, clicks: Markup) -> None:
        """Say which share of the clicks belongs to a list; DataError where many belong to none."""
        found = next(iter(self.sql.rows("joined", done=clicks, shown=shown)), NONE_DONE)
        deeds, orphans = found["deeds"], found["orphans"]
        if orphans > MOST_ORPHANS * max(deeds, 1):
            raise DataError(
                f"{self.label}: {orphans:,} of {counted(deeds, 'click')} ({percent(orphans / deeds)}) are on items"
                " that no list, or more than one, showed before in the same session, such as"
                f" {shortened(found['document_example'])!r} of user {shortened(found['user_example'])!r}: are lists"
                " and clicks of the same days, and their names of lists the same? A join that loses rows makes labels"
                " too low"
            )
        share = percent((deeds - orphans) / max(deeds, 1))
        self.lines.append(
            f"{deeds - orphans:,} of {counted(deeds, 'click')} ({share}) belong to the latest list before them of the"
            " same user, session, item and list"
            + (f"; {orphans:,} to none: left out" if orphans else "")
            + (f"; {found['no_search']:,} to lists that answer no search" if found["no_search"] else "")
        )

    def applications(self, shown: Markup) -> list[str]:
        """The column of applications, where they begin to count positions in different ways."""
        if "application" not in self.roles.names:
            return []
        bases = {min(row["first_position"], 1) for row in self.sql.rows("bases", shown=shown)}
        return ["application"] if len(bases) > 1 else []
