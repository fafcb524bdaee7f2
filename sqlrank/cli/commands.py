"""The commands: arguments in, the Python interface called, the result to the output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sqlrank.choices import TIDY
from sqlrank.cli import options as o
from sqlrank.cli.compare import compare_command
from sqlrank.cli.gates import Gate, check_report, conclude, of_values, read_gates
from sqlrank.cli.gsb import gsb_command
from sqlrank.cli.quick import QuickCommand, QuickGroup
from sqlrank.cli.terminal import EXIT_CODES, app, input_files, output_file, show, show_statement, tell
from sqlrank.errors import UsageError
from sqlrank.version import __version__

__all__ = ["EXIT_CODES", "app"]

if TYPE_CHECKING:
    from sqlrank.evaluation.result import Result


def show_version(asked: bool) -> None:
    """Print the version and stop."""
    if asked:
        typer.echo(f"sqlrank {__version__}")
        raise typer.Exit


@app.callback(cls=QuickGroup)
def main_options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Ranking metrics as SQL: nDCG, MAP, P@k, MRR and more over Parquet and CSV."""


@app.command("eval", cls=QuickCommand, epilog=EXIT_CODES)
def evaluate_command(
    context: typer.Context,
    runs: o.Runs,
    qrels: o.Qrels = None,
    metric: o.Metrics = None,
    like: o.Like = None,
    by: o.By = None,
    weight: o.Weight = None,
    queries: o.Queries = None,
    items: o.Items = None,
    history: o.History = None,
    baseline: o.Baseline = None,
    metrics_dir: o.MetricsDir = None,
    where: o.Where = None,
    column: o.Column = None,
    relevance_map: o.RelevanceMap = None,
    input_format: o.InputFormat = None,
    encoding: o.Encoding = None,
    no_header: o.NoHeader = False,
    database: o.Database = None,
    rel: o.Rel = None,
    ties: o.Ties = None,
    order: o.Order = None,
    score_type: o.ScoreType = None,
    depth: o.Depth = None,
    query_set: o.QuerySet = None,
    empty: o.Empty = None,
    unjudged: o.Unjudged = None,
    duplicates: o.Duplicates = None,
    judgments: o.Judgments = None,
    format: o.Format = None,  # noqa: A002 the option's name
    output: o.Output = None,
    per_query: o.PerQuery = None,
    digits: o.Digits = 4,
    show_sql: o.ShowSql = False,
    fail_under: o.FailUnder = None,
    junit: o.Junit = None,
    engine: o.Engine = None,
    spark: o.Spark = None,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    temp_dir: o.TempDir = None,
    sql_time_limit: o.SqlTimeLimit = None,
    no_checks: o.NoChecks = False,
    quiet: o.Quiet = False,
) -> None:
    """Score rankings against judgments.

    Example: sqlrank eval run.parquet --qrels qrels.parquet -m ndcg@10 -m ap --by country
    """
    settings = o.given(context.params) | {"checks": not no_checks, "progress": sys.stderr.isatty() and not quiet}
    outputs = Outputs(format, output, per_query, digits, show_sql, quiet)
    if outputs.kind == "trec":
        settings = {"like": "trec_eval", "texts": True} | settings
    gates = read_gates(fail_under, "--fail-under", "ndcg@10=0.42", settings)
    check_report(junit, gates)
    run_eval(runs, qrels, list(metric) if metric else None, gates, junit, settings, outputs)


class Outputs:
    """Where the results of one command go."""

    def __init__(
        self,
        kind: str | None,
        output: str | None,
        per_query: str | None,
        digits: int,
        show_sql: bool,
        quiet: bool,
    ) -> None:
        from sqlrank.output import formats as out

        self.output, self.per_query, self.digits = output_file(output), per_query, digits
        self.show_sql, self.quiet = show_sql, quiet
        self.kind = out.format_of(output, kind, "table")
        tidy = kind if kind in TIDY else None
        self.queries_too = self.kind == "trec" and per_query == "-"
        path = None if per_query == "-" else per_query
        self.per_query_file = output_file(path)
        asked = per_query and not self.queries_too
        self.per_query_kind = out.check_tidy(out.format_of(path, tidy, "csv")) if asked else None

    def write(self, result: Result) -> None:
        """Write the summary and the per-query rows."""
        from sqlrank.output import formats as out
        from sqlrank.output.trec import trec_lines

        if self.kind == "trec":
            trec_lines(result, self.queries_too)  # refuses before anything is written what it cannot hold
        if self.per_query_kind:
            out.write_per_query(result, self.per_query_kind, self.per_query_file)
        if self.per_query != "-" or self.output or self.queries_too:
            out.write_summary(result, self.kind, self.output, self.digits, self.queries_too)


app.command("compare", cls=QuickCommand, epilog=EXIT_CODES)(compare_command)
app.command("gsb", cls=QuickCommand, epilog=EXIT_CODES)(gsb_command)


def run_eval(
    runs: list[str],
    qrels: str | None,
    metrics: list[str] | None,
    gates: list[Gate],
    junit: str | None,
    settings: dict[str, Any],
    outputs: Outputs,
) -> None:
    """Evaluate, write, and see whether the gates hold."""
    from sqlrank.api import evaluate, show_sql
    from sqlrank.evaluation.request import Options, texts_of
    from sqlrank.output.files import opened

    report = output_file(junit)
    targets, inputs = [outputs.output, report, outputs.per_query_file], input_files(runs, qrels, settings)
    if settings.get("engine", "duckdb") != "duckdb":
        targets = targets[:2]
        check_for_spark(outputs, inputs)
    asked = [*texts_of(metrics, settings), *(gate.metric for gate in gates)]
    given = runs if len(runs) > 1 else runs[0]
    with opened(targets, inputs) as writes:
        if outputs.show_sql:
            reading = {name: value for name, value in settings.items() if name in Options.__annotations__}
            show_statement(show_sql(given, qrels, asked, **reading))
            return
        with evaluate(given, qrels, asked, writes=writes, **settings) as result:
            outputs.write(result)
            tell(result.notes, outputs.quiet)
            if outputs.kind in ("csv", "tsv", "jsonl", "parquet"):
                tell(result.remarks(), outputs.quiet)
            conclude(of_values(result, gates), "eval", report)


def check_for_spark(outputs: Outputs, inputs: list[str]) -> None:
    """Refuse outputs that Spark cannot give, and a place where it may not write."""
    from sqlrank.engines.spark_files import check_folder

    if outputs.show_sql:
        raise UsageError("--show-sql prints what DuckDB runs; for Spark: sqlrank sql RUN --dialect spark")
    if outputs.per_query_file:
        check_folder(outputs.per_query_file.path, [*inputs, *([outputs.output.path] if outputs.output else [])])


@app.command("explain", cls=QuickCommand, epilog=EXIT_CODES)
def explain_command(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The id of a query.", show_default=False)],
    runs: o.Runs,
    qrels: o.Qrels = None,
    metric: o.Metrics = None,
    like: o.Like = None,
    system: Annotated[
        str | None, typer.Option("--system", metavar="NAME", help="Which system, of several.", show_default=False)
    ] = None,
    rows: Annotated[int, typer.Option("--rows", min=1, help="How many places.")] = 10,
    items: o.Items = None,
    history: o.History = None,
    baseline: o.Baseline = None,
    metrics_dir: o.MetricsDir = None,
    where: o.Where = None,
    column: o.Column = None,
    relevance_map: o.RelevanceMap = None,
    input_format: o.InputFormat = None,
    encoding: o.Encoding = None,
    no_header: o.NoHeader = False,
    database: o.Database = None,
    rel: o.Rel = None,
    ties: o.Ties = None,
    order: o.Order = None,
    score_type: o.ScoreType = None,
    depth: o.Depth = None,
    query_set: o.QuerySet = None,
    empty: o.Empty = None,
    unjudged: o.Unjudged = None,
    duplicates: o.Duplicates = None,
    judgments: o.Judgments = None,
    format: o.Format = None,  # noqa: A002 the option's name
    sql_time_limit: o.SqlTimeLimit = None,
    output: o.Output = None,
    digits: o.Digits = 4,
    quiet: o.Quiet = False,
) -> None:
    """Show one query's ranking beside the best one possible, and the value of each metric.

    Gain, discount and ideal are those of the first metric that has them.

    Example: sqlrank explain q17 run.parquet --qrels qrels.parquet -m ndcg@10
    """
    from sqlrank.api import evaluate
    from sqlrank.evaluation.request import texts_of
    from sqlrank.output import formats as out
    from sqlrank.output.files import opened

    settings = o.given(context.params)
    kind, target = out.format_of(output, format, "table"), output_file(output)
    asked, given = texts_of(metric, settings), runs if len(runs) > 1 else runs[0]
    with (
        opened([target], input_files(runs, qrels, settings)) as writes,
        evaluate(given, qrels, asked, writes=writes, **settings) as result,
    ):
        out.write_explanation(result, query, system, rows, kind, target, digits)
        tell(result.notes, quiet)


@app.command("sql", cls=QuickCommand, epilog=EXIT_CODES)
def sql_command(
    context: typer.Context,
    run: o.Relation,
    qrels: o.Qrels = None,
    metric: o.Metrics = None,
    like: o.Like = None,
    dialect: o.DialectName = "duckdb",
    summary: o.Summary = False,
    by: o.By = None,
    weight: o.Weight = None,
    queries: o.Queries = None,
    items: o.Items = None,
    history: o.History = None,
    baseline: o.Baseline = None,
    metrics_dir: o.MetricsDir = None,
    where: o.Where = None,
    column: o.Column = None,
    rel: o.Rel = None,
    ties: o.Ties = None,
    order: o.Order = None,
    score_type: o.ScoreType = None,
    depth: o.Depth = None,
    query_set: o.QuerySet = None,
    empty: o.Empty = None,
    unjudged: o.Unjudged = None,
    duplicates: o.Duplicates = None,
    judgments: o.Judgments = None,
) -> None:
    """Print the statement that scores relations of another session, to be pasted there.

    Example: sqlrank sql ranker.results --qrels judgments -m ndcg@10
    """
    from sqlrank.api import sql

    settings = o.given(context.params)
    show_statement(sql(run, qrels, metric or None, dialect=dialect, summary=summary, **settings).rstrip() + "\n")


@app.command("macros", cls=QuickCommand, epilog=EXIT_CODES)
def macros_command(
    context: typer.Context,
    metric: o.Metrics = None,
    like: o.Like = None,
    metrics_dir: o.MetricsDir = None,
    where: o.Where = None,
    column: o.Column = None,
    rel: o.Rel = None,
    ties: o.Ties = None,
    order: o.Order = None,
    score_type: o.ScoreType = None,
    depth: o.Depth = None,
    query_set: o.QuerySet = None,
    empty: o.Empty = None,
    unjudged: o.Unjudged = None,
    duplicates: o.Duplicates = None,
    judgments: o.Judgments = None,
) -> None:
    """Print macros for a DuckDB session, in which `from ndcg('runs', 'judgments', k := 10)` then works.

    Without -m these are all metrics that need nothing but a run and judgments.

    Example: sqlrank macros > ranking.sql
    """
    from sqlrank.api import macros

    show_statement(macros(metric or None, **o.given(context.params)).rstrip() + "\n")


@app.command("dbt", cls=QuickCommand, epilog=EXIT_CODES)
def dbt_command(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="A new folder, or one written by this before.", show_default=False)
    ],
) -> None:
    """Write a dbt package, with macros for the statements and tests for models.

    Example: sqlrank dbt sqlrank_package
    """
    from sqlrank.export.dbt import write_package

    files = write_package(folder)
    show(f"{len(files)} files written to {folder}; see {folder}/README.md")


@app.command("metrics", cls=QuickCommand, epilog=EXIT_CODES)
def metrics_command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A metric, for its page.", show_default=False)
    ] = None,
    metrics_dir: o.MetricsDir = None,
) -> None:
    """List the metrics, or show the page of one: formula, parameters, SQL and in which tools it holds."""
    from sqlrank.output.metric_pages import catalogue_page, metric_page

    show(metric_page(name, metrics_dir) if name else catalogue_page(metrics_dir))
