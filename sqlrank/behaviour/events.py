"""Logs of events: a row for each thing that happened, such as those of User Behavior Insights (UBI)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.event_tables import ACTIONS, KIND, RETURNED, with_paths
from sqlrank.behaviour.folder import Folder
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted, shortened
from sqlrank.inputs.column_names import TIERS
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.relation_maker import RelationMaker
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import Roles, find_roles
from sqlrank.inputs.single_table import open_single
from sqlrank.inputs.table import Table, listed
from sqlrank.spelling import spelt

SEARCHES = "searches"
CARRIED = ("user_id", "session_id", "application", "system", "arm", "time")
EXAMPLES = {"orphans": "orphan_example", "before": "before_example"}
MOST_ORPHANS = 0.05
"""Which share of the clicks may be on what their impression did not show."""


@dataclass(slots=True)
class OfEvents:
    """Events as a log with a row for each document shown."""

    table: Table
    roles: dict[str, str]
    lines: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    orphans: int = 0


def open_events(
    engine: DuckDBEngine, events: Any, searches: Any, reading: Reading, actions: Mapping[str, str]
) -> tuple[RelationMaker, Roles, OfEvents]:
    """Open events, and what searches returned, as a log with a row for each document shown.

    Raises:
        DataError: a column is missing, nothing says what was shown, or clicks are on what was not shown.
    """
    reading = with_paths(engine, events, reading)
    known = tuple(TIERS[KIND])
    maker, roles = open_single(engine, events, KIND, reading, "impression_id, doc_id and action", known=known)
    need(roles, KIND, ("impression_id", "doc_id", "action"))
    apart(roles)
    asked = None if searches is None else open_searches(engine, searches, reading)
    return maker, roles, Events(engine, maker, roles, asked, actions).shown()


def open_searches(engine: DuckDBEngine, data: Any, reading: Reading) -> Roles:
    """The table of searches, with their queries and what they returned."""
    plain = replace(reading, where=None, columns={})
    roles = find_roles(open_table(engine, data, SEARCHES, plain), SEARCHES, plain)
    apart(roles)
    need(roles, SEARCHES, ("impression_id", "query_id"))
    return roles


def apart(roles: Roles) -> None:
    """Let a column that says which rows are of one impression not be the query too."""
    if roles.names.get("query_id") == roles.names.get("impression_id"):
        roles.names.pop("query_id", None)
        roles.notes.pop("query_id", None)


class Events:
    """Makes a log of events."""

    def __init__(
        self,
        engine: DuckDBEngine,
        maker: RelationMaker,
        roles: Roles,
        searches: Roles | None,
        actions: Mapping[str, str],
    ) -> None:
        self.maker, self.roles, self.searches = maker, roles, searches
        self.sql = Folder(engine, "sources", prefix="events_", doing="reading")
        self.told = {name.lower(): kind for name, kind in actions.items()}
        self.lines: list[str] = []

    def shown(self) -> OfEvents:
        """The documents that were shown, with what was done with them."""
        label, names = self.roles.table.label, self.roles.names
        carried = [role for role in CARRIED if role in names]
        known: tuple[str, ...] = ("impression_id", "query_id", "doc_id", "position")
        chosen = {role: names[role] for role in known if role in names}
        chosen |= {role: names[role] for role in (*carried, "action")}
        part = self.maker.part(self.roles, chosen, where=self.maker.reading.where)
        events = self.maker.make("events_input", [part], True)
        actions = self.actions(events)
        if not actions["shown"]:
            events = self.with_returned(events, chosen, label)
            actions["shown"] = [RETURNED]
        elif "position" not in names:
            need(self.roles, KIND, ("position",))
        if "query_id" not in names and self.searches is None:
            need(self.roles, KIND, ("query_id",))
        times = ["click_time"] * ("time" in names)
        rows = self.sql.keep(
            "of_events",
            "events",
            events=events,
            queries=self.queries(),
            carried=carried,
            columns=list(chosen),
            actions=actions,
        )
        self.check(label, rows)
        kinds = [kind for kind in ("cart", "purchase") if actions[kind]]
        log = self.sql.keep("log_of_events", "shown_rows", rows_of=rows, carried=carried + times, kinds=kinds)
        roles = ["impression_id", "query_id", "doc_id", *carried, *times, *kinds, "position", "clicked"]
        columns = dict.fromkeys(roles, "VARCHAR") | dict.fromkeys(("position", "clicked", *kinds), "BIGINT")
        table = Table(label, log, columns, canonical=True)
        return OfEvents(table, dict(zip(roles, roles, strict=True)), self.lines, self.maker.sources)

    def actions(self, events: Markup) -> dict[str, list[str]]:
        """The actions by what they say, as they occur; what says nothing is named."""
        rows = self.sql.rows("actions", events=events)
        kinds = {name: kind for kind, names in ACTIONS.items() for name in names} | self.told
        if unknown := [name for name in self.told if name not in {row["action"] for row in rows}]:
            raise DataError(f"{self.roles.table.label}: no event has the action {unknown[0]!r} of {spelt('actions')}")
        found: dict[str, list[str]] = {kind: [] for kind in ACTIONS}
        others, without = [], 0
        for row in rows:
            if row["action"] in kinds:
                found[kinds[row["action"]]].append(row["action"])
                without += row["without_ids"]
            else:
                others.append(f"{row['action']} ({row['events']:,})")
        read = "; ".join(f"{kind} is {', '.join(names)}" for kind, names in found.items() if names)
        self.lines.append(f"events: {read}" + (f"; not read: {listed(others)}" if others else ""))
        if without:
            self.lines.append(f"{counted(without, 'event', 'names', 'name')} no impression or no document: left out")
        return found

    def with_returned(self, events: Markup, chosen: Mapping[str, str], label: str) -> Markup:
        """The events with what searches returned as shown; DataError where nothing says what was shown."""
        searches = self.searches
        if searches is None or RETURNED not in searches.names:
            raise DataError(
                f"{label}: no event says what was shown ({', '.join(ACTIONS['shown'][:3])}), and clicks alone say"
                " nothing of what was shown and not clicked; name its action with"
                f" {spelt('actions', {'NAME': 'shown'})}, or give the file of searches with what each returned"
            )
        context: dict[str, Any] = {role: self.column(role) for role in ("impression_id", "query_id")}
        context |= {"hits": self.column(RETURNED)}
        table = searches.table
        context |= {"json": table.json, "separator": None, "reader": table.reader, "action": RETURNED}
        returned = self.sql.keep("returned", **context)
        self.lines.append("what searches returned counts as shown: no event says what was")
        return self.sql.keep("with_returned", "both", events=events, returned=returned, columns=list(chosen))

    def queries(self) -> Markup | None:
        """The queries of impressions, of the table of searches."""
        if self.searches is None:
            return None
        names = {role: self.column(role) for role in ("impression_id", "query_id")}
        return self.sql.keep("searches", reader=self.searches.table.reader, **names)

    def column(self, role: str) -> str:
        """What the reader of the searches calls a column."""
        assert self.searches is not None  # noqa: S101 it is asked for where they are given
        name = self.searches.names[role]
        return self.searches.table.aliases.get(name, name)

    def check(self, label: str, rows: Markup) -> None:
        """Say what is odd of the rows; DataError where many clicks are on what was not shown, or come before it."""
        found = self.sql.row("orphans", rows_of=rows)
        if not found["shown_rows"]:
            raise DataError(
                f"{label}: no event that shows a document has a position; name it with"
                f" {spelt('columns', {'position': 'NAME'})}"
            )
        if found["unplaced"]:
            raise DataError(
                f"{label}: {counted(found['unplaced'], 'document', 'was', 'were')} shown without a position, such as"
                f" {shortened(found['unplaced_document'])!r} in impression {shortened(found['unplaced_example'])!r};"
                " give every event that shows a document its position, or leave out those without one with"
                f" {spelt('where')}"
            )
        for name, what in (
            ("orphans", "are on documents that their impression did not show"),
            ("before", "come before the document was shown"),
        ):
            if found[name] > MOST_ORPHANS * max(found["clicks"], 1):
                raise DataError(
                    f"{label}: {counted(found[name], 'click')} of {found['clicks']:,} {what}, such as in impression"
                    f" {shortened(found[EXAMPLES[name]])!r}: are impressions of the same kind and days, and times of"
                    " one zone? A join that loses rows makes labels too low"
                )
        if found["orphans"]:
            orphans = counted(found["orphans"], "click", "is", "are", f" of {found['clicks']:,}")
            self.lines.append(f"{orphans} on what their impression did not show: left out")
        if found["before"]:
            early = counted(found["before"], "click", "comes", "come")
            self.lines.append(f"{early} before the document was shown: counted")
        if found["shown_again"]:
            self.lines.append(
                f"{counted(found['shown_again'], 'event', 'shows', 'show')} a document again: each counts once"
            )
