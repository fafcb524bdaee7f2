"""The bootstrap of the mean difference: its p value and its interval, both from one distribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlrank.comparison.replicates import Replicates
from sqlrank.statistics import percentiles

PLACES, DRAWN, SHARING = 12, 1024, 33
"""The tens of bits that a query draws in a block, what each of them may be, and for how many replicates they stand."""
FEWEST = 10
"""With fewer queries, by their effective number, the percentiles of the bootstrap are no interval."""


def draw(replicates: Replicates) -> None:
    """Make the table of all replicates."""
    replicates.keep("times", replicates.render("times"), more=False)
    segments = replicates.segments if False in replicates.totals else 1
    replicates.draw("resampled", PLACES * SHARING, sums=PLACES * min(replicates.queries, DRAWN * segments))


def tail_of(row: Mapping[str, Any], alpha: float) -> float:
    """The share of replicates beyond either end of the interval, which leaves out `alpha` on both sides together."""
    if row["effective"] < FEWEST or row["stderr"] is None:
        return alpha / 2
    return percentiles.tail(alpha, row["effective"] - 1, widening(row))


def has_percentiles(row: Mapping[str, Any], alpha: float, replicates: int) -> bool:
    """Whether there are enough queries for an interval, and at least one replicate beyond either of its ends."""
    return row["effective"] >= FEWEST and tail_of(row, alpha) * (1 + replicates) >= 1


def p_value(row: Mapping[str, Any], below: int, above: int, replicates: int, side: int = 0) -> float:
    """The p value of the replicates below and above 0, those at 0 among both: two-sided, or on the `side` 1 or -1."""
    return percentiles.p_value(below, above, replicates, row["effective"] - 1, widening(row), side)


def widening(row: Mapping[str, Any]) -> float:
    """The standard error over that of the replicates; 1 where clusters cross, of which replicates draw one kind."""
    return float(row["stderr"] / row["linear_error"]) if row["linear_error"] and "crossed" not in row else 1.0
