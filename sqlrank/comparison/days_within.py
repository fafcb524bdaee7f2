"""Whether the days of a period differ by more than chance, so that whole days count and not queries one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlrank.comparison.compared_systems import Given, Split
from sqlrank.comparison.margins import shown
from sqlrank.comparison.periods import Periods
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.stored import Stored
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.reading import bare_name
from sqlrank.inputs.roles import find_roles
from sqlrank.metrics.measure import of_queries
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.chi_square import beyond

LEAST = 0.05
"""The p value, corrected for the metrics, up to which days differ by more than chance."""
DAY = "day"
"""What days are called that come from an expression."""
ONE_BY_ONE = "and p values and intervals treat the queries of a day as independent, as if other days were like these"
"""What is said where whole days cannot be taken."""


def cluster_by_day(
    engine: DuckDBEngine, request: Request, periods: Periods, given: Stored | Given, split: Split
) -> None:
    """Take whole days where values differ from day to day within periods; with a note.

    Clusters that were given, such as texts that are asked on several days, tell nothing of how days differ, nor do
    queries of stored rows that come again every day: then errors are clustered both ways.
    """
    cluster = request.reading.cluster
    given_days = cluster is not None and bare_name(cluster) == periods.column
    if periods.one_by_one or given_days or max(period.days or 1 for period in periods.each) < 2:
        return
    tables = [] if isinstance(given, Stored) else days_of_queries(engine, request, periods, given[1])
    name = (given.day if isinstance(given, Stored) else None) or periods.column or DAY
    rows = rows_of_days(engine, request, split, tables, name)
    found = dict(chances(rows))
    metric, chance = min(found.items(), key=lambda each: each[1], default=("", 1.0))
    if chance * max(1, len(found)) > LEAST:
        return
    said = f"{metric} differs from day to day within the periods by more than chance (p {shown(chance)})"
    if any(row["several"] for row in rows):
        split.notes.append(f"{said}, {ONE_BY_ONE}: queries of several days cannot be taken by the day")
        return
    segments = split.stored[0].by if tables else map(bare_name, request.reading.by)
    if name in (*segments, split.stored[0].weight):
        split.notes.append(f"{said}, {ONE_BY_ONE}: without {spelt('by', name)} whole days are taken")
        return
    split.day, split.crossing = name, cluster is not None or not tables
    for place, (stored, table) in enumerate(zip(split.stored, tables, strict=False)):
        with_days = render("comparison/with_days.sql", engine.dialect, per_query=stored.reader, days=table, name=name)
        split.stored[place] = replace(stored, reader=sql_text(f"(\n{with_days})"), by=(*stored.by, name))
    both = f"standard errors are clustered by {name} as well as by {cluster or 'query'}"
    taken = both if split.crossing else "whole days are taken"
    split.notes.append(f"{said}, so {taken}; {spelt('cluster', 'query_id')} takes queries one by one")


def rows_of_days(
    engine: DuckDBEngine, request: Request, split: Split, tables: Sequence[Markup], name: str
) -> list[dict[str, Any]]:
    """How much the days of each period, and the queries of a day, differ: a row for each metric.

    The day of each query is in `tables`, by period, or, where there are none, in a column of that name.
    """
    measures = [measure for measure in of_queries(request.measures) if measure.text in split.stored[0].metrics]
    rows: list[dict[str, Any]] = []
    for place, stored in enumerate(split.stored if measures else []):
        columns = [stored.metrics[measure.text] for measure in measures]
        context = {"per_query": stored.reader, "days": tables[place] if tables else None, "day": name}
        found = engine.named(render("comparison/days.sql", engine.dialect, columns=columns, **context))
        rows += [row | {"metric": measures[row["measure"] - 1].text} for row in found]
    return rows


def days_of_queries(engine: DuckDBEngine, request: Request, periods: Periods, given: Any) -> list[Markup]:
    """The tables of the day of each query, one of each period."""
    roles = prepared(engine, find_roles(open_table(engine, given, "run", request.reading), "run", request.reading))
    context = {"relation": roles.table.reader, "query_id": roles.names["query_id"], "day": sql_text(periods.sql)}
    made = []
    for number, period in enumerate(periods.each, 1):
        condition = sql_text(periods.condition(period))
        name = engine.name(f"days_{number}")
        engine.keep(name, render("comparison/days_of_queries.sql", engine.dialect, condition=condition, **context))
        made.append(sql_text(engine.dialect.ident(name)))
    return made


def chances(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """The p value of each metric not differing from day to day, over all periods.

    The squares between days, over the variance within them, are chi square where days do not differ and queries are
    many.
    """
    for metric in dict.fromkeys(row["metric"] for row in rows):
        own = [row for row in rows if row["metric"] == metric and row["days"]]
        degrees = sum(row["days"] - 1 for row in own)
        within = math.fsum(row["within_days"] for row in own)
        single = sum(row["queries"] - row["days"] - row["taken"] for row in own)
        if degrees > 0 and single > 0 and within > 0:
            between = math.fsum(row["between_days"] for row in own)
            yield metric, beyond(between / within * single, degrees)
