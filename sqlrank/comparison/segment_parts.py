"""The parts that segments have in a difference: what each did, and what its share did."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlrank.comparison.arms import Arms
from sqlrank.comparison.part_rows import exactly, row_of_part, widened
from sqlrank.comparison.rows import Row
from sqlrank.statistics.moments import clustered

Key = tuple[int, int]
"""A side and a segment."""
Slopes = tuple[float, float]
"""What a number gains with the weight of a segment, and with its sum."""
Moments = tuple[float, float, float, float]
"""Sums over units of weight * weight, weight * sum, sum * weight and sum * sum, of one segment and another."""
NOTHING: Moments = (0.0, 0.0, 0.0, 0.0)


@dataclass(slots=True)
class Gradient:
    """The slopes of a number: those that all segments of a side have, and what some segments have besides."""

    everywhere: dict[int, Slopes] = field(default_factory=lambda: {0: (0.0, 0.0), 1: (0.0, 0.0)})
    own: dict[Key, Slopes] = field(default_factory=dict)

    def add(self, other: Gradient) -> None:
        """Add the slopes of another number, for their sum."""
        for side, slopes in other.everywhere.items():
            self.everywhere[side] = plus(self.everywhere[side], slopes)
        for key, slopes in other.own.items():
            self.own[key] = plus(self.own.get(key, (0.0, 0.0)), slopes)


def plus(one: Slopes, other: Slopes) -> Slopes:
    """The sum of slopes."""
    return one[0] + other[0], one[1] + other[1]


class Products:
    """The products of units for each two segments, of either side, that some unit is in.

    Args:
        rows: those of comparison/arms/segment_products.sql.
        widened: what a product of two sides is multiplied with, as sides have few units.
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]], widened: Callable[[int, int], float]) -> None:
        self.near: dict[Key, dict[Key, Moments]] = {}
        for row in rows:
            one, other = (row["one_side"], row["one_scope"]), (row["other_side"], row["other_scope"])
            factor = widened(one[0], other[0])
            names = ("weights", "weight_total", "total_weight", "totals")
            found = [factor * float(row[name]) for name in names]
            self.near.setdefault(one, {})[other] = (found[0], found[1], found[2], found[3])
        sides = (0, 1)
        self.of_side = {
            (key, side): summed(moments for other, moments in near.items() if other[0] == side)
            for key, near in self.near.items()
            for side in sides
        }
        self.whole = {
            (one, other): summed(self.of_side[key, other] for key in self.near if key[0] == one)
            for one in sides
            for other in sides
        }

    def variance(self, gradient: Gradient) -> float:
        """The variance of a number with these slopes."""
        every, own = gradient.everywhere, gradient.own
        parts = [product(moments, every[one], every[other]) for (one, other), moments in self.whole.items()]
        for key, slopes in own.items():
            parts += [2 * product(self.of_side.get((key, side), NOTHING), slopes, every[side]) for side in every]
            near = self.near.get(key, {})
            both = near if len(near) < len(own) else own
            parts += [product(near[other], slopes, own[other]) for other in both if other in near and other in own]
        return max(math.fsum(parts), 0.0)


def product(moments: Moments, one: Slopes, other: Slopes) -> float:
    """What the products of two segments add to a variance."""
    first = one[0] * (other[0] * moments[0] + other[1] * moments[1])
    return first + one[1] * (other[0] * moments[2] + other[1] * moments[3])


def summed(every: Iterable[Moments]) -> Moments:
    """The sum of moments."""
    columns = [math.fsum(column) for column in zip(*every, strict=True)]
    return (columns[0], columns[1], columns[2], columns[3]) if columns else NOTHING


@dataclass(frozen=True, slots=True)
class Cell:
    """One segment of one side."""

    share: float
    mean: float
    """The mean of its values, from the mean of all."""
    weight: float
    queries: int


class OfSegments:
    """The parts that segments have in one difference."""

    def __init__(self, arms: Arms, side: Mapping[str, Any], row: Row, alpha: float) -> None:
        self.row, self.by, self.alpha = row, arms.by, alpha
        sums, *products = arms.engine.gather(
            [
                arms.over_arms("segment_sums", [True], pair=side),
                *(arms.over_arms("segment_products", [True], pair=side, way=way) for way in arms.ways),
            ]
        )
        self.products = [Products(each, partial(widened, row)) for each in products]
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
        variance = clustered(*(each.variance(gradient) for each in self.products))
        return of | row_of_part(self.row, value, variance, self.alpha)
