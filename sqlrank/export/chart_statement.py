"""The statement of control charts over stored per-query rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import indent

from sqlrank.arguments import public
from sqlrank.dialects import DIALECTS, Dialect
from sqlrank.errors import UsageError, no_such_word
from sqlrank.export.relation_names import dotted
from sqlrank.export.statement import with_settings
from sqlrank.inputs.reading import bare_name
from sqlrank.metrics.measure import Measure
from sqlrank.monitoring.daily import PerQueryRows, daily_statement
from sqlrank.monitoring.rules import Rule
from sqlrank.monitoring.watching import baseline_context, watching
from sqlrank.options.kinds import WORD
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text


@public(run=WORD)
def monitor_sql(
    run: str,
    metrics: str | Iterable[str] | None = None,
    *,
    day: str = "as_of",
    by: str | Iterable[str] = (),
    weighted: bool = False,
    rule: str = "e",
    direction: str = "down",
    baseline_days: str | None = None,
    alpha: float = 0.05,
    charts: int | None = None,
    system: str | None = None,
    dialect: str = "duckdb",
) -> str:
    """The statement of the control charts of `monitor`, over a relation of per-query rows of another session.

    Args:
        run: name of the relation, whose columns are those of `--per-query` and of a store: system, query_id, the day,
            segments, and one column for each metric.
        metrics: texts such as `ndcg@10`, whose columns are named as `columns_of` says.
        day: the column of the days.
        by: columns of segments, each value of which has a chart too.
        weighted: whether the column `weight` weighs queries.
        rule: as `monitor` takes it.
        direction: as `monitor` takes it.
        baseline_days: the first and the last day of the baseline; None for the first 28 days of each chart.
        alpha: as `monitor` takes it.
        charts: how many charts share the rate of false alarms; None for as many as there are metrics, without segments.
        system: the name of the one system, where there is no column system.
        dialect: the engine that will run it: one of `sqlrank.dialects.DIALECTS`.

    Returns:
        A statement with a row for each day of each chart, as `monitor` gives.

    Raises:
        UsageError: a name is no relation, or segments are asked for without the number of charts.
    """
    if dialect not in DIALECTS:
        raise no_such_word(spelt("dialect", dialect), dialect, DIALECTS)
    engine, watched = DIALECTS[dialect], Rule(rule, direction, alpha)
    asked = watching(metrics, day, watched, baseline_days, {"by": by})
    measures = asked.request.measures
    segments = tuple((name, name) for name in map(bare_name, asked.by))
    columns = tuple(measure.column for measure in measures)
    rows = PerQueryRows(dotted(engine, run), run, bare_name(day), columns, segments, weighted, system)
    return charts_of_rows(engine, rows, measures, watched, asked.baseline, charts)


def charts_of_rows(
    engine: Dialect,
    rows: PerQueryRows,
    measures: Sequence[Measure],
    rule: Rule,
    baseline: tuple[str, str] | None,
    charts: int | None,
) -> str:
    """The statement of the charts of per-query rows; UsageError without their number where that is needed."""
    if rows.segments and charts is None:
        raise UsageError(
            f"{spelt('charts', 'N')} is missing: how many metrics and segments share one rate of false alarms, the"
            " totals among them"
        )
    if charts is not None and charts < 1:
        raise UsageError(f"{spelt('charts', charts)}: there is one chart or more")
    daily_rows = sql_text(indent(daily_statement(engine, rows, measures).strip(), "    "))
    context = baseline_context(baseline) | rule.context((charts or len(measures)) * len(rule.sides))
    context |= {"daily": sql_text("daily_values"), "daily_rows": daily_rows, "keys": rows.keys}
    chart = render("monitoring/chart.sql", engine, carried=["queries"], errors=True, **context)
    return with_settings(chart, engine)
