"""Whether the days of a period differ by more than chance, so that its queries do not count one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlrank.comparison.margins import shown
from sqlrank.comparison.periods import Periods
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.result import Result
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.roles import find_roles
from sqlrank.metrics.measure import of_queries
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.chi_square import beyond

LEAST = 0.05
"""The p value, corrected for the metrics, up to which days differ by more than chance."""


def days_differ(
    engine: DuckDBEngine, request: Request, periods: Periods, given: Any, results: Sequence[Result]
) -> list[str]:
    """A note where values differ from day to day within periods, unless clusters take that into account."""
    days = [period.days or 1 for period in periods.each]
    if request.reading.cluster is not None or max(days) < 2 or not results:
        return []
    measures = of_queries(results[0].measures)
    table = open_table(engine, given, "run", request.reading)
    context: dict[str, Any] = {
        "relation": table.reader,
        "query_id": find_roles(table, "run", request.reading).names["query_id"],
        "day": sql_text(periods.sql),
        "columns": [measure.column for measure in measures],
    }
    rows: list[Mapping[str, Any]] = []
    for period, result in zip(periods.each, results, strict=True):
        condition = sql_text(periods.condition(period))
        statement = render(
            "comparison/days.sql",
            engine.dialect,
            condition=condition,
            per_query=result.per_query_table,
            **context,
        )
        rows += engine.named(statement)
    found = dict(chances([measure.text for measure in measures], rows))
    metric, chance = min(found.items(), key=lambda each: each[1], default=("", 1.0))
    if chance * max(1, len(found)) > LEAST:
        return []
    way = f"--cluster '{periods.column}'" if periods.column else "--cluster, with a column of the day,"
    return [
        f"{metric} differs from day to day within the periods by more than chance (p {shown(chance)}), and p values and"
        f" intervals take the queries of a day one by one, as if other days were like these: {way} takes whole days"
    ]


def chances(metrics: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """The p value of each metric not differing from day to day, over all periods.

    The squares between days, over the variance within them, are chi square where days do not differ and queries are
    many.
    """
    for number, metric in enumerate(metrics, 1):
        own = [row for row in rows if row["measure"] == number and row["days"]]
        degrees = sum(row["days"] - 1 for row in own)
        within = math.fsum(row["within_days"] for row in own)
        single = sum(row["queries"] - row["days"] for row in own)
        if degrees > 0 and single > 0 and within > 0:
            between = math.fsum(row["between_days"] for row in own)
            yield metric, beyond(between / within * single, degrees)
