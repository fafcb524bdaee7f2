"""Exports of Snowplow: the labels of the flat log that they were written from, or an error that says what is wrong."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.behaviour.exported import Shown, shown
from tests.behaviour.test_hostile_logs import Damage, Tried, hold_damages, hostile, log, tried

Event = dict[str, Any]
Events = list[Event]
METHODS = ("sdbn", "ctr")
LIST = "Search results"
PRODUCTS = "contexts_com_snowplowanalytics_snowplow_ecommerce_product_1"
ACTION = "unstruct_event_com_snowplowanalytics_snowplow_ecommerce_snowplow_ecommerce_action_1"
SEARCH = "unstruct_event_com_snowplowanalytics_snowplow_site_search_1"
TYPES = {
    "app_id": "varchar",
    "event_id": "varchar",
    "event_fingerprint": "varchar",
    "event_name": "varchar",
    "collector_tstamp": "timestamp",
    "derived_tstamp": "timestamp",
    "domain_userid": "varchar",
    "domain_sessionid": "varchar",
    "useragent": "varchar",
    PRODUCTS: "struct(id varchar, name varchar, category varchar, price double, currency varchar, position bigint)[]",
    ACTION: 'struct("type" varchar, "name" varchar)',
    SEARCH: "struct(terms varchar[], total_results bigint)",
}


def product(document: str, position: int | None) -> dict[str, Any]:
    """A product, with the fields that its schema requires."""
    known = {"id": document, "name": document.title(), "category": "Shop", "price": 9.99, "currency": "EUR"}
    return known | {"position": position}


def event(of: Shown, name: str, time: datetime, number: int, **columns: Any) -> Event:
    """An event of atomic.events."""
    identity = str(uuid.UUID(int=number))
    known: Event = {
        "app_id": "shop",
        "event_id": identity,
        "event_fingerprint": f"f{number}",
        "event_name": name,
        "collector_tstamp": f"{time + timedelta(seconds=2):%Y-%m-%d %H:%M:%S.%f}",
        "derived_tstamp": f"{time:%Y-%m-%d %H:%M:%S.%f}",
        "domain_userid": of.user,
        "domain_sessionid": f"{of.session}-{of.user}",
        "useragent": "Mozilla/5.0",
        PRODUCTS: None,
        ACTION: None,
        SEARCH: None,
    }
    return known | columns


def action(kind: str, products: list[dict[str, Any]], name: str | None = LIST) -> dict[str, Any]:
    """The columns of an ecommerce action."""
    return {ACTION: {"type": kind, "name": name}, PRODUCTS: products}


def export() -> Events:
    """The events of the log: a search, its list, and a click for each that was clicked."""
    return [dict(one) for one in exported()]


@cache
def exported() -> Events:
    """The same, made once: what is inside an event is nobody's to change."""
    events: Events = []

    def add(of: Shown, name: str, time: datetime, **columns: Any) -> None:
        events.append(event(of, name, time, len(events), **columns))

    for one in shown(log()):
        products = [product(row["doc_id"], row["position"]) for row in one.rows]
        add(one, "page_view", one.time)
        add(one, "site_search", one.time, **{SEARCH: {"terms": [one.query], "total_results": 5}})
        add(one, "snowplow_ecommerce_action", one.time + timedelta(seconds=1), **action("list_view", products))
        for time, row in one.clicked:
            clicked = [product(row["doc_id"], row["position"])]
            add(one, "snowplow_ecommerce_action", time, **action("list_click", clicked))
    return events


def opened(events: Events, kind: str, folder: Path) -> Any:
    """The export in a format: structs in Parquet, texts of JSON as Snowflake unloads them, or JSON lines."""
    path = folder / ("events.jsonl" if kind == "jsonl" else "events.parquet")
    (folder / "all.jsonl").write_text("\n".join(map(json.dumps, events)))
    if kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, events)))
        return str(path)
    columns = list(events[0]) if events else list(TYPES)
    types = {name: TYPES.get(name) or TYPES.get(name[: name.find("_1_0") + 2], "varchar") for name in columns}
    if kind == "texts":
        types |= {name: "json" for name in types if name.startswith(("contexts", "unstruct"))}
    with duckdb.connect() as connection:
        read = connection.read_json(str(folder / "all.jsonl"), columns=types, format="newline_delimited")
        texts = ", ".join(
            f'"{name}"::varchar as "{name}"' if kind == "json" else f'"{name}"' for name, kind in types.items()
        )
        read.project(texts).write_parquet(str(path))
    return str(path)


def is_action(one: Event, *kinds: str) -> bool:
    """Whether an event is one of some actions."""
    return bool(one[ACTION]) and one[ACTION]["type"] in kinds


def each(change: Callable[[Event], Event], *kinds: str) -> Callable[[Events], Events]:
    """Every event of some actions changed."""
    return lambda events: [change(one) if not kinds or is_action(one, *kinds) else one for one in events]


def products_with(**values: Any) -> Callable[[Event], Event]:
    """An event whose products have other values."""
    return lambda one: one | {PRODUCTS: [each_one | values for each_one in one[PRODUCTS] or []]}


def named(name: str | None) -> Callable[[Event], Event]:
    """An event of a list of another name."""
    return lambda one: one | {ACTION: one[ACTION] | {"name": name}}


def later(seconds: float) -> Callable[[Event], Event]:
    """An event at another time."""

    def change(one: Event) -> Event:
        time = datetime.fromisoformat(one["derived_tstamp"]) + timedelta(seconds=seconds)
        return one | {"derived_tstamp": str(time)}

    return change


def delivered_again(events: Events) -> Events:
    """Each third event once more, later, with the same id, or the same fingerprint; each also with a worthless copy."""
    again = [later(40)(one) for one in events[::3]]
    other = [later(50)(one) | {"event_id": f"other-{number}"} for number, one in enumerate(events[1::3])]
    return events + again + other


def delivered_twice_as_clicks(events: Events) -> Events:
    """The clicks of each user again in their other session, which are copies."""
    clicks = [one for one in events if is_action(one, "list_click")]
    return events + [later(3600)(one) | {"event_fingerprint": None} for one in clicks]


def versioned(events: Events) -> Events:
    """Columns of each version of a schema, as older loaders of BigQuery have them."""
    return [
        {**{name: value for name, value in one.items() if name not in (PRODUCTS, ACTION)}}
        | {
            f"{PRODUCTS}_0_0": one[PRODUCTS] if number % 2 else None,
            f"{PRODUCTS}_0_1": None if number % 2 else one[PRODUCTS],
        }
        | {f"{ACTION}_0_2": one[ACTION]}
        for number, one in enumerate(events)
    ]


def with_query_column(events: Events) -> Events:
    """What was searched for in a column of lists alone."""
    term, changed = None, []
    for one in events:
        term = one[SEARCH]["terms"][0] if one[SEARCH] else term
        changed.append(one | {"page_query": term if is_action(one, "list_view") else None, SEARCH: None})
    return changed


def without(*names: str) -> Callable[[Events], Events]:
    """The events without some columns."""
    return lambda events: [{name: value for name, value in one.items() if name not in names} for one in events]


def hostile_ids(events: Events) -> Events:
    """Ids, searches and names that mean something to others."""

    def change(one: Event) -> Event:
        one = one | {PRODUCTS: [p | {"id": hostile(p["id"])} for p in one[PRODUCTS] or []] or None}
        one = named(hostile(LIST))(one) if one[ACTION] else one
        return one | {SEARCH: {"terms": [hostile(one[SEARCH]["terms"][0])]}} if one[SEARCH] else one

    return [change(one) for one in events]


def in_two_words(events: Events) -> Events:
    """Searches of two terms."""
    return [one | {SEARCH: {"terms": [*one[SEARCH]["terms"], "red"]}} if one[SEARCH] else one for one in events]


QUERY = {"columns": {"query_id": "page_query"}}
DAMAGES = [
    Damage("none", lambda events: events, line="(100 %) belong to the latest list"),
    Damage("another order", lambda events: random.Random(1).sample(events, len(events))),
    Damage("delivered again", delivered_again, line="their event_id, their event_fingerprint"),
    Damage("clicks delivered again", delivered_twice_as_clicks),
    Damage("no positions", each(products_with(position=None), "list_view"), line="240 of 240 lists do not say"),
    Damage("lists without a name", each(named(None), "list_view")),
    Damage("clicks without a name", each(named(None), "list_click")),
    Damage("names of lists differ", each(named("Results"), "list_click"), "no list, or more than one"),
    Damage("clicks before", each(later(-7200), "list_click"), "no list, or more than one"),
    Damage("no lists", lambda events: [one for one in events if not is_action(one, "list_view")], "not clicked"),
    Damage("no products", without(PRODUCTS), "has no column contexts_com_snowplow"),
    Damage("no sessions", without("domain_sessionid"), "has no column domain_sessionid"),
    Damage("no times", without("derived_tstamp", "collector_tstamp"), "has no column derived_tstamp"),
    Damage("no searches", without(SEARCH), "no event says what was searched for"),
    Damage("a column of searches", with_query_column, options=QUERY),
    Damage("versions of schemas", versioned),
    Damage("no times of users", each(lambda one: one | {"derived_tstamp": None})),
    Damage("hostile", hostile_ids, ids=hostile, queries=hostile),
    Damage("two terms", in_two_words, queries=lambda query: f"{query} red"),
    Damage("nothing", lambda _: [], "no event shows a list|no rows|empty|looks like"),
]  # fmt: skip


ONCE, OTHERS = tried(DAMAGES, ("parquet", "texts", "jsonl"), METHODS)


@pytest.mark.parametrize("cases", [ONCE, pytest.param(OTHERS, marks=pytest.mark.needs("random"))], ids=["once", "all"])
def test_an_export_gives_the_labels_of_the_flat_log_or_says_what_is_wrong(cases: Tried, tmp_path: Path) -> None:
    hold_damages(cases, lambda damage, kind: opened(damage.change(export()), kind, tmp_path))
