"""How far a rater's grades are from those of a reference: the mean difference, and an interval over queries.

The pairs of a query are one cluster: what is wrong about one of its documents is often wrong about the next. The
interval is of the jackknife over queries, by Student's t with the effective number of queries less 1. The influence of
a query is by how much the mean moves without it; with as many pairs in each, the interval is that of their means.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlrank.dialects import visible
from sqlrank.judging.raters.columns import BIAS
from sqlrank.statistics.estimate import Ends, Estimate
from sqlrank.statistics.student import SKEWED, STEADY

Row = Mapping[str, Any]

DIFFERENCE, EQUAL = "system difference", "at equal grades"
"""The parts that compare systems with the first one: the difference of their biases, and that at equal grades."""
FEWEST = 5
"""The least number of queries of which there is an interval."""
FEWEST_EFFECTIVE = 3.0
"""The least effective number of them: below, one or two have most of the pairs."""
METHOD = "of the jackknife over queries, by Student's t"
"""What the intervals are."""
WITHHELD = (
    f"no interval of a bias: fewer than {FEWEST} queries, or a few that have most of the pairs or of the differences,"
    " or all differences alike"
)
"""Why a bias has none."""


def biases(rows: Sequence[Row], alpha: float) -> list[dict[str, Any]]:
    """The rows of sql/raters/bias.sql that have a bias, each with its interval, null where the data give none."""
    found = []
    for row in rows:
        if row["bias"] is not None:
            low, high = interval_of(row, alpha)
            known = {field.name: row[field.name] for field in BIAS if field.name in row}
            found.append(known | {"ci_low": low, "ci_high": high})
    return found


def interval_of(row: Row, alpha: float) -> Ends:
    """The interval of a bias, of the moments of the influences of its queries; None for its ends where there is none.

    Where few queries have a difference, or are the only ones without, the mean is skewed, and Student's t would say
    more than they know: from the skewness on at which its coverage falls by 5 of 100 there is none.
    """
    number = row["queries"]
    if number < FEWEST or row["left_out"] < number or row["effective"] < FEWEST_EFFECTIVE:
        return None, None
    mean, square, cube = (row[f"{name}_moment"] / number for name in ("first", "second", "third"))
    variance = square - mean**2
    stderr = math.sqrt(max(variance, 0.0) / (number - 1))
    if stderr <= STEADY * row["scale"]:
        return None, None
    skewness = (cube - 3 * mean * square + 2 * mean**3) / variance**1.5
    if abs(skewness) > SKEWED * math.sqrt(number):
        return None, None
    return Estimate(row["bias"], stderr, row["effective"] - 1).ends(alpha)


def favours(rows: Sequence[Row], first: str) -> Iterator[str]:
    """What systems have another bias than the `first` one, by intervals that exclude 0, and whether it is by grades."""
    equal = {(row["rater"], row["value"]): row for row in rows if row["part"] == EQUAL}
    for row in rows:
        if row["part"] != DIFFERENCE:
            continue
        alike = equal.get((row["rater"], row["value"]))
        if excludes_none(row) or (alike is not None and excludes_none(alike)):
            found = "unknown" if alike is None else in_words(alike)
            grades = "" if alike is not None and excludes_none(alike) else "; the grades they have may be all of it"
            yield (
                f"{visible(row['rater'])} on documents of {visible(row['value'])} relative to those of"
                f" {visible(first)}: bias {in_words(row)}, among documents of equal grades {found}{grades}"
            )


def excludes_none(row: Row) -> bool:
    """Whether an interval excludes that there is no bias."""
    return row["ci_low"] is not None and not row["ci_low"] <= 0 <= row["ci_high"]


def in_words(row: Row) -> str:
    """A bias with its interval."""
    if row["ci_low"] is None:
        return f"{row['bias']:+.3f} (no interval)"
    return f"{row['bias']:+.3f} ({row['ci_low']:+.3f} to {row['ci_high']:+.3f})"


def at_the_ends(rows: Sequence[Row], reference: str) -> list[str]:
    """What to keep in mind about biases by grade."""
    if sum(row["part"] == "grade" for row in rows) < 2:
        return []
    return [
        f"at the lowest grade of {visible(reference)} an error can only raise, at the highest only lower: errors"
        " without any direction make a bias there"
    ]
