"""What tests find, by pair and segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of a test."""

    p_value: float | None
    test: str
    """The name of the test, as it was carried out."""
    low: float | None = None
    """Where the interval begins, of a test that gives one."""
    high: float | None = None
    p_together: float | None = None
    """The p value of the test of all pairs together, where that is asked for."""


Rows = Sequence[dict[str, Any]]
Key = tuple[int, int]
"""A pair, counted from 1, and a segment, 0 for the total."""
Findings = dict[Key, Finding]


def key(row: Mapping[str, Any]) -> Key:
    """Which pair and segment a row of the comparison is about."""
    return row["pair"], row["scope"]
