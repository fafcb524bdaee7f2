"""The power of a comparison: which difference its queries would find, and how many queries the one found would need."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from typing import Any

from sqlrank.comparison.interval import all_alike, has_interval
from sqlrank.errors import UsageError
from sqlrank.statistics.power import POWER, detectable, queries_needed

FIRST = 25
"""The smallest number of queries of a plan."""
PLANNED = {
    "system": "varchar",
    "baseline": "varchar",
    "metric": "varchar",
    "queries": "bigint",
    "detectable_difference": "double",
}
"""The columns of a plan, with their types."""


def deviation_of(row: Mapping[str, Any]) -> float | None:
    """The standard deviation of the differences of a row of sums.

    None where one query has nearly all of the weight, or all differences are alike.
    """
    if not has_interval(row) or all_alike(row):
        return None
    return float(row["stderr"] * math.sqrt(row["effective"]))


def power_of(row: Mapping[str, Any], alpha: float) -> tuple[float | None, int | None]:
    """The difference that the queries of a row find with the power, and how many like them its own would need."""
    deviation, effective = deviation_of(row), row["effective"]
    if deviation is None:
        return None, None
    needed = queries_needed(row["difference"], deviation, alpha)
    return (
        detectable(deviation, effective, alpha),
        None if needed is None else math.ceil(needed * row["queries"] / effective),
    )


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
        raise UsageError(f"--power {power:g} is not between 0.5 and 0.999; 0.8 is usual")
    if any(size < 2 for size in sizes or ()):
        raise UsageError("--sizes: a plan is for 2 queries or more")
    sizes = sizes or sizes_around(max(row["queries"] for row in rows))
    found = []
    for row in [row for row in rows if row["is_total"]]:
        deviation, worth = row["sqlrank_deviation"], row["sqlrank_effective"] / max(row["queries"], 1)
        for size in sizes:
            least = None if deviation is None else detectable(deviation, size * worth, alpha, power)
            scaled = least * size if least is not None and row["metric"] in counts else least
            names = {name: row[name] for name in ("system", "baseline", "metric")}
            found.append(names | {"queries": size, "detectable_difference": scaled})
    return found


def power_remarks(rows: Sequence[Mapping[str, Any]], alpha: float) -> list[str]:
    """What the queries would find, by metric, in total; and of one candidate how many its differences would need."""
    known = [row for row in rows if row["is_total"] and row["detectable_difference"] is not None]
    if not known:
        return []
    least: dict[str, float] = {}
    for row in known:
        least[row["metric"]] = max(row["detectable_difference"], least.get(row["metric"], 0.0))
    found = ", ".join(f"{value:.3g} ({metric})" for metric, value in least.items())
    lines = [f"power {POWER:g} at p <= {alpha:g}, not adjusted: so many queries find differences from {found} on"]
    if len({row["system"] for row in known}) == 1:
        numbers = ", ".join(
            f"{'no number' if row['queries_needed'] is None else format(row['queries_needed'], ',')} ({row['metric']})"
            for row in known
        )
        lines.append(f"queries that would find the differences seen with that power: {numbers}")
    return lines
