"""Writing what rankings would have earned."""

from __future__ import annotations

from typing import Any

from sqlrank.counterfactual.columns import BOUNDS, DIFFERENCES, ROWS
from sqlrank.counterfactual.values import Values
from sqlrank.evaluation.metric_result import dicts
from sqlrank.output.behaviour import write
from sqlrank.output.declared_tables import Reading, declared_table
from sqlrank.output.tables import Destination, Rows
from sqlrank.pages.tables import Table


def write_values(result: Values, destination: Destination) -> None:
    """Write values in any format but trec; for people with the differences below them."""
    write(result, destination, lambda: values_tables(result, destination.digits), document_of)


def values_tables(result: Values, digits: int) -> list[Table]:
    """The values, and the differences where there are some."""
    return [values_table(result, digits), *([difference_table(result, digits)] if result.differences else [])]


def values_table(result: Values, digits: int) -> Table:
    """A row for each candidate and estimator."""
    return declared_table(ROWS, Rows(dicts(result.rows)), Reading(digits))


def difference_table(result: Values, digits: int) -> Table:
    """A row for each two of which the difference is known."""
    without = [name for name in BOUNDS if all(row[name] is None for row in result.differences)]
    reading, rows = Reading(digits), Rows(result.differences)
    return declared_table(DIFFERENCES, rows, reading, without=without, caption=result.compared())


def document_of(result: Values) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    found: dict[str, Any] = {"differences": result.differences, "support": result.support}
    return found | {"behaviour": result.origin, "notes": result.notes, "remarks": result.remarks()}
