"""Exports of analytics that are logs: how to recognize them, where they keep what is read, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlrank.errors import DataError, counted, first_of, shortened
from sqlrank.inputs.column_names import TIERS, plain_name
from sqlrank.inputs.reading import Reading, told_of
from sqlrank.inputs.roles import Roles, by_tiers, column_of, require
from sqlrank.inputs.table import Table, is_list, listed

KIND = "log"
TOLD = ("query_id", "user_id", "session_id", "application", "system")
"""The roles of which `--column` may name a column."""
ECOMMERCE = "com_snowplowanalytics_snowplow_ecommerce"
VERSIONED = {
    "products": re.compile(rf"contexts_{ECOMMERCE}_product_1(_\d+_\d+)?"),
    "done": re.compile(rf"unstruct_event_{ECOMMERCE}_snowplow_ecommerce_action_1(_\d+_\d+)?"),
    "searches": re.compile(r"unstruct_event_com_snowplowanalytics_snowplow_site_search_1(_\d+_\d+)?"),
}
"""The columns of Snowplow's schemas: one of each, or in BigQuery one of each version."""
HOURS = 24
"""Up to how long after it was shown what went into the cart, or was bought, belongs to a list."""
LATE_DAYS = 3
"""For how many days GA4 adds events to a day."""
MOST_NAMES = 5
NOUNS = {"shown": "list", "click": "click", "cart": "cart", "purchase": "purchase"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A kind of export."""

    name: str
    """What it is called."""
    columns: Mapping[str, str]
    """What its columns are read as."""
    optional: Mapping[str, str]
    """The same of those that it may lack."""
    actions: Mapping[str, tuple[str, ...]]
    """What its events say."""
    searches: tuple[str, ...]
    """Its events that say what was searched for alone."""
    shown_as: Mapping[str, str]
    """Where it keeps what a log has, in words."""
    absent: str
    """What to do where no event says what was shown."""


GA4 = Source(
    name="GA4",
    columns={
        "event_name": "event_name",
        "event_timestamp": "event_timestamp",
        "user_id": "user_pseudo_id",
        "params": "event_params",
        "items": "items",
    },
    optional={
        "application": "stream_id",
        "batch_page_id": "batch_page_id",
        "batch_ordering_id": "batch_ordering_id",
        "batch_event_index": "batch_event_index",
    },
    actions={
        "shown": ("view_item_list", "view_search_results"),
        "click": ("select_item",),
        "cart": ("add_to_cart",),
        "purchase": ("purchase",),
    },
    searches=("search",),
    shown_as={
        "impression_id": "user_pseudo_id, ga_session_id, event_timestamp, item_list_id or item_list_name",
        "query_id": "search_term",
        "doc_id": "items.item_id",
        "user_id": "user_pseudo_id",
        "time": "event_timestamp",
        "application": "stream_id",
        "position": "items.item_list_index",
        "clicked": "select_item",
        "cart": "add_to_cart",
    },
    absent="view_item_list, or view_search_results with items",
)
SNOWPLOW = Source(
    name="Snowplow",
    columns={"event_name": "event_name", "user_id": "domain_userid", "session_id": "domain_sessionid"},
    optional={
        "event_id": "event_id",
        "event_fingerprint": "event_fingerprint",
        "derived_tstamp": "derived_tstamp",
        "collector_tstamp": "collector_tstamp",
        "application": "app_id",
    },
    actions={
        "shown": ("list_view",),
        "click": ("list_click",),
        "cart": ("add_to_cart",),
        "purchase": ("transaction",),
    },
    searches=("site_search",),
    shown_as={
        "impression_id": "domain_userid, domain_sessionid, derived_tstamp, name of the action",
        "query_id": "terms of site_search",
        "doc_id": "id of product",
        "user_id": "domain_userid",
        "time": "derived_tstamp",
        "application": "app_id",
        "position": "position of product",
        "clicked": "list_click",
        "cart": "add_to_cart",
        "purchase": "transaction",
    },
    absent="list_view, with products",
)


def versions(table: Table, schema: str) -> list[str]:
    """The columns of a schema of Snowplow, the latest version first."""
    return sorted((name for name in table.columns if VERSIONED[schema].fullmatch(plain_name(name))), reverse=True)


def source_of(table: Table) -> Source | None:
    """Which export a table is, or None; DataError where it may be two things."""
    if table.canonical:
        return None
    names = {plain_name(name) for name in table.columns}
    found = {}
    if {"event_name", "event_params"} <= names and names & {"event_timestamp", "user_pseudo_id"}:
        found[GA4.name] = f"an export of GA4 ({listed(sorted(names & {*GA4.columns.values()}))})"
    ecommerce = [*versions(table, "products"), *versions(table, "done")]
    atomic = {"event_id", "event_fingerprint", "domain_sessionid"} <= names
    rows = by_tiers(table, TIERS[KIND]["clicked"][:1])
    if ecommerce or (atomic and not rows):
        found[SNOWPLOW.name] = f"an export of Snowplow ({listed(ecommerce or ['event_id', 'domain_sessionid'])})"
    if not found:
        return None
    if ubi := sorted(names & {"action_name", "event_attributes"}):
        found["events"] = f"events of User Behavior Insights ({listed(ubi)})"
    if rows:
        found["rows"] = f"a log with a row for each document shown ({listed(rows)})"
    if len(found) > 1:
        raise DataError(f"{table.label} may be {' or '.join(found.values())}: give a table with the columns of one")
    return GA4 if GA4.name in found else SNOWPLOW


def export_roles(source: Source, table: Table, reading: Reading) -> Roles:
    """The columns of an export by what they are read as; DataError if one is missing."""
    roles = Roles(table, {})
    for name, role, text in told_of(reading.columns, KIND, TOLD):
        roles.names[role] = require(table, text)
        roles.given.append(name)
    for role, column in source.columns.items():
        if role not in roles.names:
            found = column_of(table, column)
            if found is None:
                raise DataError(
                    f"{table.label} looks like an export of {source.name} and has no column {column} (it has"
                    f" {listed(table.named)})"
                )
            roles.names[role] = found
    for role, column in source.optional.items():
        if role not in roles.names and (found := column_of(table, column)) is not None:
            roles.names[role] = found
    if source is SNOWPLOW:
        take_versions(roles)
    return roles


def take_versions(roles: Roles) -> None:
    """Let the columns of Snowplow's schemas be read; DataError where there are no products, or no times."""
    table = roles.table
    for schema in VERSIONED:
        roles.names |= {f"{schema}_{number}": name for number, name in enumerate(versions(table, schema))}
    if "products_0" not in roles.names:
        raise DataError(
            f"{table.label} looks like an export of Snowplow and has no column contexts_{ECOMMERCE}_product_1, which"
            f" says what was shown and not clicked (it has {listed(table.named)})"
        )
    if not {"derived_tstamp", "collector_tstamp"} & roles.names.keys():
        raise DataError(f"{table.label} looks like an export of Snowplow and has no column derived_tstamp")


def context_of(source: Source, roles: Roles) -> dict[str, Any]:
    """The variables of the statement that reads a kind of export."""
    if source is GA4:
        order = [name for name in source.optional if name.startswith("batch_") and name in roles.names]
        texts = {
            f"{name}_in_texts": not is_list(roles.table.columns[roles.names[name]]) for name in ("params", "items")
        }
        return {"columns": list(roles.names), "order": order, **texts}
    times = [name for name in ("derived_tstamp", "collector_tstamp") if name in roles.names]
    return {"columns": list(roles.names), "times": times} | {name: list(of_schema(roles, name)) for name in VERSIONED}


def of_schema(roles: Roles, schema: str) -> Iterator[dict[str, Any]]:
    """The columns of a schema, and whether these are texts of JSON."""
    for role, name in roles.names.items():
        if role.startswith(f"{schema}_"):
            yield {"name": role, "texts": roles.table.columns[name].upper() in ("VARCHAR", "JSON")}


def conversion_line(rows: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> str:
    """By which rule what went into the cart, and what was bought, belongs to lists, and how much does."""
    found = {row["action"]: row for row in rows}
    parts = [
        f"{found[kind]['deeds'] - found[kind]['orphans'] - found[kind]['no_search']:,} of"
        f" {counted(found[kind]['deeds'], NOUNS[kind])} belong to searches"
        for kind in kinds
        if kind in found
    ]
    return (
        "what went into the cart or was bought belongs to the last list that showed it to the user, up to"
        f" {HOURS} hours before: {', '.join(parts) or 'nothing'}"
    )


def late_lines(source: Source, latest: Sequence[int | None]) -> list[str]:
    """From which day on an export of GA4 may still change, by the last times of its events, in microseconds."""
    known = [time for time in latest if time is not None]
    if source is not GA4 or not known:
        return []
    last = datetime.fromtimestamp(max(known) / 1e6, UTC)
    return [
        f"GA4 adds events to a day for up to {LATE_DAYS} days: if this was exported soon after its last event"
        f" ({last:%Y-%m-%d}), days from {last - timedelta(days=LATE_DAYS - 1):%Y-%m-%d} on may still change"
    ]


def of_lists(rows: Sequence[Mapping[str, Any]], count: str) -> str:
    """The lists of which some count, by name."""
    named = [
        f"{shortened(row['list']) if row['list'] else 'without a name'} ({row[count]:,})" for row in rows if row[count]
    ]
    return first_of(named, MOST_NAMES)
