"""The daily values of metrics, of any relation of per-query rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted, shortened
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render


@dataclass(frozen=True, slots=True)
class PerQueryRows:
    """A relation with a row for each query, and what its columns are."""

    relation: Markup
    label: str
    day: str
    """The column of the days."""
    columns: tuple[str, ...]
    """The column of each metric."""
    segments: tuple[tuple[str, str], ...] = ()
    """The column of each segment, and what it is called in the output."""
    weighted: bool = False
    """Whether a column `weight` weighs the queries."""
    system: str | None = None
    """The name of its one system; None where a column `system` has it."""

    @property
    def keys(self) -> list[str]:
        """What tells the charts of these rows apart."""
        return ["system", *(name for _, name in self.segments), *(["of_segment"] if self.segments else []), "metric"]


def daily_statement(dialect: Dialect, rows: PerQueryRows, measures: Sequence[Measure]) -> str:
    """The statement of the value of each metric on each day, in total and for each segment."""
    described = [
        {"text": measure.text, "column": column, "name": f"value_{number}", "is_count": measure.summary == "sum"}
        for number, (measure, column) in enumerate(zip(measures, rows.columns, strict=True), 1)
    ]
    return render(
        "monitoring/daily.sql",
        dialect,
        per_query=rows.relation,
        day=rows.day,
        system=rows.system,
        segments=rows.segments,
        weighted=rows.weighted,
        measures=described,
        counts=[measure["text"] for measure in described if measure["is_count"]],
    )


COMPUTED = "day=strptime(ds, '%d.%m.%Y')"
"""An example of a day that is computed."""


def check_days(engine: DuckDBEngine, rows: PerQueryRows) -> Iterable[str]:
    """Yield a note where queries have no day; DataError where what stands in its column is no day."""
    found = engine.row(render("monitoring/undated.sql", engine.dialect, per_query=rows.relation, day=rows.day))
    if found["undated"]:
        raise DataError(
            f"{rows.label}: {rows.day} is not a date in {counted(found['undated'], 'row')} of queries, such as"
            f" {shortened(str(found['example']))!r}; name a column of dates or timestamps with {spelt('day')}, or"
            f" compute one: {spelt('day', COMPUTED)}"
        )
    if found["without"] == found["queries"]:
        raise DataError(
            f"{rows.label}: {rows.day} is empty in every row of queries; name another column with {spelt('day')}"
        )
    if found["without"]:
        without = counted(found["without"], "query", "has", "have", f" of {found['queries']:,}")
        yield f"{without} no {rows.day}: on no chart"
