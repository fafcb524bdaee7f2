"""What the results of people's judgments have besides their rows: every rater, and what raters disagree on most."""

from __future__ import annotations

import json
from typing import Any, TextIO

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.tables import relation_table
from sqlrank.output.writing import Destination, Place, writing_of
from sqlrank.pages.tables import Table
from sqlrank.pages.text_tables import write_latex

DISPUTED = {"disputed": Place("{option} is for table, markdown and json, not {kind}")}
"""Where the items that raters disagree on have a place."""


def rater_tables(result: SideBySide | RaterAgreement, to: Destination) -> list[Table]:
    """Every rater and the items they disagree on most, where these are asked for."""
    if "disputed" not in to.additions:
        return []
    lists = [result.by_rater(), result.disputed(to.additions["disputed"])]
    return [relation_table(one, to.digits) for one in lists]


def with_raters(result: SideBySide | RaterAgreement, to: Destination, document: dict[str, Any]) -> dict[str, Any]:
    """What a JSON document holds besides the rows: the inputs, the rest, and the lists of raters and items."""
    found = {"inputs": {kind: found.to_dict() for kind, found in result.inputs.items()}} | document
    if "disputed" not in to.additions:
        return found
    lists = {"raters": result.by_rater(), "disputed": result.disputed(to.additions["disputed"])}
    return found | {name: list(dicts(one)) for name, one in lists.items()}


def metadata_of(result: SideBySide | RaterAgreement) -> dict[str, str]:
    """The metadata of a Parquet file."""
    return {"conventions": json.dumps(result.settings())}


def write_every_table(result: SideBySide | RaterAgreement, to: Destination, file: TextIO) -> None:
    """Write every table as LaTeX, each a paragraph of its own, with the remarks above the first."""
    tables, remarks, *_ = writing_of(type(result)).shown(result, to)
    for table in tables:
        file.write("" if table is tables[0] else "\n")
        write_latex(table, remarks if table is tables[0] else [], file)
