"""The power of a comparison: which difference its queries would find, and how many queries the one found would need."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import Any

from sqlrank.comparison.interval import all_alike, estimates_of, has_interval, mostly_tied, skewness_of
from sqlrank.comparison.questions import Questions
from sqlrank.errors import UsageError
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import Ends
from sqlrank.statistics.paired_power import POWER, degrees_of, detectable, ends_of_spread, queries_needed

FIRST = 25
"""The smallest number of queries of a plan."""
DETECTABLE = ("detectable_difference", "detectable_low", "detectable_high")
NEEDED = ("queries_needed", "queries_needed_low", "queries_needed_high")
"""The columns of what is planned, each with the ends of its range."""

Range = tuple[float | None, float | None, float | None]
"""A value and the ends of its range."""
NOTHING: Range = (None, None, None)


def deviation_of(row: Mapping[str, Any], alpha: float) -> Range:
    """The standard deviation of the differences of a row of sums, and the ends of its interval.

    None where one query has nearly all of the weight, or all differences are alike. The upper end is None, for no
    limit, where next to no queries differ, or where two sides of unlike size make the difference skewed: the rare
    values that the smaller one has not shown decide how much it varies. Where most queries tie it is that of the
    differences with the two that are added.
    """
    if not has_interval(row) or all_alike(row):
        return NOTHING
    deviation = float(row["stderr"] * math.sqrt(row["effective"]))
    low, high = ends_of_spread(degrees_of(row["fourth"], row["units"], row["changed"]), alpha)
    most = deviation
    if mostly_tied(row):
        (added,) = estimates_of(row)
        most = (added.stderr or 0.0) * math.sqrt(added.degrees + 1)
    return deviation, low * deviation, None if high is None or skewness_of(row) else high * most


def power_of(row: Mapping[str, Any], deviation: Range, ends: Ends, alpha: float) -> tuple[Range, Range]:
    """The difference that the queries of a row find with the power, and how many like them its own would need.

    Each with its range: the one by the interval of the standard deviation, the other by the ends of the interval that
    the row shows, where the upper one is None, for no limit, if that contains 0. Without an interval nothing is known
    of the size of the difference, and no number is told.
    """
    seen, effective = deviation[0], row["effective"]
    if seen is None:
        return NOTHING, NOTHING
    found, (low, high) = of_spread(deviation, effective, alpha), ends
    if low is None or high is None:
        return found, NOTHING
    far, near = max(abs(low), abs(high)), min(abs(low), abs(high))
    numbers = [
        None if size is None else queries_needed(size, seen, alpha)
        for size in (row["difference"], far, near if low * high > 0 else None)
    ]
    needed, least, most = (None if each is None else math.ceil(each * row["queries"] / effective) for each in numbers)
    return found, (needed, least, most)


def of_spread(deviation: Range, number: float, alpha: float, power: float = POWER) -> Range:
    """The difference that a number of queries finds, of a standard deviation, and of the ends of its interval."""
    value, low, high = (None if each is None else detectable(each, number, alpha, power) for each in deviation)
    return value, low, high


def sizes_around(number: int) -> list[int]:
    """Numbers of queries to plan for: a number itself, and those that double from 25 on around it."""
    doubled = [FIRST * 2**step for step in range(60)]
    return sorted({number, *(size for size in doubled if number / 16 <= size <= 8 * number)})


def planned(
    rows: Sequence[Mapping[str, Any]], counts: Container[str], sizes: Sequence[int] | None, alpha: float, power: float
) -> list[dict[str, Any]]:
    """The difference that numbers of queries find: a row for each candidate, metric and number, over all queries.

    `counts` are the metrics that are summed over queries, as is their difference; no sizes are those around the number
    there is. UsageError for a number below 2, or a power out of its range.
    """
    if not 0.5 <= power <= 0.999:
        raise UsageError(f"{spelt('power', power)} is not between 0.5 and 0.999; 0.8 is usual")
    if any(size < 2 for size in sizes or ()):
        raise UsageError(f"{spelt('sizes')}: a plan is for 2 queries or more")
    sizes = sizes or sizes_around(max(row["queries"] for row in rows))
    found = []
    for row in [row for row in rows if row["is_total"]]:
        deviation, worth = row["sqlrank_deviations"], row["sqlrank_effective"] / max(row["queries"], 1)
        for size in sizes:
            factor = size if row["metric"] in counts else 1
            least = of_spread(deviation, size * worth, alpha, power)
            names = {name: row[name] for name in ("system", "baseline", "metric")}
            scaled = (None if each is None else each * factor for each in least)
            found.append(names | {"queries": size} | dict(zip(DETECTABLE, scaled, strict=True)))
    return found


def power_remarks(rows: Sequence[Mapping[str, Any]], questions: Questions) -> list[str]:
    """What the queries, or other units, would find, by metric, in total; of one candidate, how many it would need."""
    nouns = questions.nouns
    known = [row for row in rows if row["is_total"] and row["detectable_difference"] is not None]
    if not known:
        return []
    least: dict[str, Mapping[str, Any]] = {}
    for row in known:
        if row["metric"] not in least or row["detectable_difference"] > least[row["metric"]]["detectable_difference"]:
            least[row["metric"]] = row
    found = ", ".join(f"{with_range(ranged(row, DETECTABLE), '.3g')} ({metric})" for metric, row in least.items())
    lines = [
        f"power {POWER:g} at p <= {questions.alpha:g}, not adjusted: the smallest detectable difference is {found};"
        f" in square brackets its {questions.confidence} range"
    ]
    if len({row["system"] for row in known}) == 1:
        numbers = ", ".join(f"{with_range(ranged(row, NEEDED), ',')} ({row['metric']})" for row in known)
        of, ratio = ("", "") if questions.paired else (" of the candidate", ", with the baseline in the same ratio")
        lines.append(f"{nouns}{of} needed to detect the observed differences with that power{ratio}: {numbers}")
    return lines


def ranged(row: Mapping[str, Any], columns: tuple[str, str, str]) -> Range:
    """A number of a row, and the ends of its range."""
    value, low, high = columns
    return row[value], row[low], row[high]


def with_range(found: Range, form: str) -> str:
    """A number, and its range in square brackets."""
    value, low, high = found
    if value is None and low is None:
        return "no number"
    shown = "no number" if value is None else format(value, form)
    return f"{shown} [{format(low, form)} {'or more' if high is None else f'to {format(high, form)}'}]"
