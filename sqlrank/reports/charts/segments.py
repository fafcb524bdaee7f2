"""Which segments a chart shows: those of the extremes where there are many, and lines where one column is a date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.pages.words import Words
from sqlrank.reports.charts.making import are_dates, distinct

MOST_SEGMENTS = 30
"""How many segments a chart has."""
MOST_LINES = 8
"""How many lines a chart over time has."""

Row = dict[str, Any]


def largest(rows: Sequence[Row]) -> list[Row]:
    """The rows of the segments with the most queries, in their order, and the total last."""
    sizes: dict[str, int] = {}
    for row in rows:
        if not row["is_total"]:
            sizes[row["segment"]] = max(sizes.get(row["segment"], 0), row["queries"])
    kept = set(sorted(sizes, key=lambda name: -sizes[name])[:MOST_SEGMENTS])
    return [row for row in rows if row["is_total"] or row["segment"] in kept]


def extremes(rows: Sequence[Row]) -> list[Row]:
    """The rows of the segments with the smallest and the largest values, in their order, and the total last."""
    places = sorted((number for number, row in enumerate(rows) if not row["is_total"]), key=lambda n: rows[n]["value"])
    half = MOST_SEGMENTS // 2
    kept = set(places if len(places) <= MOST_SEGMENTS else places[:half] + places[-half:])
    return [row for number, row in enumerate(rows) if row["is_total"] or number in kept]


def titled(title: str, name: str, rows: Sequence[Row], shown: Sequence[Row], words: Words) -> str:
    """A title that says how many segments are shown of how many, where these are not all."""
    counts = [len({row["segment"] for row in each if not row["is_total"]}) for each in (shown, rows)]
    return title if counts[0] == counts[1] else f"{title} ({words(name, shown=counts[0], all=counts[1])})"


def over_time(
    rows: Sequence[Row], values: Mapping[str, Sequence[Any]], systems: Sequence[str]
) -> tuple[int, list[Row], list[str]] | None:
    """Which column is a date, from 0, the rows with their `date`, and the lines; None where none is, or lines are many.

    `values` are those of the columns of each segment. Beside a second column, each of its values is a line of the one
    system that there is.
    """
    parts = [row for row in rows if not row["is_total"]]
    width = max((len(values[row["segment"]]) for row in parts), default=0)
    dates = [at for at in range(width) if are_dates(values[row["segment"]][at] for row in parts)]
    if width == 1 and dates:
        return 0, [row | {"date": row["segment"]} for row in parts], list(systems)
    if width != 2 or len(dates) != 1 or len(systems) != 1:
        return None
    at = dates[0]
    names = distinct(values[row["segment"]][1 - at] for row in parts)
    if len(names) > MOST_LINES:
        return None
    dated = []
    for row in parts:
        of_row = values[row["segment"]]
        dated.append(row | {"date": str(of_row[at]), "system": names[of_row[1 - at]]})
    return at, dated, list(names.values())
