"""Writing the results of side-by-side verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.verdicts.decisions import REFUSE, SHIP, UNDECIDED
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.formats import SIGNIFICANT
from sqlrank.output.raters import Writing, interval
from sqlrank.output.tables import Row, Rows, rounded, small
from sqlrank.pages.tables import SIGNS, Cell, Table
from sqlrank.pages.terminal_tables import PLAIN, Screen
from sqlrank.pages.words import ENGLISH, Words

DECIDED = {SHIP: "decision-better", REFUSE: "decision-worse", UNDECIDED: "decision-none"}
"""The words of a decision in a table."""
TONES = {SHIP: "gain", REFUSE: "loss"}
"""The tone of a decision."""
SPARE = tuple("p_sign reading disagreement judgments_needed p_value p_adjusted total same good bad".split())
"""The columns that are left out where a terminal has no room, the first one first."""
LEFT = ("rater", "query_id")
"""The columns of raters and disputed items that stand to the left."""
COUNTS = ("good", "same", "bad", "total")


def document_of(result: SideBySide) -> dict[str, Any]:
    """What a JSON document of verdicts holds beside the rows."""
    found = {"conventions": result.settings(), "notes": [*result.notes, *result.limits(), *result.condition]}
    if not result.raters:
        return found
    return found | {"agreement": {name: rounded_values(asdict(one)) for name, one in result.agreement.items()}}


def rounded_values(values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Numbers with the digits that are the same in every run."""
    return {name: None if value is None else float(f"{value:.{SIGNIFICANT}g}") for name, value in values.items()}


def verdict_table(result: SideBySide, digits: int, _: Screen = PLAIN, words: Words = ENGLISH) -> Table:
    """The counts, estimates and decisions: a row for each segment and the total."""
    rows = Rows(dicts(result.rows))
    return Table(
        [
            *rows.segments(result.by, words("all")),
            *map(rows.numbers, COUNTS),
            rows.numbers("delta_gsb", lambda row: estimate(row, digits), colored=False),
            rows.numbers("interval", lambda row: interval(row, digits, words), f"{result.confidence} interval"),
            rows.drawn("delta_gsb", tone=tone_of),
            rows.numbers("p_value", lambda row: small(row["p_value"], digits), "p"),
            *(
                [rows.numbers("p_adjusted", lambda row: small(row["p_adjusted"], digits), "adjusted p")]
                if result.by
                else []
            ),
            rows.numbers("p_sign", lambda row: small(row["p_sign"], digits), "p (sign test)"),
            rows.words("reading", lambda row: row["reading"] or "-"),
            rows.words("decision", lambda row: Cell(words(DECIDED[row["decision"]]), tone_of(row))),
            rows.numbers("judgments_needed", partial(needed, words=words), "judgments needed"),
            *(
                [rows.numbers("disagreement", lambda row: rounded(row["disagreement"], digits))]
                if result.raters
                else []
            ),
        ],
        spare=SPARE,
    )


def tone_of(row: Row) -> str:
    """Whether it is decided that the candidate is better, or worse."""
    return TONES.get(row["decision"], "")


def estimate(row: Row, digits: int) -> Cell:
    """The difference of the shares, which a terminal leaves to the decision to colour."""
    tone = tone_of(row)
    return Cell(rounded(row["delta_gsb"], digits), tone, sign=SIGNS[tone])


def needed(row: Row, words: Words = ENGLISH) -> str:
    """The number of judgments that would decide, with its range."""
    number, low, high = (row[f"judgments_needed{end}"] for end in ("", "_low", "_high"))
    if low is None:
        return "-"
    most = words("gsb-or-more", low=low) if high is None else words("range", low=low, high=high)
    return f"{'-' if number is None else number} ({most})"


VERDICTS = Writing("gsb", "verdicts", verdict_table, document_of, LEFT)
"""How verdicts are written."""
