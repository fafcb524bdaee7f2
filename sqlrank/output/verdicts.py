"""Writing the results of side-by-side verdicts."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from sqlrank.columns import Kind
from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.verdicts.columns import ROWS
from sqlrank.judging.verdicts.decisions import REFUSE, SHIP, UNDECIDED
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.formats import same_digits
from sqlrank.output.raters import DISPUTED, metadata_of, rater_tables, with_raters, write_every_table
from sqlrank.output.tables import Reading, Row, Rows, declared_table, figure
from sqlrank.output.writing import Destination, Writing, of_rows
from sqlrank.pages.html import Verdict
from sqlrank.pages.tables import Cell, Table
from sqlrank.pages.words import ENGLISH, Words

DECIDED = {SHIP: "decision-better", REFUSE: "decision-worse", UNDECIDED: "decision-none"}
"""The words of a decision in a table."""
TONES = {SHIP: "gain", REFUSE: "loss"}
"""The tone of a decision."""


def document_of(result: SideBySide, to: Destination) -> dict[str, Any]:
    """What a JSON document of verdicts holds besides the rows."""
    found = {"conventions": result.settings(), "notes": [*result.notes, *result.limits(), *result.condition]}
    if result.raters:
        found["agreement"] = {name: same_digits(asdict(one)) for name, one in result.agreement.items()}
    return with_raters(result, to, found)


def verdict_table(result: SideBySide, digits: int, words: Words = ENGLISH) -> Table:
    """The counts, estimates and decisions: a row for each segment and the total."""
    without = [*([] if result.by else ["p_adjusted"]), *([] if result.raters else ["disagreement"])]
    reading = Reading(
        digits,
        tone=tone_of,
        said={"decision": partial(decided, words=words), "judgments_needed": partial(needed, words=words)},
        confidence=result.confidence,
        words=words,
    )
    return declared_table(ROWS, Rows(dicts(result.rows)), reading, result.by, without)


def tone_of(row: Row) -> str:
    """Whether it is decided that the candidate is better, or worse."""
    return TONES.get(row["decision"], "")


def decided(row: Row, words: Words) -> Cell:
    """The decision in the words of a table."""
    return Cell(words(DECIDED[row["decision"]]), tone_of(row))


def needed(row: Row, words: Words = ENGLISH) -> str:
    """The number of judgments that would decide, with its range."""
    if row["judgments_needed_low"] is None:
        return "-"
    number, low, high = (figure(row[f"judgments_needed{end}"], Kind.COUNT, 0) for end in ("", "_low", "_high"))
    most = words("gsb-or-more", low=low) if row["judgments_needed_high"] is None else words("range", low=low, high=high)
    return f"{number} ({most})"


DECISIONS = {SHIP: "gsb-better", REFUSE: "gsb-worse", UNDECIDED: "gsb-undecided"}
"""The words of a decision that lead a report and end what a terminal shows."""


VERDICTS = Writing(
    answer=lambda result, words: [Verdict(words(DECISIONS[result.decision]), TONES.get(result.decision, ""))],
    tables=lambda result, to: [verdict_table(result, to.digits), *rater_tables(result, to)],
    document=document_of,
    metadata=metadata_of,
    places=DISPUTED | of_rows("trec_eval has no verdicts; gsb takes {takes}"),
    own={"latex": write_every_table},
)
