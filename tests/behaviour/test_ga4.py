"""Exports of GA4: the labels of the flat log that they were written from, or an error that says what is wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.behaviour.exported_ga4 import (
    LISTS,
    METHODS,
    at_one_time,
    by_id,
    denied_too,
    each,
    export,
    hostile_items,
    in_batches,
    items_with,
    later,
    numbers_for_queries,
    of_share,
    opened,
    repeated,
    with_nameless,
    with_own_terms,
    with_recommended,
    without_session,
)
from tests.behaviour.test_hostile_logs import Damage, Tried, hold_damages, hostile, tried

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


ONCE, OTHERS = tried(DAMAGES, ("jsonl", "parquet"), METHODS)


@pytest.mark.parametrize("cases", [ONCE, pytest.param(OTHERS, marks=pytest.mark.needs("random"))], ids=["once", "all"])
def test_an_export_gives_the_labels_of_the_flat_log_or_says_what_is_wrong(cases: Tried, tmp_path: Path) -> None:
    hold_damages(cases, lambda damage, kind: opened(damage.change(export()), kind, tmp_path))
