"""Corrections of p values for multiple comparisons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from sqlrank.errors import no_such_word
from sqlrank.spelling import spelt


def bonferroni(values: Sequence[float]) -> list[float]:
    """Each p value times their number."""
    return [min(1.0, value * len(values)) for value in values]


def holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down procedure (Holm 1979): as safe as Bonferroni's, and never less powerful."""
    adjusted = [0.0] * len(values)
    largest = 0.0
    for place, index in enumerate(ascending(values)):
        largest = max(largest, min(1.0, values[index] * (len(values) - place)))
        adjusted[index] = largest
    return adjusted


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """The procedure of Benjamini and Hochberg (1995): bounds the share of false discoveries, not the chance of one."""
    adjusted = [0.0] * len(values)
    smallest = 1.0
    for place, index in reversed(list(enumerate(ascending(values), 1))):
        smallest = min(smallest, values[index] * len(values) / place)
        adjusted[index] = smallest
    return adjusted


def ascending(values: Sequence[float]) -> list[int]:
    """The places of the values from the smallest to the largest."""
    return sorted(range(len(values)), key=values.__getitem__)


CORRECTIONS: dict[str, tuple[str, Callable[[Sequence[float]], list[float]]]] = {
    "holm": ("Holm", holm),
    "bonferroni": ("Bonferroni", bonferroni),
    "bh": ("Benjamini and Hochberg", benjamini_hochberg),
    "none": ("none", list),
}
"""The name and the function of each correction by its word for `--correction`."""


def correct(values: Sequence[float | None], correction: str) -> list[float | None]:
    """The p values of one family, adjusted together by one of `CORRECTIONS`; None stays None."""
    known = [value for value in values if value is not None]
    adjusted = iter(CORRECTIONS[correction][1](known))
    return [None if value is None else next(adjusted) for value in values]


def check_correction(correction: str, known: Collection[str] = tuple(CORRECTIONS)) -> None:
    """Raise UsageError if a word names none of the corrections that are known."""
    if correction not in known:
        raise no_such_word(spelt("correction", correction), correction, known)
