"""The power of a comparison: which difference its queries would find, and how many queries the one found would need."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.comparison.interval import has_interval
from sqlrank.comparison.significance import STEADY
from sqlrank.statistics.power import POWER, detectable, queries_needed


def power_of(row: Mapping[str, Any], alpha: float) -> tuple[float | None, int | None]:
    """The difference that the queries of a row find with the power, and how many like them its own would need.

    None twice where one query has nearly all of the weight, or all differences are alike.
    """
    if not has_interval(row) or row["stderr"] <= STEADY * abs(row["difference"]) or not row["stderr"]:
        return None, None
    effective = row["effective"]
    deviation = row["stderr"] * math.sqrt(effective)
    needed = queries_needed(row["difference"], deviation, alpha)
    return (
        detectable(deviation, effective, alpha),
        None if needed is None else math.ceil(needed * row["queries"] / effective),
    )


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
