"""Writing the results of people's judgments: the rows, every rater, and the items that raters disagree on most."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Row, Shown, for_people, relation_table, rounded
from sqlrank.pages.tables import Table
from sqlrank.pages.terminal_tables import Screen
from sqlrank.version import __version__

WORDS = ("rater", "query_id", "doc_id", "levels")
"""The columns of raters and disputed items that are not numbers."""


@dataclass(frozen=True, slots=True)
class Writing:
    """How the results of one command are written."""

    command: str
    rows: str
    """What its rows are called."""
    table: Callable[[Any, int, Screen], Table]
    document: Callable[[Any], dict[str, Any]]
    """What a JSON document holds beside the rows, the inputs, and the raters."""
    words: Collection[str] = WORDS
    """The columns of raters and disputed items that stand to the left."""
    others: Callable[[Any, int], list[Table]] = lambda *_: []
    """The tables that stand between the rows and the raters."""

    def check(self, kind: str, disputed: int | None) -> None:
        """Raise UsageError if the rows, or with them the disputed items, cannot be written in a format."""
        if disputed is not None and kind not in ("table", "markdown", "json"):
            raise UsageError(f"--disputed is for table, markdown and json, not {kind}")
        if kind == "trec":
            raise UsageError(f"trec_eval has no {self.rows}; {self.command} takes {', '.join(RESULT_FORMATS)}")

    def write(self, result: SideBySide | RaterAgreement, destination: Destination, disputed: int | None) -> None:
        """Write a result, with every rater and the `disputed` items unless that is None."""

        def shown() -> Shown:
            lists = [] if disputed is None else [result.by_rater(), result.disputed(disputed)]
            others = [relation_table(one, destination.digits, set(one.columns).difference(self.words)) for one in lists]
            tables = [self.table(result, destination.digits, destination.screen)]
            return [*tables, *self.others(result, destination.digits), *others], result.remarks()

        def document() -> dict[str, Any]:
            inputs = {kind: found.to_dict() for kind, found in result.inputs.items()}
            lists = {"raters": result.by_rater(), "disputed": result.disputed(disputed)} if disputed is not None else {}
            return {"inputs": inputs, **self.document(result)} | {name: list(dicts(one)) for name, one in lists.items()}

        metadata = {"sqlrank": __version__, "conventions": json.dumps(result.settings())}
        write_result(result, result.rows, destination, metadata, for_people(shown, destination.screen), document)


def interval(row: Row, digits: int) -> str:
    """The ends of an interval, and - where there is none."""
    if row["ci_low"] is None:
        return "-"
    return f"{rounded(row['ci_low'], digits)} to {rounded(row['ci_high'], digits)}"
