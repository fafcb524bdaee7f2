"""Writing how far raters agree."""

from __future__ import annotations

from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.output.raters import Writing, interval
from sqlrank.output.tables import Rows, rounded
from sqlrank.pages.tables import Table
from sqlrank.pages.terminal_tables import PLAIN, Screen


def document_of(result: RaterAgreement) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    found = {"pairs": result.pairs, "conflicting": result.conflicting, "levels": result.levels}
    return found | {"conventions": result.settings(), "notes": [*result.notes, *result.condition]}


def agreement_table(result: RaterAgreement, digits: int, screen: Screen = PLAIN) -> Table:
    """The measures with their intervals; only a drawing of them is worth the numbers of pairs and raters."""
    rows = Rows(dicts(result.rows))
    return Table(
        [
            rows.words("measure"),
            rows.numbers("value", lambda row: rounded(row["value"], digits)),
            rows.numbers("interval", lambda row: interval(row, digits), f"{result.confidence} interval"),
            rows.numbers("pairs"),
            rows.numbers("raters"),
            rows.drawn("value"),
        ],
        spare=("raters", "pairs") if screen.plot else (),
    )


AGREEMENT = Writing("agreement", "agreement of raters", agreement_table, document_of)
"""How the agreement of raters is written."""
