"""Parts of a difference as a table: what segments and their mix did, and which queries came and went."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sqlrank.comparison.result import Comparison
from sqlrank.output.tables import Rows
from sqlrank.pages.tables import Table
from sqlrank.pages.words import ENGLISH, Words

Row = dict[str, Any]
MOST = 6
"""How many parts of segments are shown; the others are summed up."""
OF_QUERIES = {"within": "queries-within", "mix": "queries-mix", "gone": "queries-gone", "new": "queries-new"}
OF_SEGMENTS = {"within": "within-part", "mix": "mix-part"}
"""The keys of what parts are called."""


def shown_parts(comparison: Comparison, digits: int, words: Words = ENGLISH, most: int = MOST) -> list[Row]:
    """The parts of every difference, with `shown`, a number that sums to the difference to its last digit."""
    found: list[Row] = []
    totals = [row for row in comparison.all_rows if row["is_total"] and row["difference"] is not None]
    for total in totals:
        sides = ("system", "baseline", "metric")
        parts = [part for part in comparison.all_parts if all(part[name] == total[name] for name in sides)]
        for kind in ("segments", "segment", "queries"):
            of_kind = [part | {"label": label(part, comparison.by, words)} for part in parts if part["kind"] == kind]
            of_kind = folded(of_kind, most, words) if kind == "segment" else of_kind
            numbers = summing([part["contribution"] for part in of_kind], total["difference"], digits)
            found += [part | {"shown": number} for part, number in zip(of_kind, numbers, strict=True)]
    return found


def label(part: Row, by: Sequence[str], words: Words) -> str:
    """What a part is called."""
    if part["kind"] == "queries":
        return words(OF_QUERIES[part["part"]])
    if part["kind"] == "segments":
        return words(OF_SEGMENTS[part["part"]], by=", ".join(by))
    segment = ", ".join("(null)" if part[name] is None else str(part[name]) for name in by)
    return words("itself" if part["part"] == "within" else "its-share", segment=segment)


def folded(parts: list[Row], most: int, words: Words) -> list[Row]:
    """The largest parts, and one for the rest of them."""
    if len(parts) <= most + 1:
        return parts
    rest = parts[most:]
    value = math.fsum(part["contribution"] for part in rest)
    empty = dict.fromkeys(("ci_low", "ci_high", "baseline_share", "share", "baseline_value", "value"))
    return [*parts[:most], rest[0] | empty | {"label": words("other-parts", number=len(rest)), "contribution": value}]


def summing(values: Sequence[float], total: float, digits: int) -> list[float]:
    """The values to so many digits, those with the largest remainders rounded up, so that they sum to the total's."""
    unit = 10.0**-digits
    scaled = [value / unit for value in values]
    whole = [math.floor(value) for value in scaled]
    missing = round(total / unit) - sum(whole)
    order = sorted(range(len(values)), key=lambda place: whole[place] - scaled[place])
    for place in order[: max(missing, 0)]:
        whole[place] += 1
    return [number * unit for number in whole]


def parts_table(comparison: Comparison, digits: int, words: Words = ENGLISH) -> Table:
    """Why the difference of each pair is what it is."""
    rows = Rows(shown_parts(comparison, digits, words))

    def both(name: str, form: str) -> Any:
        def said(row: Row) -> str:
            sides = (row[f"baseline_{name}"], row[name])
            return "" if sides == (None, None) else " to ".join("-" if x is None else format(x, form) for x in sides)

        return said

    return Table(
        [
            rows.words("system", title="why: system"),
            *([rows.words("baseline")] if comparison.all_pairs else []),
            rows.words("metric"),
            rows.words("label", title="part"),
            rows.numbers("shown", lambda row: f"{row['shown']:+.{digits}f}", "contribution"),
            rows.numbers(
                "interval",
                lambda row: "-" if row["ci_low"] is None else words.ends(row, digits, "+"),
                f"{comparison.questions.confidence} interval",
            ),
            rows.numbers("share", both("share", ".3f"), "share"),
            rows.numbers("value", both("value", f".{digits}f")),
        ],
        spare=["share", "value"],
    )
