"""The command that plans a test set."""

from __future__ import annotations

from sqlrank.cli import options as o
from sqlrank.cli.compare import CompareInputs
from sqlrank.cli.completion import column_names
from sqlrank.cli.groups import Group, option
from sqlrank.cli.terminal import Outputs, input_files
from sqlrank.comparison.options import Paired
from sqlrank.options.texts import number, wholes


class Planning(Group, heading="Planning", takes=[Paired]):
    """What a plan is for."""

    sizes: list[int] | None = option(
        "N,...",
        "Numbers of queries",
        shown="doubling around the number there is",
        convert=wholes,
        passed=False,
        common=True,
    )
    power: float = option(
        "P", "Chance with which the difference is found", 0.8, convert=number, passed=False, common=True
    )
    alpha: float | None = option("P", "Significance level, two-sided", shown="0.05", convert=number)


class Weights(Group, heading="Weights"):
    """Weights of queries."""

    weight: str | None = option(
        "COLUMN",
        "Column with the weight of each query in the mean difference, of --queries, the run or the judgments, in this "
        "order; queries.NAME, run.NAME or qrels.NAME picks one",
        complete=column_names,
    )
    queries: str | None = option("FILE", "Table with one row per query, for --weight")


def power_command(
    inputs: CompareInputs,
    metrics: o.Metrics,
    weights: Weights,
    conventions: o.ConventionOptions,
    planning: Planning,
    output: o.TableOutput,
    resources: o.Resources,
) -> None:
    """Plan sample size: the smallest difference N queries can detect.

    The plan uses the spread of the differences between the given systems, query by query, and Student's t test. With
    --unpaired the systems have different queries, and the plan gives the number for the candidate. Per-query files
    that eval wrote are enough: a pilot with a few queries plans for more. The plan assumes, with --weight, that further
    queries are weighted like these, which count for fewer queries of equal weight.

    Examples:
        sqlrank power old.parquet new.parquet --qrels qrels.parquet -m ndcg@10
        sqlrank power old.parquet new.parquet --qrels qrels.parquet -m ndcg@10 --sizes 50,100,1000 --power 0.9
        sqlrank power old.parquet new.parquet --qrels qrels.parquet -m ap --queries queries.parquet --weight traffic
    """
    from sqlrank.comparison.flow import compare
    from sqlrank.output.power import Plan
    from sqlrank.process.output_files import opened

    settings = o.given(inputs, metrics, weights, conventions, planning, resources)
    outputs = Outputs(output)
    outputs.check("Plan")
    settings |= {"progress": output.progress, "baseline": inputs.baseline, "test": "t"}
    with (
        opened([outputs.file], input_files(inputs.runs, inputs.qrels, settings)) as writes,
        compare(inputs.runs, inputs.qrels, metrics.metrics, writes=writes, **settings) as comparison,
    ):
        plan = Plan(comparison, comparison.power(planning.sizes, planning.power), planning.power)
        outputs.write(plan, of=comparison)
        outputs.tell(comparison.notes, plan.remarks)
