"""Why the mean of different queries changed: parts that sum to the difference, each with its interval.

By segments, after E. M. Kitagawa (Components of a difference between two rates, Journal of the American Statistical
Association 50, 1955): what a segment did (within: the change of its mean, at the middle of its shares), and what its
share did (mix: the change of its share, at the middle of its means, from the middle of both means of all). A segment of
one side alone changed its share only. By queries in the same way, each query being a segment: queries of both sides,
what they did and how often they came; queries that are gone, and queries that are new.

Every part is a function of sums over units, and its variance follows from the products of those sums (delta method).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.arms import Arms
from sqlrank.comparison.part_rows import exactly, row_of_part, widened
from sqlrank.comparison.rows import Row
from sqlrank.comparison.segment_parts import OfSegments
from sqlrank.statement.templates import sql_text

NAMES = tuple(
    "weight_0 total_0 weight_1 total_1 gone_weight gone_total new_weight new_total both_weight_0 both_weight_1"
    " moved_0 moved_1 middle_0 middle_1".split()
)
"""The sums over queries of comparison/arms/query_sums.sql."""
SIDES = tuple(1 if name.endswith("_1") or name.startswith("new") else 0 for name in NAMES)
"""The side of each."""
COUNTS = {"within": ("both", "both"), "mix": ("both", "both"), "gone": ("gone", None), "new": (None, "new")}
"""Which queries of either side each part is of."""


@dataclass(frozen=True, slots=True)
class Sloped:
    """A number that is made of sums, and what it gains with each of them."""

    value: float
    slopes: Mapping[str, float]

    def combined(self, value: float, other: Sloped, mine: float, theirs: float) -> Sloped:
        """A number made of this and another one, with what it gains with either."""
        names = dict.fromkeys([*self.slopes, *other.slopes])
        slopes = {name: mine * self.slopes.get(name, 0.0) + theirs * other.slopes.get(name, 0.0) for name in names}
        return Sloped(value, slopes)

    def __add__(self, other: Sloped) -> Sloped:
        return self.combined(self.value + other.value, other, 1.0, 1.0)

    def __sub__(self, other: Sloped) -> Sloped:
        return self.combined(self.value - other.value, other, 1.0, -1.0)

    def __mul__(self, other: Sloped) -> Sloped:
        return self.combined(self.value * other.value, other, other.value, self.value)

    def __truediv__(self, other: Sloped) -> Sloped:
        ratio = self.value / other.value
        return self.combined(ratio, other, 1 / other.value, -ratio / other.value)


def of_queries(arms: Arms, side: Mapping[str, Any], row: Row, alpha: float) -> list[Row]:
    """The parts of queries in one difference; none where sides have no query in common."""
    names = tuple(map(sql_text, NAMES))
    found = arms.engine.row(arms.over_arms("query_sums", [True], pair=side, names=names))
    if not found["queries_both"]:
        return []
    parts = []
    for kind, part in contributions(found).items():
        one, other = (None if name is None else found[f"queries_{name}"] for name in COUNTS[kind])
        if one == 0 or other == 0:
            continue
        made = {"kind": "queries", "part": kind, "baseline_queries": one, "queries": other, **dict.fromkeys(arms.by)}
        # a query of several days is of no one of them
        variance = None if arms.crossing else variance_of(row, part, found)
        made |= dict.fromkeys(("baseline_share", "share", "baseline_value", "value"))
        parts.append(made | row_of_part(row, part.value, variance, alpha))
    return exactly(parts, row["difference"])


def contributions(found: Mapping[str, Any]) -> dict[str, Sloped]:
    """What each kind of queries contributes, each query being a segment of its own."""
    of = {name: Sloped(float(found[f"sum_{place}"]), {name: 1.0}) for place, name in enumerate(NAMES)}
    before, after, half = of["weight_0"], of["weight_1"], Sloped(0.5, {})
    middle = half * (of["total_0"] / before + of["total_1"] / after)
    share = of["both_weight_1"] / after - of["both_weight_0"] / before
    return {
        "within": half * (of["moved_0"] / before + of["moved_1"] / after),
        "mix": of["middle_1"] / after - of["middle_0"] / before - middle * share,
        "gone": middle * (of["gone_weight"] / before) - of["gone_total"] / before,
        "new": of["new_total"] / after - middle * (of["new_weight"] / after),
    }


def variance_of(row: Row, part: Sloped, found: Mapping[str, Any]) -> float:
    """The variance of a part, from the products of the sums of units."""
    parts = []
    for one, first in enumerate(NAMES):
        for other, second in enumerate(NAMES[one:], one):
            times = 1 if one == other else 2
            slopes = part.slopes.get(first, 0.0) * part.slopes.get(second, 0.0)
            product = slopes * float(found[f"product_{one}_{other}"])
            parts.append(times * product * widened(row, SIDES[one], SIDES[other]))
    return max(math.fsum(parts), 0.0)


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
