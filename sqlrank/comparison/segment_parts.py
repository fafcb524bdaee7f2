"""The parts that segments have in a difference: what each did, and what its share did."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlrank.comparison.arms import Arms
from sqlrank.comparison.part_rows import exactly, row_of_part, widened
from sqlrank.comparison.rows import Row
from sqlrank.comparison.segment_products import Gradient, Products
from sqlrank.statistics.moments import clustered


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
