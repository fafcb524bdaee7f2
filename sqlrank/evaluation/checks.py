"""The checks of an evaluation, which run before any number is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from markupsafe import Markup

from sqlrank.evaluation.ranking_checks import RankingChecks
from sqlrank.metrics.measure import Measure, ends_with_data, of_queries
from sqlrank.spelling import plain
from sqlrank.statement.columns import OF_ITEMS, check_vectors, inputs_of, reads_judgments
from sqlrank.statement.gains import gain_value
from sqlrank.statement.templates import sql_text

SCALED = ("linear", "exp2")
"""Gains that are as large as the relevance is."""


def not_finite_instead(measure: Measure) -> str | None:
    """What to do where a value of a metric is not finite; None where every value is."""
    metric = measure.metric
    if metric.folder is not None:
        return f"see the divisions and logarithms of {metric.folder}/{metric.template}"
    too_large = "the gains are too large for 64-bit numbers: choose another gain"
    return too_large if "gain" in metric.parameters else None


def levels_of(measure: Measure) -> tuple[float, ...]:
    """The smallest relevance that counts in a metric; nothing for one that reads no level."""
    return (float(measure["rel"]),) if "rel" in measure.metric.parameters else ()


class EvaluationChecks(RankingChecks):
    """The checks of runs and judgments, for what is evaluated."""

    def before(self) -> None:
        """Check the rows of the inputs; DataError for the first finding, unless the engine defers."""
        relations, conventions = self.relations, self.conventions
        self.runner.notes += self.mistaken()
        table = self.inputs.tables["qrels"]
        known = None if relations.labelled or table is None else table.checked_rows
        self.scan("run")
        if known is None:
            self.scan("qrels")
        else:
            self.runner.rows_read["qrels"] = known
        self.queries()
        self.needed()
        self.scores()
        self.rows_of_lists()
        if conventions.judgments == "error" and relations.judged is not None:
            if not relations.labelled and known is None and not self.distinct("qrels"):
                variables = self.variables("qrels")
                self.runner.find_copies(
                    "qrels_duplicates", "qrels", relations.judged, variables, subtopics=self.subtopics
                )
            elif relations.labelled and (relations.several or conventions.copies != "error"):
                self.find("labels_differ")
        if relations.judged is not None and "item_weight" in inputs_of(self.measures):
            self.find("item_weights_differ")
        if self.inputs.unfiltered is not None and "query_set" not in self.request.given:
            self.find("where_emptied")
        if relations.judged is not None and known is None:
            self.judgments()
        if self.request.preset is not None:
            from sqlrank.evaluation.tool_checks import checks_of

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
                kind_of_score=self.kind_of_score,
            )
        self.ranks()

    def mistaken(self) -> list[str]:
        """Notes on metrics whose name is that of another metric in another tool, where no tool is meant."""
        asked = self.measures if self.request.preset is None else ()
        return [f"{one.text} is not {one.metric.mistaken}" for one in asked if one.metric.mistaken and one.k]

    def copied(self, kind: str) -> bool:
        """Whether an input is looked through for documents that appear twice."""
        if kind == "qrels":
            return self.conventions.judgments == "error" and not self.subtopics and not self.distinct(kind)
        return super().copied(kind)

    def scores(self) -> None:
        """Check whether what is taken for scores may be something else."""
        tables = [self.inputs.tables[kind] for kind in ("run", "qrels")]
        apart = self.relations.judged is not None and not self.relations.labelled
        if apart and all(table is not None and table.nested for table in tables):
            self.find("scores_and_labels_swapped")
        if self.conventions.order == "desc" and any(table.unnamed_score for table in self.inputs.runs):
            self.find("score_counts_ranks")
        if any(table.assumed_rank for table in self.inputs.runs):
            self.find("rank_does_not_count")

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
        preset = self.request.language.preset
        self.find(
            "tied_at_cutoff",
            texts=", ".join(measure.text for measure in shown),
            cutoffs=sorted({min(measure.k or 1, self.conventions.depth or measure.k or 1) for measure in shown}),
            tool=f", which {preset.title} leaves open" if preset else "",
            direction=self.relations.direction,
            query_set=self.conventions.query_set,
            kind_of_score=self.kind_of_score,
        )

    @property
    def kind_of_score(self) -> Markup:
        """The type of the numbers that scores are compared as; in a text file they are texts until then."""
        dialect = self.engine.dialect
        single = dialect.single if self.conventions.score_type == "float" else None
        return sql_text(single or dialect.double)

    def judgments(self) -> None:
        """Check the judgments for the levels, scales and gains asked for."""
        for level in sorted({level for measure in self.measures for level in levels_of(measure)}):
            asked = level in self.request.levels
            name = "level_unreached_as_asked" if asked else "level_unreached"
            self.find(name, level=level, shown_level=plain(level))
            if not asked and not self.relations.labelled and not self.relations.qrels.positive:
                self.find("every_judgment_relevant", level=level, shown_level=plain(level))
            if level != self.conventions.rel:
                texts = [measure.text for measure in self.measures if level in levels_of(measure)]
                self.find("queries_below_level", level=level, shown_level=plain(level), texts=", ".join(texts))
        values = [(measure, dict(measure.values)) for measure in self.measures]
        if scaled := [measure.text for measure, value in values if ends_with_data(value)]:
            self.find("scale_from_data", texts=", ".join(scaled))
        stopped = [value for measure, value in values if "stop" in measure.metric.reads]
        for most in {value["max"] for value in stopped if isinstance(value["max"], float)}:
            self.find("grade_above_max", most=most)
        if any(value["max"] == "none" and gain_value(value["gain"])["kind"] in SCALED for value in stopped):
            self.find("not_a_probability")
        for gain in {str(value.get("gain")) for _, value in values}:
            if named := [relevance for relevance, _ in gain_value(gain)["pairs"]]:
                self.find("gain_missing", named=named, judgments=self.conventions.judgments)

    def needed(self) -> None:
        """Check the inputs that only some metrics need."""
        check_vectors(self.measures, self.engine.dialect)
        for kind in ("items", "history", "baseline"):
            self.scan(kind)
        read = inputs_of(self.measures)
        if any(role in read for role in OF_ITEMS):
            self.find("items_duplicates", relation=self.relations.items.relation)
        for role in ("length", "vector"):
            if role in read:
                self.find("item_lacks", items=self.relations.items.relation, role=role)
        if "vector" in read:
            self.find("vectors_differ", items=self.relations.items.relation)
        if self.relations.baseline:
            self.find("baseline_duplicates", relation=self.relations.baseline.relation)

    def shared(self, queries: int, documents: int) -> None:
        """Raise DataError if none of the queries, or none of the documents, is in both inputs."""
        if queries == 0 and self.relations.judged is not None:
            run, judged = map(self.inputs.as_in_files, (self.relations.run.relation, self.relations.judged))
            self.find("no_shared_query", run=run, judged=judged)
        if documents == 0 and any(map(reads_judgments, self.measures)):
            self.find("no_shared_document")
        self.engine.run_deferred()

    @cached_property
    def unbounded(self) -> list[dict[str, Any]]:
        """The measures that may have values that are not finite, and what to do then."""
        asked = [(measure, not_finite_instead(measure)) for measure in self.measures]
        return [
            {"text": measure.text, "column": measure.column, "instead": instead}
            for measure, instead in asked
            if instead
        ]

    @property
    def ranged(self) -> list[dict[str, Any]]:
        """The measures of queries whose values have a largest one."""
        return [
            {"text": each.text, "column": each.column, "most": each.metric.range[1]}
            for each in of_queries(self.measures)
            if each.metric.range is not None
        ]

    def finite(self, per_query: Any, rows: Sequence[Mapping[str, Any]]) -> None:
        """Raise DataError for a value that is not finite, of which `rows` of sources/evaluated.sql counted some."""
        if any(row.get("not_finite") for row in rows):
            self.find("value_not_finite", per_query=per_query, measures=self.unbounded)
            self.engine.run_deferred()

    def values(self, per_query: Any) -> None:
        """Check the per-query rows; DataError for the first finding, unless the engine defers."""
        self.described(per_query)
        self.weights(per_query)
        if self.relations.cluster is not None:
            self.find("cluster_missing", per_query=per_query, cluster=self.relations.cluster)
        grade, ranged = self.conventions.grade_of_unjudged, self.ranged
        if grade is not None and ranged:
            self.find("value_above_range", per_query=per_query, measures=ranged, grade=grade)
        if self.conventions.ties == "error":
            self.find("ties_found", per_query=per_query)
        if self.conventions.empty == "error":
            for measure in self.measures:
                if measure.metric.empty:
                    self.find("nothing_to_find", per_query=per_query, measure=measure.text, column=measure.column)
