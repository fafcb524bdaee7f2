"""What sentences and charts call systems and segments: a line of few characters, and no two alike."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from sqlrank.dialects import visible
from sqlrank.pages.tables import shortened
from sqlrank.pages.words import Words

LONGEST_LABEL = 32
"""How many characters of a name they have."""


def label(text: object) -> str:
    """A name as they have it: one line of few characters."""
    shown = visible(str(text))
    return shortened(shown, LONGEST_LABEL)


def distinct(names: Iterable[Hashable], text: Callable[[Any], str] = str) -> dict[Any, str]:
    """Each of some names, or of what has a `text`, with what they call it: no two are alike."""
    found: dict[Any, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        short = whole = label(text(name))
        number = 1
        while short in taken:
            number += 1
            end = f" ({number})"
            short = whole[: LONGEST_LABEL - len(end)] + end
        found[name] = short
        taken.add(short)
    return found


def segment_of(row: Mapping[str, Any], by: Sequence[str], words: Words) -> str:
    """The values of the segments of a row, as one text."""
    if row.get("is_total", True):
        return words("all")
    return " · ".join("(null)" if row[name] is None else str(row[name]) for name in by)
