"""The checks of an evaluation, which run before any number is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlrank.conventions import plain
from sqlrank.engines.protocol import Engine
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.tool_checks import checks_of
from sqlrank.inputs.check_runner import WHOLE, CheckRunner
from sqlrank.inputs.opened import Inputs
from sqlrank.metrics.measure import Measure
from sqlrank.statement.columns import inputs_of, reads_judgments
from sqlrank.statement.needs import gain_value
from sqlrank.statement.templates import sql_text


def not_finite_instead(measure: Measure) -> str | None:
    """What to do where a value of a metric is not finite; None where every value is."""
    metric = measure.metric
    if metric.folder is not None:
        return f"see the divisions and logarithms of {metric.folder}/{metric.template}"
    too_large = "the gains are too large for 64-bit numbers: choose another gain"
    return too_large if "gain" in metric.parameters else None


class RankingChecks:
    """The checks of runs, whatever they are evaluated or compared for.

    Args:
        engine: what runs them.
        inputs: the inputs as opened.
        request: the measures, conventions and ways of reading.
    """

    def __init__(self, engine: Engine, inputs: Inputs, request: Request) -> None:
        self.engine, self.inputs, self.request = engine, inputs, request
        self.relations, self.conventions = inputs.relations, request.conventions
        self.measures, self.reading = request.measures, request.reading
        self.subtopics = "subtopic" in inputs_of(self.measures)
        context = {
            "run": self.relations.run.relation,
            "judged": self.relations.judged,
            "asked": self.relations.queries.relation,
            "unfiltered": inputs.unfiltered,
            "several": self.relations.several,
            "subtopics": self.subtopics,
        }
        main = "queries" if self.relations.queries else "run"
        self.runner = CheckRunner(engine, inputs, context, main, compared=not self.relations.labelled)
        self.find = self.runner.find

    def scan(self, kind: str) -> None:
        """Check the conditions on the rows of one input, where there is such an input."""
        relation = getattr(self.relations, kind).relation
        if relation is not None:
            also = "qrels" if self.relations.labelled and kind == "run" else None
            self.runner.scan(kind, relation, self.variables(kind), also)

    def variables(self, kind: str) -> dict[str, Any]:
        """What the conditions on the rows of one input may need."""
        relation = getattr(self.relations, kind)
        return {
            "documents": kind != "queries",
            "queries": kind != "items",
            "weight": relation.weight,
            "subtopic": self.subtopics or None,
            "labelled": self.relations.labelled or None,
            "given_ranks": self.conventions.order == "rank" or None,
            "number_ids": self.conventions.ties == "number-desc" or None,
            "single": self.conventions.score_type == "float" or None,
            "marked": (relation.stated_doc_id or "doc_id") if self.engine.narrows and self.copied(kind) else None,
        }

    def copied(self, kind: str) -> bool:
        """Whether an input is looked through for documents that stand twice."""
        return kind == "run" and self.conventions.duplicates == "error"

    def queries(self) -> None:
        """Check the table of queries."""
        if self.relations.queries:
            self.scan("queries")
            self.find("queries_duplicates")

    def ranks(self) -> None:
        """Check whether ranks leave places open, and whether ranks that break ties are those of the scores."""
        if self.conventions.ties == "rank" and not self.relations.by_rank:
            self.find("rank_disagrees", ascending=self.conventions.order == "asc")

    def duplicates(self, part: Mapping[str, int] = WHOLE, documents: Any = None) -> None:
        """Raise if a document stands in one ranking twice, among those that can change a number.

        Args:
            part: which part of the queries is looked at, of how many.
            documents: the relation of the documents that can change a number; None for all.

        Raises:
            DataError: there is one.
        """
        if self.conventions.duplicates == "error":
            relation = self.relations.run.relation if documents is None else documents
            several = self.relations.several
            self.runner.find_copies("run_duplicates", "run", relation, self.variables("run"), part, several)

    def segments(self, kind: str) -> None:
        """Check that each segment and the weight is the same in every row of a query."""
        source, run = getattr(self.relations, kind), self.relations.run
        if not source:
            return
        columns = [extra.name for extra in source.extra] + ([source.weight] if source.weight else [])
        for column in columns:
            self.find("segment_varies", kind, relation=source.relation, column=column)
        if kind == "qrels":
            for column in (extra.name for extra in source.extra if extra.found):
                self.find("segment_disagrees", column=column, number=None)
            if source.weight and run.weight:
                self.find("segment_disagrees", column=source.weight, number=True)

    def weights(self, per_query: Any) -> None:
        """Check that every query has a weight.

        Args:
            per_query: the table of the per-query rows.
        """
        if self.reading.weight is not None:
            self.find("weight_missing", per_query=per_query, weight=self.reading.weight)


class EvaluationChecks(RankingChecks):
    """The checks of runs and judgments, for what is evaluated."""

    def before(self) -> None:
        """Check the rows of the inputs.

        Raises:
            DataError: the first finding, unless the engine defers.
        """
        relations, conventions = self.relations, self.conventions
        self.scan("run")
        self.scan("qrels")
        self.queries()
        self.needed()
        self.scores()
        if relations.several and self.inputs.named_by_path:
            self.find("shards")
        if conventions.judgments == "error" and relations.judged is not None:
            if not relations.labelled:
                variables = self.variables("qrels")
                self.runner.find_copies(
                    "qrels_duplicates", "qrels", relations.judged, variables, subtopics=self.subtopics
                )
            elif relations.several or conventions.duplicates != "error":
                self.find("labels_differ")
        if self.inputs.unfiltered is not None and "query_set" not in self.request.given:
            self.find("where_emptied")
        if relations.judged is not None:
            self.judgments()
        for name, found in checks_of(self.request, self.inputs):
            self.find(name, **found)
        for kind in ("run", "qrels"):
            self.segments(kind)
        if conventions.ties == "average" and conventions.depth:
            self.find(
                "tie_cut",
                depth=conventions.depth,
                direction=relations.direction,
                query_set=conventions.query_set,
            )
        self.ranks()

    def copied(self, kind: str) -> bool:
        """Whether an input is looked through for documents that stand twice."""
        if kind == "qrels":
            return self.conventions.judgments == "error" and not self.subtopics
        return super().copied(kind)

    def scores(self) -> None:
        """Check whether what is taken for scores may be something else."""
        tables = [self.inputs.tables[kind] for kind in ("run", "qrels")]
        apart = self.relations.judged is not None and not self.relations.labelled
        if apart and all(table is not None and table.nested for table in tables):
            self.find("scores_and_labels_swapped")
        if self.conventions.order == "desc" and any(table.unnamed_score for table in self.inputs.runs):
            self.find("score_counts_ranks")

    def ranks(self) -> None:
        """Check whether ranks and ties leave the places open, and whether ranks that break ties fit the scores."""
        if self.conventions.order == "rank":
            self.find("rank_repeated")
        if self.conventions.ties == "error":
            self.cutoffs()
        super().ranks()

    def cutoffs(self) -> None:
        """Check whether a tie decides what is shown down to a cutoff."""
        shown = [measure for measure in self.measures if measure.k and not reads_judgments(measure)]
        if not shown:
            return
        single = self.engine.dialect.single if self.conventions.score_type == "float" else None
        preset = self.request.language.preset
        self.find(
            "tied_at_cutoff",
            texts=", ".join(measure.text for measure in shown),
            cutoffs=sorted({min(measure.k or 1, self.conventions.depth or measure.k or 1) for measure in shown}),
            tool=f", which {preset.title} leaves open" if preset else "",
            direction=self.relations.direction,
            query_set=self.conventions.query_set,
            kind_of_score=sql_text(single or self.engine.dialect.double),
        )

    def judgments(self) -> None:
        """Check the judgments for the levels, scales and gains asked for."""
        for level in {float(measure["rel"]) for measure in self.measures if "rel" in measure.metric.parameters}:
            name = "level_unreached_as_asked" if level in self.request.levels else "level_unreached"
            self.find(name, level=level, shown_level=plain(level))
        values = [(measure, dict(measure.values)) for measure in self.measures]
        if scaled := [measure.text for measure, value in values if value.get("max") == "data"]:
            self.find("scale_from_data", texts=", ".join(scaled))
        for most in {value["max"] for measure, value in values if measure.metric.name == "err"} - {"data"}:
            self.find("grade_above_max", most=most)
        for gain in {str(value.get("gain")) for _, value in values}:
            if named := [relevance for relevance, _ in gain_value(gain)["pairs"]]:
                self.find("gain_missing", named=named, judgments=self.conventions.judgments)

    def needed(self) -> None:
        """Check the inputs that only some metrics need."""
        for kind in ("items", "history", "baseline"):
            self.scan(kind)
        if "category" in inputs_of(self.measures):
            self.find("items_duplicates", relation=self.relations.items.relation)
        if self.relations.baseline:
            self.find("baseline_duplicates", relation=self.relations.baseline.relation)

    def after(self, per_query: Any, shared: int, judged_documents: float) -> None:
        """Check what shows only in the per-query rows.

        Args:
            per_query: the table of these rows.
            shared: how many queries have results and judgments.
            judged_documents: how many judged documents were found near the top.

        Raises:
            DataError: the first finding.
        """
        if shared == 0 and self.relations.judged is not None:
            self.find("no_shared_query")
        if judged_documents == 0 and any(map(reads_judgments, self.measures)):
            self.find("no_shared_document")
        for measure in self.measures:
            if instead := not_finite_instead(measure):
                context = {"per_query": per_query, "measure": measure.text, "column": measure.column}
                self.find("value_not_finite", **context, instead=instead)
        self.weights(per_query)
        if self.conventions.ties == "error":
            self.find("ties_found", per_query=per_query)
        if self.conventions.empty == "error":
            for measure in self.measures:
                if measure.metric.empty:
                    self.find("nothing_to_find", per_query=per_query, measure=measure.text, column=measure.column)
        self.engine.run_deferred()
