"""The result of an evaluation: the per-query table, the summary over it, and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError, counted, first_of
from sqlrank.evaluation.checks import EvaluationChecks
from sqlrank.evaluation.counts import QueryCounts as QueryCounts
from sqlrank.evaluation.counts import (
    Row,
    add_counts,
    add_evaluated,
    counts_in_words,
    in_order,
    is_unusual,
    load_rows,
    lone_clusters,
    long_rows,
)
from sqlrank.evaluation.explained import ExplainedResult
from sqlrank.evaluation.floors import CheckedResult
from sqlrank.evaluation.ranking import RankPlan
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.storable import StorableResult
from sqlrank.evaluation.uncertain_result import UncertainResult
from sqlrank.inputs.opened_inputs import InputRows, Inputs
from sqlrank.metrics.language import Language, column_measures, parse_measures
from sqlrank.metrics.measure import Measure, of_queries
from sqlrank.presentation import Charted, Usual
from sqlrank.statement.relations import Relation, Relations
from sqlrank.statement.summaries import summary
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.evaluation.fingerprints import Fingerprint


class Result(ExplainedResult, StorableResult, UncertainResult, CheckedResult, Charted):
    """One evaluation: values, per-query rows, and the statement that made them."""

    offered = (
        ExplainedResult.offered
        + " best check described_queries explain fingerprints inputs measures plan plot report store worst"
    )

    _again: Callable[..., Result]

    def __init__(
        self,
        engine: Engine,
        request: Request,
        inputs: Inputs,
        again: Callable[..., Result],
    ) -> None:
        super().__init__(engine, request, inputs)
        self.plan = RankPlan("none", "nothing was ranked")
        """How the documents were ranked, and why so: `name` and `reason`."""
        self._again = again
        self._ran: list[tuple[RankPlan, str]] = []
        self._overall: str | None = None
        self.by_column: bool = inputs.by_column
        """Whether a column of a run names its systems."""
        self.named_by_path = inputs.named_by_path
        """Whether the systems are told apart by their files alone."""
        self.labelled: bool = inputs.relations.labelled
        """Whether the judgments are those of the export itself."""
        self.unjudged: bool = inputs.relations.without_judgments
        """Whether there are no judgments."""
        self.counts: dict[str, QueryCounts] = {}
        """Counts of queries by system."""
        self.totals: Counter[str] = Counter()
        """Counts of rows over all systems, named as in sources/counts.sql."""
        self.inputs: dict[str, InputRows] = {}
        """The rows of each input, and why some were left out."""
        self.run_id = str(inputs.relations.system or "")
        """The id of the run: the tag of a TREC file, else the name of the system."""

    @cached_property
    def sql(self) -> str:
        """The statements that gave the values, as they ran, over the relations that `sources` make.

        Their rows hold the counts of queries and ties too. Where many queries are taken in parts, they make the tables
        of each part, and end with the rows of all.
        """
        of_queries = any(measure.metric.grain == "query" for measure in self.measures)
        ran = self._in_parts() if self._parts else [self._ran[0][1]]
        return ";\n\n".join([*(ran if of_queries else []), *filter(None, [self._overall])])

    @property
    def sources(self) -> list[str]:
        """The statements that make the relations it reads: the inputs, and the tables of the plan."""
        return [*self._inputs.sources, *([] if self._parts else self.plan.statements)]

    @property
    def _parts(self) -> bool:
        """Whether the queries were taken in parts."""
        return len(self._ran) > 1

    def _in_parts(self) -> list[str]:
        """The statements of all parts, in the order in which they ran."""
        dialect, name, found = self._local.dialect, self._local.name("per_query"), list[str]()
        for ranking, statement in self._ran:
            how = "inserted" if found else "created"
            made = render(f"sources/{how}.sql", dialect, name=name, statement=sql_text(statement))
            dropped = [render("sources/drop.sql", dialect, kind="table", name=table) for table in ranking.tables]
            found += [*ranking.statements, made, *(text.strip() for text in dropped)]
        return [*found, render("sources/every_row.sql", dialect, relation=self.per_query_table).strip()]

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in order."""
        return list(self.counts)

    def ordered_means(self) -> dict[str, float | None]:
        """The mean of each column of a single system, its queries added in the order of their ids."""
        plain = [each for each in of_queries(self.measures) if each.summary == "mean" and each.weight_column is None]
        measures = [{"column": measure.column} for measure in plain]
        return self._engine.row(self._render("sources/ordered_means.sql", measures=measures)) if measures else {}

    def judgments(self) -> str:
        """A fingerprint of the judgments: how many there are, and a hash that their order does not change."""
        judged = self._relations.run if self.labelled else self._relations.qrels
        sql = render("sources/judged_pool.sql", self._local.dialect, judged=judged, labelled=self.labelled)
        judged_documents, number = self._local.execute(sql)[0]
        return f"{judged_documents} {int(number):032x}"

    @property
    def relations(self) -> Relations:
        """The rows of each input, with the name of the column for each role."""
        return self._relations

    @property
    def tells_judged(self) -> bool:
        """Whether the share that was judged says more than the share that is relevant.

        It does not where judgments are those of the export, or only of relevant documents, as purchases are.
        """
        judged = self._relations.qrels
        if self.labelled or self.unjudged or judged.positive:
            return False
        sql = render("sources/irrelevant.sql", self._local.dialect, judged=judged, rel=self.conventions.rel)
        return bool(self._local.execute(sql)[0][0])

    def further(self, metrics: Iterable[str], as_returned: bool = False) -> Result:
        """The result of other metrics over the same inputs and conventions, in total, which is closed on its own.

        Args:
            metrics: canonical texts such as `ndcg(gain=exp2)@5`, whatever tool `like` names.
            as_returned: whether unjudged documents are those, whatever the convention makes of them.

        Raises:
            UsageError: Spark evaluated, or a metric cannot be had from these inputs.
        """
        if self._engine is not self._local:
            raise UsageError("this needs an evaluation in DuckDB: give it the rows there, with engine=None")
        own = Language(self.language.rel, self.language.own, top=self.language.top)
        inputs = replace(self._inputs, relations=replace(self._inputs.relations, segments=()))
        conventions = replace(self._request.conventions, unjudged="nonrelevant") if as_returned else None
        return self._again(parse_measures(list(metrics), own), self._queries, inputs, conventions)

    def completed(
        self,
        measures: Sequence[Measure],
        base: str = "completed",
        returned: Relation | None = None,
        systems: Sequence[str] = (),
    ) -> Result:
        """The result of judgments in which documents that had none are relevant, as `bounds.completed` makes them."""
        from sqlrank.evaluation.bounds import completed

        inputs = completed(self._local, self._inputs, self.conventions, base, returned, systems)
        return self._again(measures, self._queries, inputs)

    def find_bounds(self, measures: Sequence[Measure]) -> None:
        """Find the values of measures that rise with relevance were every document without a judgment relevant."""
        from sqlrank.evaluation.bounds import top_in_words, top_of, upper

        local, relations = self._local, self._relations
        self.top = top_in_words(self.conventions, top_of(local, self._inputs, self.conventions))
        with self.completed(measures) as other:
            statement = upper(local, relations, self.per_query_table, other.per_query_table, measures)
            local.keep(local.name("upper"), statement, doing="evaluating")
        local.keep(local.name("bounds"), summary(local.dialect, measures, relations, self.upper_table))
        self._bounds = sql_text(local.dialect.ident(local.name("bounds")))

    @property
    def upper_table(self) -> Markup:
        """The per-query rows of the upper bounds, where they were asked for."""
        return sql_text(self._local.dialect.ident(self._local.name("upper")))

    def places_statement(self) -> str:
        """The statement of the places of all documents, with their judgments."""
        from sqlrank.statement.render import places_statement

        return places_statement(self._local.dialect, self._relations, self.conventions)

    def fingerprints(self) -> list[Fingerprint]:
        """The files that were read, with their sizes and hashes."""
        return self._fingerprints

    @cached_property
    def _fingerprints(self) -> list[Fingerprint]:
        from sqlrank.evaluation.fingerprints import fingerprints

        others = [table for table in self._inputs.tables.values() if table is not None]
        return list(fingerprints(self._engine, [*self._inputs.runs, *others, *self._inputs.judgments]))

    @property
    def context_remarks(self) -> list[str]:
        """Conventions, and how many queries were what."""
        preset = self.language.preset
        lines: list[str] = [] if preset is None else [Usual(f"like {preset.title}: {preset.sets}")]
        lines.append(Usual(self.conventions.describe(), self.conventions.in_short(preset.title if preset else "")))
        systems: dict[str, list[str]] = {}
        for system, found in self.counts.items():
            systems.setdefault(self._counts_in_words(found), []).append(system)
        for text, named in systems.items():
            name = f"{first_of(named)}: " if len(self.counts) > 1 else ""
            usual = not self.unjudged and not is_unusual(self.counts[named[0]])
            lines.append(Usual(f"{name}{text}") if usual else f"{name}{text}")
        return [*lines, *self.own_sql, *self._inputs.remarks]

    def _counts_in_words(self, found: QueryCounts) -> str:
        """How many queries of one system were what."""
        if self.unjudged:
            return f"{counted(found.unjudged, 'query')} with results, without judgments"
        return counts_in_words(found, self.conventions.query_set)

    def add(self, ranking: RankPlan, statement: str) -> None:
        """Run the statement that gives the per-query rows, or those of one part of the queries."""
        if ranking.part["part"] == 0:
            self.plan = ranking
        self._ran.append((ranking, statement))
        self._create("per_query", statement, more=ranking.part["part"] > 0)

    def finish(self, overall: str | None, checks: EvaluationChecks) -> None:
        """Compute counts, summary and the metrics of whole systems, if any, and check what only they show.

        Raises:
            DataError: a system has no rows, or the first finding.
        """
        self.has_overall, self._overall = overall is not None, overall
        engine, relations = self._engine, self._relations
        measures = column_measures(self.measures)
        engine.defer(self._count_statement(), partial(add_counts, self.counts, self.totals))
        unbounded = [measure["column"] for measure in checks.unbounded]
        evaluated = self._render("sources/evaluated.sql", judged=relations.judged, unbounded=unbounded)
        engine.defer(evaluated, partial(self._counted, checks))
        summed = self._request.statement(
            "summary",
            (engine.dialect.name, relations, self.per_query_table),
            lambda: summary(engine.dialect, measures, relations, self.per_query_table),
        )
        engine.summarise(engine.name("summary"), summed, partial(self._load_wide, "summary"))
        if overall is not None:
            engine.summarise(engine.name("overall"), overall, partial(self._load, "overall"))
        checks.values(self.per_query_table)
        if self.cluster is not None:
            engine.defer(self._render("sources/clusters.sql", cluster=self.cluster), self._clustered)
        engine.run_deferred()
        self.inputs = self._inputs.rows(self.totals, self.conventions.query_set)
        self._note_withheld()

    def _counted(self, checks: EvaluationChecks, rows: Sequence[Row]) -> None:
        """Keep the counts, all of which are known now; DataError if a system has no rows, or nothing matches."""
        add_evaluated(self.counts, self.totals, rows)
        self.counts = in_order(self.counts, self._inputs.systems)
        absent = [name for name in self._inputs.systems if name not in self.counts]
        if absent:
            raise DataError(f"{absent[0]}: the system has no rows")
        checks.finite(self.per_query_table, rows)
        # Where documents without a judgment count as if they had one, only a look at the inputs tells these apart.
        filled = self.conventions.grade_of_unjudged is not None
        judged = 0 if filled else self.totals["judged_documents"]
        checks.shared(sum(found.shared for found in self.counts.values()), judged)

    def _clustered(self, rows: Sequence[Row]) -> None:
        """Keep the number of clusters, and note how many queries are clusters of their own."""
        self.clusters, lone = rows[0]["clusters"], rows[0]["lone"]
        if lone:
            self.notes.append(lone_clusters(lone, str(self.cluster)))

    def _load(self, base: str, rows: Sequence[Row]) -> None:
        load_rows(self._local, base, rows, self.by)

    def _load_wide(self, base: str, rows: Sequence[Row]) -> None:
        measures = column_measures(self.measures)
        self._load(base, [long for row in rows for long in long_rows(row, self.by, measures)])

    def _count_statement(self) -> str:
        inputs = self._relations
        known = self.plan.known if self.plan.part["parts"] == 1 and not self.labelled else {}
        variables: dict[str, Any] = {
            "run": inputs.run.relation,
            "judged": inputs.judged,
            "query_set": self.conventions.query_set,
            "rankings": known.get("rankings") if known.get("checked") else None,
            "alone": self.labelled and not inputs.several,
        }
        return self._render("sources/counts.sql", **variables)
