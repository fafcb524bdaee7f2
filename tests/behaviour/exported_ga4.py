"""The events of the site as an export of GA4, and what may happen to one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from tests.behaviour.exported import Shown, micros, shown
from tests.behaviour.test_hostile_logs import hostile, log

Event = dict[str, Any]
Events = list[Event]
METHODS = ("sdbn", "ctr")
LIST = "Search results"
LISTS = ("view_item_list", "select_item")
TYPES = (
    "event_date varchar, event_timestamp bigint, event_name varchar, event_params struct(key varchar, value struct("
    "string_value varchar, int_value bigint, float_value double, double_value double))[], user_pseudo_id varchar,"
    " stream_id varchar, items struct(item_id varchar, item_name varchar, quantity bigint, item_list_id varchar,"
    " item_list_name varchar, item_list_index varchar)[]"
)
"""As BigQuery has them: an index is a text."""


def param(key: str, value: str | int) -> dict[str, Any]:
    """A parameter, in the field of its type; the others are empty."""
    empty = dict.fromkeys(("string_value", "int_value", "float_value", "double_value"))
    return {"key": key, "value": empty | {"int_value" if isinstance(value, int) else "string_value": value}}


def item(document: str, index: int | None, name: str = LIST) -> dict[str, Any]:
    """An item of a list."""
    place = "(not set)" if index is None else str(index)
    known = {"item_id": document, "item_name": "(not set)", "quantity": None, "item_list_id": "(not set)"}
    return known | {"item_list_name": name, "item_list_index": place}


def event(of: Shown, name: str, time: datetime, items: list[dict[str, Any]], **params: str | int) -> Event:
    """An event."""
    given = [param("ga_session_id", of.session), param("page_title", "Shop"), *(param(*one) for one in params.items())]
    return {
        "event_date": f"{time:%Y%m%d}",
        "event_timestamp": micros(time),
        "event_name": name,
        "event_params": given,
        "user_pseudo_id": of.user,
        "stream_id": "1234",
        "items": items,
    }


def export(base: int = 1) -> Events:
    """The events of the log: a search, its list, and a click for each that was clicked."""
    return [dict(one) for one in exported(base)]


@cache
def exported(base: int) -> Events:
    """The same, made once: what is inside an event is nobody's to change."""
    events: Events = []
    for one in shown(log()):
        items = [item(row["doc_id"], row["position"] - 1 + base) for row in one.rows]
        events.append(event(one, "page_view", one.time, []))
        events.append(event(one, "view_search_results", one.time, [], search_term=one.query))
        events.append(event(one, "view_item_list", one.time + timedelta(seconds=1), items))
        for time, row in one.clicked:
            events.append(event(one, "select_item", time, [item(row["doc_id"], None)]))
    return events


def opened(events: Events, kind: str, folder: Path) -> Any:
    """The export in a format; JSON lines as `bq extract` writes them: whole numbers as texts, nothing for null."""
    if kind == "frame":
        return pd.DataFrame(events)
    path = folder / f"events.{kind}"
    lines = "\n".join(json.dumps(told(one)) for one in events)
    if kind == "jsonl":
        path.write_text(lines)
        return str(path)
    (folder / "all.json").write_text(lines)
    columns = dict(part.strip().split(" ", 1) for part in split_types())
    with duckdb.connect() as connection:
        read = connection.read_json(str(folder / "all.json"), columns=columns, format="newline_delimited")
        read.write_parquet(str(path))
    return str(path)


def split_types() -> list[str]:
    """The columns of the types, of which structs hold commas too."""
    parts, depth = [""], 0
    for letter in TYPES:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def told(value: Any) -> Any:
    """A value as JSON of BigQuery has it."""
    if isinstance(value, dict):
        return {key: told(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [told(one) for one in value]
    return str(value) if isinstance(value, int) else value


def each(change: Callable[[Event], Event], *names: str) -> Callable[[Events], Events]:
    """Every event of some names changed."""
    return lambda events: [change(one) if not names or one["event_name"] in names else one for one in events]


def items_with(**values: Any) -> Callable[[Event], Event]:
    """An event whose items have other values."""
    return lambda one: one | {"items": [{**each_item, **values} for each_item in one["items"]]}


def without_param(key: str) -> Callable[[Event], Event]:
    """An event without a parameter."""
    return lambda one: one | {"event_params": [each for each in one["event_params"] if each["key"] != key]}


def repeated(*names: str, nth: int = 1) -> Callable[[Events], Events]:
    """Each n-th event of some names twice."""

    def change(events: Events) -> Events:
        again = [one for one in events if one["event_name"] in names][::nth]
        return events + again

    return change


def of_share(share: float, change: Callable[[Event], Event], *names: str) -> Callable[[Events], Events]:
    """A share of the events of some names changed."""
    chance = random.Random(5)
    return each(lambda one: change(one) if chance.random() < share else one, *names)


def later(seconds: float) -> Callable[[Event], Event]:
    """An event at another time."""
    return lambda one: one | {"event_timestamp": one["event_timestamp"] + round(seconds * 1e6)}


def with_recommended(events: Events) -> Events:
    """Another list with the items of each search below its click, and a click there on what was not clicked above."""
    lists = [one for one in events if one["event_name"] == "view_item_list"]
    other = [items_with(item_list_name="Related")(one) for one in lists]
    clicks = [one | {"event_name": "select_item", "items": one["items"][-1:]} for one in map(later(2), other)]
    return events + list(map(before_search, other)) + list(map(before_search, clicks))


def before_search(one: Event) -> Event:
    """An event of a session of its own, in which nothing was searched for."""
    kept = without_param("ga_session_id")(one)
    return kept | {"event_params": [*kept["event_params"], param("ga_session_id", 7)]}


def at_one_time(events: Events) -> Events:
    """Another list with the same items at the time of each search, without clicks, which answers none."""
    lists = [one for one in events if one["event_name"] == "view_item_list"]
    return events + [items_with(item_list_name="Related")(one) for one in lists]


def in_batches(events: Events) -> Events:
    """All events of a list at one time, told apart by their place in the batch."""
    changed, first = [], 0
    for number, one in enumerate(events):
        first = one["event_timestamp"] if one["event_name"] == "page_view" else first
        place = {"batch_page_id": first, "batch_ordering_id": 1, "batch_event_index": number}
        changed.append(one | {"event_timestamp": first} | place)
    return random.Random(2).sample(changed, len(changed))


def numbers_for_queries(events: Events) -> Events:
    """Searches for numbers, which GA4 takes for such."""
    numbers = {"shoes": 501, "hat": 7}

    def change(one: Event) -> Event:
        kept = without_param("search_term")(one)
        term = next(each["value"]["string_value"] for each in one["event_params"] if each["key"] == "search_term")
        return kept | {"event_params": [*kept["event_params"], param("search_term", numbers[term])]}

    return each(change, "view_search_results")(events)


def with_nameless(events: Events) -> Events:
    """An item without id above each list, which takes a place, and one below."""

    def change(one: Event) -> Event:
        nameless = item("(not set)", None)
        return one | {"items": [*one["items"], nameless | {"item_id": None}, nameless]}

    return each(change, "view_item_list")(each(items_with(item_list_index=None), *LISTS)(events))


def without_session(share: float, *names: str) -> Callable[[Events], Events]:
    """A share of some events of nobody, as where consent was denied."""
    denied = {"user_pseudo_id": None}
    return of_share(share, lambda one: without_param("ga_session_id")(one | denied), *names)


def denied_too(events: Events) -> Events:
    """More events, of people who did not consent."""
    more = [one for one in events if one["user_pseudo_id"] in ("u1", "u2", "u3", "u4", "u5", "u6")]
    return events + [without_param("ga_session_id")(one | {"user_pseudo_id": None}) for one in more]


def by_id(events: Events) -> Events:
    """Lists that have an id, and clicks that have it and another name."""
    with_id = each(items_with(item_list_id="s1"), *LISTS)(events)
    return each(items_with(item_list_name="Results (new)"), "select_item")(with_id)


def hostile_items(events: Events) -> Events:
    """Ids and names that mean something to others."""
    return each(
        lambda one: (
            one
            | {"items": [i | {"item_id": hostile(i["item_id"]), "item_list_name": hostile(LIST)} for i in one["items"]]}
        )
    )(events)


def with_own_terms(events: Events) -> Events:
    """Lists that say what was searched for, after an event that says something else."""
    changed, term = [], ""
    for one in events:
        if one["event_name"] == "view_search_results":
            term = next(each["value"]["string_value"] for each in one["event_params"] if each["key"] == "search_term")
            one = without_param("search_term")(one)
            one |= {"event_params": [*one["event_params"], param("search_term", "other")]}
        elif one["event_name"] == "view_item_list":
            one = one | {"event_params": [*one["event_params"], param("search_term", term)]}
        changed.append(one)
    return changed
