"""What is said of an export: the lists that count, to which of them things belong, and which days may still change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlrank.behaviour.export_sources import GA4, Source
from sqlrank.errors import counted, first_of, shortened

HOURS = 24
"""Up to how long after it was shown what went into the cart, or was bought, belongs to a list."""
LATE_DAYS = 3
"""For how many days GA4 adds events to a day."""
MOST_NAMES = 5
NOUNS = {"shown": "list", "click": "click", "cart": "cart", "purchase": "purchase"}


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
