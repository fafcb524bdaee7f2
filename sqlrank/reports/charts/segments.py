"""Which segments a chart shows: those of the extremes where there are many, and lines where one column is a date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlrank.pages.labels import distinct
from sqlrank.pages.words import Words
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import Field, are_dates, make, panels_of, with_labels

MOST_SEGMENTS = 30
"""How many segments a chart has."""
MOST_LINES = 8
"""How many lines a chart over time has."""
MOST_PANELS = 4
"""How many panels stand next to one another, where a second column is shown by them."""

COLUMNS_OF_PANELS = 2
"""How many columns of segments there are where one of them is shown by panels."""

Row = dict[str, Any]


def worst_first(rows: Sequence[Row], sign: int) -> list[Row]:
    """The rows of segments with the worst and the best values, the worst first, and the total last.

    Where there are several rows of a segment, the first one decides. `sign` is 1 where more is better, and else -1.
    """
    known: dict[str, float] = {}
    for row in rows:
        if not row["is_total"]:
            known.setdefault(row["segment"], sign * row["value"])
    order = sorted(known, key=lambda segment: known[segment])
    half = MOST_SEGMENTS // 2
    kept = order if len(order) <= MOST_SEGMENTS else order[:half] + order[-half:]
    places = {segment: place for place, segment in enumerate(kept)}
    segments = [row for row in rows if not row["is_total"] and row["segment"] in places]
    return [*sorted(segments, key=lambda row: places[row["segment"]]), *(row for row in rows if row["is_total"])]


class Layout(NamedTuple):
    """How the segments of a chart are laid out."""

    kind: str
    """`over-time`, `panels`, or nothing for one below another."""
    rows: list[Row]
    columns: list[Field]
    """The columns of its numbers that say which segment a row is."""
    values: dict[str, Any]
    """What its specification is filled in with."""
    shown: tuple[int, int] | None = None
    """How many segments there are of how many, where these are not all."""


def laid_out(
    rows: Sequence[Row],
    by: Sequence[str],
    known: Mapping[str, Sequence[Any]],
    lines: Sequence[str],
    sign: int,
    width: int,
) -> Layout:
    """The layout of segments: over time where one is a date, in panels where a second column has few values.

    Args:
        rows: a row for each segment and line, and those of the total.
        by: what segments are made of.
        known: the values of these columns for each segment.
        lines: the names of the systems.
        sign: 1 where more is better, and else -1.
        width: how wide the intervals are drawn.
    """
    if (dated := over_time(rows, known, lines)) is not None:
        at, found, names = dated
        return Layout("over-time", found, [Field("segment", ", ".join(by))], {"date": by[at], "systems": names})
    kept = worst_first(rows, sign)
    counts = [len({row["segment"] for row in each if not row["is_total"]}) for each in (kept, rows)]
    shown = None if counts[0] == counts[1] else (counts[0], counts[1])
    if (placed := in_panels(kept, known)) is not None:
        at, found = placed
        columns = [Field("panel", by[at]), Field("segment", by[1 - at])]
        return Layout("panels", found, columns, panels_of(found, by[at], width), shown)
    return Layout("", kept, [Field("segment", ", ".join(by))], {"width": width}, shown)


def segments_chart(
    names: Mapping[str, str], title: str, layout: Layout, columns: Sequence[Field], words: Words, **values: Any
) -> Chart:
    """The chart of a layout; `names` are those of its specifications by kind, `columns` those of its numbers."""
    if layout.shown is not None:
        title = f"{title} ({words('extreme-segments', shown=layout.shown[0], all=layout.shown[1])})"
    return make(names[layout.kind], title, words, with_labels(layout.rows), columns, **values, **layout.values)


def over_time(
    rows: Sequence[Row], values: Mapping[str, Sequence[Any]], systems: Sequence[str]
) -> tuple[int, list[Row], list[str]] | None:
    """Which column is a date, from 0, the rows with their `date`, and the lines; None where none is, or lines are many.

    `values` are those of the columns of each segment. With a second column, each of its values is a line of the one
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


def in_panels(rows: Sequence[Row], values: Mapping[str, Sequence[Any]]) -> tuple[int, list[Row]] | None:
    """Which of two columns is shown by panels, from 0, and the rows with the `panel` and the `segment` there.

    It is the column with fewer values; None where there are not two, or too many panels. The total has no panel.
    """
    parts = [row for row in rows if not row["is_total"]]
    if any(len(values[row["segment"]]) != COLUMNS_OF_PANELS for row in parts):
        return None
    numbers = [len({values[row["segment"]][at] for row in parts}) for at in range(COLUMNS_OF_PANELS)]
    at = numbers.index(min(numbers))
    if not 1 < numbers[at] <= MOST_PANELS:
        return None
    names = distinct(values[row["segment"]][at] for row in parts)
    others = distinct(values[row["segment"]][1 - at] for row in parts)
    placed = []
    for row in parts:
        of_row = values[row["segment"]]
        placed.append(row | {"panel": names[of_row[at]], "segment": others[of_row[1 - at]]})
    return at, placed
