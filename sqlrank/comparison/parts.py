"""Why the mean of different queries changed: parts that sum to the difference, each with its interval.

By segments, after E. M. Kitagawa (Components of a difference between two rates, Journal of the American Statistical
Association 50, 1955): what a segment did (within: the change of its mean, at the middle of its shares), and what its
share did (mix: the change of its share, at the middle of its means, from the middle of both means of all). A segment of
one side alone changed its share only. By queries in the same way, each query being a segment: queries of both sides,
what they did and how often they came; queries that are gone, and queries that are new.

Every part is a function of sums over units, and its variance follows from the products of those sums (delta method).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlrank.comparison.arms import Arms
from sqlrank.comparison.query_parts import of_queries
from sqlrank.comparison.rows import Row
from sqlrank.comparison.segment_parts import OfSegments


def parts_of(arms: Arms, rows: Sequence[Row], alpha: float) -> list[Row]:
    """The parts of the difference of every pair in total, those of segments before those of queries."""
    totals = {row["sqlrank_key"][0]: row for row in rows if row["is_total"] and row["difference"] is not None}
    found = []
    for number, side in enumerate(arms.sides, 1):
        if row := totals.get(number):
            if arms.by:
                found += OfSegments(arms, side, row, alpha).parts()
            found += of_queries(arms, side, row, alpha)
    return found


def mixed(parts: Sequence[Row], by: Sequence[str]) -> list[str]:
    """Notes on differences whose sign the mix of segments makes."""
    whole: dict[tuple[str, str, str], dict[str, float]] = {}
    for part in parts:
        if part["kind"] == "segments":
            key = (part["baseline"], part["system"], part["metric"])
            whole.setdefault(key, {})[part["part"]] = part["contribution"]
    notes = []
    for (_, system, metric), found in whole.items():
        within, mix = found["within"], found["mix"]
        if within * (within + mix) < 0:
            ways = ("down", "up") if within > 0 else ("up", "down")
            notes.append(
                f"{metric} of {system} goes {ways[0]} in total and {ways[1]} within {' and '.join(by)} ({within:+.4f}):"
                f" the mix alone ({mix:+.4f}) changes the sign"
            )
    return notes
