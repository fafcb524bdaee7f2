"""What the results of several raters have in common when they are written."""

from __future__ import annotations

from typing import Any

import duckdb

from sqlrank.choices import FORMATS
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.raters.rater_summary import OfRaters


def check_format(kind: str, disputed: int | None, command: str, what: str) -> None:
    """Raise UsageError if the rows of a command, or with them the disputed items, cannot be written in a format."""
    if disputed is not None and kind not in ("table", "markdown", "json"):
        raise UsageError(f"--disputed is for table, markdown and json, not {kind}")
    if kind == "trec":
        raise UsageError(f"trec_eval has no {what}; {command} takes {', '.join(FORMATS[:-1])}")


def document_of_lists(result: OfRaters, disputed: int | None) -> dict[str, Any]:
    """Every rater and the disputed items, of a JSON document; nothing unless those are asked for."""
    if disputed is None:
        return {}
    return {"raters": list(dicts(result.by_rater())), "disputed": list(dicts(result.disputed(disputed)))}


def lists_of(result: OfRaters, disputed: int | None, digits: int) -> list[list[list[str]]]:
    """The lines of every rater and of the disputed items, each with a header; none unless those are asked for."""
    relations = [] if disputed is None else [result.by_rater(), result.disputed(disputed)]
    return [listed(relation, digits) for relation in relations]


def listed(relation: duckdb.DuckDBPyRelation, digits: int) -> list[list[str]]:
    """The rows of a relation as text, with a header."""
    return [relation.columns, *([cell_of(value, digits) for value in row] for row in relation.fetchall())]


def cell_of(value: Any, digits: int) -> str:
    """A share with its decimals, a text or a count."""
    return rounded(value, digits) if value is None or isinstance(value, float) else str(value)


def rounded(value: float | None, digits: int) -> str:
    """A number with so many decimals, zero without a sign, and - where there is none."""
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"
