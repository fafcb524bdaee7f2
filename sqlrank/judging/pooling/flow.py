"""Pooling: the unjudged documents at the top of the rankings, in the order in which they matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from markupsafe import Markup

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.engines.protocol import is_spark
from sqlrank.errors import DataError, UsageError
from sqlrank.evaluation.checks import EvaluationChecks
from sqlrank.evaluation.flow import connect
from sqlrank.evaluation.ranking_checks import rows_by_system
from sqlrank.evaluation.request import list_runs
from sqlrank.inputs.opened_inputs import Inputs, notes_of
from sqlrank.inputs.opening import open_inputs
from sqlrank.judging.options import PooledRankings, PoolOptions
from sqlrank.judging.pooling.pool import Pool, PoolCounts, PoolTotals
from sqlrank.judging.pooling.pool_request import DEFAULT, Asked, asked_for
from sqlrank.judging.pooling.possible import Possible
from sqlrank.judging.pooling.statements import pairs_statement
from sqlrank.options.kinds import WORD
from sqlrank.options.shared import part_of, session_of
from sqlrank.spelling import spelt
from sqlrank.statement.render import places_statement
from sqlrank.statement.templates import render, sql_text


@public(record=PoolOptions, metric=WORD)
def pool(
    runs: Any = None,
    qrels: Any = None,
    metric: str = DEFAULT,
    *,
    systems: Mapping[str, Any] | None = None,
    **options: Unpack[PoolOptions],
) -> Pool:
    """List what to judge next: unjudged pairs, in the order in which they could change the comparison most.

    It also says whether judging can end: whether the sign of the difference of each pair of systems is the same however
    the rest is judged, for metrics that have such bounds (`Pool.possible`).

    The weight of a pair is the largest difference between two systems that its document makes: of the weights that its
    places in their rankings give the metric, the largest less the smallest, 0 where a system lacks it or below
    the cutoff (Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006). With
    one system it is the weight of its place.

    Args:
        runs: rows of query_id, doc_id and score (or rank), as `evaluate` takes them: one, or a list.
        qrels: the judgments so far, as `evaluate` takes them; None where the runs have a relevance column, which is
            null where unjudged, in every row if nothing was judged.
        metric: the text of a metric that is a sum over places, such as `ndcg@10`, or of average precision.
        systems: several runs by the name of their system, in place of `runs`.
        **options: how the inputs are read, and what numbers mean.

    Returns:
        The pairs, with counts of what was judged before.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong.
        ResourceError: memory or disk ran out.
    """
    told = part_of(options, PooledRankings)
    asked = asked_for(metric, options["depth"], options["budget"], told)
    qrels = asked.request.judgments(qrels)
    given = list_runs(runs, systems)
    inputs = [*(data for _, data in given), qrels, *asked.request.reading.others().values()]
    if any(map(is_spark, inputs)):
        raise UsageError("pools are made in DuckDB; give files, or data frames of pandas, polars or Arrow")
    engine = connect(asked.request, inputs, None, "duckdb", **session_of(options))
    assert isinstance(engine, DuckDBEngine)  # noqa: S101 it was asked for
    with closed_on_error(engine):
        return pool_on(engine, asked, given, qrels, options["checks"], options["writes"])


def pool_on(
    engine: DuckDBEngine,
    asked: Asked,
    given: Sequence[tuple[str | None, Any]],
    qrels: Any,
    checks: bool,
    writes: Sequence[str],
) -> Pool:
    """Open, check and pool, on an engine that is closed with the result."""
    request = asked.request
    inputs = open_inputs(
        engine,
        given,
        qrels,
        request.reading,
        request.conventions,
        {"titles": asked.measure.text},
        writes=list(writes),
        locked=asked.measure.metric.folder is not None,
        judged=None,
        given=request.given,
        preset=request.preset,
    )
    # What --where leaves of a query is pooled, and what it leaves out is not: no value depends on it.
    request = replace(request.under(inputs.conventions), given=request.given | {"query_set"})
    asked = replace(asked, request=request)
    found, checker = rows_by_system(engine, inputs), EvaluationChecks(engine, inputs, request)
    if checks:
        checker.before()
        checker.duplicates()
    pooling = Pooling(engine, asked, inputs, found, checker if checks else None)
    result = pooling.result()
    result.notes += checker.runner.notes if checks else [f"the inputs were not checked ({spelt('checks', False)})"]
    rows = inputs.run_rows()
    if inputs.judgments:
        rows["qrels"] = inputs.judgment_rows(inputs.count(inputs.relations.judged))
    result.notes += notes_of(rows, inputs.labels)
    return result


class Pooling:
    """Finds the pairs, part by part of the queries; without a `checker` nothing is checked."""

    def __init__(
        self,
        engine: DuckDBEngine,
        asked: Asked,
        inputs: Inputs,
        rows: Mapping[str, int],
        checker: EvaluationChecks | None,
    ) -> None:
        self.engine, self.asked, self.inputs, self.rows, self.checker = engine, asked, inputs, rows, checker
        self.counts = {name: PoolCounts(0, 0, 0) for name in rows}
        self.places, self.pairs = engine.name("pool_places"), engine.name("pool_pairs")
        self.possible = Possible(engine, asked, inputs)

    def result(self) -> Pool:
        """The pool, in order; DataError if nothing that was judged is in the runs because ids are written otherwise."""
        qrels = self.inputs.relations.qrels.relation
        judged = 0 if qrels is None else self.inputs.count(qrels)
        parts = self.engine.parts(lambda: sum(self.rows.values()) + judged)
        for part in range(parts):
            self.add({"part": part, "parts": parts})
        if not any(found.judged for found in self.counts.values()):
            self.check_shared()
        made = Pool(self.engine, self.asked, self.inputs)
        made.counts = self.counts
        made.possible = self.possible.differences(made.systems)
        made.of_possible = self.possible.remarks(made.systems)
        made.fill(self.relation(self.pairs), self.totals())
        self.engine.drop("table", self.pairs)
        return made

    def add(self, part: Mapping[str, int]) -> None:
        """Add the pairs and the counts of one part of the queries."""
        engine, relations, asked, places = self.engine, self.inputs.relations, self.asked, self.relation(self.places)
        shown = places_statement(engine.dialect, relations, asked.request.conventions, asked.limit, part)
        engine.keep(self.places, shown, doing="ranking")
        if self.checker is not None and relations.weighted:
            weights = render("pooling/weights.sql", engine.dialect, places=places)
            self.checker.weights(sql_text(weights.strip()))
        self.count(places)
        self.possible.add(places)
        pairs = pairs_statement(engine.dialect, places, asked, len(self.rows), relations.weighted)
        engine.keep(self.pairs, pairs, doing="weighing", more=part["part"] > 0)
        engine.drop("table", self.places)

    def count(self, places: Markup) -> None:
        """Add what stands among the first places of one part of the queries, and how much of it was judged."""
        statement = render("pooling/judged.sql", self.engine.dialect, places=places, depth=self.asked.depth)
        for row in self.engine.gather([statement])[0]:
            self.counts[row.pop("system")] += PoolCounts(**row)

    def totals(self) -> PoolTotals:
        """The counts of all pairs."""
        relations = self.inputs.relations
        judged = None if relations.without_judgments else relations.judged
        context = {"pairs": self.relation(self.pairs), "judged": judged}
        return PoolTotals(**self.engine.row(render("pooling/totals.sql", self.engine.dialect, **context)))

    def relation(self, name: str) -> Markup:
        """A table by its name."""
        return sql_text(self.engine.dialect.ident(name))

    def check_shared(self) -> None:
        """Look whether ids of runs and judgments match in another form, where nothing that is pooled was judged."""
        if self.checker is None or self.inputs.relations.qrels.relation is None:
            return
        try:
            self.checker.find("no_shared_query")
            self.checker.find("no_shared_document")
        except DataError as error:
            raise DataError(f"{error}; for queries without any judgments yet, leave out {spelt('qrels')}") from error
