"""Names of sets of judgments, and how the verdicts under them stand to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.comparison.rows import gain_of
from sqlrank.errors import UsageError
from sqlrank.spelling import spelt
from sqlrank.statistics.verdict import UNDECIDED, verdict_of

CORRECTED = "corrected"
"""What stands behind the name of a set in the rows of its corrected differences."""


def said_of(row: Mapping[str, Any]) -> str:
    """What a row says of the candidate."""
    return verdict_of(row["significant"], gain_of(row)) or UNDECIDED


def beside(first: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """How a verdict compares with that of the set that is believed."""
    ours, theirs = row["verdict"], first["verdict"]
    if ours == theirs:
        return "agrees"
    if ours == UNDECIDED:
        return "undecided here"
    return "decided here alone" if theirs == UNDECIDED else "turned"


def check_names(names: Sequence[str]) -> None:
    """Raise UsageError where the names of the sets do not tell two or more apart."""
    if len(names) < 2:
        raise UsageError(
            f"give two sets of judgments or more, the one that is believed first: "
            f"{spelt('qrels', {'human': 'a.parquet', 'llm': 'b.parquet'})}"
        )
    wrong = next((name for name in names if not name or name.endswith(CORRECTED)), None)
    if wrong is not None:
        raise UsageError(f"{wrong!r} is not a name for a set of judgments; choose another, such as human or llm")
