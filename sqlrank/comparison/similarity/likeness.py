"""How different two rankings are, before anyone judges: overlap, rank-biased overlap, Kendall's tau, rank changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.comparison.options import LikenessOptions
from sqlrank.comparison.similarity.compared_rankings import SimilarityChecks, baseline_of, systems_of
from sqlrank.comparison.similarity.statement import similarity_request, similarity_statement
from sqlrank.engines.open_result import closed_on_error
from sqlrank.engines.protocol import Engine, is_spark
from sqlrank.errors import UsageError, counted
from sqlrank.evaluation.flow import connect
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.evaluation.options import BaseOptions
from sqlrank.evaluation.request import Request, list_runs
from sqlrank.evaluation.shared_queries import SharedQueries, noted
from sqlrank.inputs.opened_inputs import InputRows, Inputs, notes_of
from sqlrank.inputs.opening import open_inputs
from sqlrank.options.kinds import KEYS, TEXT
from sqlrank.options.shared import part_of, session_of
from sqlrank.presentation import Usual
from sqlrank.spelling import spelt
from sqlrank.statement.summaries import summary

APART = "and the rankings of the others have nothing in common"


@dataclass(frozen=True, slots=True)
class SimilarityCounts:
    """Counts of the queries of a system and the baseline."""

    queries: int
    """Queries with results in either."""
    missing: int
    """Queries with results in the baseline alone."""
    missing_in_baseline: int
    """Queries with results in the system alone."""

    def beside(self, baseline: str, system: str) -> SharedQueries:
        """What the two share."""
        return SharedQueries(baseline, system, self.queries - self.missing - self.missing_in_baseline, self.queries)


class Likeness(MetricResult):
    """The result of comparing rankings with a baseline: values, per-query rows and the statement.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    baseline: str

    def __init__(self, engine: Engine, request: Request, inputs: Inputs, baseline: str, systems: Sequence[str]) -> None:
        super().__init__(engine, request, inputs)
        self.baseline, self._systems = baseline, list(systems)
        self._request = request
        self.counts: dict[str, SimilarityCounts] = {}
        """Counts of queries by system."""
        self.inputs: dict[str, InputRows] = {}

    @property
    def systems(self) -> list[str]:
        """The systems that are compared with the baseline, in order."""
        return self._systems

    @property
    def sql(self) -> str:
        """The statement that gives the per-query rows, over the relations that `sources` make."""
        return self.statement(diagnostics=False, part={"part": 0, "parts": 1})

    @property
    def sources(self) -> list[str]:
        """The statements that make the relations it reads."""
        return self._inputs.sources

    def statement(self, diagnostics: bool, part: Mapping[str, int]) -> str:
        """The statement for some of the queries, with or without what the counts need."""
        dialect, relations = self._engine.dialect, self._relations
        return similarity_statement(dialect, relations, self._request, self.baseline, self.systems, diagnostics, part)

    def add(self, part: Mapping[str, int]) -> None:
        """Compute the per-query rows of one part of the queries."""
        self._create("per_query", self.statement(True, part), more=part["part"] > 0)

    def finish(self) -> dict[str, float]:
        """Compute the counts and the summary; returns by system how many documents it shares with the baseline."""
        dialect, relations = self._engine.dialect, self._relations
        self._create("summary", summary(dialect, self.measures, relations, self.per_query_table))
        self._note_withheld()
        shared = {}
        for row in self._engine.gather([self._render("sources/pair_counts.sql")])[0]:
            system, *numbers, documents = row.values()
            self.counts[system] = SimilarityCounts(*map(int, numbers))
            shared[system] = float(documents)
        self.counts = {system: self.counts[system] for system in self.systems}
        self.inputs = self._inputs.run_rows()
        self.notes += notes_of(self.inputs, self._inputs.labels)
        return shared

    @property
    def context_remarks(self) -> list[str]:
        """The baseline, conventions, and how many queries are missing where."""
        described = Usual(self.conventions.describe(), self.conventions.in_short())
        lines = [f"compared with {self.baseline}, without judgments", described]
        for system, found in self.counts.items():
            text = f"{system}: {counted(found.queries, 'query')}, {found.missing} without results in {system}"
            text += f", {found.missing_in_baseline} without results in {self.baseline}"
            lines.append(text if found.missing or found.missing_in_baseline else Usual(text))
        return [*lines, *self.own_sql]


@public(record=LikenessOptions, baseline=TEXT, metrics=KEYS)
def likeness(
    runs: Any = None,
    metrics: str | Iterable[str] | None = None,
    *,
    baseline: str | None = None,
    systems: Mapping[str, Any] | None = None,
    **options: Unpack[LikenessOptions],
) -> Likeness:
    """Compare rankings with those of a baseline, without judgments.

    Args:
        runs: rows of query_id, doc_id and score (or rank), as `evaluate` takes them: one with a column of the system,
            or a list.
        metrics: texts such as `overlap@10` or `rbo(p=0.95)`; None for the default ones.
        baseline: the system that the others are compared with; None for the first run.
        systems: several runs by the name of their system, in place of `runs`.
        **options: conventions of a ranking and ways of reading.

    Returns:
        The values, with per-query rows and the statement that made them.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong.
        ResourceError: memory or disk ran out.
    """
    told = part_of(options, BaseOptions)
    request = similarity_request(metrics, told)
    given = list_runs(runs, systems)
    inputs = [*(data for _, data in given), *request.reading.others().values()]
    if any(map(is_spark, inputs)):
        raise UsageError("rankings are compared in DuckDB; give files, or data frames of pandas, polars or Arrow")
    engine = connect(request, inputs, None, "duckdb", **session_of(options))
    with closed_on_error(engine):
        return likeness_on(engine, request, given, baseline, options["checks"], options["writes"])


def likeness_on(
    engine: Engine,
    request: Request,
    given: Sequence[tuple[str | None, Any]],
    baseline: str | None,
    checks: bool,
    writes: Sequence[str],
) -> Likeness:
    """Open, check and compare, on an engine that is closed with the result; UsageError if there is no such baseline."""
    inputs = open_inputs(engine, given, None, request.reading, request.conventions, writes=list(writes), judged=False)
    found = systems_of(engine, inputs)
    chosen = baseline_of(engine, inputs, list(found), baseline)
    result = Likeness(engine, request, inputs, chosen, [name for name in found if name != chosen])
    similarity_checks = SimilarityChecks(engine, inputs, request, chosen)
    if checks:
        similarity_checks.before()
        similarity_checks.duplicates()
    parts = engine.parts(lambda: sum(found.values()))
    for part in range(parts):
        result.add({"part": part, "parts": parts})
    shared = result.finish()
    queries = [counts.beside(chosen, name) for name, counts in result.counts.items()]
    if checks:
        similarity_checks.after(result.per_query_table, shared, queries)
    result.notes += noted(queries, APART)
    result.notes += (
        similarity_checks.runner.notes if checks else [f"the inputs were not checked ({spelt('checks', False)})"]
    )
    return result
