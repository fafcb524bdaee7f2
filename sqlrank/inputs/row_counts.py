"""Row counts of each input: how many were read, and how many were left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

REASONS = {
    "comments": "{} comments",
    "where": "{} by --where",
    "unfilled": "{} that nobody judged yet",
    "no_relevance": "{} without relevance",
    "unjudged_queries": "{} of queries without judgments",
    "missing_queries": "{} of queries without results",
}
"""Why rows are left out, and how that is said."""
BEFORE = ("comments", "where", "unfilled")
"""Those for which they are left out before anything counts them."""


@dataclass(frozen=True, slots=True)
class InputRows:
    """The rows of one input."""

    rows: int
    """How many were read, comments among them."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many were left out, by reason: those of `REASONS` that occur."""

    @property
    def used(self) -> int:
        """How many were used."""
        return self.rows - sum(self.left_out.values())

    def to_dict(self) -> dict[str, Any]:
        """Read, left out and used, as in JSON."""
        return {"rows": self.rows, "left_out": dict(self.left_out), "used": self.used}

    def note(self, label: str) -> str | None:
        """A note on rows that were left out, or None."""
        if not self.left_out:
            return None
        reasons = ", ".join(REASONS[reason].format(count) for reason, count in self.left_out.items())
        return f"{label}: {self.rows} rows were read, {self.rows - self.used} left out: {reasons}"


def input_rows(rows: int, **left_out: int) -> InputRows:
    """The rows of an input; `rows` is without those of `BEFORE`, which `left_out` counts."""
    before = sum(left_out.get(reason, 0) for reason in BEFORE)
    return InputRows(rows + before, {reason: count for reason, count in left_out.items() if count})


def notes_of(inputs: Mapping[str, InputRows], labels: Mapping[str, str]) -> list[str]:
    """Notes on rows that were left out of each input."""
    export = labels.get("qrels") == labels.get("run")
    notes = [
        found.note(f"{labels[kind]} as judgments" if export and kind == "qrels" else labels[kind])
        for kind, found in inputs.items()
    ]
    return [note for note in notes if note is not None]
