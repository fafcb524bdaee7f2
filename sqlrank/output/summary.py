"""The summary of metrics as tables: a row per system and segment, or one for each metric of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from sqlrank.evaluation.metric_result import MetricResult, dicts
from sqlrank.output.tables import Row, Rows
from sqlrank.pages.tables import Table, column
from sqlrank.pages.terminal_tables import Screen, fits
from sqlrank.pages.words import ENGLISH, Words

MOST_COLUMNS = 10
"""The number of metrics above which each has a row of its own instead of a column."""


def summary_table(result: MetricResult, digits: int) -> Table:
    """The summary with a row for each system and segment and a column for each metric, or turned where many are."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in dicts(result.rows):
        key = (row["system"], row.get("is_total"), *(row[name] for name in result.by))
        groups.setdefault(key, []).append(row)
    first = Rows(rows[0] for rows in groups.values())
    metrics = [
        column(measure.text, (value(rows[place], digits, measure.counts) for rows in groups.values()), number=True)
        for place, measure in enumerate(result.measures)
    ]
    queries = column("queries", map(sizes, groups.values()), number=True)
    table = Table([first.words("system"), *first.segments(result.by), queries, *metrics])
    return table if len(metrics) <= MOST_COLUMNS else table.turned()


def values_table(result: MetricResult, values: Iterable[Row], digits: int, words: Words = ENGLISH) -> Table:
    """A row for each system, segment and metric, its interval drawn beside those of the same metric.

    `value` has the interval too, which `mean` and `interval` have apart.
    """
    rows = Rows(values)
    counted = {measure.text for measure in result.measures if measure.counts}
    return Table(
        [
            rows.words("system"),
            *rows.segments(result.by, words("all")),
            rows.words("metric"),
            rows.numbers("queries"),
            rows.numbers("value", lambda row: value(row, digits, row["metric"] in counted)),
            rows.numbers("mean", lambda row: value({**row, "ci_low": None}, digits, row["metric"] in counted)),
            rows.numbers("interval", lambda row: "-" if row["ci_low"] is None else words.ends(row, digits)),
            rows.drawn("value", itemgetter("metric"), zero=False),
        ],
        spare=("queries", *(["system"] if len(result.systems) == 1 else [])),
    )


def fitting_table(result: MetricResult, digits: int, screen: Screen) -> Table:
    """The first of three forms of the summary that fits; the last one where intervals are drawn."""
    if not screen.plot:
        table = summary_table(result, digits)
        if fits(table, screen):
            return table
        if fits(turned := table.turned(), screen):
            return turned
    long = values_table(result, dicts(result.rows), digits)
    return long.without("mean", "interval").titled(drawn="interval")


def sizes(rows: Sequence[Row]) -> str:
    """How many queries some values are of."""
    known = sorted({row["queries"] for row in rows})
    return str(known[0]) if len(known) == 1 else f"{known[0]}-{known[-1]}"


def value(row: Row, digits: int, counted: bool) -> str:
    """A value with half the width of its interval, or both parts of it where they differ, and with its upper bound."""
    if row["value"] is None:
        return "-"
    digits, bound = 0 if counted else digits, row.get("bound_high")
    shown, most = f"{row['value']:.{digits}f}", "" if bound is None else f" (to {bound:.{digits}f})"
    if row["ci_low"] is None:
        return shown + most
    above, below = (f"{row['ci_high'] - row['value']:.{digits}f}", f"{row['value'] - row['ci_low']:.{digits}f}")
    return (f"{shown} ±{above}" if above == below else f"{shown} +{above} -{below}") + most
