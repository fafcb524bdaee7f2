"""What a comparison answers: for each candidate and metric what its numbers support, and where segments differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.circularity import is_withheld
from sqlrank.comparison.rows import gain_of
from sqlrank.statistics.verdict import BETTER, UNDECIDED, WITHHELD, WORSE, verdict_of

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a candidate in one metric."""

    total: Row
    """The row over all queries."""
    claim: str
    """`better`, `worse`, `differs`, `undecided` or `withheld`."""
    against: Sequence[Row]
    """The segments of which another claim is borne out, the one with the largest difference first."""
    opposite: tuple[int, int] | None
    """How many segments, of how many, support the opposite of what the total does, where these are most."""


def answers_of(rows: Sequence[Row]) -> list[Answer]:
    """The answer of each pair of systems and metric, in the order of the rows, which are totals and segments."""
    parts: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if not row["is_total"] and row["difference"] is not None:
            parts.setdefault(key_of(row), []).append(row)
    return [
        answer_of(row, parts.get(key_of(row), [])) for row in rows if row["is_total"] and row["difference"] is not None
    ]


def answer_of(total: Row, segments: Iterable[Row]) -> Answer:
    """The answer of one total and its segments."""
    segments, claim = list(segments), claim_of(total)
    claims = [claim_of(row) for row in segments]
    decided = [(row, said) for row, said in zip(segments, claims, strict=True) if said in (BETTER, WORSE)]
    against = sorted((row for row, said in decided if said != claim), key=lambda row: -abs(row["difference"]))
    return Answer(total, claim, against, mostly_opposite(claim, claims))


def claim_of(row: Row) -> str:
    """What the test and the interval of a row support together."""
    if is_withheld(row):
        return WITHHELD
    return verdict_of(row["significant"], gain_of(row)) or UNDECIDED


def mostly_opposite(claim: str, claims: Sequence[str]) -> tuple[int, int] | None:
    """How many segments of how many are better where the total is worse, or the reverse, where more than half are.

    That is Simpson's paradox, and is seen in what is borne out alone: values without evidence go either way by chance.
    """
    against = claims.count({BETTER: WORSE, WORSE: BETTER}.get(claim, ""))
    return (against, len(claims)) if 2 * against > len(claims) else None


def key_of(row: Row) -> tuple[str, ...]:
    """What a total and its segments have in common."""
    return row["baseline"], row["system"], row["metric"]
