"""The variance of a number that is made of the weights and sums of segments, from the products of their units."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

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
