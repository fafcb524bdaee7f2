"""The agreement of raters who judged the same items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlrank.dialects import visible
from sqlrank.statistics.agreement import (
    Agreement,
    Patterns,
    cohen,
    fleiss,
    interval_alpha,
    nominal_alpha,
    with_interval,
)
from sqlrank.statistics.ordinal_alpha import ordinal_alpha

Row = Mapping[str, Any]

ALPHAS = {"krippendorff-ordinal": "ordinal", "krippendorff-nominal": "nominal", "krippendorff-interval": "interval"}
"""Krippendorff's alphas by what a disagreement is."""
KAPPAS = {"fleiss": "Fleiss'", "cohen": "Cohen's"}
"""The kappas by whose they are."""
MOST = 3
"""How many raters are named."""


def items_of(patterns: Sequence[Row], segments: Sequence[str]) -> dict[tuple[Any, ...], dict[str, int]]:
    """The items of several raters and those of them whose levels differ, by segment and in total."""
    total = (True, *(None for _ in segments))
    found: dict[tuple[Any, ...], dict[str, int]] = {}
    for row in patterns:
        conflicting = row["levels"][0] != row["levels"][-1]
        for group in {total, (False, *(row[segment] for segment in segments))}:
            counts = found.setdefault(group, {"items": 0, "conflicting": 0})
            counts["items"] += row["items"]
            counts["conflicting"] += row["items"] if conflicting else 0
    return found


def levels_of(patterns: Sequence[Row]) -> list[float]:
    """The levels of items with several raters, in their order."""
    return sorted({level for row in patterns for level in row["levels"]})


def agreement_of(patterns: Sequence[Row], cells: Sequence[Row], alpha: float) -> dict[str, Agreement]:
    """The measures with their intervals: Fleiss' where all items have as many raters, Cohen's where there are two.

    `patterns` have the levels of items and how many items have them, `cells` the levels of the first and the second of
    two raters.
    """
    levels = levels_of(patterns)
    place = {level: number for number, level in enumerate(levels)}
    chosen: Counter[tuple[int, ...]] = Counter()
    for row in patterns:
        chosen[tuple(place[level] for level in row["levels"])] += row["items"]
    pairs = {(place[row["first_level"]], place[row["second_level"]]): row["items"] for row in cells}
    measures = {
        "krippendorff-ordinal": ordinal_alpha(chosen),
        "krippendorff-nominal": nominal_alpha(chosen),
        "krippendorff-interval": interval_alpha(chosen, levels),
    }
    if len({len(pattern) for pattern in chosen}) == 1:
        measures["fleiss"] = fleiss(chosen)
    given: dict[str, Patterns] = dict.fromkeys(measures, chosen)
    if pairs:
        measures["cohen"], given["cohen"] = cohen(pairs), pairs
    return {name: with_interval(measure, given[name], alpha) for name, measure in measures.items()}


def agreement_lines(found: Mapping[str, Agreement], confidence: str) -> Iterator[str]:
    """How far raters agree beyond chance."""
    for title, names in (("Krippendorff's alpha", ALPHAS), ("kappa", KAPPAS)):
        known = [(name, found[key]) for key, name in names.items() if key in found and found[key].value is not None]
        if known:
            told = ", ".join(f"{name} {said(one)}" for name, one in known)
            yield f"{title} of these items, with its {confidence} interval: {told}"


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
