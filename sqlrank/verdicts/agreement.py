"""The agreement of raters who judged the same items side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sqlrank.dialects import visible
from sqlrank.statistics.agreement import (
    Agreement,
    Patterns,
    cohen,
    fleiss,
    interval,
    krippendorff,
    nominal,
    ordinal,
    with_interval,
)

MEASURES = {
    "krippendorff-ordinal": "Krippendorff's alpha (bad < same < good)",
    "krippendorff-nominal": "Krippendorff's alpha (nominal)",
    "krippendorff-interval": "Krippendorff's alpha (-1, 0, 1)",
    "fleiss": "Fleiss' kappa",
    "cohen": "Cohen's kappa",
}
"""What each measure of agreement is called."""
MOST = 3
"""How many raters are named."""


def agreement_of(patterns: Patterns, cells: Patterns | None, alpha: float) -> dict[str, Agreement]:
    """The measures with their intervals: Fleiss' where all items have as many raters, Cohen's where there are two."""
    distances = {"ordinal": ordinal, "nominal": nominal, "interval": interval}
    found = {
        f"krippendorff-{name}": with_interval(partial(krippendorff, distance=distance), patterns, alpha)
        for name, distance in distances.items()
    }
    if len({sum(pattern) for pattern in patterns}) == 1:
        found["fleiss"] = with_interval(fleiss, patterns, alpha)
    if cells:
        found["cohen"] = with_interval(cohen, cells, alpha)
    return found


def agreement_lines(
    found: Mapping[str, Agreement], raters: Sequence[Mapping[str, Any]], confidence: str
) -> Iterator[str]:
    """How far raters agree beyond chance, and who differs most from the others."""
    told = [f"{MEASURES[name]} {said(one, confidence)}" for name, one in found.items() if one.value is not None]
    if told:
        yield f"agreement beyond chance, over these items: {'; '.join(told)}"
    differing = [row for row in raters if row["disagreement"]]
    if len(raters) > 2 and differing:
        named = ", ".join(f"{visible(row['rater'])} {100 * row['disagreement']:.0f} %" for row in differing[:MOST])
        yield f"verdicts of others that differ, most by rater: {named}"


def said(one: Agreement, confidence: str) -> str:
    """A measure with its interval."""
    if one.low is None or one.high is None:
        return f"{one.value:.3f}"
    return f"{one.value:.3f} ({confidence} interval {one.low:.3f} to {one.high:.3f})"
