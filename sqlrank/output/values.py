"""Writing what rankings would have earned."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlrank.counterfactual.values import Values
from sqlrank.evaluation.metric_result import dicts
from sqlrank.output.behaviour import write
from sqlrank.output.tables import Destination, Row, Rows, rounded, small
from sqlrank.pages.tables import Column, Table

SPARE = ("clipped_mass", "clipped", "units", "impressions", "largest_weight", "mean_weight", "at_most", "model")
"""The columns that are left out where a terminal has no room, the first one first."""
BOUNDS = ("bound_low", "bound_high")
"""The columns of a difference over all places, which stand where the log leaves some open."""


def write_values(result: Values, destination: Destination) -> None:
    """Write values in any format but trec; for people with the differences below them."""
    write(result, destination, lambda: values_tables(result, destination.digits), document_of)


def values_tables(result: Values, digits: int) -> list[Table]:
    """The values, and the differences where there are some."""
    return [values_table(result, digits), *([difference_table(result, digits)] if result.differences else [])]


def values_table(result: Values, digits: int) -> Table:
    """A row for each candidate and estimator."""
    every = dicts(result.rows)
    rows = Rows(every)

    def number(name: str) -> Column:
        return rows.numbers(name, partial(number_of, name, digits))

    def share(name: str) -> Column:
        return rows.numbers(name, partial(share_of, name))

    columns = [rows.words("system"), rows.words("estimator"), rows.words("model")]
    columns += [number("value"), number("ci_low"), number("ci_high"), number("at_most"), share("supported")]
    columns += [rows.numbers("ess", effective), share("clipped_mass")]
    columns += [rows.numbers(name, partial(count_of, name)) for name in ("impressions", "units")]
    return Table(columns, spare=SPARE)


def number_of(name: str, digits: int, row: Row) -> str:
    """A number, rounded."""
    return rounded(row[name], digits)


def count_of(name: str, row: Row) -> str:
    """How many there are."""
    return f"{row[name]:,}"


def effective(row: Row) -> str:
    """How many impressions of equal weight there are; of few with a digit behind the point."""
    return f"{row['ess']:,.0f}" if row["ess"] >= 100 else f"{row['ess']:.1f}"


def share_of(name: str, row: Row) -> str:
    """A share in percent."""
    return "-" if row[name] is None else f"{100 * row[name]:.1f} %"


def difference_table(result: Values, digits: int) -> Table:
    """A row for each two of which the difference is known."""
    rows = Rows(result.differences)
    names = ("difference", "ci_low", "ci_high")
    open_bounds = [name for name in BOUNDS if any(row[name] is not None for row in result.differences)]
    return Table(
        [
            rows.words("system"),
            rows.words("other", title="less"),
            rows.words("estimator"),
            *(rows.numbers(name, partial(number_of, name, digits)) for name in names),
            rows.numbers("p_value", lambda row: small(row["p_value"], digits)),
            *(rows.numbers(name, partial(number_of, name, digits)) for name in open_bounds),
        ],
        result.compared(),
        spare=(*reversed(BOUNDS), "p_value"),
    )


def document_of(result: Values) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    found: dict[str, Any] = {"differences": result.differences, "support": result.support}
    return found | {"behaviour": result.origin, "notes": result.notes, "remarks": result.remarks()}
