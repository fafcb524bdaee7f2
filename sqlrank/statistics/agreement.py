"""Agreement of raters who gave items one of some categories.

Items are given by their patterns: the categories that their raters chose, and how many items have that pattern. A
measure is prepared once, and then gives its value over all items or without one of them. Intervals are those of the
jackknife over items, by Student's t.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.statistics.student import critical_value

Pattern = tuple[int, ...]
"""The categories that the raters of an item chose, as their places in the order of all."""
Patterns = Mapping[Any, int]
"""How many items have each pattern; for Cohen's kappa the first category is that of the first rater."""
Measure = Callable[[Pattern], "float | None"]
"""A measure of agreement over all items but one of a pattern, and for `()` over all."""
ALL: Pattern = ()


@dataclass(frozen=True, slots=True)
class Agreement:
    """A measure of agreement with its interval."""

    value: float | None
    """1 for perfect agreement, 0 for that of chance; None where all judgments are alike, or items are not such."""
    low: float | None
    high: float | None


class Compared:
    """The items with two raters or more, and how often each category was chosen for them."""

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = {pattern: items for pattern, items in patterns.items() if len(pattern) > 1}
        self.sizes: Counter[int] = Counter()
        for pattern, items in self.patterns.items():
            for category in pattern:
                self.sizes[category] += items
        self.total = sum(self.sizes.values())
        self._powers: dict[int, int] = {}

    def alike(self, left_out: Pattern) -> bool:
        """Whether without an item all choose one category, or nobody chooses any."""
        gone = sum(self.sizes[category] == number for category, number in Counter(left_out).items())
        return len(self.sizes) - gone < 2

    def powers(self, power: int, left_out: Pattern) -> int:
        """The sum of a power of the sizes of the categories without an item."""
        if power not in self._powers:
            self._powers[power] = sum(size**power for size in self.sizes.values())
        kept = self._powers[power]
        for category, number in Counter(left_out).items():
            size = self.sizes[category]
            kept += int((size - number) ** power - size**power)
        return kept


def nominal_alpha(patterns: Patterns) -> Measure:
    """Krippendorff's alpha of categories that are different or not.

    K. Krippendorff, Content Analysis: An Introduction to Its Methodology, 4th edition, 2018, chapter 12.
    """
    items = Compared(patterns)
    parts = {pattern: differing(pattern) / (len(pattern) - 1) for pattern in items.patterns}
    seen = math.fsum(number * parts[pattern] for pattern, number in items.patterns.items())

    def value(left_out: Pattern) -> float | None:
        if items.alike(left_out):
            return None
        number = items.total - len(left_out)
        by_chance = number * number - items.powers(2, left_out)
        return 1 - (number - 1) * (seen - parts.get(left_out, 0.0)) / by_chance

    return value


def differing(pattern: Pattern) -> int:
    """How many ordered pairs of raters of an item chose different categories."""
    return len(pattern) ** 2 - sum(number * number for number in Counter(pattern).values())


def interval_alpha(patterns: Patterns, numbers: Sequence[float]) -> Measure:
    """Krippendorff's alpha of categories that are numbers, whose difference is squared."""
    items = Compared(patterns)
    scale = max(map(abs, numbers), default=0.0) or 1.0
    scaled = [number / scale for number in numbers]
    middle = math.fsum(scaled[category] * size for category, size in items.sizes.items()) / max(items.total, 1)
    apart = [number - middle for number in scaled]
    first = {pattern: math.fsum(apart[category] for category in pattern) for pattern in items.patterns}
    second = {pattern: math.fsum(apart[category] ** 2 for category in pattern) for pattern in items.patterns}
    parts = {pattern: spread([scaled[category] for category in pattern]) for pattern in items.patterns}
    sums = [
        math.fsum(number * of[pattern] for pattern, number in items.patterns.items()) for of in (first, second, parts)
    ]

    def value(left_out: Pattern) -> float | None:
        if items.alike(left_out):
            return None
        number = items.total - len(left_out)
        straight, squared, seen = (
            whole - of.get(left_out, 0.0) for whole, of in zip(sums, (first, second, parts), strict=True)
        )
        return 1 - (number - 1) * seen / (2 * (number * squared - straight * straight))

    return value


def spread(numbers: Sequence[float]) -> float:
    """The sum of the squared differences of the ordered pairs of some numbers, over one less than there are."""
    apart = [number - numbers[0] for number in numbers]
    squares = len(apart) * math.fsum(each * each for each in apart) - math.fsum(apart) ** 2
    return 2 * squares / (len(apart) - 1)


def fleiss(patterns: Patterns) -> Measure:
    """Fleiss' kappa; None where items differ in their number of raters.

    J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76, 1971.
    """
    items, raters = Compared(patterns), {len(pattern) for pattern in patterns}
    number = sum(patterns.values())
    each = raters.pop() if len(raters) == 1 else 0
    seen = sum(count * differing(pattern) for pattern, count in items.patterns.items())

    def value(left_out: Pattern) -> float | None:
        if each < 2 or items.alike(left_out):
            return None
        kept = number - (1 if left_out else 0)
        by_chance = items.powers(2, left_out) / (kept * each) ** 2
        agreeing = 1 - (seen - differing(left_out)) / (kept * each * (each - 1))
        return (agreeing - by_chance) / (1 - by_chance)

    return value


def cohen(cells: Patterns) -> Measure:
    """Cohen's kappa of two raters, of items by the categories that the first and the second chose.

    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960.
    """
    first: Counter[int] = Counter()
    second: Counter[int] = Counter()
    for (one, other), items in cells.items():
        first[one] += items
        second[other] += items
    total = sum(cells.values())
    same = sum(items for (one, other), items in cells.items() if one == other)
    products = sum(size * second[category] for category, size in first.items())

    def value(left_out: Pattern) -> float | None:
        number, agreeing, chance = total, same, products
        if left_out:
            one, other = left_out
            number, agreeing = total - 1, same - (one == other)
            chance = products - second[one] - first[other] + (one == other)
        if number * number == chance:  # all are alike, or there is none
            return None
        return (number * agreeing - chance) / (number * number - chance)

    return value


def with_interval(measure: Measure, patterns: Patterns, alpha: float) -> Agreement:
    """A measure of agreement with its jackknife interval, which is withheld where leaving out an item undoes it."""
    value, items = measure(ALL), sum(patterns.values())
    if value is None or items < 3:
        return Agreement(value, None, None)
    left: list[tuple[float, int]] = []
    for pattern, count in patterns.items():
        other = measure(pattern)
        if other is None:
            return Agreement(value, None, None)
        left.append((other, count))
    mean = math.fsum(other * count for other, count in left) / items
    squares = math.fsum(count * (other - mean) ** 2 for other, count in left)
    margin = critical_value(items - 1, 1 - alpha) * math.sqrt((items - 1) / items * squares)
    return Agreement(value, max(-1.0, value - margin), min(1.0, value + margin))
