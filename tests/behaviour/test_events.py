"""Events of User Behavior Insights: the same labels as the rows that they stand for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sqlrank.errors import DataError, UsageError
from sqlrank.log import inspect, judgments
from tests.behaviour.test_hostile_logs import Rows, labels, log, number_of, undamaged
from tests.support.tables import hold

Event = dict[str, Any]


def event(row: dict[str, Any], action: str, seconds: int = 0, **changes: Any) -> Event:
    """An event of UBI 1.3."""
    attributes = {
        "object": {"object_id": row["doc_id"], "object_id_field": "sku"},
        "position": {"ordinal": row["position"] - (number_of(row) % 2)},
        "session_id": f"s-{row['user_id']}",
    }
    found = {
        "application": "esci" if number_of(row) % 2 else "shop",
        "action_name": action,
        "query_id": row["impression_id"],
        "client_id": row["user_id"],
        "timestamp": f"2026-10-{1 + number_of(row) % 28:02}T10:00:{seconds:02}Z",
        "user_query": row["query_id"],
        "event_attributes": attributes,
    }
    return found | changes


def events(rows: Rows, shown: str = "impression", clicked: str = "click") -> list[Event]:
    """What was shown and clicked, with searches among them, which have no attributes."""
    found = [event(row, "search") | {"event_attributes": None} for row in rows if row["position"] == 1]
    found += [event(row, shown, 1) for row in rows]
    return found + [event(row, clicked, 9) for row in rows if row["clicked"]]


def searches(rows: Rows) -> list[Event]:
    """The searches of the same rows, with what they returned."""
    found: dict[str, Event] = {}
    for row in sorted(rows, key=lambda row: int(row["position"])):
        empty = {"query_id": row["impression_id"], "user_query": row["query_id"], "query_response_id": "r"}
        of_one = found.setdefault(row["impression_id"], empty | {"query_response_hit_ids": []})
        of_one["query_response_hit_ids"].append(row["doc_id"])
    return list(found.values())


def written(name: str, rows: list[Event]) -> str:
    Path(name).write_text("\n".join(map(json.dumps, rows)))
    return name


def test_events_of_two_applications_give_the_labels_of_their_rows_in_every_file() -> None:
    clicks = [one for one in events(log()) if one["action_name"] == "click"]
    longer = searches(log())
    for one in longer:
        one["query_response_hit_ids"] += [f"deep-{place}" for place in range(50)]
    all_events, clicked = written("events.ndjson", events(log())), written("clicks.ndjson", clicks)
    returned, more = written("searches.ndjson", searches(log())), written("longer.ndjson", longer)
    pd.DataFrame(events(log())).to_parquet("events.parquet")

    def check(data: str | list[str]) -> None:
        assert labels(data, "sdbn") == undamaged("sdbn")

    hold(
        {
            "events": all_events,
            "events in Parquet": "events.parquet",
            "what searches returned counts as shown where no event says it": [clicked, returned],
            "the same, searches first": [returned, clicked],
            "what was shown counts and not what was returned": [all_events, more],
        },
        check,
    )


def test_other_names_of_actions_are_told() -> None:
    path = written("events.ndjson", events(log(), "displayed", "global_click"))

    with pytest.raises(DataError, match="no event says what was shown"):
        labels(path, "sdbn")
    assert labels(path, "sdbn", actions={"displayed": "shown", "GLOBAL_click": "click"}) == undamaged("sdbn")
    with pytest.raises(DataError, match="no event has the action 'tap'"):
        labels(path, "sdbn", actions={"displayed": "shown", "tap": "click"})
    with pytest.raises(UsageError, match="'hover' is not known"):
        labels(path, "sdbn", actions={"displayed": "hover"})


def moved(rows: list[Event], share: float, change: Callable[[Event], Event]) -> list[Event]:
    """Some of the clicks changed, the first ones."""
    clicks = [one for one in rows if one["action_name"] == "click"]
    some = round(len(clicks) * share)
    return [one for one in rows if one["action_name"] != "click"] + [*map(change, clicks[:some]), *clicks[some:]]


ODD: list[tuple[float, Callable[[Event], Event], str]] = [
    (0.2, lambda one: one | {"query_id": "elsewhere"}, "documents that their impression did not show"),
    (0.03, lambda one: one | {"query_id": "elsewhere"}, ""),
    (
        0.2,
        lambda one: one | {"timestamp": one["timestamp"].replace("T10", "T09")},
        "come before the document was shown",
    ),
    (0.03, lambda one: one | {"timestamp": one["timestamp"].replace("T10", "T09")}, ""),
    (0.2, lambda one: one | {"event_attributes": None}, ""),
]


def test_clicks_on_what_was_not_shown_or_before_it_are_counted_or_refused() -> None:
    def check(case: tuple[float, Callable[[Event], Event], str]) -> None:
        share, change, says = case
        path = written("events.ndjson", moved(events(log()), share, change))
        if says:
            with pytest.raises(DataError, match=says):
                inspect(path)
            return
        said = "\n".join(inspect(path).settled)
        assert "left out" in said or "come before" in said

    hold({str(number): row for number, row in enumerate(ODD)}, check)


def test_what_was_shown_without_a_position_is_refused() -> None:
    rows = events(log())
    nowhere = rows[-1]["event_attributes"] | {"position": None}
    found = [row | {"event_attributes": nowhere} if number == 300 else row for number, row in enumerate(rows)]

    with pytest.raises(DataError, match=r"1 document was shown without a position, such as 'hat-.' in impression 'i"):
        labels(written("events.jsonl", found), "sdbn")


def bulk(name: str, rows: list[dict[str, Any]]) -> str:
    """A bulk request of OpenSearch with these documents."""
    actions = ('{"index": {"_index": "ubi"}}', '{"create": {"_id": "7"}}', '{ "index" : {} }')
    lines = (f"{actions[place % 3]}\n{json.dumps(row)}\n" for place, row in enumerate(rows))
    Path(name).write_text("".join(lines))
    return name


def test_bulk_requests_are_read_as_their_documents() -> None:
    found = labels([bulk("events.ndjson", events(log())), bulk("queries.ndjson", searches(log()))], "sdbn")

    assert found == undamaged("sdbn")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda row: row | {"index": 3}, "with 480 actions and 0 documents"),
        (lambda row: row | {"delete": 3}, "with actions of delete"),
    ],
)
def test_a_bulk_request_whose_documents_cannot_be_told_is_refused(damage: Any, says: str) -> None:
    name = bulk("events.ndjson", [damage(row) for row in events(log())[:240]])

    with pytest.raises(DataError, match=says) as refused:
        inspect(name)

    assert "sed -n 'n;p' events.ndjson > documents.jsonl" in str(refused.value)


def test_a_query_in_json_is_not_what_was_asked() -> None:
    rows, asked = events(log()), [one | {"query": '{"match": {}}'} for one in searches(log())]
    of_events = [{name: value for name, value in row.items() if name != "user_query"} for row in rows]

    assert labels([written("events.jsonl", of_events), written("queries.jsonl", asked)], "sdbn") == undamaged("sdbn")


def test_a_flat_log_with_the_names_of_ubi_is_read_once_its_impressions_are_told() -> None:
    rows = [
        {"query_id": row["impression_id"], "user_query": row["query_id"], "query": f"{{{row['impression_id']}}}"}
        | {"object_id": row["doc_id"], "position": row["position"], "clicked": row["clicked"]}
        for row in log()
    ]
    path = written("flat.jsonl", rows)
    with pytest.raises(DataError, match=r"query_id.*, as UBI calls it"):
        inspect(path)
    found = inspect(path, columns={"impression_id": "query_id"})
    assert (found.roles["impression_id"], found.roles["query_id"]) == ("query_id", "user_query")
    assert found.command is not None
    assert "--column impression_id=query_id" in found.command


def test_inspect_says_what_the_columns_are_and_the_command_to_go_on_with() -> None:
    found = inspect([written("e.ndjson", events(log())), written("s.ndjson", searches(log()))])

    assert found.roles["doc_id"] == "event_attributes.object.object_id"
    assert found.roles["impression_id"] == "query_id"
    assert found.roles["query_id"] == "user_query"
    assert "events: shown is impression; click is click; not read: search (240)" in found.settled
    assert "positions begin at 0 in esci, 1 in shop: each is counted from 1" in found.settled
    assert found.command == "sqlrank log judgments e.ndjson s.ndjson -o judgments.parquet"
    assert found.origin["first_day"] == "2026-10-01"


def test_two_tables_that_are_no_events_are_refused() -> None:
    pd.DataFrame(log()).to_csv("a.csv", index=False)
    pd.DataFrame(log()).to_csv("b.csv", index=False)

    with pytest.raises(UsageError, match="several files of one log go into a folder"):
        judgments(["a.csv", "b.csv"])


def test_seconds_and_microseconds_are_times_too() -> None:
    rows = [one | {"timestamp": 1_790_000_000_000 + 1000 * number} for number, one in enumerate(events(log()))]

    found = inspect(written("events.ndjson", rows))
    assert found.origin["first_day"] == "2026-09-21"
