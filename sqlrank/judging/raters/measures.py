"""The agreement of raters who judged the same items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlrank.dialects import visible
from sqlrank.statistics.agreement_coefficients import Cluster, Clusters, cohen, fleiss, interval_alpha, nominal_alpha
from sqlrank.statistics.agreement_interval import (
    Agreement,
    extremes_of_categories,
    extremes_of_numbers,
    extremes_of_order,
    extremes_of_two,
    with_interval,
)
from sqlrank.statistics.ordinal_alpha import ordinal_alpha

Row = Mapping[str, Any]

ALPHAS = {"krippendorff-ordinal": "ordinal", "krippendorff-nominal": "nominal", "krippendorff-interval": "interval"}
"""Krippendorff's alphas by what a disagreement is."""
KAPPAS = {"fleiss": "Fleiss'", "cohen": "Cohen's"}
"""The kappas by whose they are."""
METHOD = (
    "of the jackknife over queries, by Student's t; where few queries show a disagreement, two more are added, one that"
    " agrees and one that does not"
)
"""What the intervals are."""
NO_INTERVAL = (
    "no interval: not enough evidence, with fewer than three queries, one that has nearly all items, or one without"
    " which all judgments are alike"
)
"""Why a value has none."""
MOST = 3
"""How many raters are named."""


def items_of(queries: Sequence[Row], segments: Sequence[str]) -> dict[tuple[Any, ...], dict[str, int]]:
    """The items of several raters and those of them whose levels differ, by segment and in total."""
    total = (True, *(None for _ in segments))
    found: dict[tuple[Any, ...], dict[str, int]] = {}
    for row in queries:
        items = row["queries"] * sum(row["items"])
        patterns = zip(row["levels"], row["items"], strict=True)
        conflicting = row["queries"] * sum(items for levels, items in patterns if levels[0] != levels[-1])
        for group in {total, (False, *(row[segment] for segment in segments))}:
            counts = found.setdefault(group, {"items": 0, "conflicting": 0})
            counts["items"] += items
            counts["conflicting"] += conflicting
    return found


def levels_of(queries: Sequence[Row]) -> list[float]:
    """The levels of items with several raters, in their order."""
    return sorted({level for row in queries for levels in row["levels"] for level in levels})


def agreement_of(queries: Sequence[Row], cells: Sequence[Row], alpha: float) -> dict[str, Agreement]:
    """The measures with their intervals: Fleiss' where all items have as many raters, Cohen's where there are two.

    The rows of `queries` have the levels of their items, how many items have them, and how many queries are alike;
    those of `cells` the levels of the first and the second of two raters.
    """
    levels = levels_of(queries)
    clusters, pairs = clusters_of(queries, levels), clusters_of(cells, levels)
    different = extremes_of_categories(clusters)
    measures = {
        "krippendorff-ordinal": (ordinal_alpha(clusters), extremes_of_order(clusters), clusters),
        "krippendorff-nominal": (nominal_alpha(clusters), different, clusters),
        "krippendorff-interval": (interval_alpha(clusters, levels), extremes_of_numbers(clusters, levels), clusters),
    }
    if len({len(pattern) for cluster in clusters for pattern, _ in cluster}) == 1:
        measures["fleiss"] = fleiss(clusters), different, clusters
    if pairs:
        measures["cohen"] = cohen(pairs), extremes_of_two(pairs), pairs
    return {name: with_interval(*measure, alpha) for name, measure in measures.items()}


def clusters_of(queries: Sequence[Row], levels: Sequence[float]) -> Clusters:
    """The queries as clusters of items, whose categories are the places of their levels; those of one kind once."""
    place = {level: number for number, level in enumerate(levels)}
    found: Counter[Cluster] = Counter()
    for row in queries:
        patterns = (tuple(place[level] for level in pattern) for pattern in row["levels"])
        found[tuple(zip(patterns, row["items"], strict=True))] += row["queries"]
    return found


def agreement_lines(found: Mapping[str, Agreement], confidence: str) -> Iterator[str]:
    """How far raters agree beyond chance."""
    for title, names in (("Krippendorff's alpha", ALPHAS), ("kappa", KAPPAS)):
        known = [(name, found[key]) for key, name in names.items() if key in found and found[key].value is not None]
        if known:
            told = ", ".join(f"{name} {said(one)}" for name, one in known)
            yield f"{title} of these items, with its {confidence} interval: {told}"
    if any(one.low is not None for one in found.values()):
        yield f"the intervals of alpha and kappa are {METHOD}"
    yield from withheld_line(found)


def withheld_line(found: Mapping[str, Agreement]) -> list[str]:
    """Why a measure that has a value has no interval."""
    return [NO_INTERVAL] if any(one.value is not None and one.low is None for one in found.values()) else []


def differing_line(raters: Sequence[Row], counted: str) -> list[str]:
    """Who differs most from the others, of three raters or more; `counted` is what judgments are called."""
    differing = [row for row in raters if row["disagreement"]]
    if len(raters) < 3 or not differing:
        return []
    named = ", ".join(f"{visible(row['rater'])} {100 * row['disagreement']:.0f} %" for row in differing[:MOST])
    return [f"{counted} of others that differ, most by rater: {named}"]


def conflict_line(items: int, conflicting: int, called: str = "items") -> str:
    """On how many of some items raters disagree."""
    if not items:
        return "no item has several raters"
    share = f"{conflicting} of {items} {called} with several raters"
    return f"raters disagree on {share} ({100 * conflicting / items:.1f} %)"


def said(one: Agreement) -> str:
    """A measure with its interval."""
    if one.low is None or one.high is None:
        return f"{one.value:.3f}"
    return f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})"
