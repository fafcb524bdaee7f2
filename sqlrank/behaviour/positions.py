"""Where positions begin, on which pages, and how far down lists were displayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlrank.behaviour.asked import Counting
from sqlrank.behaviour.opened_log import Log
from sqlrank.errors import DataError, counted, shortened
from sqlrank.spelling import spelt

MIXED = 0.05
"""Which share of the lists may begin at 1 where others begin at 0: lists may lack their first document."""
DEEP_CLICKS, DEEP_ROWS = 0.05, 0.5
"""Which shares of clicks and of rows beyond a position say that those may not have been displayed."""


@dataclass(slots=True)
class Bases:
    """Where positions begin."""

    base: int = 1
    """The position of the first document."""
    by_application: list[tuple[str, int]] = field(default_factory=list)
    """The same of each application, where they differ."""
    page_size: int | None = None
    """How many documents a page has, where positions begin anew on each."""
    lines: list[str] = field(default_factory=list)


def bases_of(log: Log, counting: Counting, facts: Mapping[str, Any], positions: Sequence[Mapping[str, Any]]) -> Bases:
    """Where positions begin; DataError where a log counts them in two ways, and nothing tells them apart."""
    found = Bases(page_size=page_size(log, counting, facts))
    if found.page_size:
        found.lines.append(f"positions begin anew on each page of {found.page_size}: they are counted over all pages")
    if counting.base is not None:
        if facts["first_position"] < counting.base:
            raise DataError(
                f"{log.label}: {spelt('position_base', counting.base)}, and impression"
                f" {shortened(facts['first_example'])!r} has position {facts['first_position']}; leave out the option,"
                f" or the rows by {spelt('where', 'position > 0')}"
            )
        return with_base(found, counting.base, f"as {spelt('position_base')} says")
    if "application" not in log.columns:
        check_mixed(log, facts)
        return with_base(found, min(facts["first_position"], 1), "the smallest one")
    lowest = lowest_of(log, positions)
    if len({min(one, 1) for one in lowest.values()}) == 1:
        return with_base(found, min(*lowest.values(), 1), "the smallest one of each application")
    found.by_application = [(str(name), min(one, 1)) for name, one in lowest.items()]
    said = ", ".join(f"{base} in {shortened(name)}" for name, base in found.by_application)
    found.lines.append(f"positions begin at {said}: each is counted from 1")
    return found


def lowest_of(log: Log, positions: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The first position of each application; DataError where few of its rows are at 0, and many at 1."""
    of_each = groupby(positions, itemgetter("application"))
    counts = {name: {row["position"]: row["impressions"] for row in rows} for name, rows in of_each}
    for name, of_position in counts.items():
        if of_position.get(0) and of_position[0] < of_position.get(1, 0) / 2:
            raise DataError(
                f"{log.label}: {shortened(name)} has {counted(of_position[0], 'row')} at position 0 and"
                f" {of_position[1]:,} at 1, so that lists do not begin there; leave them out by"
                f" {spelt('where', 'position > 0')}"
            )
    return {name: min(of_position) for name, of_position in counts.items()}


def with_base(found: Bases, base: int, why: str) -> Bases:
    """The same, with one base of all positions."""
    found.base = base
    found.lines.append(f"positions begin at {base} ({why})" + ("" if base else ": they are counted from 1"))
    return found


def check_mixed(log: Log, facts: Mapping[str, Any]) -> None:
    """Raise DataError if some impressions begin at 0 and others at 1."""
    zero, one = facts["from_zero"], facts["from_one"]
    if zero and one > MIXED * (zero + one):
        raise DataError(
            f"{log.label}: {facts['from_zero']:,} impressions begin at position 0, such as"
            f" {shortened(facts['zero_example'])!r}, and {facts['from_one']:,} at 1, such as"
            f" {shortened(facts['one_example'])!r}: name the column that tells their sources apart with"
            f" {spelt('columns', {'application': 'NAME'})}, leave out the rows that are wrong with"
            f" {spelt('where', 'position > 0')}, or say {spelt('position_base', 0)} if all are counted alike"
        )


def page_size(log: Log, counting: Counting, facts: Mapping[str, Any]) -> int | None:
    """How many documents a page has, where positions begin anew on each; DataError where nothing says it."""
    if "page" not in log.columns or facts["last_page"] is None or facts["last_page"] <= 1:
        return None
    begin, end, told = facts["further_pages_begin"], facts["first_page_end"], counting.page_size
    if begin is None or (begin > end if told is None and end is not None else begin > (told or begin)):
        return None
    if told is None:
        raise DataError(
            f"{log.label}: positions begin anew on further pages ({log.roles['page']} is up to {facts['last_page']:g});"
            f" say how many documents a page has with {spelt('page_size', 'N')}, so that they can be counted over all"
            " pages"
        )
    first = facts["first_position"] if counting.base is None else counting.base
    if facts["last_position"] > min(first, 1) + told - 1:
        raise DataError(
            f"{log.label}: {spelt('page_size', told)}, and a page of impression {shortened(facts['last_example'])!r}"
            f" has position {facts['last_position']}, so that two documents would have one place; say how many"
            " documents a page has at most"
        )
    return told


def depth_line(positions: Sequence[Mapping[str, Any]], counting: Counting, seen: bool) -> list[str]:
    """That what is below a position may not have been displayed."""
    if counting.depth is not None:
        return [f"only the first {counting.depth} documents of each list count ({spelt('shown_depth')})"]
    rows, clicks = (sum(row[name] for row in positions) for name in ("impressions", "clicks"))
    last = above_rows = above_clicks = 0
    for position, same in groupby(sorted(positions, key=itemgetter("position")), itemgetter("position")):
        counts = list(same)
        above_rows += sum(row["impressions"] for row in counts)
        above_clicks += sum(row["clicks"] for row in counts)
        last = position
        if clicks - above_clicks <= DEEP_CLICKS * clicks:
            break
    if seen or rows - above_rows < DEEP_ROWS * rows:
        return []
    return [
        f"positions beyond {last} have {100 * (clicks - above_clicks) / clicks:.0f} % of the clicks but"
        f" {100 * (rows - above_rows) / rows:.0f} % of the rows: were they displayed? If lists are longer than what"
        f" was, say {spelt('shown_depth', last)}"
    ]
