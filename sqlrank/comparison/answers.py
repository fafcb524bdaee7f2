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
    """How many segments, of how many, bear out the opposite of what the total does, where these are most."""


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
    claims = [claim_of(row, sided) for row in segments]
    decided = [(row, said) for row, said in zip(segments, claims, strict=True) if said in (BETTER, WORSE)]
    against = sorted((row for row, said in decided if said != claim), key=lambda row: -abs(row["difference"]))
    return Answer(total, claim, against, mostly_opposite(claim, claims))


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


def mostly_opposite(claim: str, claims: Sequence[str]) -> tuple[int, int] | None:
    """How many segments of how many are better where the total is worse, or the reverse, where more than half are.

    That is Simpson's paradox, and is seen in what is borne out alone: values without evidence go either way by chance.
    """
    against = claims.count({BETTER: WORSE, WORSE: BETTER}.get(claim, ""))
    return (against, len(claims)) if 2 * against > len(claims) else None


def key_of(row: Row) -> tuple[str, ...]:
    """What a total and its segments have in common."""
    return row["baseline"], row["system"], row["metric"]
