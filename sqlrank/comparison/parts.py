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
from functools import partial
from typing import Any

from sqlrank.comparison.arms import Arms
from sqlrank.comparison.rows import Row
from sqlrank.comparison.segment_products import Gradient, Products
from sqlrank.statement.templates import sql_text
from sqlrank.statistics.student import critical_value

PARTS = {
    "system": "varchar",
    "baseline": "varchar",
    "metric": "varchar",
    "kind": "varchar",
    "part": "varchar",
    "contribution": "double",
    "ci_low": "double",
    "ci_high": "double",
    "baseline_share": "double",
    "share": "double",
    "baseline_value": "double",
    "value": "double",
    "baseline_queries": "bigint",
    "queries": "bigint",
}
"""The columns of a part, with their types."""
OF_SEGMENT = 5
"""After how many of them the segments stand."""
NAMES = tuple(
    "weight_0 total_0 weight_1 total_1 gone_weight gone_total new_weight new_total both_weight_0 both_weight_1"
    " moved_0 moved_1 middle_0 middle_1".split()
)
"""The sums over queries."""
UNITS = 2
"""With fewer units on a side parts have no interval."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One segment of one side."""

    share: float
    mean: float
    """The mean of its values, from the mean of all."""
    weight: float
    queries: int


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


class OfSegments:
    """The parts that segments have in one difference."""

    def __init__(self, arms: Arms, side: Mapping[str, Any], row: Row, alpha: float) -> None:
        self.row, self.by, self.alpha = row, arms.by, alpha
        sums, products = arms.engine.gather(
            [arms.over_arms(f"segment_{name}", [True], pair=side) for name in ("sums", "products")]
        )
        self.products = Products(products, partial(widened, row))
        self.segments = {
            each["scope"]: [each[f"segment_{place}"] for place, _ in enumerate(self.by, 1)] for each in sums
        }
        sides = {at: [each for each in sums if each["side"] == at] for at in (0, 1)}
        self.weight = {at: math.fsum(each["weight"] for each in of_side) for at, of_side in sides.items()}
        self.mean = {
            at: math.fsum(each["total"] for each in of_side) / self.weight[at] for at, of_side in sides.items()
        }
        self.offset = sums[0]["mean"]
        self.cells = {(each["side"], each["scope"]): self.cell(each) for each in sums}

    def cell(self, sums: Mapping[str, Any]) -> Cell:
        """One segment of one side."""
        weight = sums["weight"]
        return Cell(weight / self.weight[sums["side"]], sums["total"] / weight, weight, sums["queries"])

    def parts(self) -> list[Row]:
        """What all segments did and their shares, and then each segment, the largest first."""
        found = [self.part(scope, kind) for scope in self.segments for kind in ("within", "mix")]
        every = exactly([each for each in found if each is not None], self.row["difference"])
        whole = []
        for kind in ("within", "mix"):
            of_kind = [each for each in every if each["part"] == kind]
            gradient = Gradient()
            for each in of_kind:
                gradient.add(each["sqlrank_gradient"])
            value = math.fsum(each["contribution"] for each in of_kind)
            whole.append(self.made(None, kind, value, gradient, None, None))
        return [*exactly(whole, self.row["difference"]), *sorted(every, key=lambda each: -abs(each["contribution"]))]

    def part(self, scope: int, kind: str) -> Row | None:
        """What one segment did, or its share; None where it is on one side alone and could do nothing."""
        before, after = self.cells.get((0, scope)), self.cells.get((1, scope))
        if kind == "within":
            if before is None or after is None:
                return None
            value = (before.share + after.share) / 2 * (after.mean - before.mean)
            gap, middle = (after.mean - before.mean) / 2, (before.share + after.share) / 2
            slopes = {0: (gap, -middle, 0.0), 1: (gap, middle, 0.0)}
        else:
            shares = [0.0 if cell is None else cell.share for cell in (before, after)]
            means = [cell.mean for cell in (before, after) if cell is not None]
            moved, height = shares[1] - shares[0], math.fsum(means) / len(means) - (self.mean[0] + self.mean[1]) / 2
            value, by_mean = moved * height, moved / len(means)
            slopes = {0: (-height, by_mean, -moved / 2), 1: (height, by_mean, -moved / 2)}
        gradient = Gradient()
        for side, slope in slopes.items():
            self.add(gradient, side, scope, *slope)
        return self.made(scope, kind, value, gradient, before, after)

    def add(self, gradient: Gradient, side: int, scope: int, share: float, mean: float, whole: float) -> None:
        """Add what a part gains with the sums of a side, by its slopes in the share, the mean, and the mean of all."""
        weight, own = self.weight[side], self.cells.get((side, scope))
        of_share = share * (own.share if own else 0.0)
        gradient.everywhere[side] = (-(of_share + whole * self.mean[side]) / weight, whole / weight)
        if own is not None:
            gradient.own[side, scope] = (share / weight - mean * own.mean / own.weight, mean / own.weight)

    def made(
        self, scope: int | None, kind: str, value: float, gradient: Gradient, before: Cell | None, after: Cell | None
    ) -> Row:
        """One row."""
        of: Row = {"kind": "segment" if scope is not None else "segments", "part": kind, "sqlrank_gradient": gradient}
        names = self.segments[scope] if scope is not None else [None] * len(self.by)
        of |= dict(zip(self.by, names, strict=True))
        for prefix, cell in (("baseline_", before), ("", after)):
            of[f"{prefix}share"] = None if scope is None else 0.0 if cell is None else cell.share
            of[f"{prefix}value"] = None if cell is None else cell.mean + self.offset
            of[f"{prefix}queries"] = None if scope is None else 0 if cell is None else cell.queries
        return of | row_of_part(self.row, value, self.products.variance(gradient), self.alpha)


def of_queries(arms: Arms, side: Mapping[str, Any], row: Row, alpha: float) -> list[Row]:
    """The parts that queries of both sides, gone and new ones have in one difference; none where all are others."""
    names = tuple(map(sql_text, NAMES))
    found = arms.engine.row(arms.over_arms("query_sums", [True], pair=side, names=names))
    if not found["queries_both"]:
        return []
    sums = {name: float(found[f"sum_{place}"]) for place, name in enumerate(NAMES)}
    before, after = sums["weight_0"], sums["weight_1"]
    middle = (sums["total_0"] / before + sums["total_1"] / after) / 2
    slope_of_middle = {"total_0": 0.5 / before, "weight_0": -0.5 * sums["total_0"] / before**2}
    slope_of_middle |= {"total_1": 0.5 / after, "weight_1": -0.5 * sums["total_1"] / after**2}

    def ratio(total: str, weight: str, factor: float) -> tuple[float, dict[str, float]]:
        size = sums[weight]
        return factor * sums[total] / size, {total: factor / size, weight: -factor * sums[total] / size**2}

    kinds = {
        "within": [ratio("moved_0", "weight_0", 0.5), ratio("moved_1", "weight_1", 0.5)],
        "mix": [ratio("middle_1", "weight_1", 1.0), ratio("middle_0", "weight_0", -1.0)],
        "gone": [ratio("gone_total", "weight_0", -1.0)],
        "new": [ratio("new_total", "weight_1", 1.0)],
    }
    share_of = {
        "mix": [ratio("both_weight_1", "weight_1", 1.0), ratio("both_weight_0", "weight_0", -1.0)],
        "gone": [ratio("gone_weight", "weight_0", -1.0)],
        "new": [ratio("new_weight", "weight_1", 1.0)],
    }
    counts = {"within": ("both", "both"), "mix": ("both", "both"), "gone": ("gone", None), "new": (None, "new")}
    parts = []
    for kind, terms in kinds.items():
        shares = share_of.get(kind, [])
        moved = math.fsum(value for value, _ in shares)
        value = math.fsum(value for value, _ in terms) - middle * moved
        slopes = [*(slope for _, slope in terms)]
        slopes += [{name: -middle * by for name, by in slope.items()} for _, slope in shares]
        slopes.append({name: -moved * by for name, by in slope_of_middle.items()})
        gradient = {name: math.fsum(slope.get(name, 0.0) for slope in slopes) for name in NAMES}
        one, other = (None if name is None else found[f"queries_{name}"] for name in counts[kind])
        if one == 0 or other == 0:
            continue
        made = {"kind": "queries", "part": kind, "baseline_queries": one, "queries": other, **dict.fromkeys(arms.by)}
        made |= dict.fromkeys(("baseline_share", "share", "baseline_value", "value"))
        parts.append(made | row_of_part(row, value, variance_of(row, gradient, found), alpha))
    return exactly(parts, row["difference"])


def variance_of(row: Row, gradient: Mapping[str, float], found: Mapping[str, Any]) -> float:
    """The variance of a part of queries."""
    sides = [1 if name.endswith("_1") or name.startswith("new") else 0 for name in NAMES]
    parts = []
    for one, first in enumerate(NAMES):
        for other, second in enumerate(NAMES[one:], one):
            times = 1 if one == other else 2
            product = gradient[first] * gradient[second] * float(found[f"product_{one}_{other}"])
            parts.append(times * product * widened(row, sides[one], sides[other]))
    return max(math.fsum(parts), 0.0)


def widened(row: Row, one: int, other: int) -> float:
    """By how much a product of two sides is too small where each side has as many units as here."""
    units = units_of(row)
    return math.prod(math.sqrt(units[side] / max(units[side] - 1, 1)) for side in (one, other))


def units_of(row: Row) -> tuple[int, int]:
    """How many units either side has."""
    sums = row["sqlrank_sums"]
    return sums.get("baseline_units", sums["units"]), sums.get("candidate_units", sums["units"])


def row_of_part(row: Row, value: float, variance: float, alpha: float) -> Row:
    """What every part says."""
    named = {name: row[name] for name in ("system", "baseline", "metric")} | {"contribution": value}
    if min(units_of(row)) < UNITS or not row["sqlrank_effective"] > 1:
        return named | {"ci_low": None, "ci_high": None}
    half = critical_value(row["sqlrank_effective"] - 1, 1 - alpha) * math.sqrt(variance)
    return named | {"ci_low": value - half, "ci_high": value + half}


def exactly(parts: list[Row], difference: float) -> list[Row]:
    """The parts with what rounding left of the difference added to the largest, so that their sum is the difference."""
    for _ in range(3):
        rest = difference - math.fsum(part["contribution"] for part in parts)
        if not rest or not parts:
            break
        largest = max(parts, key=lambda part: abs(part["contribution"]))
        largest["contribution"] += rest
    return parts
