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

ALPHAS = {"krippendorff-ordinal": "ordinal", "krippendorff-nominal": "nominal", "krippendorff-interval": "interval"}
"""Krippendorff's alphas by what a disagreement is."""
KAPPAS = {"fleiss": "Fleiss'", "cohen": "Cohen's"}
"""The kappas by whose they are."""
MOST = 3
"""How many raters are named."""


def items_of(patterns: Sequence[Mapping[str, Any]], segments: Sequence[str]) -> dict[tuple[Any, ...], dict[str, int]]:
    """The items of several raters and those of them with conflicting verdicts, by segment and in total."""
    total = (True, *(None for _ in segments))
    found: dict[tuple[Any, ...], dict[str, int]] = {}
    for row in patterns:
        conflicting = sum(row[verdict] > 0 for verdict in ("bad", "same", "good")) > 1
        for group in {total, (False, *(row[segment] for segment in segments))}:
            counts = found.setdefault(group, {"items": 0, "conflicting": 0})
            counts["items"] += row["items"]
            counts["conflicting"] += row["items"] if conflicting else 0
    return found


def agreement_of(patterns: Patterns, cells: Patterns, alpha: float) -> dict[str, Agreement]:
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
    for title, names in (("Krippendorff's alpha", ALPHAS), ("kappa", KAPPAS)):
        known = [(name, found[key]) for key, name in names.items() if key in found and found[key].value is not None]
        if known:
            told = ", ".join(f"{name} {said(one)}" for name, one in known)
            yield f"{title} of these items, with its {confidence} interval: {told}"
    differing = [row for row in raters if row["disagreement"]]
    if len(raters) > 2 and differing:
        named = ", ".join(f"{visible(row['rater'])} {100 * row['disagreement']:.0f} %" for row in differing[:MOST])
        yield f"verdicts of others that differ, most by rater: {named}"


def said(one: Agreement) -> str:
    """A measure with its interval."""
    if one.low is None or one.high is None:
        return f"{one.value:.3f}"
    return f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})"
