"""Intervals of the agreement of raters, which say no more than the clusters do that show a disagreement.

The interval is that of the jackknife over clusters, by Student's t (J. W. Tukey, Bias and confidence in not-quite large
samples, Annals of Mathematical Statistics 29, 1958). Near 1 few clusters show a disagreement, and none may: they do not
show how often the others, not drawn, would disagree, nor how far. So two clusters are added to the pseudo-values, one
that disagrees and one that agrees, as A. Agresti and B. A. Coull, The American Statistician 52 (1998), and D. G. Bonett
and R. M. Price (2012) add successes and failures to a proportion and to a difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from sqlrank.statistics.agreement_coefficients import NONE, Cluster, Clusters, Compared, Measure, chosen_in, side
from sqlrank.statistics.estimate import Estimate
from sqlrank.statistics.ordinal_alpha import places_of
from sqlrank.statistics.student import FEWEST, NORMAL

FEW = 3
"""The rule of three: with 95 %, fewer than 3 of n clusters that disagree are of a kind that was not drawn."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A measure of agreement with its interval."""

    value: float | None
    """1 for perfect agreement, 0 for that of chance; None where all judgments are alike, or items are not such."""
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Extremes:
    """How far judgments can be apart, over the disagreement by chance."""

    item: float = 1.0
    """The disagreement of an item, half of whose raters choose the lowest category and half the highest."""
    category: float = 1.0
    """That of judgments drawn by chance with the category that is farthest from them."""


@dataclass(frozen=True, slots=True)
class Left:
    """What leaving out one of some clusters that are alike shows."""

    value: float
    """The pseudo-value: what the cluster would make of the measure if all were like it."""
    number: int
    disagreement: float
    """How far the pseudo-value is below 1 where its raters differ, else 0."""


def extremes_of_categories(clusters: Clusters) -> Extremes:
    """The extremes of categories that are different or not: all are as far apart, and the rarest is farthest."""
    items = Compared(clusters)
    if len(items.sizes) < 2:
        return Extremes()
    shares = [size / items.total for size in items.sizes.values()]
    by_chance = 1 - math.fsum(share * share for share in shares)
    return Extremes(halved(items) / by_chance, (1 - min(shares)) / by_chance)


def extremes_of_two(clusters: Clusters) -> Extremes:
    """The same by what each of two raters chooses how often, for Cohen's kappa."""
    patterns = Compared(clusters).patterns
    first, second = (chosen_in(side(patterns.items(), place)) for place in (0, 1))
    number = patterns.total()
    by_chance = 1 - sum(size * second[category] for category, size in first.items()) / number**2 if number else 0
    if not by_chance:
        return Extremes()
    both = first + second
    return Extremes(1 / by_chance, (1 - min(both.values()) / (2 * number)) / by_chance)


def extremes_of_order(clusters: Clusters) -> Extremes:
    """The extremes of ordered categories, whose distance is how many judgments lie between their middles."""
    sizes = Compared(clusters).sizes
    return extremes_of_numbers(clusters, places_of([sizes[category] for category in range(max(sizes, default=-1) + 1)]))


def extremes_of_numbers(clusters: Clusters, numbers: Sequence[float]) -> Extremes:
    """The extremes of categories that are numbers, whose difference is squared."""
    items = Compared(clusters)
    if len(items.sizes) < 2:
        return Extremes()
    scale = max(abs(numbers[category]) for category in items.sizes)
    scaled = {category: numbers[category] / scale for category in items.sizes}
    lowest, highest = min(scaled.values()), max(scaled.values())
    places = {category: (number - lowest) / (highest - lowest) for category, number in scaled.items()}
    mean = math.fsum(places[category] * size for category, size in items.sizes.items()) / items.total
    variance = math.fsum((places[category] - mean) ** 2 * size for category, size in items.sizes.items()) / items.total
    return Extremes(halved(items) / (2 * variance), (max(mean, 1 - mean) ** 2 / variance + 1) / 2)


def halved(items: Compared) -> float:
    """The share of the pairs of raters that differ where half choose one category: of the items with fewest raters."""
    raters = min(map(len, items.patterns))
    return 2 * (raters // 2) * (raters - raters // 2) / (raters * (raters - 1))


def with_interval(measure: Measure, extremes: Extremes, clusters: Clusters, alpha: float) -> Agreement:
    """A measure of agreement with its interval.

    It is withheld for fewer than three clusters, where one has nearly all items, and where leaving one out undoes the
    measure.
    """
    value, number = measure(NONE), sum(clusters.values())
    worth = effective(clusters)
    left = left_out(measure, clusters) if value is not None and number >= 3 and worth >= FEWEST else None
    if value is None or left is None:
        return Agreement(value, None, None)
    middle, error = with_two_added(value, left, extremes, worth, items_of(clusters) / number, alpha)
    low, high = (middle if end is None else end for end in Estimate(middle, error, worth - 1).ends(alpha))
    return Agreement(value, max(-1.0, min(value, low)), min(1.0, max(value, high)))


def items_of(clusters: Clusters, power: int = 1) -> int:
    """The sum over clusters of a power of how many items they have."""
    return sum(number * sum(items for _, items in cluster) ** power for cluster, number in clusters.items())


def effective(clusters: Clusters) -> float:
    """The number of clusters of as many items each that these come down to (L. Kish, Survey Sampling, 1965)."""
    return items_of(clusters) ** 2 / items_of(clusters, 2) if clusters else 0.0


def left_out(measure: Measure, clusters: Clusters) -> list[Left] | None:
    """The pseudo-values of the clusters, around the measure over all; None where one undoes the measure."""
    value, number = measure(NONE), sum(clusters.values())
    without = [measure(cluster) for cluster in clusters]
    known = [one for one in without if one is not None]
    if value is None or len(known) < len(without):
        return None
    mean = math.fsum(one * count for one, count in zip(known, clusters.values(), strict=True)) / number
    found = []
    for cluster, one in zip(clusters, known, strict=True):
        pseudo = value - (number - 1) * (one - mean)
        found.append(Left(pseudo, clusters[cluster], max(0.0, 1 - pseudo) if differ(cluster) else 0.0))
    return found


def differ(cluster: Cluster) -> bool:
    """Whether the raters of an item differ."""
    return any(len({*pattern}) > 1 for pattern, _ in cluster)


def with_two_added(
    value: float, left: Sequence[Left], extremes: Extremes, worth: float, items: float, alpha: float
) -> tuple[float, float]:
    """The mean of the pseudo-values and of two more, and its standard error.

    Args:
        value: the measure.
        left: the pseudo-values.
        extremes: how far judgments can be apart.
        worth: the effective number of clusters.
        items: how many items a cluster has on average.
        alpha: what the interval leaves out.
    """
    number = sum(one.number for one in left)
    total, squares = (math.fsum(one.number * one.disagreement**power for one in left) for power in (1, 2))
    disagreeing = total * total / squares if squares else 0.0
    few = max(0.0, 1 - 2 * disagreeing / worth) ** 2
    weight = few * max(1.0, NormalDist().inv_cdf(1 - alpha / 2) / NORMAL) ** 2
    size = number / worth
    agreeing = 1 + 2 * (1 - value) * (extremes.category - 1)
    differing = 1 - size_of_disagreement(squares / total if total else 0.0, disagreeing, extremes, items)
    together = number + 2 * weight * size
    middle = (number * value + weight * size * (agreeing + differing)) / together
    spread = math.fsum(one.number * (one.value - middle) ** 2 for one in left)
    spread += weight * size**2 * ((agreeing - middle) ** 2 + (differing - middle) ** 2)
    return middle, math.sqrt(spread / together / (together - 1))


def size_of_disagreement(seen: float, disagreeing: float, extremes: Extremes, items: float) -> float:
    """The root mean square of how far a cluster that disagrees is below 1, if `FEW` of them are as far as can be.

    As far as can be: one item as far as the categories are, and the others by chance.
    """
    farthest = max(seen, 1 + (extremes.item - 1) / items)
    share = min(1.0, FEW / disagreeing) if disagreeing else 1.0
    return math.sqrt(seen**2 + (farthest**2 - seen**2) * share)
