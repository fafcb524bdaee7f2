"""The command that compares systems with a baseline."""

from __future__ import annotations

from dataclasses import replace
from glob import glob
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlrank.cli import options as o
from sqlrank.cli.groups import argument, option, repeated
from sqlrank.cli.pages import Explored
from sqlrank.cli.plan import Planning, Significance, write_plan
from sqlrank.cli.terminal import Outputs, input_files, output_file
from sqlrank.errors import UsageError
from sqlrank.evaluation import options as e
from sqlrank.options.declared import options_of
from sqlrank.options.shared import Limits
from sqlrank.options.texts import alone
from sqlrank.spelling import as_option

if TYPE_CHECKING:
    from sqlrank.comparison.gates import Demands
    from sqlrank.engines.duckdb import DuckDBEngine
    from sqlrank.process.output_files import Target


class CompareInputs(o.Runs, takes=[e.Scores, e.Columns, e.Files, e.Items, *o.JUDGED, e.Checks]):
    """Inputs of compare."""

    runs: list[str] = argument(
        "BASELINE CANDIDATE",
        "Rankings as for eval, the baseline first; or Parquet files of per-query rows that eval wrote; or one export "
        "with a system column, or a store of one day, and --baseline",
        several=True,
    )
    qrels: str | list[str] | None = repeated(
        "QRELS",
        "Judgments: query_id, doc_id and relevance; repeatable. NAME=FILE, twice or more: sets of judgments, the one "
        "that is believed first: each difference under every set, whether the verdict turns, and what it is when "
        "corrected by the first",
        convert=alone,
        passed=False,
        common=True,
    )
    baseline: str | None = option(
        "NAME",
        "Name of the system to compare the others with",
        shown="the first",
        passed=False,
        common=True,
    )


class ComparedGates(o.EvalGates, o.CompareGates):
    """Gates of values and of differences."""

    fail_under: list[str] | None = replace(vars(o.EvalGates)["fail_under"], common=False)


def compare_command(
    inputs: CompareInputs,
    metrics: o.JudgedMetrics,
    segments: o.Segments,
    conventions: o.ConventionOptions,
    significance: Significance,
    planning: Planning,
    output: o.CompareOutput,
    report: Explored,
    gates: ComparedGates,
    resources: o.Resources,
) -> None:
    """Compare systems with a baseline: differences and significance.

    Without judgments it measures how similar the rankings are: overlap, Jaccard, rank-biased overlap, Kendall's tau.
    With --plan it says which difference so many queries would detect, by Student's t test and the spread of the
    differences between these systems, query by query; a pilot with a few queries, or its per-query rows, is enough.

    Examples:
        sqlrank compare old.parquet new.parquet --qrels qrels.parquet -m ndcg@10 --show worst=5 -o - -o report.html
        sqlrank compare export.parquet --baseline keyword -m ndcg@10 --fail-on-drop ndcg@10=0.005
        sqlrank compare old.parquet new.parquet --qrels qrels.parquet -m ndcg@10 --plan --sizes 50,100,1000
        sqlrank compare old.csv new.csv -m rbo
        sqlrank compare old.csv new.csv --qrels human=people.csv --qrels llm=model.csv -m ndcg@10
    """
    from sqlrank.cli.gates import demands, with_margins
    from sqlrank.engines.duckdb import DuckDBEngine

    options = o.given(inputs, metrics, segments, conventions, resources)
    limits = {name: options.pop(name, None) for name in options_of(Limits)}
    unjudged = {name: options.pop(name, False) for name in ("judged", "bounds")}
    systems = Systems(inputs, metrics.metrics, options.pop("checks", True), options, unjudged)
    questions, outputs = significance.given(), Outputs(output, output.per_query, report)
    asked = {**unjudged, **gates.given(), **outputs.additions}
    of_comparisons = [name for name, given in asked.items() if given] + report.drawn()
    of_queries = [name for name in ("per_query", "plot") if getattr(output, name)]
    settings = limits | {"progress": output.progress}
    sets = sets_of(inputs.qrels)
    if planning.plan:
        if sets:
            raise UsageError("--plan plans by one set of judgments: give --qrels FILE without a name")
        told = systems.options | {"checks": systems.checks, "baseline": inputs.baseline} | questions | settings
        write_plan(planning, inputs, systems.metrics, told, outputs, of_comparisons + of_queries)
        return
    planning.check_idle()
    outputs.check("Comparison")
    if sets:
        run_under_sets(systems, sets, questions, outputs, settings, of_comparisons + of_queries)
        return
    demanded = demands(gates, systems.options)
    questions = with_margins(questions, gates)
    engine = DuckDBEngine(progress=output.progress, **limits)
    try:
        if systems.judged(engine):
            outputs.pages.prepare(drawn=True)
            run_compare(engine, systems, questions, outputs, demanded, output_file(gates.junit))
        else:
            run_likeness(engine, systems, outputs, [*of_comparisons, *questions])
    finally:
        engine.close()


class Systems(NamedTuple):
    """What is compared, and how it is read."""

    inputs: CompareInputs
    metrics: list[str] | None
    """The metrics asked for; None for the default ones."""
    checks: bool
    """Whether rows are checked."""
    options: dict[str, Any]
    """The conventions and ways of reading that were given."""
    unjudged: dict[str, bool]
    """Whether shares of judged documents, and bounds, are asked for."""

    @property
    def paths(self) -> list[str]:
        """Every file that is read."""
        return input_files(self.inputs.runs, self.inputs.qrels, self.options)

    def judged(self, engine: DuckDBEngine) -> bool:
        """Whether there are judgments to compare by, or metrics that need them."""
        from sqlrank.comparison.flow import brings_judgments
        from sqlrank.evaluation.request import READING, list_runs, request_of
        from sqlrank.metrics.language import Language

        if self.inputs.qrels is not None or "positives" in self.options or "-" in self.inputs.runs:
            return True
        if self.metrics is not None:
            likenesses = Language(pairs=True)
            names = [text.partition("@")[0].partition("(")[0].strip() for text in self.metrics]
            return not all(map(likenesses.named, names))
        reading = {name: value for name, value in self.options.items() if name in READING}
        return brings_judgments(engine, list_runs(self.inputs.runs, None), request_of(None, reading).reading)


def run_compare(
    engine: DuckDBEngine,
    systems: Systems,
    questions: dict[str, Any],
    outputs: Outputs,
    demanded: Demands,
    junit: Target | None,
) -> None:
    """Compare, write, and see whether the gates hold."""
    from sqlrank.cli.gates import outcomes_of
    from sqlrank.cli.outcomes import conclude
    from sqlrank.comparison.comparison_request import Asked, clusters_of
    from sqlrank.comparison.flow import compare_on
    from sqlrank.comparison.periods import read_periods
    from sqlrank.comparison.questions import Questions
    from sqlrank.evaluation.request import list_runs, request_of
    from sqlrank.metrics.language import single_measure
    from sqlrank.process.output_files import opened

    inputs, named = systems.inputs, systems.metrics is not None
    questions["cluster"], one_by_one = clusters_of(questions.get("cluster"))
    clustered = {} if questions["cluster"] is None else {"cluster": questions["cluster"]}
    request = request_of(systems.metrics, systems.options | clustered).beside(**systems.unjudged, named=named)
    measures = tuple(
        single_measure(metric, request.language) for metric in [*demanded.metrics, *questions.get("margins", {})]
    )
    split = read_periods(questions.pop("periods", None), questions.pop("system", None), one_by_one)
    questions |= {} if split is None else {"paired": False}
    asked = Asked(request, Questions(**questions), named, measures, inputs.baseline, frozenset(systems.options), split)
    judgments = request.judgments(inputs.qrels)
    with opened([*outputs.files, outputs.per_query_file, junit], systems.paths) as writes:
        comparison = compare_on(engine, asked, list_runs(inputs.runs, None), judgments, systems.checks, writes)
        outcomes = outcomes_of(demanded, comparison)
        outputs.write(comparison, gates=outcomes)
        outputs.tell(comparison.notes, comparison.remarks)
        conclude(outcomes, "compare", junit)


def sets_of(qrels: str | list[str] | None) -> dict[str, str]:
    """Sets of judgments by name, where --qrels names them; UsageError for names of some, or of two."""
    from sqlrank.inputs.reading import named_run

    texts = [qrels] if isinstance(qrels, str) else qrels or []
    pairs = [(None, text) if glob(text, recursive=True) else named_run(text) for text in texts]
    sets: dict[str, str] = {}
    for name, path in pairs:
        if name in sets:
            raise UsageError(f"--qrels {name}={path}: another set is called {name}")
        if name is not None:
            sets[name] = path
    if sets and len(sets) < len(pairs):
        raise UsageError("--qrels NAME=FILE: name every set of judgments, or none")
    return sets


def run_under_sets(
    systems: Systems,
    sets: dict[str, str],
    questions: dict[str, Any],
    outputs: Outputs,
    settings: dict[str, Any],
    refused: list[str],
) -> None:
    """Compare under every set of judgments, and write how the differences stand to each other."""
    from sqlrank.judgment_sets.flow import compare_judgments
    from sqlrank.process.output_files import opened

    inputs, options = systems.inputs, dict(systems.options)
    if refused:
        raise UsageError(f"{as_option(refused[0])} is for one set of judgments: give that with --qrels")
    with opened(outputs.files, [*systems.paths, *sets.values()]):
        options |= {"baseline": inputs.baseline, "checks": systems.checks} | questions | settings
        with compare_judgments(inputs.runs, sets, systems.metrics, **options) as result:
            outputs.write(result)
            outputs.tell(result.notes, result.remarks)


def run_likeness(engine: DuckDBEngine, systems: Systems, outputs: Outputs, refused: list[str]) -> None:
    """Compare rankings without judgments, and write how similar they are; options that need judgments are refused."""
    from sqlrank.comparison.similarity.likeness import likeness_on
    from sqlrank.comparison.similarity.statement import similarity_request
    from sqlrank.evaluation.request import list_runs
    from sqlrank.process.output_files import opened

    if refused:
        option = as_option(refused[0])
        raise UsageError(f"{option} needs judgments: give them with --qrels, or runs with a relevance column")
    inputs, request = systems.inputs, similarity_request(systems.metrics, systems.options)
    with opened([*outputs.files, outputs.per_query_file], systems.paths) as writes:
        runs = list_runs(inputs.runs, None)
        result = likeness_on(engine, request, runs, inputs.baseline, systems.checks, writes)
        outputs.write(result)
        outputs.tell(result.notes, result.remarks)
