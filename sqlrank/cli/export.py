"""The commands that hand on statements: sql and macros."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlrank.choices import CHART_METHODS, DIRECTIONS
from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, flag, option
from sqlrank.cli.terminal import show_statement
from sqlrank.errors import UsageError
from sqlrank.options.texts import whole

OF_CHARTS = frozenset(("by", "weight", "system", "dialect"))
"""The other options that the statement of charts takes."""


class ChartStatement(Group, heading="Charts"):
    """The statement of control charts."""

    monitor: bool = flag(
        "Instead the control charts of monitor, over a relation of stored per-query rows",
        passed=False,
    )
    day: str | None = option("COLUMN", "Column of the days", shown="as_of", passed=False)
    rule: str | None = option(
        "WORD", "Rule of the charts, as for monitor", shown="e", words=CHART_METHODS, passed=False
    )
    direction: str | None = option("WORD", "Direction to watch", shown="down", words=DIRECTIONS, passed=False)
    baseline_days: str | None = option("A..B", "Days of the baseline", shown="the first 28 of each chart", passed=False)
    charts: int | None = option(
        "N", "How many charts share the rate of false alarms; needed with --by", convert=whole(), passed=False
    )

    @property
    def asked(self) -> dict[str, Any]:
        """Those of the options that were given."""
        given = {name: getattr(self, name) for name in ("day", "rule", "direction", "baseline_days", "charts")}
        return {name: value for name, value in given.items() if value is not None}


def sql_command(
    inputs: o.SqlInputs,
    metrics: o.Metrics,
    segments: o.SqlSegments,
    conventions: o.ConventionOptions,
    charts: ChartStatement,
    statement: o.Statement,
) -> None:
    """Print the SQL that computes metrics in your own database.

    It gives one row per query, or with --summary one row per metric. For files it prints what eval runs in DuckDB.

    Examples:
        sqlrank sql ranker.results --qrels judgments -m ndcg@10
        sqlrank sql results --qrels judgments --summary --dialect spark
        sqlrank sql runs --qrels qrels --create table daily --incremental ds --query-set shared
        sqlrank sql stored_values --monitor -m ndcg@10 --dialect postgres
    """
    from sqlrank.export.flow import sql

    settings, is_file = o.given(inputs, metrics, segments, conventions, statement), Path(inputs.run).is_file()
    if charts.monitor and is_file:
        raise UsageError(
            f"{inputs.run} is a file, which sqlrank monitor charts; --monitor takes the name of a relation"
        )
    if charts.monitor:
        show_charts(inputs, metrics, charts, settings)
        return
    if asked := charts.asked:
        raise UsageError(f"--{next(iter(asked))} is for --monitor")
    if is_file:
        show_files(inputs, metrics, settings)
        return
    show_statement(sql(inputs.run, inputs.qrels, metrics.metrics, **settings).rstrip() + "\n")


def show_files(inputs: o.SqlInputs, metrics: o.Metrics, settings: dict[str, Any]) -> None:
    """Print the statements over files, whose types are known, so that ids are compared as they are.

    UsageError for an option of statements that are run where the files are not.
    """
    from sqlrank.api import show_sql
    from sqlrank.evaluation.options import Options

    usual = {"dialect": "duckdb", "ids": "text", "summary": False, "check": False}
    options = {name: value for name, value in settings.items() if name in Options.__annotations__}
    others = [name for name, value in settings.items() if name not in options and value != usual.get(name)]
    if others:
        raise UsageError(
            f"{inputs.run} is a file, which the statement reads in DuckDB: leave out --{others[0]}, or name a relation"
        )
    show_statement(show_sql(inputs.run, inputs.qrels, metrics.metrics, **options))


def show_charts(inputs: o.SqlInputs, metrics: o.Metrics, charts: ChartStatement, settings: dict[str, Any]) -> None:
    """Print the statement of control charts; UsageError for an option that it does not take."""
    from sqlrank.export.chart_statement import monitor_sql

    usual = {"dialect", "ids", "summary", "check"}
    refused = [name for name, value in settings.items() if name not in OF_CHARTS | usual and value is not None]
    refused += [name for name in ("summary", "check") if settings.get(name)] + (["qrels"] if inputs.qrels else [])
    if refused:
        raise UsageError(f"--monitor charts stored values: leave out --{refused[0].replace('_', '-')}")
    if settings.get("weight") not in (None, "weight"):
        raise UsageError(f"--weight {settings['weight']}: stored rows have their weights in the column weight")
    given = {name: settings[name] for name in ("by", "system", "dialect") if settings.get(name) is not None}
    weighted = settings.get("weight") is not None
    show_statement(monitor_sql(inputs.run, metrics.metrics, weighted=weighted, **given, **charts.asked).rstrip() + "\n")


def macros_command(inputs: o.Columns, metrics: o.MacroMetrics, conventions: o.ConventionOptions) -> None:
    """Print DuckDB macros such as rank_ndcg('runs', 'qrels', k := 10).

    They are table macros: `from rank_ndcg('runs', 'judgments', k := 10)`.

    Examples:
        sqlrank macros > ranking.sql
        sqlrank macros -m ndcg -m ap > ranking.sql
    """
    from sqlrank.export.flow import macros

    settings = o.given(inputs, metrics, conventions)
    show_statement(macros(metrics.metrics, **settings).rstrip() + "\n")
