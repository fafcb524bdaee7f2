"""Writing the results of side-by-side verdicts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.verdicts.decisions import REFUSE, SHIP
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.formats import SIGNIFICANT, write_result
from sqlrank.output.raters import check_format, document_of_lists, interval, rater_tables
from sqlrank.output.tables import DIGITS, Row, Rows, Shown, for_people, rounded, small
from sqlrank.pages.tables import SIGNS, Cell, Table
from sqlrank.pages.terminal_tables import PLAIN, Screen
from sqlrank.process.output_files import Target
from sqlrank.version import __version__

TONES = {SHIP: "gain", REFUSE: "loss"}
"""The tone of a decision."""
SPARE = tuple("p_sign reading disagreement judgments_needed p_value p_adjusted total same good bad".split())
"""The columns that are left out where a terminal has no room, the first one first."""
LEFT = ("rater", "query_id")
"""The columns of raters and disputed items that stand to the left."""
COUNTS = ("good", "same", "bad", "total")


def write_verdicts(
    result: SideBySide,
    kind: str,
    target: Target | str | None,
    digits: int = DIGITS,
    screen: Screen = PLAIN,
    disputed: int | None = None,
) -> None:
    """Write the result of verdicts, with every rater and the `disputed` items that raters disagree on most.

    UsageError if the format has no place for them.
    """
    check_kind(kind, disputed)
    metadata = {"sqlrank": __version__, "conventions": json.dumps(result.settings())}

    def shown() -> Shown:
        return [verdict_table(result, digits), *rater_tables(result, disputed, digits, LEFT)], result.remarks()

    people = for_people(shown, screen)
    write_result(result, result.rows, kind, target, metadata, people, partial(document_of, result, disputed))


def check_kind(kind: str, disputed: int | None = None) -> None:
    """Raise UsageError if verdicts, or with them the disputed items, cannot be written in a format."""
    check_format(kind, disputed, "gsb", "verdicts")


def document_of(result: SideBySide, disputed: int | None = None) -> dict[str, Any]:
    """What a JSON document of verdicts holds beside the rows."""
    notes = [*result.notes, *result.limits()] + ([] if result.where is None else [f"only rows where {result.where}"])
    inputs = {kind: found.to_dict() for kind, found in result.inputs.items()}
    found: dict[str, Any] = {"inputs": inputs, "conventions": result.settings(), "notes": notes}
    if result.raters:
        found["agreement"] = {name: rounded_values(asdict(one)) for name, one in result.agreement.items()}
    return found | document_of_lists(result, disputed)


def rounded_values(values: Mapping[str, float | None]) -> dict[str, float | None]:
    """Numbers with the digits that are the same in every run."""
    return {name: None if value is None else float(f"{value:.{SIGNIFICANT}g}") for name, value in values.items()}


def verdict_table(result: SideBySide, digits: int) -> Table:
    """The counts, estimates and decisions: a row for each segment and the total."""
    rows = Rows(dicts(result.rows))
    return Table(
        [
            *rows.segments(result.by),
            *map(rows.numbers, COUNTS),
            rows.numbers("delta_gsb", lambda row: estimate(row, digits), colored=False),
            rows.numbers("interval", lambda row: interval(row, digits), f"{result.confidence} interval"),
            rows.drawn("delta_gsb", tone=tone_of),
            rows.numbers("p_value", lambda row: small(row["p_value"], digits), "p"),
            *(
                [rows.numbers("p_adjusted", lambda row: small(row["p_adjusted"], digits), "adjusted")]
                if result.by
                else []
            ),
            rows.numbers("p_sign", lambda row: small(row["p_sign"], digits), "p (sign test)"),
            rows.words("reading", lambda row: row["reading"] or "-"),
            rows.words("decision", lambda row: Cell(row["decision"], tone_of(row))),
            rows.numbers("judgments_needed", needed, "judgments needed"),
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


def needed(row: Row) -> str:
    """The number of judgments that would decide, with its range."""
    number, low, high = (row[f"judgments_needed{end}"] for end in ("", "_low", "_high"))
    if low is None:
        return "-"
    return f"{'-' if number is None else number} ({low} {'or more' if high is None else f'to {high}'})"
