"""The rows of parts: their intervals, and that they sum to the difference."""

from __future__ import annotations

import math

from sqlrank.comparison.rows import Row
from sqlrank.statistics.estimate import Estimate

UNITS = 2
"""With fewer units on a side parts have no interval."""


def widened(row: Row, one: int, other: int) -> float:
    """By how much a product of two sides is too small where each side has as many units as here."""
    units = units_of(row)
    return math.prod(math.sqrt(units[side] / max(units[side] - 1, 1)) for side in (one, other))


def units_of(row: Row) -> tuple[int, int]:
    """How many units either side has."""
    sums = row["sqlrank_sums"]
    return sums.get("baseline_units", sums["units"]), sums.get("candidate_units", sums["units"])


def row_of_part(row: Row, value: float, variance: float | None, alpha: float) -> Row:
    """What every part says; no interval without a variance."""
    named = {name: row[name] for name in ("system", "baseline", "metric")} | {"contribution": value}
    if variance is None or min(units_of(row)) < UNITS or not row["sqlrank_effective"] > 1:
        return named | {"ci_low": None, "ci_high": None}
    low, high = Estimate(value, math.sqrt(variance), row["sqlrank_effective"] - 1).ends(alpha)
    return named | {"ci_low": low, "ci_high": high}


def exactly(parts: list[Row], difference: float) -> list[Row]:
    """The parts with what rounding left of the difference added to the largest, so that their sum is the difference."""
    for _ in range(3):
        rest = difference - math.fsum(part["contribution"] for part in parts)
        if not rest or not parts:
            break
        largest = max(parts, key=lambda part: abs(part["contribution"]))
        largest["contribution"] += rest
    return parts
