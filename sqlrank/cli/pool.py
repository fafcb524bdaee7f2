"""The command that says what to judge next."""

from __future__ import annotations

from sqlrank.cli import options as o
from sqlrank.cli.completion import column_names, metric_names
from sqlrank.cli.groups import Group, option, repeated
from sqlrank.cli.terminal import Outputs, input_files
from sqlrank.conventions import JUDGED_TIES
from sqlrank.errors import UsageError
from sqlrank.evaluation import options as e
from sqlrank.judging.options import Pooling
from sqlrank.options.declared import picked

QUERY_SETS = ("run", "shared", "judged")


CONVENTIONS = picked(
    e.ConventionOptions, *("rel", "top_relevance", "ties", "order", "score_type", "duplicates", "collapse", "judgments")
) | {"ties": e.convention("ties", "WORD", without=JUDGED_TIES)}
"""The conventions of a pool."""


class PoolInputs(o.Runs, o.Described, takes=[e.Scores, e.Columns, e.Files, e.Checks]):
    """Inputs of pool."""


class PoolOf(Group, heading="Pooling", takes=[Pooling, e.Definitions]):
    """Which pairs, in which order."""

    metrics: list[str] | None = repeated(
        "METRIC",
        "Metric that the judgments should improve: a sum over positions, such as p@10 or rbp, or ap [default: ndcg@10]",
        passed=False,
        complete=metric_names,
        flags="--metric -m",
        common=True,
    )
    weight: str | None = option(
        "COLUMN",
        "Column with the weight of each query, of --queries, the run or the judgments, by which weights are multiplied",
        complete=column_names,
    )


class PoolConventions(Group, heading="Conventions", takes=[CONVENTIONS]):
    """The conventions of a ranking, and which queries are pooled."""

    query_set: str | None = option(
        "WORD",
        "Queries that are pooled: all with results (run), or those that have judgments already",
        shown="run",
        words=QUERY_SETS,
    )


def pool_command(
    inputs: PoolInputs,
    pooling: PoolOf,
    conventions: PoolConventions,
    output: o.TableOutput,
    resources: o.Resources,
) -> None:
    """List unjudged documents that could change the comparison most.

    The unjudged documents among the first of any system, ordered by how far apart their judgments could set two
    systems in the metric. Raters fill the column relevance of the file; --qrels reads it back, together with the
    judgments so far. For metrics with bounds, such as p and dcg, the output also says whether the judgments so far
    decide which system is better, however the rest is judged.

    Examples:
        sqlrank pool old.parquet new.parquet --qrels qrels.parquet --budget 200 --items items.parquet -o pool.csv
        sqlrank pool old.parquet new.parquet --qrels qrels.parquet --depth 20 -m ap
    """
    from sqlrank.judging.pooling.flow import pool
    from sqlrank.process.output_files import opened

    settings, outputs = o.given(inputs, pooling, conventions, resources), Outputs(output)
    outputs.check("Pool")
    settings["progress"] = output.progress
    with (
        opened(outputs.files, input_files(inputs.runs, inputs.qrels, settings)) as writes,
        pool(inputs.runs, inputs.qrels, one_metric(pooling.metrics), writes=writes, **settings) as result,
    ):
        outputs.write(result)
        outputs.tell(result.notes, result.remarks)


def one_metric(metrics: list[str] | None) -> str:
    """The metric asked for, or the default one; UsageError for several."""
    from sqlrank.judging.pooling.pool_request import DEFAULT

    if metrics is not None and len(metrics) > 1:
        raise UsageError(f"a pool is ordered by one metric, not by {', '.join(metrics)}; give --metric once")
    return DEFAULT if metrics is None else metrics[0]
