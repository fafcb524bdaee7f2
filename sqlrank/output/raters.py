"""What the results of several raters have in common when they are written."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_summary import OfRaters
from sqlrank.output.tables import Row, relation_table, rounded
from sqlrank.pages.tables import Table

WORDS = ("rater", "query_id", "doc_id", "levels")
"""The columns of raters and disputed items that are not numbers."""


def check_format(kind: str, disputed: int | None, command: str, what: str) -> None:
    """Raise UsageError if the rows of a command, or with them the disputed items, cannot be written in a format."""
    if disputed is not None and kind not in ("table", "markdown", "json"):
        raise UsageError(f"--disputed is for table, markdown and json, not {kind}")
    if kind == "trec":
        raise UsageError(f"trec_eval has no {what}; {command} takes {', '.join(RESULT_FORMATS)}")


def document_of_lists(result: OfRaters, disputed: int | None) -> dict[str, Any]:
    """Every rater and the disputed items, of a JSON document; nothing unless those are asked for."""
    if disputed is None:
        return {}
    return {"raters": list(dicts(result.by_rater())), "disputed": list(dicts(result.disputed(disputed)))}


def rater_tables(result: OfRaters, disputed: int | None, digits: int, words: Collection[str] = WORDS) -> list[Table]:
    """Every rater, and the disputed items, of which `words` stand to the left; none unless those are asked for."""
    relations = [] if disputed is None else [result.by_rater(), result.disputed(disputed)]
    return [relation_table(one, digits, set(one.columns).difference(words)) for one in relations]


def interval(row: Row, digits: int) -> str:
    """The ends of an interval, and - where there is none."""
    if row["ci_low"] is None:
        return "-"
    return f"{rounded(row['ci_low'], digits)} to {rounded(row['ci_high'], digits)}"
