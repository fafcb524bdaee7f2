"""Exports of GA4: the labels of the flat log that they were written from, or an error that says what is wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from sqlrank.errors import DataError, UsageError
from sqlrank.log import inspect, judgments
from tests.behaviour.exported import Shown, micros, shown
from tests.behaviour.test_hostile_logs import hostile, labels, log

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
            one |= {"event_params": [*one["event_params"], param("search_term", term)]}
        changed.append(one)
    return changed


@dataclass(frozen=True)
class Damage:
    """What is done to an export, and what becomes of it."""

    name: str
    change: Callable[[Events], Events]
    says: str = ""
    """What the error says, or nothing where labels are as they were."""
    line: str = ""
    """What is said of it."""
    options: dict[str, Any] = field(default_factory=dict)
    ids: Callable[[str], str] = str
    queries: Callable[[str], str] = str


SEARCHES = {"where": "cast(items as varchar) not like '%Related%'"}
DAMAGES = [
    Damage("none", lambda events: events, line="(100 %) belong to the latest list"),
    Damage("another order", lambda events: random.Random(1).sample(events, len(events))),
    Damage("from 0", lambda _: export(0), line="positions begin at 0"),
    Damage("no positions", each(items_with(item_list_index=None)), line="240 of 240 lists do not say the position"),
    Damage("positions not set", each(items_with(item_list_index="(not set)")), line="240 of 240 lists do not say"),
    Damage("some positions", of_share(0.4, items_with(item_list_index=""), "view_item_list"), line="its place among"),
    Damage("one position for all", each(items_with(item_list_index="1")), "hold several documents"),
    Damage("some positions, from 0", lambda _: of_share(0.4, items_with(item_list_index=None), LISTS[0])(export(0))),
    Damage("some from 0", lambda events: export(0)[:400] + events[400:], "begin at position 0"),
    Damage("sent twice", repeated(*LISTS), line="repeat another"),
    Damage("no lists", lambda events: [one for one in events if one["event_name"] != LISTS[0]], "and not clicked"),
    Damage("empty lists", each(lambda one: one | {"items": []}, LISTS[0]), "shown and not clicked"),
    Damage("no clicks", lambda events: [one for one in events if one["event_name"] != LISTS[1]], "what was clicked"),
    Damage("no searches", lambda events: [one for one in events if "search" not in one["event_name"]], "searched for"),
    Damage("searches of lists", with_own_terms),
    Damage("another list in another session", with_recommended, line="Related (240)): left out"),
    Damage("names of lists differ", each(items_with(item_list_name="Results"), LISTS[1]), "no list, or more than one"),
    Damage("clicks without a list", each(items_with(item_list_name="(not set)"), LISTS[1])),
    Damage("lists without a name", each(items_with(item_list_name=None), LISTS[0])),
    Damage("ids of lists", by_id),
    Damage("two lists at one time", at_one_time, options=SEARCHES),
    Damage("batches", in_batches),
    Damage("clicks before", each(later(-3600), LISTS[1]), "no list, or more than one"),
    Damage("queries are numbers", numbers_for_queries, queries=lambda name: {"shoes": "501", "hat": "7"}[name]),
    Damage("items without id", with_nameless, line="480 items of events have no id"),
    Damage("nobody", denied_too, line="have no user, session or time: left out"),
    Damage("clicks of nobody", without_session(0.2, LISTS[1]), "have no user, session or time"),
    Damage("hostile", hostile_items, ids=hostile),
    Damage("nothing", lambda _: [], "no event shows a list|no rows|empty"),
    Damage("no names", each(lambda one: one | {"event_name": "page_view"}), "no event shows a list"),
]  # fmt: skip


@pytest.fixture(scope="module")
def flat() -> dict[str, Any]:
    return {method: labels(pd.DataFrame(log()), method) for method in METHODS}


@pytest.mark.sampled(10)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize("method", METHODS)
def test_an_export_gives_the_labels_of_the_flat_log_or_says_what_is_wrong(
    method: str, kind: str, damage: Damage, tmp_path: Path, flat: dict[str, Any]
) -> None:
    data = opened(damage.change(export()), kind, tmp_path)
    if damage.says:
        with pytest.raises(DataError, match=damage.says):
            labels(data, method, **damage.options)
        return
    found = labels(data, method, **damage.options)

    expected = {(damage.queries(q), damage.ids(d)): label for (q, d), label in flat[method].items()}
    assert found == expected
    if damage.line:
        assert damage.line in "\n".join(inspect(data, **damage.options).settled)


def settled(events: Events, folder: Path, **options: Any) -> str:
    """What is said of an export."""
    return "\n".join(inspect(opened(events, "parquet", folder), **options).settled)


def rates(events: Events, folder: Path, **options: Any) -> dict[tuple[str, str], tuple[float, int]]:
    """The rate of each document and its impressions."""
    data = opened(events, "parquet", folder)
    with judgments(data, method="ctr", prior=(0, 0), min_impressions=0, **options) as found:
        return {(row["query_id"], row["doc_id"]): (row["relevance"], row["impressions"]) for row in found.to_dicts()}


def small(**changes: Any) -> tuple[Shown, datetime]:
    """A list of a user."""
    one = shown(log())[0]
    return one, one.time


def test_few_clicks_of_no_list_are_left_out_and_said(tmp_path: Path) -> None:
    clicks = [one for one in export() if one["event_name"] == "select_item"]
    change = {id(one) for one in clicks[:3]}
    events = export()
    moved = [one for one in events if one["event_name"] == "select_item"][: len(change)]
    events = [later(-3600)(one) if one in moved else one for one in events]

    assert "; 3 to none: left out" in settled(events, tmp_path)


def test_a_click_belongs_to_the_latest_list_before_it_that_showed_it(tmp_path: Path) -> None:
    one, time = small()
    first = event(one, "view_search_results", time, [], search_term="first")
    second = event(one, "view_search_results", time + timedelta(minutes=2), [], search_term="second")
    third = event(one, "view_search_results", time + timedelta(minutes=9), [], search_term="third")
    items = [item("a", 1), item("b", 2)]
    lists = [event(one, "view_item_list", time + timedelta(minutes=minute), items) for minute in (1, 3, 10)]
    clicks = [
        event(one, "select_item", time + timedelta(minutes=4), [item("b", None)]),
        event(one, "select_item", time + timedelta(minutes=1), [item("a", None)]),
    ]

    found = rates([first, second, third, *lists, *clicks], tmp_path)
    assert {pair: rate for pair, (rate, _) in found.items() if rate} == {("first", "a"): 1, ("second", "b"): 1}
    assert len(found) == 6


def test_carts_and_purchases_belong_to_the_last_list_of_a_day(tmp_path: Path) -> None:
    one, time = small()
    other = Shown(one.user, one.session + 1, time, one.query, one.rows)
    search = event(one, "view_search_results", time, [], search_term="q")
    items = [item("a", 1), item("b", 2), item("c", 3)]
    lists = [event(one, "view_item_list", time, items)]
    click = event(one, "select_item", time + timedelta(seconds=5), [item("a", None)])
    cart = event(other, "add_to_cart", time + timedelta(hours=23), [item("b", None, "(not set)")])
    late = event(other, "add_to_cart", time + timedelta(hours=25), [item("c", None, "(not set)")])
    bought = event(other, "purchase", time + timedelta(hours=24), [item("a", None, "(not set)")])
    events = [search, *lists, click, cart, late, bought]

    assert {pair[1] for pair, found in rates(events, tmp_path, signal="cart").items() if found[0]} == {"b"}
    assert {pair[1] for pair, found in rates(events, tmp_path, signal="purchase").items() if found[0]} == {"a"}
    assert "up to 24 hours before: 1 of 2 carts belong to searches, 1 of 1 purchase" in settled(events, tmp_path)


def test_an_item_twice_in_a_list_counts_once_at_its_first_place(tmp_path: Path) -> None:
    events = export()
    lists = [number for number, one in enumerate(events) if one["event_name"] == "view_item_list"][:3]
    for number in lists:
        events[number] = events[number] | {
            "items": [*events[number]["items"], {**events[number]["items"][0], "item_list_index": "6"}]
        }

    assert "3 rows (0.2 %) repeat a document of their impression: each counts once" in settled(events, tmp_path)
    assert labels(opened(events, "parquet", tmp_path), "sdbn") == labels(pd.DataFrame(log()), "sdbn")


def test_a_click_that_may_be_of_two_lists_at_one_time_is_of_none(tmp_path: Path) -> None:
    clicks = each(items_with(item_list_name="(not set)"), "select_item")

    with pytest.raises(DataError, match="no list, or more than one, showed before"):
        settled(clicks(at_one_time(export())), tmp_path)


def test_lists_that_take_the_search_before_them_are_named(tmp_path: Path) -> None:
    assert "(Related (240), Search results (240)): are all of these results" in settled(at_one_time(export()), tmp_path)


def test_days_that_may_change_are_said(tmp_path: Path) -> None:
    assert "last event (2026-11-02), days from 2026-10-31 on may still change" in settled(export(), tmp_path)


def test_streams_that_count_positions_in_two_ways_are_told_apart(tmp_path: Path) -> None:
    app = [one | {"stream_id": "app"} for one in export(0) if one["user_pseudo_id"] < "u3"]
    events = [one for one in export() if one["user_pseudo_id"] >= "u3"] + app

    assert "positions begin at 1 in 1234, 0 in app" in settled(events, tmp_path)
    assert labels(opened(events, "parquet", tmp_path), "sdbn") == labels(pd.DataFrame(log()), "sdbn")


def test_other_names_of_events_are_told_by_action(tmp_path: Path) -> None:
    events = each(lambda one: one | {"event_name": "Product_Tapped"}, "select_item")(export())

    with pytest.raises(DataError, match="no event says what was clicked"):
        settled(events, tmp_path)
    assert "click is product_tapped" in settled(events, tmp_path, actions={"product_tapped": "click"})
    with pytest.raises(DataError, match="no event has the name 'tapped' of"):
        settled(events, tmp_path, actions={"tapped": "click"})


def test_a_frame_is_an_export_too(tmp_path: Path) -> None:
    assert labels(opened(export(), "frame", tmp_path), "ctr") == labels(pd.DataFrame(log()), "ctr")


def test_days_in_several_files_are_one_export(tmp_path: Path) -> None:
    events = export()
    for day in {one["event_date"] for one in events}:
        path = tmp_path / f"events_{day}.jsonl"
        path.write_text("\n".join(json.dumps(told(one)) for one in events if one["event_date"] == day))

    assert labels(str(tmp_path / "events_*.jsonl"), "ctr") == labels(pd.DataFrame(log()), "ctr")


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"action_name": "click"}, "may be an export of GA4 .* or events of User Behavior Insights"),
        ({"clicked": 1}, "may be an export of GA4 .* or a log with a row for each document"),
        ({"contexts_com_snowplowanalytics_snowplow_ecommerce_product_1": []}, "of GA4 .* or an export of Snowplow"),
    ],
)
def test_what_may_be_two_kinds_is_refused_with_both(more: Event, says: str) -> None:
    with pytest.raises(DataError, match=says):
        inspect(pd.DataFrame([one | more for one in export()]))


def test_what_is_missing_is_named() -> None:
    events = pd.DataFrame(export())

    with pytest.raises(DataError, match="looks like an export of GA4 and has no column items"):
        inspect(events.drop(columns="items"))
    with pytest.raises(UsageError, match="the roles are query_id, user_id"):
        inspect(events, columns={"position": "event_date"})


def test_a_list_with_a_search_of_its_own_does_not_ask_what_else_was_searched_for(tmp_path: Path) -> None:
    one, time = small()
    items = [item("a", 1), item("b", 2)]
    other = event(one, "view_search_results", time, [], search_term="other")
    listed = event(one, "view_item_list", time, items, search_term="own")
    click = event(one, "select_item", time + timedelta(seconds=1), [item("a", None)])

    assert {query for query, _ in rates([other, listed, click], tmp_path)} == {"own"}


def two_lists(click: dict[str, Any], other: dict[str, Any]) -> Events:
    """A list, a click and another list with the same items, in this order and at one time."""
    one, time = small()
    search = event(one, "view_search_results", time, [], search_term="q")
    lists = [event(one, "view_item_list", time, [item(sku, place) for place, sku in enumerate("ab", 1)])]
    lists.append(event(one, "view_item_list", time, [each_item | other for each_item in lists[0]["items"]]))
    return [search, lists[0], event(one, "select_item", time, [item("a", None) | click]), lists[1]]


def test_events_of_one_time_are_in_the_order_of_their_batch(tmp_path: Path) -> None:
    events = two_lists({"item_list_name": None}, {"item_list_name": "Related"})
    ordered = [
        one | {"batch_page_id": 1, "batch_ordering_id": 1, "batch_event_index": number + 8}
        for number, one in enumerate(events)
    ]

    with pytest.raises(DataError, match="no list, or more than one, showed before"):
        settled(events, tmp_path)
    assert "1 of 1 click (100 %) belong" in "\n".join(inspect(pd.DataFrame(ordered)).settled)


def test_a_click_that_names_a_list_may_be_of_one_without_a_name_at_the_same_time(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no list, or more than one, showed before"):
        settled(two_lists({}, {"item_list_name": None}), tmp_path)


@pytest.mark.parametrize(
    ("shown_in", "clicked_in", "joined"),
    [
        (("1", "a"), ("1", "b"), True),
        (("1", "a"), ("2", "a"), False),
        (("1", "a"), (None, "a"), True),
        (("1", "a"), (None, "b"), False),
        (("1", None), (None, "b"), True),
        ((None, "a"), ("1", "a"), True),
        ((None, "a"), ("1", "b"), False),
        ((None, "a"), ("1", None), True),
        ((None, None), ("1", "a"), True),
        (("1", "a"), (None, None), True),
    ],
)
def test_lists_are_compared_by_id_else_by_name(
    shown_in: tuple[str | None, str | None], clicked_in: tuple[str | None, str | None], joined: bool, tmp_path: Path
) -> None:
    one, time = small()
    named = [
        dict(zip(("item_list_id", "item_list_name"), each_list, strict=True)) for each_list in (shown_in, clicked_in)
    ]
    events = [
        event(one, "view_search_results", time, [], search_term="q"),
        event(one, "view_item_list", time, [item(sku, place) | named[0] for place, sku in enumerate("ab", 1)]),
        event(one, "select_item", time + timedelta(seconds=1), [item("a", None) | named[1]]),
    ]
    if joined:
        assert "1 of 1 click (100 %) belong" in settled(events, tmp_path)
    else:
        with pytest.raises(DataError, match="no list, or more than one"):
            settled(events, tmp_path)
