"""The command that compares systems with a baseline."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sqlrank.choices import CORRECTIONS, TESTS, TIDY
from sqlrank.cli import options as o
from sqlrank.cli.gates import Gate, check_report, conclude, of_drops, read_gates
from sqlrank.cli.terminal import input_files, output_file, tell
from sqlrank.errors import UsageError

if TYPE_CHECKING:
    from sqlrank.comparison.result import Comparison
    from sqlrank.engines.duckdb import DuckDBEngine
    from sqlrank.output.files import Target

RESOURCES = ("threads", "memory_limit", "temp_dir")
"""Options that are about the database rather than about numbers."""

Compared = Annotated[
    list[str],
    typer.Argument(
        metavar="BASELINE CANDIDATE",
        help="The rankings, the baseline first, as for eval; or Parquet files of per-query rows that eval stored; or "
        "one export with a system column and --baseline.",
        show_default=False,
    ),
]
BaselineName = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="NAME",
        help="The system that the others are compared with. [default: the first]",
        show_default=False,
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        "--test",
        metavar="WORD",
        help=f"Where p values come from: {', '.join(TESTS)}; t and wilcoxon need scipy. [default: {TESTS[0]}]",
        show_default=False,
    ),
]
Correction = Annotated[
    str | None,
    typer.Option(
        "--correction",
        metavar="WORD",
        help=f"For asking many questions at once, those of the total and those of segments apart: "
        f"{', '.join(CORRECTIONS)}. [default: {CORRECTIONS[0]}]",
        show_default=False,
    ),
]
Replicates = Annotated[
    int | None,
    typer.Option(
        "--replicates",
        metavar="N",
        help="Replicates of randomization and bootstrap. [default: 10000]",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="What their random numbers depend on. [default: 0]", show_default=False),
]
Movers = Annotated[
    int | None,
    typer.Option(
        "--movers", metavar="N", min=1, help="Also show the N queries that moved most, per metric.", show_default=False
    ),
]
Differences = Annotated[
    str | None,
    typer.Option(
        "--per-query",
        metavar="FILE",
        help="Also write both values of every query; - for stdout instead of the table.",
        show_default=False,
    ),
]
FailOnDrop = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on-drop",
        metavar="METRIC=VALUE",
        help="Exit 4 if any candidate is below the baseline by more than this in total; repeatable.",
        show_default=False,
    ),
]
Confidently = Annotated[
    bool, typer.Option("--confidently", help="Let --fail-on-drop fail only where the whole interval is beyond.")
]


def compare_command(
    context: typer.Context,
    runs: Compared,
    qrels: o.Qrels = None,
    metric: o.Metrics = None,
    baseline: BaselineName = None,
    test: Test = None,
    correction: Correction = None,
    alpha: o.Alpha = None,
    replicates: Replicates = None,
    seed: Seed = None,
    movers: Movers = None,
    like: o.Like = None,
    by: o.By = None,
    weight: o.Weight = None,
    queries: o.Queries = None,
    items: o.Items = None,
    history: o.History = None,
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
    per_query: Differences = None,
    digits: o.Digits = 4,
    fail_on_drop: FailOnDrop = None,
    confidently: Confidently = False,
    junit: o.Junit = None,
    threads: o.Threads = None,
    memory_limit: o.MemoryLimit = None,
    temp_dir: o.TempDir = None,
    sql_time_limit: o.SqlTimeLimit = None,
    no_checks: o.NoChecks = False,
    quiet: o.Quiet = False,
) -> None:
    """Compare systems with a baseline: how far apart, how surely, and for whom.

    Without judgments it says how different the rankings are: overlap, Jaccard, rank-biased overlap, Kendall's tau.

    Example: sqlrank compare old.parquet new.parquet --qrels qrels.parquet -m ndcg@10 --by country
    """
    settings = o.given(context.params)
    questions: dict[str, Any] = {"test": test, "correction": correction, "replicates": replicates, "seed": seed}
    questions |= {"alpha": None if alpha is None else o.number(alpha, "--alpha")}
    questions = {name: value for name, value in questions.items() if value is not None}
    outputs = Outputs(format, output, per_query, movers, digits, quiet)
    demands = Demands(read_gates(fail_on_drop, "--fail-on-drop", "ndcg@10=0.005", settings), confidently, junit)
    systems = Systems(runs, qrels, list(metric) if metric else None, settings, not no_checks)
    engine = systems.engine(progress=sys.stderr.isatty() and not quiet)
    try:
        if systems.judged(engine):
            run_compare(engine, systems, questions, outputs, demands)
        else:
            given = [f"--{name}" for name in questions] + ([] if movers is None else ["--movers"])
            run_likeness(engine, systems, outputs, given + (["--fail-on-drop"] if demands.drops else []))
    finally:
        engine.close()


class Outputs:
    """Where the results go."""

    def __init__(
        self,
        kind: str | None,
        output: str | None,
        per_query: str | None,
        movers: int | None,
        digits: int,
        quiet: bool,
    ) -> None:
        from sqlrank.output.comparison import check_kind
        from sqlrank.output.formats import check_tidy, format_of

        self.output, self.movers, self.digits, self.quiet = output_file(output), movers, digits, quiet
        self.kind = format_of(output, kind, "table")
        check_kind(self.kind, movers)
        self.summary = per_query != "-" or output is not None
        path = None if per_query == "-" else per_query
        self.per_query_file = output_file(path)
        tidy = kind if kind in TIDY else None
        self.per_query_kind = check_tidy(format_of(path, tidy, "csv")) if per_query else None

    def write(self, comparison: Comparison) -> None:
        """Write the rows, and both values of every query where these are wanted."""
        from sqlrank.output.comparison import write_comparison, write_differences

        if self.per_query_kind:
            write_differences(comparison, self.per_query_kind, self.per_query_file)
        if self.summary:
            write_comparison(comparison, self.kind, self.output, self.digits, self.movers)
        self.tell(comparison.notes, comparison.remarks())

    def tell(self, notes: list[str], remarks: list[str]) -> None:
        """Say what was noticed, and what the format has no place for."""
        tell(notes, self.quiet)
        if self.kind in TIDY and self.kind != "json":
            tell(remarks, self.quiet)


@dataclass(frozen=True, slots=True)
class Demands:
    """What the candidates must hold."""

    drops: Sequence[Gate]
    confidently: bool
    junit: str | None

    def __post_init__(self) -> None:
        check_report(self.junit, self.drops)
        if self.confidently and not self.drops:
            raise UsageError("--confidently says when --fail-on-drop fails: give that too")


class Systems:
    """What is compared, and how it is read.

    Args:
        runs: the arguments that name the runs.
        qrels: the judgments, or None.
        metrics: the metrics asked for; None for the default ones.
        settings: the options that were given.
        checks: whether to look for what is wrong with the rows.
    """

    def __init__(
        self, runs: list[str], qrels: str | None, metrics: list[str] | None, settings: dict[str, Any], checks: bool
    ) -> None:
        self.runs, self.qrels, self.metrics, self.checks = runs, qrels, metrics, checks
        self.options = {name: value for name, value in settings.items() if name not in (*RESOURCES, "baseline")}
        self.resources = {name: settings.get(name) for name in RESOURCES}
        self.baseline: str | None = settings.get("baseline")

    def engine(self, progress: bool) -> DuckDBEngine:
        """What they are read and compared with."""
        from sqlrank.engines.duckdb import DuckDBEngine

        return DuckDBEngine(progress=progress, **self.resources)

    def judged(self, engine: DuckDBEngine) -> bool:
        """Whether there are judgments to compare by, or metrics that need them."""
        from sqlrank.comparison.flow import brings_judgments
        from sqlrank.evaluation.request import READING, list_runs, request_of
        from sqlrank.metrics.language import Language

        if self.qrels is not None or "-" in self.runs:
            return True
        if self.metrics is not None:
            likenesses = Language(pairs=True)
            names = [text.partition("@")[0].partition("(")[0].strip() for text in self.metrics]
            return not all(map(likenesses.named, names))
        reading = {name: value for name, value in self.options.items() if name in READING}
        return brings_judgments(engine, list_runs(self.runs, None), request_of(None, reading).reading)

    @contextmanager
    def writing(self, targets: Sequence[Target | None]) -> Iterator[list[str]]:
        """The paths of what is written, which are no input and hold everything or nothing."""
        from sqlrank.output.files import opened

        with opened(targets, input_files(self.runs, self.qrels, self.options)) as writes:
            yield writes


def run_compare(
    engine: DuckDBEngine, systems: Systems, questions: dict[str, Any], outputs: Outputs, demands: Demands
) -> None:
    """Compare, write, and see whether the gates hold."""
    from sqlrank.comparison.asked import Asked
    from sqlrank.comparison.flow import compare_on
    from sqlrank.comparison.questions import Questions
    from sqlrank.evaluation.request import list_runs, request_of
    from sqlrank.metrics.language import single_measure

    request = request_of(systems.metrics, systems.options)
    demanded = tuple(single_measure(gate.metric, request.language) for gate in demands.drops)
    options = frozenset(systems.options)
    asked = Asked(request, Questions(**questions), systems.metrics is not None, demanded, systems.baseline, options)
    report = output_file(demands.junit)
    with systems.writing([outputs.output, outputs.per_query_file, report]) as writes:
        given = list_runs(systems.runs, None)
        comparison = compare_on(engine, asked, given, systems.qrels, systems.checks, writes)
        outputs.write(comparison)
        conclude(of_drops(comparison, demands.drops, demands.confidently), "compare", report)


def run_likeness(engine: DuckDBEngine, systems: Systems, outputs: Outputs, given: list[str]) -> None:
    """Compare rankings without judgments, and write how different they are."""
    from sqlrank.evaluation.request import list_runs
    from sqlrank.output.formats import write_per_query
    from sqlrank.output.similarity import write_likeness
    from sqlrank.similarity.similarity import likeness_on
    from sqlrank.similarity.statement import similarity_request

    if given:
        raise UsageError(f"{given[0]} needs judgments: give them with --qrels, or runs with a relevance column")
    request, runs = similarity_request(systems.metrics, systems.options), list_runs(systems.runs, None)
    with systems.writing([outputs.output, outputs.per_query_file]) as writes:
        result = likeness_on(engine, request, runs, systems.baseline, systems.checks, writes)
        if outputs.per_query_kind:
            write_per_query(result, outputs.per_query_kind, outputs.per_query_file)
        if outputs.summary:
            write_likeness(result, outputs.kind, outputs.output, outputs.digits)
        outputs.tell(result.notes, result.remarks())
