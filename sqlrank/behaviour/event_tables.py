"""Tables of events: told from others, and where User Behavior Insights keeps what they have no column for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.column_names import TIERS
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.fields import inside
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import by_tiers, has
from sqlrank.inputs.table import Table

KIND = "events"
RETURNED = "returned"
"""The action of what a search returned, where nothing says what was shown."""
ACTIONS: dict[str, tuple[str, ...]] = {
    "shown": ("impression", "item_impression", "product_impression", "view_item_list", "list_view", RETURNED),
    "click": ("click", "item_click", "product_click", "select_item", "list_click", "click_through"),
    "cart": ("add_to_cart", "item_add_to_cart"),
    "purchase": ("purchase", "item_purchase", "buy", "transaction"),
}
"""What actions are usually called, in small letters."""
PATHS = {
    "doc_id": ("event_attributes.object.object_id",),
    "position": ("event_attributes.position.ordinal", "event_attributes.object.position.ordinal"),
    "session_id": ("event_attributes.session_id",),
}
"""Where UBI keeps what a column of its own does not hold."""


JOIN = (
    "where clicks are in a separate table, make one log of both: left join what was shown to the distinct pairs of"
    " impression and document that were clicked, and let clicked be 1 where there is one and else 0"
)
"""How impressions and clicks in two tables become a log."""


def is_events(table: Table) -> bool:
    """Whether the rows of a table are events."""
    clicked = by_tiers(table, TIERS["log"]["clicked"][:1])
    return bool(by_tiers(table, TIERS["log"]["action"])) and not clicked


def told_apart(engine: DuckDBEngine, data: Sequence[Any], reading: Reading) -> tuple[Any, Any]:
    """The events and the searches among one or two inputs; UsageError if they are not these."""
    if len(data) == 1:
        return data[0], None
    plain = replace(reading, where=None)
    events = [is_events(open_table(engine, one, KIND, plain)) for one in data]
    if len(data) != 2 or sorted(events) != [False, True]:
        raise UsageError(
            "two inputs are the searches and the events of User Behavior Insights, of which the events have a column of"
            f" actions; several files of one log go into a folder, or a quoted pattern; {JOIN}"
        )
    return data[events.index(True)], data[events.index(False)]


def with_paths(engine: DuckDBEngine, data: Any, reading: Reading) -> Reading:
    """How events are read, with where UBI keeps what they have no column for."""
    table = open_table(engine, data, KIND, replace(reading, where=None))
    found = dict(reading.columns)
    for role, paths in PATHS.items():
        if role in found or by_tiers(table, TIERS[KIND][role]) or not has(table, "event_attributes"):
            continue
        for path in paths:
            try:
                known = inside(engine, table, path)
            except DataError:  # another version of UBI has it elsewhere
                continue
            if known is not None:
                found[role] = path
                break
    return replace(reading, columns=found)
