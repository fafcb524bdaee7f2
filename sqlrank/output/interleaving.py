"""Writing the votes of interleaved lists."""

from __future__ import annotations

from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.interleaving.estimates import UNDECIDED
from sqlrank.interleaving.interleaved import Interleaved
from sqlrank.output.behaviour import write
from sqlrank.output.raters import interval
from sqlrank.output.tables import Destination, Row, Rows, rounded, small
from sqlrank.pages.tables import SIGNS, Cell, Table

SPARE = ("units_needed", "unit", "p_adjusted", "p_value", "without_clicks", "ties")
"""The columns that are left out where a terminal has no room, the first one first."""


def write_interleaved(result: Interleaved, destination: Destination) -> None:
    """Write the votes in any format but trec."""
    write(result, destination, lambda: [preference_table(result, destination.digits)], document_of)


def document_of(result: Interleaved) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    days = [row | {"day": row["day"].isoformat()} for row in dicts(result.days)]
    found = {"conventions": result.settings(), "behaviour": result.session.origin(), "days": days}
    return found | {"notes": result.notes, "remarks": result.remarks()}


def preference_table(result: Interleaved, digits: int) -> Table:
    """The votes and the preference: a row for each segment and pair, and for each pair in total."""
    rows = Rows(dicts(result.rows))
    several = len(rows.rows) > 1
    adjusted = [rows.numbers("p_adjusted", lambda row: small(row["p_adjusted"], digits), "adjusted p")]
    return Table(
        [
            *rows.segments(result.by),
            rows.words("a"),
            rows.words("b"),
            rows.words("unit"),
            rows.numbers("wins_a"),
            rows.numbers("wins_b"),
            rows.numbers("ties"),
            rows.numbers("without_clicks", title="without clicks"),
            rows.numbers("delta_ab", lambda row: estimate(row, digits), colored=False),
            rows.numbers("interval", lambda row: interval(row, digits), f"{result.confidence} interval"),
            rows.drawn("delta_ab", tone=tone_of),
            rows.numbers("p_value", lambda row: small(row["p_value"], digits), "p"),
            *(adjusted if several else []),
            rows.words("decision", lambda row: Cell(row["decision"], tone_of(row))),
            rows.numbers("units_needed", lambda row: row["units_needed"] or "-", "units needed"),
        ],
        spare=SPARE,
    )


def tone_of(row: Row) -> str:
    """Whether it is decided that a is preferred, or b."""
    if row["decision"] == UNDECIDED:
        return ""
    return "gain" if row["delta_ab"] > 0 else "loss"


def estimate(row: Row, digits: int) -> Cell:
    """The difference of the shares, which a terminal leaves to the decision to colour."""
    tone = tone_of(row)
    return Cell(rounded(row["delta_ab"], digits), tone, sign=SIGNS[tone])
