"""The command that says what to judge next."""

from __future__ import annotations

from sqlrank.cli import options as o
from sqlrank.cli.completion import column_names, metric_names
from sqlrank.cli.groups import Group, option, repeated
from sqlrank.cli.terminal import Outputs, input_files
from sqlrank.cli.values import number, whole
from sqlrank.conventions import JUDGED_TIES
from sqlrank.errors import UsageError

QUERY_SETS = ("run", "shared", "judged")


class PoolInputs(o.Runs, o.Scores, o.Columns, o.Files, o.Described, o.Checks):
    """Inputs of pool."""


class Pooling(Group, heading="Pooling"):
    """Which pairs, in which order."""

    depth: int | None = option(
        "K",
        "Pool the first K of each ranking",
        shown="the cutoff of the metric",
        convert=whole(),
        common=True,
    )
    budget: int | None = option("N", "Only the first N pairs", convert=whole(), common=True)
    metrics: list[str] | None = repeated(
        "METRIC",
        "Metric that the judgments should improve: a sum over positions, such as p@10 or rbp, or ap [default: ndcg@10]",
        passed=False,
        complete=metric_names,
        flags="--metric -m",
        common=True,
    )
    like: str | None = o.Metrics.like
    metrics_dir: str | None = o.Metrics.metrics_dir
    weight: str | None = option(
        "COLUMN",
        "Column with the weight of each query, of --queries, the run or the judgments, by which weights are multiplied",
        complete=column_names,
    )


class PoolConventions(Group, heading="Conventions"):
    """The conventions of a ranking, and which queries are pooled."""

    rel: float | None = o.convention("rel", "N", number)
    top_relevance: float | None = o.convention("top_relevance", "N", number)
    ties: str | None = o.convention("ties", "WORD", without=JUDGED_TIES)
    order: str | None = o.convention("order", "WORD")
    score_type: str | None = o.convention("score_type", "WORD")
    query_set: str | None = option(
        "WORD",
        "Queries that are pooled: all with results (run), or those that have judgments already",
        shown="run",
        words=QUERY_SETS,
    )
    duplicates: str | None = o.convention("duplicates", "WORD")
    collapse: str | None = o.convention("collapse", "WORD")
    judgments: str | None = o.convention("judgments", "WORD")


def pool_command(
    inputs: PoolInputs,
    pooling: Pooling,
    conventions: PoolConventions,
    output: o.TableOutput,
    resources: o.Resources,
) -> None:
    """List unjudged documents that could change the comparison most.

    The pairs of a query and a document among the first of any system that nobody judged, by how far apart their
    judgments could set two systems in the metric. Raters fill the column relevance of the file; --qrels reads it back,
    beside the judgments so far. For metrics with bounds, such as p and dcg, it also says whether the judgments so far
    decide which system is better, however the rest is judged.

    Examples:
        sqlrank pool old.parquet new.parquet --qrels qrels.parquet --budget 200 --items items.parquet -o pool.csv
        sqlrank pool old.parquet new.parquet --qrels qrels.parquet --depth 20 -m ap
    """
    from sqlrank.judging.pooling.flow import pool
    from sqlrank.output.pool import check_kind, write_pool
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, pooling, conventions, resources), Outputs(output)
    check_kind(outputs.kind)
    settings |= {"checks": inputs.checks, "progress": output.progress}
    with (
        opened([outputs.file], input_files(inputs.runs, inputs.qrels, settings)) as writes,
        pool(inputs.runs, inputs.qrels, one_metric(pooling.metrics), writes=writes, **settings) as result,
    ):
        write_pool(result, outputs.destination)
        outputs.tell(result.notes, result.remarks)


def one_metric(metrics: list[str] | None) -> str:
    """The metric asked for, or the default one; UsageError for several."""
    from sqlrank.judging.pooling.pool_request import DEFAULT

    if metrics is not None and len(metrics) > 1:
        raise UsageError(f"a pool is ordered by one metric, not by {', '.join(metrics)}; give --metric once")
    return DEFAULT if metrics is None else metrics[0]
