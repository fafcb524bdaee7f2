"""The statement of control charts over stored per-query rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import indent
from typing import Unpack

from sqlrank.arguments import public
from sqlrank.dialects import DIALECTS, Dialect
from sqlrank.errors import UsageError
from sqlrank.export.options import ChartOptions
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


@public(record=ChartOptions, run=WORD)
def monitor_sql(run: str, metrics: str | Iterable[str] | None = None, **options: Unpack[ChartOptions]) -> str:
    """The statement of the control charts of `monitor`, over a relation of per-query rows of another session.

    Args:
        run: name of the relation, whose columns are those of `--per-query` and of a store: system, query_id, the day,
            segments, and one column for each metric.
        metrics: texts such as `ndcg@10`, whose columns are named as `columns_of` says.
        **options: those of charts.

    Returns:
        A statement with a row for each day of each chart, as `monitor` gives.

    Raises:
        UsageError: a name is no relation, or segments are asked for without the number of charts.
    """
    engine = DIALECTS[options["dialect"]]
    rule = Rule(options["rule"], options["direction"], options["alpha"])
    asked = watching(metrics, options["day"], rule, options["baseline_days"], {"by": options["by"]})
    measures = asked.request.measures
    segments = tuple((name, name) for name in map(bare_name, asked.by))
    columns = tuple(measure.column for measure in measures)
    day, weighted, system = bare_name(options["day"]), options["weighted"], options["system"]
    rows = PerQueryRows(dotted(engine, run), run, day, columns, segments, weighted, system)
    return charts_of_rows(engine, rows, measures, rule, asked.baseline, options["charts"])


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
