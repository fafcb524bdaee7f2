"""Krippendorff's alpha of ordered categories, and its value without each item.

Two categories are apart by how many judgments lie between their middles, so that every item that is left out moves all
of them. The sums over items are kept for each pair of categories, of which there are many fewer than items.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from sqlrank.statistics.agreement import Compared, Measure, Pattern, Patterns

Matrix = list[list[float]]


def ordinal_alpha(patterns: Patterns) -> Measure:
    """Krippendorff's alpha of categories in their order.

    K. Krippendorff, Content Analysis: An Introduction to Its Methodology, 4th edition, 2018, chapter 12.

    The place of a category is twice the number of judgments below it and once that of its own, so that the distance of
    two is twice the number of judgments between their middles. Without a judgment of v the places of the categories
    above v are lower by 2 and that of v by 1, which is `shift`.
    """
    items = Compared(patterns)
    number = max(items.sizes, default=-1) + 1
    sizes = [items.sizes[category] for category in range(number)]
    places = places_of(sizes)
    pairs = coincidences(items, number)
    seen = math.fsum(
        pairs[one][other] * (places[one] - places[other]) ** 2 for one in range(number) for other in range(number)
    )
    moved, squares = first_shifts(pairs, sizes, places), second_shifts(pairs, sizes)

    def value(left_out: Pattern) -> float | None:
        if items.alike(left_out):
            return None
        kept = items.total - len(left_out)
        apart = seen - 2 * math.fsum(moved[category] for category in left_out)
        apart += math.fsum(squares[one][other] for one in left_out for other in left_out)
        apart -= own_part(left_out, places)
        by_chance = 2 * kept * (kept**3 - items.powers(3, left_out)) / 3
        return 1 - (kept - 1) * apart / by_chance

    return value


def places_of(sizes: Sequence[int]) -> list[int]:
    """The place of each category (see above)."""
    found, below = [], 0
    for size in sizes:
        found.append(2 * below + size)
        below += size
    return found


def shift(category: int, left_out: int) -> int:
    """How much lower a category is without a judgment of another one."""
    return 2 if category > left_out else int(category == left_out)


def own_part(left_out: Pattern, places: Sequence[int]) -> float:
    """What the item that is left out would add to the distances seen, by the places without it."""
    if not left_out:
        return 0.0
    moved = [places[category] - sum(shift(category, each) for each in left_out) for category in left_out]
    squares = len(moved) * sum(place * place for place in moved) - sum(moved) ** 2
    return 2 * squares / (len(moved) - 1)


def coincidences(items: Compared, number: int) -> Matrix:
    """How many ordered pairs of judgments of one item are of two categories, those of each judgment counting 1."""
    found = [[0.0] * number for _ in range(number)]
    for pattern, count in items.patterns.items():
        chosen = Counter(pattern)
        for one, size in chosen.items():
            for other, others in chosen.items():
                found[one][other] += count * size * (others - (one == other)) / (len(pattern) - 1)
    return found


def above(values: Iterable[float]) -> list[float]:
    """For each of some values, the sum of those after it twice, and of itself once: what `shift` weighs."""
    found, after = [], 0.0
    for value in reversed(list(values)):
        found.append(2 * after + value)
        after += value
    return found[::-1]


def first_shifts(pairs: Matrix, sizes: Sequence[int], places: Sequence[int]) -> list[float]:
    """For each category v, the sum over pairs (c, d) of (place(c) - place(d)) (shift(c, v) - shift(d, v))."""
    differences = [
        size * place - math.fsum(number * other for number, other in zip(row, places, strict=True))
        for row, size, place in zip(pairs, sizes, places, strict=True)
    ]
    return [2 * value for value in above(differences)]


def second_shifts(pairs: Matrix, sizes: Sequence[int]) -> Matrix:
    """For categories u and v, the sum over pairs (c, d) of (shift(c, u) - shift(d, u)) (shift(c, v) - shift(d, v))."""
    rows = [above(row) for row in pairs]
    crossed = [above(column) for column in zip(*rows, strict=True)]
    after = above(sizes)
    found = []
    for one, column in enumerate(crossed):
        both = [2 * after[max(one, other)] - (sizes[one] if one == other else 0) for other in range(len(crossed))]
        found.append([2 * (straight - cross) for straight, cross in zip(both, column, strict=True)])
    return found
