"""Writing what rankings would have earned."""

from __future__ import annotations

from typing import Any

from sqlrank.counterfactual.columns import BOUNDS, DIFFERENCES, ROWS
from sqlrank.counterfactual.values import Values
from sqlrank.evaluation.metric_result import dicts
from sqlrank.output.tables import Reading, Rows, declared_table
from sqlrank.output.writing import INTERVALS, Destination, Writing
from sqlrank.pages.tables import Table


def values_tables(result: Values, to: Destination) -> list[Table]:
    """A row for each candidate and estimator, and the differences where there are some."""
    table = declared_table(ROWS, Rows(dicts(result.rows)), Reading(to.digits))
    return [table, *([difference_table(result, to.digits)] if result.differences else [])]


def difference_table(result: Values, digits: int) -> Table:
    """A row for each two of which the difference is known."""
    without = [name for name in BOUNDS if all(row[name] is None for row in result.differences)]
    reading, rows = Reading(digits), Rows(result.differences)
    return declared_table(DIFFERENCES, rows, reading, without=without, caption=result.compared())


def document_of(result: Values, _: Destination) -> dict[str, Any]:
    """What a JSON document holds besides the rows."""
    found: dict[str, Any] = {"differences": result.differences, "support": result.support}
    return found | {"behaviour": result.origin, "notes": result.notes, "remarks": result.remarks()}


VALUES = Writing(tables=values_tables, document=document_of, places=INTERVALS, captions=True)
