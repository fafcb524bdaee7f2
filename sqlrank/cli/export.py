"""The commands that hand on statements: sql and macros."""

from __future__ import annotations

from sqlrank.cli import options as o
from sqlrank.cli.terminal import show_statement


def sql_command(
    inputs: o.SqlInputs,
    metrics: o.Metrics,
    segments: o.SqlSegments,
    conventions: o.ConventionOptions,
    statement: o.Statement,
) -> None:
    """Print the SQL that scores relations of another database.

    It gives one row per query, or with --summary one row per metric.

    Examples:
        sqlrank sql ranker.results --qrels judgments -m ndcg@10
        sqlrank sql results --qrels judgments --summary --dialect spark
        sqlrank sql runs --qrels qrels --create table daily --incremental ds
    """
    from sqlrank.api import sql

    settings = o.given(inputs, metrics, segments, conventions, statement)
    show_statement(sql(inputs.run, inputs.qrels, metrics.metrics, **settings).rstrip() + "\n")


def macros_command(inputs: o.Columns, metrics: o.MacroMetrics, conventions: o.ConventionOptions) -> None:
    """Print DuckDB macros such as rank_ndcg('runs', 'qrels', k := 10).

    They are table macros: `from rank_ndcg('runs', 'judgments', k := 10)`.

    Examples:
        sqlrank macros > ranking.sql
        sqlrank macros -m ndcg -m ap > ranking.sql
    """
    from sqlrank.api import macros

    settings = o.given(inputs, metrics, conventions)
    show_statement(macros(metrics.metrics, **settings).rstrip() + "\n")
