"""Agreement of raters who gave items one of some categories.

Items are given by their patterns: the categories that their raters chose. They belong to clusters, such as the query
that they are of. A measure is prepared once, and then gives its value over all items or without those of one cluster.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

Pattern = tuple[int, ...]
"""The categories that the raters of an item chose, as their places in the order of all; for Cohen's kappa that of the
first rater and that of the second."""
Cluster = tuple[tuple[Pattern, int], ...]
"""The patterns of the items of a cluster, and how many items have each."""
Clusters = Mapping[Cluster, int]
"""How many clusters are alike."""
Measure = Callable[[Cluster], "float | None"]
"""A measure of agreement over the items of all clusters but one, and for `NONE` of all."""
NONE: Cluster = ()


class Compared:
    """The items of all clusters, and how often each category was chosen for them."""

    def __init__(self, clusters: Clusters) -> None:
        self.patterns: Counter[Pattern] = Counter()
        for cluster, number in clusters.items():
            for pattern, items in cluster:
                self.patterns[pattern] += number * items
        self.items = self.patterns.total()
        self.sizes = chosen_in(self.patterns.items())
        self.total = self.sizes.total()
        self._powers: dict[int, int] = {}

    def alike(self, chosen: Mapping[int, int]) -> bool:
        """Whether all choose one category, or nobody any, where some choices are left out."""
        gone = sum(self.sizes[category] == number for category, number in chosen.items())
        return len(self.sizes) - gone < 2

    def powers(self, power: int, chosen: Mapping[int, int]) -> int:
        """The sum of a power of the sizes of the categories, where some choices are left out."""
        if power not in self._powers:
            self._powers[power] = sum(size**power for size in self.sizes.values())
        kept = self._powers[power]
        for category, number in chosen.items():
            size = self.sizes[category]
            kept += int((size - number) ** power - size**power)
        return kept


def chosen_in(items: Iterable[tuple[Pattern, int]]) -> Counter[int]:
    """How often each category was chosen for some items."""
    found: Counter[int] = Counter()
    for pattern, number in items:
        for category in pattern:
            found[category] += number
    return found


def summed(items: Iterable[tuple[Pattern, int]], parts: Mapping[Pattern, float]) -> float:
    """The sum over some items of what their patterns are worth."""
    return math.fsum(number * parts[pattern] for pattern, number in items)


def nominal_alpha(clusters: Clusters) -> Measure:
    """Krippendorff's alpha of categories that are different or not.

    K. Krippendorff, Content Analysis: An Introduction to Its Methodology, 4th edition, 2018, chapter 12.
    """
    items = Compared(clusters)
    parts = {pattern: differing(pattern) / (len(pattern) - 1) for pattern in items.patterns}
    seen = summed(items.patterns.items(), parts)

    def value(left_out: Cluster) -> float | None:
        chosen = chosen_in(left_out)
        if items.alike(chosen):
            return None
        number = items.total - chosen.total()
        by_chance = number * number - items.powers(2, chosen)
        return 1 - (number - 1) * (seen - summed(left_out, parts)) / by_chance

    return value


def differing(pattern: Pattern) -> int:
    """How many ordered pairs of raters of an item chose different categories."""
    return len(pattern) ** 2 - sum(number * number for number in Counter(pattern).values())


def interval_alpha(clusters: Clusters, numbers: Sequence[float]) -> Measure:
    """Krippendorff's alpha of categories that are numbers, whose difference is squared."""
    items = Compared(clusters)
    scale = max(map(abs, numbers), default=0.0) or 1.0
    scaled = [number / scale for number in numbers]
    middle = math.fsum(scaled[category] * size for category, size in items.sizes.items()) / max(items.total, 1)
    apart = [number - middle for number in scaled]
    parts = (
        {pattern: math.fsum(apart[category] for category in pattern) for pattern in items.patterns},
        {pattern: math.fsum(apart[category] ** 2 for category in pattern) for pattern in items.patterns},
        {pattern: spread([scaled[category] for category in pattern]) for pattern in items.patterns},
    )
    sums = [summed(items.patterns.items(), each) for each in parts]

    def value(left_out: Cluster) -> float | None:
        chosen = chosen_in(left_out)
        if items.alike(chosen):
            return None
        number = items.total - chosen.total()
        straight, squared, seen = (whole - summed(left_out, each) for whole, each in zip(sums, parts, strict=True))
        return 1 - (number - 1) * seen / (2 * (number * squared - straight * straight))

    return value


def spread(numbers: Sequence[float]) -> float:
    """The sum of the squared differences of the ordered pairs of some numbers, over one less than there are."""
    apart = [number - numbers[0] for number in numbers]
    squares = len(apart) * math.fsum(each * each for each in apart) - math.fsum(apart) ** 2
    return 2 * squares / (len(apart) - 1)


def fleiss(clusters: Clusters) -> Measure:
    """Fleiss' kappa; None where items differ in their number of raters.

    J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76, 1971.
    """
    items = Compared(clusters)
    numbers = {len(pattern) for pattern in items.patterns}
    each = numbers.pop() if len(numbers) == 1 else 0
    parts = {pattern: differing(pattern) for pattern in items.patterns}
    seen = sum(number * parts[pattern] for pattern, number in items.patterns.items())

    def value(left_out: Cluster) -> float | None:
        chosen = chosen_in(left_out)
        if each < 2 or items.alike(chosen):
            return None
        kept = items.items - sum(number for _, number in left_out)
        by_chance = items.powers(2, chosen) / (kept * each) ** 2
        apart = seen - sum(number * parts[pattern] for pattern, number in left_out)
        return (1 - apart / (kept * each * (each - 1)) - by_chance) / (1 - by_chance)

    return value


def cohen(clusters: Clusters) -> Measure:
    """Cohen's kappa of two raters, of items by the categories that the first and the second chose.

    J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20, 1960.
    """
    patterns = Compared(clusters).patterns
    first, second = (chosen_in(side(patterns.items(), place)) for place in (0, 1))
    total, same = patterns.total(), agreeing(patterns.items())

    def value(left_out: Cluster) -> float | None:
        gone = [chosen_in(side(left_out, place)) for place in (0, 1)]
        number = total - gone[0].total()
        kept = same - agreeing(left_out)
        chance = sum((size - gone[0][each]) * (second[each] - gone[1][each]) for each, size in first.items())
        if number * number == chance:  # all are alike, or there is none
            return None
        return (number * kept - chance) / (number * number - chance)

    return value


def side(items: Iterable[tuple[Pattern, int]], place: int) -> Iterable[tuple[Pattern, int]]:
    """Items by the choice of one of two raters."""
    return ((pattern[place : place + 1], number) for pattern, number in items)


def agreeing(items: Iterable[tuple[Pattern, int]]) -> int:
    """On how many of some items two raters agree."""
    return sum(number for (one, other), number in items if one == other)
