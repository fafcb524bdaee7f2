"""Writing how far raters agree."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.output.formats import write_result
from sqlrank.output.raters import check_format, document_of_lists, interval, rater_tables
from sqlrank.output.tables import DIGITS, Rows, Shown, for_people, rounded
from sqlrank.pages.tables import Table
from sqlrank.pages.terminal_tables import PLAIN, Screen
from sqlrank.process.output_files import Target
from sqlrank.version import __version__


def write_agreement(
    result: RaterAgreement,
    kind: str,
    target: Target | str | None,
    digits: int = DIGITS,
    screen: Screen = PLAIN,
    disputed: int | None = None,
) -> None:
    """Write the measures, with every rater and the `disputed` pairs that raters disagree on most.

    UsageError if the format has no place for them.
    """
    check_kind(kind, disputed)
    metadata = {"sqlrank": __version__, "conventions": json.dumps(result.settings())}

    def shown() -> Shown:
        table = agreement_table(result, digits)
        # only a drawing is worth the numbers of pairs and raters
        table = table if screen.plot else replace(table, spare=())
        return [table, *rater_tables(result, disputed, digits)], result.remarks()

    people = for_people(shown, screen)
    write_result(result, result.rows, kind, target, metadata, people, partial(document_of, result, disputed))


def check_kind(kind: str, disputed: int | None = None) -> None:
    """Raise UsageError if agreement, or with it the disputed pairs, cannot be written in a format."""
    check_format(kind, disputed, "agreement", "agreement of raters")


def document_of(result: RaterAgreement, disputed: int | None = None) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    notes = result.notes + ([] if result.where is None else [f"only rows where {result.where}"])
    inputs = {kind: found.to_dict() for kind, found in result.inputs.items()}
    found = {"inputs": inputs, "pairs": result.pairs, "conflicting": result.conflicting, "levels": result.levels}
    return found | {"conventions": result.settings(), "notes": notes} | document_of_lists(result, disputed)


def agreement_table(result: RaterAgreement, digits: int) -> Table:
    """The measures with their intervals."""
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
        spare=("raters", "pairs"),
    )
