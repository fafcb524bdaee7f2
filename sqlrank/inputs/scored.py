"""Runs whose scores stand in files of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scored:
    """A run in LETOR with the scores of its lines."""

    lines: str
    """The file of its lines."""
    scores: Any
    """The file of its scores, or numbers."""
    several: bool
    """Whether there are others, so that the system is called by its scores."""

    @property
    def named(self) -> Any:
        """What the system is called by."""
        return self.scores if self.several and isinstance(self.scores, str) else self.lines
