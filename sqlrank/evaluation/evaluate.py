"""One evaluation of inputs that are open: rank, run the statement part by part, and summarise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.engines.open_result import closed_on_error
from sqlrank.engines.protocol import Engine, count_rows
from sqlrank.errors import DataError, UsageError
from sqlrank.evaluation.behaviour_labels import Day, learn
from sqlrank.evaluation.checks import EvaluationChecks
from sqlrank.evaluation.counts import judged_in_part
from sqlrank.evaluation.partial_matches import check_judged, check_others
from sqlrank.evaluation.ranking import Planner, RankPlan
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.uncertain_labels import are_uncertain, check_drawn
from sqlrank.inputs.native_ids import with_native_ids
from sqlrank.inputs.opened_inputs import Inputs, notes_of
from sqlrank.inputs.opening import open_inputs
from sqlrank.inputs.table import Table
from sqlrank.metrics.language import column_measures
from sqlrank.metrics.measure import Measure, of_systems
from sqlrank.spelling import spelt
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import inputs_of, reads_judgments
from sqlrank.statement.relations import Relations
from sqlrank.statement.render import overall, statement
from sqlrank.statement.templates import render

NOTHING: Mapping[str, int] = MappingProxyType({})
CELLS_OF_PART = 3_000_000
"""How many values a part of a further evaluation has: many metrics of many queries take more memory than the first."""


class Evaluation:
    """Evaluates a request on inputs that are open."""

    def __init__(self, engine: Engine, inputs: Inputs, request: Request, least_parts: int = 1) -> None:
        self.engine, self.inputs, self.request, self.least_parts = engine, inputs, request, least_parts
        self.measures, self.conventions = request.measures, request.conventions
        systems = of_systems(self.measures)
        self.overall = overall(engine.dialect, inputs.relations, systems, self.conventions) if systems else None
        """The statement that gives the metrics of whole systems, if one was asked for."""

    def result(self, checks: EvaluationChecks, checked: bool) -> Result:
        """Rank, look for duplicates if `checked`, run, summarise, and check what only the result shows."""
        uncertain = are_uncertain(self.engine, self.inputs)
        if uncertain:
            check_drawn(self.engine, self.request)
        result = Result(self.engine, self.request, self.inputs, self.again)
        result.uncertain = uncertain
        try:
            for ranking in self.rankings(checks.runner.rows_read, checked):
                if checked:
                    checks.duplicates(ranking.documents, ranking.length)
                    self.engine.run_deferred()
                result.add(ranking, self.statement(ranking))
            result.finish(self.overall, checks)
            if checked:
                check_judged(checks.runner, self.inputs, result.counts.values(), result.totals)
                check_others(checks.runner, self.inputs)
        except (UsageError, DataError) as error:
            files = self.own_files()
            if not files or str(error).startswith(files) or (isinstance(error, DataError) and error.__cause__ is None):
                raise
            raise type(error)(f"{files}: {error}") from error
        result.notes += [] if checked else [f"the inputs were not checked ({spelt('checks', False)})"]
        result.notes += [*checks.runner.notes, *notes_of(result.inputs, self.inputs.labels)]
        if self.inputs.unfilled and any(map(reads_judgments, self.measures)):
            result.notes.append(judged_in_part(self.inputs.labels["qrels"]))
        return result

    def again(
        self,
        measures: Sequence[Measure],
        queries: int,
        inputs: Inputs | None = None,
        conventions: Conventions | None = None,
    ) -> Result:
        """The result of other measures, in tables of its own on the same connection: of the same inputs, or others."""
        engine = self.engine.local.beside()
        request = self.request.of(measures).under(conventions or self.conventions)
        inputs = inputs or self.inputs
        parts = -(-queries * len(measures) // CELLS_OF_PART)
        with closed_on_error(engine):
            checks = EvaluationChecks(engine, inputs, request)
            return Evaluation(engine, inputs, request, parts).result(checks, checked=False)

    @cached_property
    def relations(self) -> Relations:
        """The inputs, with ids that are told apart as they are where these are of one kind in all of them."""
        return with_native_ids(self.engine, self.inputs)

    def own_files(self) -> str:
        """The files of user-defined metrics."""
        own = [measure.metric for measure in self.measures if measure.metric.folder is not None]
        return ", ".join(f"{metric.folder}/{metric.template}" for metric in own)

    def rankings(self, rows_read: Mapping[str, int] = NOTHING, checked: bool = False) -> Iterator[RankPlan]:
        """How the documents of each part of the queries are ranked, while the tables of that part are there."""
        needs = self.counted
        rows = cache(lambda kind: rows_read.get(kind) or self.rows_of(kind))
        parts = max(self.engine.parts(lambda: rows("run") + rows("qrels")), self.least_parts)
        parts = 1 if needs.across_queries else parts
        for part in range(parts):
            ranked = Planner(
                self.engine,
                self.relations,
                needs,
                self.conventions,
                partial(rows, "run"),
                (part, parts),
                checked,
            )
            yield ranked.choose()
            if parts > 1:
                ranked.clear()

    def rows_of(self, kind: str) -> int:
        """How many rows an input has, 0 where there is none."""
        relation = getattr(self.inputs.relations, kind).relation
        return 0 if relation is None else count_rows(self.engine, relation)

    @cached_property
    def counted(self) -> ColumnPlan:
        """The columns that the measures need, and those of the counts of queries."""
        listing = self.engine.dialect.heaps
        return ColumnPlan(column_measures(self.measures), self.conventions, diagnostics=True, listing=listing)

    def statement(self, ranking: RankPlan) -> str:
        """The statement that gives a row per query, of one part of the queries."""
        said = [f"ranked by plan {ranking.name}: {ranking.reason}"]
        context = {**ranking.context, **ranking.part, **ranking.known}
        relations = self.relations

        def make() -> str:
            return statement(self.engine.dialect, relations, self.counted, self.conventions, said, context)

        return self.request.statement("per query", (self.engine.dialect.name, relations, said, context), make)


def open_request(
    engine: Engine, request: Request, runs: Sequence[tuple[str | None, Any]], qrels: Any, writes: Sequence[str] = ()
) -> Inputs:
    """Open the inputs; user SQL may read nothing else, and only `writes` may be written."""
    needs = inputs_of(request.measures)
    judged = [measure.text for measure in request.measures if reads_judgments(measure)]
    needs |= {"judgments": ", ".join(judged)} if judged else {}
    return open_inputs(
        engine,
        runs,
        request.reading.positives if qrels is None else qrels,
        request.reading,
        request.conventions,
        needs,
        writes,
        locked=any(measure.metric.folder is not None for measure in request.measures),
        judged=bool(judged) or None,
        given=request.given,
        preset=request.preset,
    )


def evaluate_request(
    engine: Engine,
    request: Request,
    runs: Sequence[tuple[str | None, Any]],
    qrels: Any,
    checks: bool = True,
    writes: Sequence[str] = (),
    shown: bool = False,
    day: Day = None,
) -> Result:
    """Open, check and evaluate; `writes` are files written from the result, whose statements may be `shown`.

    `day` is the column of the days, or an SQL expression, where it was named.
    """
    inputs = open_request(engine, request, runs, qrels, writes)
    behaviours = learn(engine, inputs, request.reading, day)
    if shown:
        refuse_foreign(inputs)
    request = request.under(inputs.conventions)
    checker = EvaluationChecks(engine, inputs, request)
    if checks:
        checker.before()
    result = Evaluation(engine, inputs, request).result(checker, checks)
    result.behaviours = behaviours
    if len(result.systems) > 1:
        note_shared(engine, result, request)
    if request.bounded:
        result.find_bounds(request.bounded)
    if checks and isinstance(qrels, Table) and not any(note.startswith(qrels.label) for note in result.notes):
        qrels.checked_rows = checker.runner.rows_read.get("qrels")
    table = inputs.tables["run"]
    if request.language.texts and table is not None and table.canonical and "tag" in table.columns:
        result.run_id = engine.execute(render("sources/run_id.sql", engine.dialect, reader=table.reader))[0][0]
    return result


def note_shared(engine: Engine, result: Result, request: Request) -> None:
    """Note the queries that only some of the systems have; DataError where the means would mislead."""
    from sqlrank.evaluation.shared_queries import RETRIEVED, check_evaluated, fewest_shared

    parts = [{"relation": result.per_query_table, "system": None, "retrieved": RETRIEVED}]
    found = fewest_shared(engine, parts, result.systems)
    chosen = "query_set" in request.given
    notes = check_evaluated(found, request.conventions.query_set, chosen, result.named_by_path)
    result.of_means += notes
    result.notes += notes


def refuse_foreign(inputs: Inputs) -> None:
    """Raise UsageError for an input that a bare DuckDB cannot read, where the statements are to be shown."""
    for table in [*inputs.runs, *inputs.tables.values()]:
        if table is not None and table.foreign is not None:
            raise UsageError(f"{table.label}: a bare DuckDB cannot read it: {table.foreign}")
