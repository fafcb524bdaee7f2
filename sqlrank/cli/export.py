"""The commands that hand on statements: sql and macros."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument, flag, repeated
from sqlrank.cli.terminal import show_statement
from sqlrank.errors import UsageError
from sqlrank.evaluation import options as e
from sqlrank.export.options import ChartedDays, ChartOptions, FormOptions, MacroNames, Relations, SqlOptions
from sqlrank.options.declared import options_of
from sqlrank.options.shared import Separated, part_of
from sqlrank.options.texts import only
from sqlrank.spelling import as_option


class SqlRelations(Group, heading="Inputs", takes=[e.Columns, Separated, Relations, e.SegmentColumns]):
    """Relations of another session besides the rankings, and their columns."""

    qrels: str | None = repeated("QRELS", "Relation that holds the judgments", convert=only, passed=False, common=True)


class SqlInputs(SqlRelations):
    """Relations of another session."""

    run: str = argument("RUN", "Relation that holds the rankings, as schema.table, or one {{ ... }} of dbt")


class MacroMetrics(o.Metrics, takes=[MacroNames]):
    """Metrics that become macros."""

    metrics: list[str] | None = repeated(
        "METRIC",
        "Metric, such as ndcg or 'ap(rel=2)'; repeatable [default: a dozen that most people ask for]",
        passed=False,
        flags="--metric -m",
        common=True,
    )


class Statement(Group, heading="Statement", takes=[FormOptions]):
    """The form of the statement."""


class ChartStatement(Group, heading="Charts", takes=[ChartedDays]):
    """The statement of control charts."""

    monitor: bool = flag(
        "Instead the control charts of monitor, over a relation of stored per-query rows", default=None
    )


def charts_asked(charts: Group) -> dict[str, Any] | None:
    """The options of control charts, None without --monitor; UsageError for one of them without it."""
    asked = charts.given()
    monitored = asked.pop("monitor", False)
    if asked and not monitored:
        raise UsageError(f"{as_option(next(iter(asked)))} is for --monitor")
    return asked if monitored else None


def sql_command(
    inputs: SqlInputs,
    metrics: o.Metrics,
    conventions: o.ConventionOptions,
    charts: ChartStatement,
    statement: Statement,
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

    settings, is_file = o.given(inputs, metrics, conventions, statement), Path(inputs.run).is_file()
    asked = charts_asked(charts)
    if asked is not None and is_file:
        raise UsageError(
            f"{inputs.run} is a file, which sqlrank monitor charts; --monitor takes the name of a relation"
        )
    if asked is not None:
        show_charts(inputs, metrics, settings | asked)
    elif is_file:
        show_files(inputs, metrics, settings)
    else:
        show_statement(sql(inputs.run, inputs.qrels, metrics.metrics, **settings).rstrip() + "\n")


def show_files(inputs: SqlInputs, metrics: o.Metrics, settings: dict[str, Any]) -> None:
    """Print the statements over files, whose types are known, so that ids are compared as they are.

    UsageError for an option of statements that are run where the files are not.
    """
    from sqlrank.api import show_sql
    from sqlrank.evaluation.options import Options

    options, known = part_of(settings, Options), options_of(SqlOptions)
    if others := [name for name in settings if name not in options and settings[name] != known[name].default]:
        raise UsageError(
            f"{inputs.run} is a file, which the statement reads in DuckDB: leave out {as_option(others[0])}, or name a"
            " relation"
        )
    show_statement(show_sql(inputs.run, inputs.qrels, metrics.metrics, **options))


def show_charts(inputs: SqlInputs, metrics: o.Metrics, settings: dict[str, Any]) -> None:
    """Print the statement of control charts; UsageError for an option that it does not take."""
    from sqlrank.export.chart_statement import monitor_sql

    charts, weight = part_of(settings, ChartOptions), settings.get("weight", "weight")
    others = [*(name for name in settings if name not in charts), *(["qrels"] if inputs.qrels else [])]
    if refused := [name for name in others if name != "weight"]:
        raise UsageError(f"--monitor charts stored values: leave out {as_option(refused[0])}")
    if weight != "weight":
        raise UsageError(f"--weight {weight}: stored rows have their weights in the column weight")
    weighted = "weight" in settings
    show_statement(monitor_sql(inputs.run, metrics.metrics, weighted=weighted, **charts).rstrip() + "\n")


def macros_command(inputs: o.Columns, metrics: MacroMetrics, conventions: o.ConventionOptions) -> None:
    """Print DuckDB macros such as rank_ndcg('runs', 'qrels', k := 10).

    They are table macros: `from rank_ndcg('runs', 'judgments', k := 10)`.

    Examples:
        sqlrank macros > ranking.sql
        sqlrank macros -m ndcg -m ap > ranking.sql
    """
    from sqlrank.export.flow import macros

    settings = o.given(inputs, metrics, conventions)
    show_statement(macros(metrics.metrics, **settings).rstrip() + "\n")
