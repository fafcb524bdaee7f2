"""One evaluation of inputs that are open: rank, run the statement part by part, and summarise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from types import MappingProxyType

from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError
from sqlrank.evaluation.checks import EvaluationChecks
from sqlrank.evaluation.ranking import Planner, RankPlan
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.settled import Settled
from sqlrank.inputs.opened import Inputs
from sqlrank.inputs.row_counts import notes_of
from sqlrank.metrics.language import column_measures
from sqlrank.metrics.measure import of_systems
from sqlrank.statement.needs import Plan
from sqlrank.statement.render import overall, statement
from sqlrank.statement.templates import render

NOTHING: Mapping[str, int] = MappingProxyType({})


class Evaluation:
    """What is asked of inputs that are open.

    Args:
        engine: what they are open on.
        inputs: the inputs.
        settled: the measures, the conventions, and how texts of metrics are meant.
    """

    def __init__(self, engine: Engine, inputs: Inputs, settled: Settled) -> None:
        self.engine, self.inputs, self.settled = engine, inputs, settled
        self.measures, self.conventions = settled.measures, settled.conventions
        systems = of_systems(self.measures)
        self.overall = overall(engine.dialect, inputs.relations, systems, self.conventions) if systems else None
        """The statement that gives the metrics of whole systems, if one was asked for."""

    def result(self, checks: EvaluationChecks, checked: bool) -> Result:
        """Check the rows, rank, run, summarise, and check what only the result shows.

        Args:
            checks: the checks of the inputs.
            checked: whether they have run, and duplicates are looked for.

        Raises:
            DataError: what a check found.
            UsageError: SQL of the user cannot be run.
        """
        result = Result(self.engine, self.settled, self.inputs, self.statements)
        try:
            for ranking in self.rankings(checks.runner.rows_read, checked):
                if checked:
                    checks.duplicates(ranking.part, ranking.documents)
                    self.engine.run_deferred()
                result.add(ranking, self.statement(ranking, diagnostics=True))
            result.finish(self.overall)
        except (UsageError, DataError) as error:
            files = self.own_files()
            if not files or str(error).startswith(files) or (isinstance(error, DataError) and error.__cause__ is None):
                raise
            raise type(error)(f"{files}: {error}") from error
        shared = sum(counts.shared for counts in result.counts.values())
        checks.after(result.per_query_table, shared, result.totals["judged_documents"])
        result.notes += [] if checked else ["the inputs were not checked (--no-checks)"]
        result.notes += [*checks.runner.notes, *notes_of(result.inputs, self.inputs.labels)]
        return result

    def own_files(self) -> str:
        """The files of the metrics of the user."""
        own = [measure.metric for measure in self.measures if measure.metric.folder is not None]
        return ", ".join(f"{metric.folder}/{metric.template}" for metric in own)

    def rankings(self, rows_read: Mapping[str, int] = NOTHING, checked: bool = False) -> Iterator[RankPlan]:
        """How the documents of each part of the queries are ranked, while the tables of that part are there.

        Args:
            rows_read: how many rows the inputs have, where that is known.
            checked: whether the inputs have been looked at.
        """
        needs = self.needs(diagnostics=True)
        rows = cache(lambda kind: rows_read.get(kind) or self.rows_of(kind))
        parts = 1 if needs.across_queries else self.engine.parts(lambda: rows("run") + rows("qrels"))
        for part in range(parts):
            ranked = Planner(
                self.engine,
                self.inputs.relations,
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
        if relation is None:
            return 0
        sql = render("sources/rows_of.sql", self.engine.dialect, relation=relation)
        return int(self.engine.execute(sql)[0][0])

    def needs(self, diagnostics: bool) -> Plan:
        """What the measures need of the observations."""
        return Plan(column_measures(self.measures), self.conventions, diagnostics)

    def statement(self, ranking: RankPlan, diagnostics: bool) -> str:
        """The statement that gives a row per query: of a part of them where diagnostics are wanted too."""
        said = [f"ranked by plan {ranking.name}: {ranking.reason}"]
        context = dict(ranking.context) | (dict(ranking.part) | dict(ranking.known) if diagnostics else {})
        needs = self.needs(diagnostics)
        return statement(self.engine.dialect, self.inputs.relations, needs, self.conventions, said, context)

    def statements(self, ranking: RankPlan) -> list[str]:
        """What is to be shown: the statements that give what was asked for, the one of whole systems last."""
        shown = [self.overall]
        if any(measure.metric.grain == "query" for measure in self.measures):
            shown.insert(0, self.statement(ranking, diagnostics=False))
        return [text for text in shown if text is not None]

    def shown(self) -> list[str]:
        """All statements, from the sources on, as text that runs elsewhere."""
        ranking = next(self.rankings())
        return [*self.inputs.sources, *ranking.statements, *self.statements(ranking)]
