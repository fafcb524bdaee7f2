"""The commands that evaluate: eval and explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, argument
from sqlrank.cli.pages import Explored
from sqlrank.cli.terminal import Outputs, input_files, output_file, show_statement, tell
from sqlrank.errors import Outcome, UsageError

if TYPE_CHECKING:
    from sqlrank.comparison.gates import Demands
    from sqlrank.evaluation.explanation import ExplainedDifference, Explanation
    from sqlrank.evaluation.result import Result


def eval_command(
    inputs: o.EvalInputs,
    metrics: o.JudgedMetrics,
    segments: o.EvalSegments,
    conventions: o.ConventionOptions,
    output: o.EvalOutput,
    report: Explored,
    gates: o.EvalGates,
    resources: o.EvalResources,
) -> None:
    """Score rankings against judgments.

    Examples:
        sqlrank eval run.parquet --qrels qrels.parquet -m ndcg@10 -m ap --queries queries.parquet --by country
        sqlrank eval export.parquet -m p@5,10 --like ranx -o summary.csv --per-query per_query.parquet
        sqlrank eval run.parquet --qrels qrels.parquet -m ndcg@10 -o report.html
        sqlrank eval new.csv --qrels qrels.csv -m ndcg@10 --fail-under ndcg@10=0.42
        sqlrank eval run.parquet --qrels qrels.parquet -m ndcg@10 --store results --as-of 2026-11-10
    """
    settings = o.given(inputs, metrics, segments, conventions, resources)
    open_engine(settings)
    from sqlrank.api import evaluate
    from sqlrank.evaluation.request import texts_of
    from sqlrank.process.output_files import opened

    settings["progress"] = output.progress
    outputs = Outputs(output, output.per_query, report)
    refuse_bounds(bool(settings.get("bounds")), outputs.kinds, output.show_sql)
    outputs.check("Result", drawn=True)
    if "trec" in outputs.kinds:
        settings = {"like": "trec_eval", "texts": True} | settings
    demanded = demands_of(gates, settings)
    junit = output_file(gates.junit)
    paths, on_spark = input_files(inputs.runs, inputs.qrels, settings), settings.get("engine", "duckdb") != "duckdb"
    check_store(output, paths, on_spark)
    if on_spark:
        refuse_on_spark(output, outputs, paths)
    # Spark writes the folder of per-query rows itself.
    targets = [*outputs.files, junit, None if on_spark else outputs.per_query_file]
    gated = demanded.metrics if demanded else []
    asked = [*texts_of(metrics.metrics, settings), *gated]
    named = asked if metrics.metrics or gated or "texts" in settings else None
    with opened(targets, paths) as writes:
        if output.show_sql:
            show_evaluation(inputs, asked, settings)
            return
        with evaluate(one_or_several(inputs.runs), inputs.qrels, named, writes=writes, **settings) as result:
            outcomes = demanded.of_values(result) if demanded else []
            write(result, outputs, output, outcomes)
            outputs.tell(result.notes, result.remarks)
            if demanded:
                from sqlrank.cli.outcomes import conclude

                conclude(outcomes, "eval", junit)


def demands_of(gates: o.EvalGates, settings: dict[str, Any]) -> Demands | None:
    """What the result must hold; None where no gate was given."""
    if not (gates.fail_under or gates.junit or gates.gate_segments):
        return None
    from sqlrank.cli.gates import demands

    return demands(gates, settings)


def open_engine(settings: dict[str, Any]) -> None:
    """Let DuckDB open its instance while the rest is loaded, unless one with settings or another engine is needed."""
    if not settings.keys() & {"engine", "threads", "memory_limit"}:
        from sqlrank.engines.instances import open_ahead

        open_ahead()


def check_store(output: o.EvalOutput, inputs: list[str], on_spark: bool) -> None:
    """Raise UsageError for a store without a day, a day without a store, or a store that is an input."""
    if output.store is None:
        if output.as_of or output.replace_stored:
            option = "--as-of" if output.as_of else "--replace-stored"
            raise UsageError(f"{option} says how --store stores, which is not given: --store PLACE")
        return
    from sqlrank.evaluation.store.folders import place_to_write
    from sqlrank.process.output_files import check_not_read

    if output.as_of is None:
        raise UsageError("--store needs the day of the rows: --as-of DATE, such as --as-of 2026-11-10")
    if output.show_sql or on_spark:
        asked = "--show-sql" if output.show_sql else "--engine spark"
        raise UsageError(f"{asked} has no place for --store, which DuckDB writes from a result")
    check_not_read(output.store, inputs)
    place_to_write(output.store)


def write(result: Result, outputs: Outputs, output: o.EvalOutput, outcomes: list[Outcome]) -> None:
    """Store the per-query rows, and write them and the summary."""
    if "trec" in outputs.kinds:
        from sqlrank.output.trec import trec_lines

        trec_lines(result, outputs.queries_too)  # refuses before anything is written what it cannot hold
    if output.store is not None and output.as_of is not None:
        stored = result.store(output.store, as_of=output.as_of, replace=output.replace_stored)
        outputs.tell(stored, list)
    outputs.write(result, gates=outcomes)


def one_or_several(runs: list[str]) -> str | list[str]:
    """Runs as the Python interface takes them."""
    return runs if len(runs) > 1 else runs[0]


def show_evaluation(inputs: o.EvalInputs, metrics: list[str], settings: dict[str, Any]) -> None:
    """Print the statement of an evaluation."""
    from sqlrank.api import show_sql
    from sqlrank.evaluation.options import Options

    options = {name: value for name, value in settings.items() if name in Options.__annotations__}
    show_statement(show_sql(one_or_several(inputs.runs), inputs.qrels, metrics, **options))


def refuse_bounds(bounds: bool, kinds: set[str], show_sql: bool) -> None:
    """Raise UsageError where bounds are asked for and the output has no place for them."""
    if bounds and ("trec" in kinds or show_sql):
        raise UsageError(f"{'--show-sql' if show_sql else '--format trec'} has no place for --bounds")


def refuse_on_spark(output: o.EvalOutput, outputs: Outputs, inputs: list[str]) -> None:
    """Raise UsageError for outputs that Spark cannot give or may not write there, with what to ask for instead."""
    from sqlrank.engines.spark_files import check_folder

    if output.show_sql:
        raise UsageError("--show-sql prints what DuckDB runs; for Spark: sqlrank sql RUN --dialect spark")
    if output.show:
        raise UsageError("--show finds queries in DuckDB; from Spark: --per-query FOLDER")
    if outputs.pages.files:
        raise UsageError(f"-o {outputs.pages.files[0].path}: reports are drawn in DuckDB; leave out --engine")
    if outputs.per_query_file:
        check_folder(outputs.per_query_file.path, [*inputs, *(file.path for file in outputs.files if file)])


class Query(Group, heading="Inputs"):
    """What is explained."""

    query: str = argument("QUERY", "Id of the query")


def explain_command(
    query: Query,
    inputs: o.ExplainInputs,
    metrics: o.Metrics,
    conventions: o.ConventionOptions,
    output: o.ExplainOutput,
    limit: o.TimeLimit,
) -> None:
    """Show one query rank by rank, next to the ideal or another ranking.

    The values of the metrics follow. Gain, discount and ideal are those of the first metric that has them.

    With two systems, the baseline first, each document has its ranks in both, and what it adds to the difference of
    the first metric that is a sum over documents.

    Examples:
        sqlrank explain q0013 run.parquet --qrels qrels.parquet -m ndcg@10
        sqlrank explain q0013 old.parquet new.parquet --qrels qrels.parquet -m ndcg@10 --items items.parquet
    """
    from sqlrank.api import evaluate
    from sqlrank.evaluation.request import texts_of
    from sqlrank.inputs.segments import idle
    from sqlrank.process.output_files import opened

    settings, outputs = {"exact_labels": True} | o.given(inputs, metrics, conventions, limit), Outputs(output)
    asked = texts_of(metrics.metrics, settings)
    with (
        opened(outputs.files, input_files(inputs.runs, inputs.qrels, settings)) as writes,
        evaluate(one_or_several(inputs.runs), inputs.qrels, asked, writes=writes, **settings) as result,
    ):
        explanation = explain(result, query.query, output.system or result.systems, output.rows)
        outputs.write(explanation, of=result, conventions=result.conventions.describe())
        notes = [note for note in result.notes if not note.endswith(idle()) and note not in result.of_means]
        tell([*notes, *explanation.notes], outputs.quiet)


def explain(result: Result, query: str, systems: list[str], rows: int) -> Explanation | ExplainedDifference:
    """What is known of a query: one system next to the ideal ranking, or two side by side."""
    if len(systems) > 2:
        named = f"--system {systems[0]}, or two: --system {systems[0]} --system {systems[1]}"
        raise UsageError(f"explain shows one system or two, and here are {len(systems)}; say which: {named}")
    if len(systems) == 2:
        return result.explain(query, rows=rows, systems=systems)
    return result.explain(query, systems[0], rows)
