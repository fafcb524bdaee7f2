"""Krippendorff's alpha of ordered categories, and its value without each cluster of items.

Two categories are apart by how many judgments lie between their middles, so that everything that is left out moves all
of them. The sums over items are kept for each pair of categories, of which there are many fewer than items.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sqlrank.statistics.agreement_coefficients import Cluster, Clusters, Compared, Measure, chosen_in

Matrix = list[list[float]]


def ordinal_alpha(clusters: Clusters) -> Measure:
    """Krippendorff's alpha of categories in their order.

    K. Krippendorff, Content Analysis: An Introduction to Its Methodology, 4th edition, 2018, chapter 12.

    The place of a category is twice the number of judgments below it and once that of its own, so that the distance of
    two is twice the number of judgments between their middles. Without a judgment of v the places of the categories
    above v are lower by 2 and that of v by 1: this is shift(., v).
    """
    items = Compared(clusters)
    number = max(items.sizes, default=-1) + 1
    sizes = [items.sizes[category] for category in range(number)]
    places = places_of(sizes)
    pairs = coincidences(items, number)
    seen = math.fsum(
        pairs[one][other] * (places[one] - places[other]) ** 2 for one in range(number) for other in range(number)
    )
    moved, squares = first_shifts(pairs, sizes, places), second_shifts(pairs, sizes)

    def value(left_out: Cluster) -> float | None:
        chosen = chosen_in(left_out)
        if items.alike(chosen):
            return None
        kept = items.total - chosen.total()
        apart = seen - 2 * math.fsum(count * moved[category] for category, count in chosen.items())
        apart += math.fsum(
            count * others * squares[one][other] for one, count in chosen.items() for other, others in chosen.items()
        )
        apart -= own_part(left_out, places, chosen)
        by_chance = 2 * kept * (kept**3 - items.powers(3, chosen)) / 3
        return 1 - (kept - 1) * apart / by_chance

    return value


def places_of(sizes: Sequence[int]) -> list[int]:
    """The place of each category (see above)."""
    found, below = [], 0
    for size in sizes:
        found.append(2 * below + size)
        below += size
    return found


def own_part(left_out: Cluster, places: Sequence[int], chosen: Mapping[int, int]) -> float:
    """What the items that are left out would add to the distances seen, by the places without them."""
    moved: dict[int, int] = {}
    below = 0
    for category in sorted(chosen):
        moved[category] = places[category] - 2 * below - chosen[category]
        below += chosen[category]
    parts = []
    for pattern, items in left_out:
        found = [moved[category] for category in pattern]
        squares = len(found) * sum(place * place for place in found) - sum(found) ** 2
        parts.append(2 * items * squares / (len(found) - 1))
    return math.fsum(parts)


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
    """For each of some values, the sum of those after it twice, and of itself once: those that `shift` moves."""
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
