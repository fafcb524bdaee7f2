"""To which lists of an export of GA4 clicks belong, and what is said of it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sqlrank.errors import DataError, UsageError
from sqlrank.log import inspect, judgments
from tests.behaviour.exported import Shown, shown
from tests.behaviour.exported_ga4 import (
    Event,
    Events,
    at_one_time,
    each,
    event,
    export,
    item,
    items_with,
    later,
    opened,
    told,
)
from tests.behaviour.test_hostile_logs import labels, log, undamaged
from tests.support.tables import hold


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
    assert labels(opened(events, "parquet", tmp_path), "sdbn") == undamaged("sdbn")


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
    assert labels(opened(events, "parquet", tmp_path), "sdbn") == undamaged("sdbn")


def test_other_names_of_events_are_told_by_action(tmp_path: Path) -> None:
    events = each(lambda one: one | {"event_name": "Product_Tapped"}, "select_item")(export())

    with pytest.raises(DataError, match="no event says what was clicked"):
        settled(events, tmp_path)
    assert "click is product_tapped" in settled(events, tmp_path, actions={"product_tapped": "click"})
    with pytest.raises(DataError, match="no event has the name 'tapped' of"):
        settled(events, tmp_path, actions={"tapped": "click"})


def test_a_frame_is_an_export_too(tmp_path: Path) -> None:
    assert labels(opened(export(), "frame", tmp_path), "ctr") == undamaged("ctr")


def test_days_in_several_files_are_one_export(tmp_path: Path) -> None:
    events = export()
    for day in {one["event_date"] for one in events}:
        path = tmp_path / f"events_{day}.jsonl"
        path.write_text("\n".join(json.dumps(told(one)) for one in events if one["event_date"] == day))

    assert labels(str(tmp_path / "events_*.jsonl"), "ctr") == undamaged("ctr")


def test_what_may_be_two_kinds_is_refused_with_both() -> None:
    events = export()

    def check(case: tuple[Event, str]) -> None:
        more, says = case
        with pytest.raises(DataError, match=says):
            inspect(pd.DataFrame([one | more for one in events]))

    hold(
        [
            ({"action_name": "click"}, "may be an export of GA4 .* or events of User Behavior Insights"),
            ({"clicked": 1}, "may be an export of GA4 .* or a log with a row for each document"),
            ({"contexts_com_snowplowanalytics_snowplow_ecommerce_product_1": []}, "of GA4 .* or an export of Snowplow"),
        ],
        check,
    )


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


COMPARED = [
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
]
"""The id and the name of a list that was shown, those that a click says, and whether it belongs to the list."""


def test_lists_are_compared_by_id_else_by_name(tmp_path: Path) -> None:
    first, time = small()
    events, expected = [], {}
    for number, (*lists, joined) in enumerate(COMPARED):
        names = [dict(zip(("item_list_id", "item_list_name"), each_list, strict=True)) for each_list in lists]
        # Few clicks of no list are left out, and many are refused.
        for copy in range(30 if joined else 1):
            one = replace(first, user=f"{number}-{copy}")
            items = [item(sku, place) | names[0] for place, sku in enumerate("ab", 1)]
            events += [
                event(one, "view_search_results", time, [], search_term=str(COMPARED[number])),
                event(one, "view_item_list", time, items),
                event(one, "select_item", time + timedelta(seconds=1), [item("a", None) | names[1]]),
            ]
        expected[str(COMPARED[number])] = float(joined)

    assert {query: rate for (query, sku), (rate, _) in rates(events, tmp_path).items() if sku == "a"} == expected
