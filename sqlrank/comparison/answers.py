"""What a comparison answers: for each candidate and metric what its numbers bear out, and where segments differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.circularity import WITHHELD, is_withheld
from sqlrank.comparison.rows import gain_of

Row = dict[str, Any]

BETTER, WORSE, UNDECIDED, UNCLEAR = "better", "worse", "undecided", "unclear"
"""What is claimed; unclear where the test finds a difference, and the interval has 0 within."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a candidate in one metric."""

    total: Row
    """The row over all queries."""
    claim: str
    """`better`, `worse`, `undecided`, `unclear` or `withheld`."""
    against: Sequence[Row]
    """The segments of which another claim is borne out, the one with the largest difference first."""
    opposite: tuple[int, int] | None
    """How many segments, of how many, go the other way than the total, where these are most."""


def answers_of(rows: Sequence[Row], sided: bool = False) -> list[Answer]:
    """The answer of each pair of systems and metric, in the order of the rows.

    Args:
        rows: the rows of a comparison, totals and segments.
        sided: whether the test looks for one side alone, which a two-sided interval says nothing of.
    """
    parts: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if not row["is_total"] and row["difference"] is not None:
            parts.setdefault(key_of(row), []).append(row)
    return [
        answer_of(row, parts.get(key_of(row), []), sided)
        for row in rows
        if row["is_total"] and row["difference"] is not None
    ]


def answer_of(total: Row, segments: Iterable[Row], sided: bool) -> Answer:
    """The answer of one total and its segments."""
    segments, claim = list(segments), claim_of(total, sided)
    decided = [row for row in segments if claim_of(row, sided) in (BETTER, WORSE)]
    against = [row for row in decided if claim_of(row, sided) != claim]
    return Answer(
        total, claim, sorted(against, key=lambda row: -abs(row["difference"])), mostly_opposite(total, segments)
    )


def claim_of(row: Row, sided: bool = False) -> str:
    """What the test and the interval of a row bear out together.

    They may come from different procedures, and disagree.
    """
    if is_withheld(row):
        return WITHHELD
    if not row["significant"] or not (gain := gain_of(row)):
        return UNDECIDED
    low, high = row["ci_low"], row["ci_high"]
    if not sided:
        if low is None or high is None:
            return UNDECIDED
        if low <= 0 <= high:
            return UNCLEAR
    return BETTER if gain > 0 else WORSE


def mostly_opposite(total: Row, segments: Sequence[Row]) -> tuple[int, int] | None:
    """How many segments of how many go the other way than a total, where more than half do (Simpson's paradox)."""
    known = [row["difference"] for row in segments if row["difference"] is not None]
    against = [part for part in known if part and (part < 0) is (total["difference"] > 0)]
    return (len(against), len(known)) if total["difference"] and 2 * len(against) > len(known) else None


def key_of(row: Row) -> tuple[str, ...]:
    """What a total and its segments have in common."""
    return row["baseline"], row["system"], row["metric"]
