"""A plan for finding ranks, as it was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RankPlan:
    """The plan that was chosen."""

    name: str
    reason: str
    statements: tuple[str, ...] = ()
    """The statements that made the tables that the per-query statement reads."""
    tables: tuple[str, ...] = ()
    """These tables."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """Variables of the templates of that statement."""
    documents: Any = None
    """The relation of the documents that can change a number, where these are not all."""
    part: Mapping[str, int] = field(default_factory=lambda: {"part": 0, "parts": 1})
    """Which part of the queries was ranked, of how many."""
    length: int = 0
    """How many documents the ranking of one has on average, where they were counted."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What statements that run need not find out again: `rankings`, the table of the rankings and their lengths,
    `checked`, whether every score and judgment is known to be there, and `reach`, the worst score that any of the first
    documents has."""
