"""Agreement of raters who gave items one of a few ordered categories.

Items are given by their patterns: how many raters chose each category, and how many items have that pattern. Intervals
are those of the jackknife over items, by Student's t.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.statistics.student import critical_value

Pattern = tuple[int, ...]
"""How many raters chose each category, from the lowest on; of two raters, the category of each."""
Patterns = Mapping[Any, int]
"""How many items have each pattern (see `Pattern`)."""
Statistic = Callable[[Patterns], "float | None"]
Distance = Callable[[int, int, Sequence[float]], float]
"""The squared distance of two categories, given how often each was chosen."""
NOTHING = 1e-12
"""A disagreement by chance of at most this is none."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A measure of agreement with its interval."""

    value: float | None
    """1 for perfect agreement, 0 for that of chance; None where all verdicts are alike."""
    low: float | None
    high: float | None


def nominal(one: int, other: int, sizes: Sequence[float]) -> float:
    """Categories are different or not."""
    return float(one != other)


def interval(one: int, other: int, sizes: Sequence[float]) -> float:
    """Categories are numbers a step apart."""
    return float((one - other) ** 2)


def ordinal(one: int, other: int, sizes: Sequence[float]) -> float:
    """Categories are ordered: their distance is how many verdicts lie between their middles."""
    low, high = min(one, other), max(one, other)
    return (sum(sizes[low : high + 1]) - (sizes[low] + sizes[high]) / 2) ** 2


def krippendorff(patterns: Patterns, distance: Distance) -> float | None:
    """Krippendorff's alpha over the items with two verdicts or more; None where all verdicts are alike.

    K. Krippendorff, Content Analysis: An Introduction to Its Methodology, 4th edition, 2018, chapter 12.
    """
    compared = {pattern: items for pattern, items in patterns.items() if sum(pattern) > 1}
    categories = range(max((len(pattern) for pattern in compared), default=0))
    sizes = [float(sum(items * pattern[each] for pattern, items in compared.items())) for each in categories]
    total = sum(sizes)
    seen = by_chance = 0.0
    for one in categories:
        for other in categories:
            apart = distance(one, other, sizes) if one != other else 0.0
            pairs = (items * pattern[one] * pattern[other] / (sum(pattern) - 1) for pattern, items in compared.items())
            seen += apart * math.fsum(pairs)
            by_chance += apart * sizes[one] * sizes[other]
    return None if by_chance <= NOTHING else 1 - (total - 1) * seen / by_chance


def fleiss(patterns: Patterns) -> float | None:
    """Fleiss' kappa; None where items differ in their number of raters, or all verdicts are alike.

    J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76, 1971.
    """
    numbers = {sum(pattern) for pattern in patterns}
    if len(numbers) != 1 or min(numbers) < 2:
        return None
    number, items = numbers.pop(), sum(patterns.values())
    shares = [
        sum(count * pattern[each] for pattern, count in patterns.items()) / (items * number)
        for each in range(len(next(iter(patterns))))
    ]
    by_chance = math.fsum(share * share for share in shares)
    agreeing = math.fsum(
        count * sum(size * (size - 1) for size in pattern) / (number * (number - 1))
        for pattern, count in patterns.items()
    )
    return None if 1 - by_chance <= NOTHING else (agreeing / items - by_chance) / (1 - by_chance)


def cohen(cells: Patterns) -> float | None:
    """Cohen's kappa of two raters, of items by the categories that the first and the second chose; None as above.

    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960.
    """
    total = sum(cells.values())
    if not total:
        return None
    first: dict[int, float] = {}
    second: dict[int, float] = {}
    for (one, other), items in cells.items():
        first[one] = first.get(one, 0.0) + items / total
        second[other] = second.get(other, 0.0) + items / total
    by_chance = math.fsum(share * second.get(one, 0.0) for one, share in first.items())
    agreeing = sum(items for (one, other), items in cells.items() if one == other) / total
    return None if 1 - by_chance <= NOTHING else (agreeing - by_chance) / (1 - by_chance)


def with_interval(statistic: Statistic, patterns: Patterns, alpha: float) -> Agreement:
    """A measure of agreement with its jackknife interval, which is withheld where leaving out an item undoes it."""
    value, items = statistic(patterns), sum(patterns.values())
    if value is None or items < 3:
        return Agreement(value, None, None)
    left: list[tuple[float, int]] = []
    for pattern, count in patterns.items():
        without = {**patterns, pattern: count - 1}
        other = statistic({kept: number for kept, number in without.items() if number})
        if other is None:
            return Agreement(value, None, None)
        left.append((other, count))
    mean = math.fsum(other * count for other, count in left) / items
    squares = math.fsum(count * (other - mean) ** 2 for other, count in left)
    margin = critical_value(items - 1, 1 - alpha) * math.sqrt((items - 1) / items * squares)
    return Agreement(value, max(-1.0, value - margin), min(1.0, value + margin))
