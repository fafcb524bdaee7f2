"""Writing the results of people's judgments: the rows, every rater, and the items that raters disagree on most."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any, TextIO

from sqlrank.choices import RESULT_FORMATS
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Shown, for_people, relation_table
from sqlrank.pages.tables import Table
from sqlrank.pages.terminal_tables import Screen
from sqlrank.pages.text_tables import write_latex
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
    """The tables that stand between the rows and the raters, in the formats that hold more than rows."""
    of_others: Collection[str] = ()
    """The arguments that ask for these tables."""
    said_of_rows: Callable[[Any], list[str]] = lambda result: result.remarks()
    """What is said where a format holds the rows alone."""

    def check(self, kind: str, disputed: int | None, given: Collection[str] = ()) -> None:
        """Raise UsageError if the rows, or what is asked for beside them, cannot be written in a format.

        `disputed` is how many items are listed, and `given` are the arguments.
        """
        asked = next((name for name in self.of_others if name in given), None)
        if asked is not None and kind not in ("table", "markdown", "latex", "json"):
            option = {"runs": "run"}.get(asked, asked)
            raise UsageError(f"--{option} is for table, markdown, latex and json, not {kind}: it adds tables")
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
        people = for_people(shown, destination.screen) | {"latex": partial(write_all_latex, shown)}
        write_result(result, result.rows, destination, metadata, people, document)


def write_all_latex(shown: Callable[[], Shown], file: TextIO) -> None:
    """Write every table, each a paragraph of its own, with the remarks above the first."""
    tables, remarks = shown()
    for table in tables:
        file.write("" if table is tables[0] else "\n")
        write_latex(table, remarks if table is tables[0] else [], file)
