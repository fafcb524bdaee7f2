"""Writing the votes of interleaved lists."""

from __future__ import annotations

from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.interleaving.columns import ROWS
from sqlrank.interleaving.estimates import UNDECIDED
from sqlrank.interleaving.interleaved import Interleaved
from sqlrank.output.tables import Reading, Row, Rows, declared_table
from sqlrank.output.writing import INTERVALS, Destination, Writing
from sqlrank.pages.html import Verdict
from sqlrank.pages.labels import label
from sqlrank.pages.tables import Table
from sqlrank.pages.words import Words


def document_of(result: Interleaved, _: Destination) -> dict[str, Any]:
    """What a JSON document holds besides the rows."""
    return {
        "conventions": result.settings(),
        "behaviour": result.session.origin(),
        "days": list(dicts(result.days)),
        "answer": INTERLEAVED.answers(result),
        "notes": result.notes,
        "remarks": result.remarks(),
    }


def preference_table(result: Interleaved, digits: int) -> Table:
    """The votes and the preference: a row for each segment and pair, and for each pair in total."""
    rows = Rows(dicts(result.rows))
    without = () if len(rows.rows) > 1 else ("p_adjusted",)
    reading = Reading(digits, tone=tone_of, confidence=result.confidence)
    return declared_table(ROWS, rows, reading, result.by, without)


def tone_of(row: Row) -> str:
    """Whether it is decided that a is preferred, or b."""
    if row["decision"] == UNDECIDED:
        return ""
    return "gain" if row["delta_ab"] > 0 else "loss"


def answer_of(result: Interleaved, words: Words) -> list[Verdict]:
    """Whom users prefer, of each pair in total."""
    found = []
    for row in dicts(result.rows):
        if row.get("is_total", True):
            one, other = (row["b"], row["a"]) if tone_of(row) == "loss" else (row["a"], row["b"])
            said = words("preferred" if tone_of(row) else "preferred-none", one=label(one), other=label(other))
            found.append(Verdict(said))
    return found


INTERLEAVED = Writing(
    tables=lambda result, to: [preference_table(result, to.digits)],
    answer=answer_of,
    document=document_of,
    places=INTERVALS,
)
