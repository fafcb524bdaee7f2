"""Labels that have an interval, as those from clicks do: what their uncertainty adds to that of a mean.

Labels are drawn anew, each from a distribution with its mean and standard deviation, and metrics are recomputed: many
draws at once, as queries of one evaluation. Systems have the draws in common. Labels of different queries vary apart:
the variance of a mean follows from those of its queries. A sum of labels with weights that no label changes needs no
draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine, count_rows
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.evaluation.request import Request
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.metrics.measure import Measure, ends_with_data
from sqlrank.spelling import spelt
from sqlrank.statement.columns import inputs_of, reads_judgments
from sqlrank.statement.gains import discount_value
from sqlrank.statement.relations import Relation, Relations
from sqlrank.statement.render import places_statement
from sqlrank.statement.templates import NativeId, render, sql_text
from sqlrank.statistics.student import NORMAL

LOOSEST = 0.01
"""The least sum of both shapes of a Beta distribution: nearly all labels are nothing or all there."""
ROUNDING = 1e-12
"""Up to which share of its values a difference is rounding."""
ROWS_AT_ONCE = 4_000_000
"""The number of rows of rankings and judgments whose draws are taken at once."""
USUAL = ("nonrelevant", "error", "double")
"""The conventions under which the first documents are those with the best scores, whatever was judged."""
ORDERED = ("doc-desc", "doc-asc", "number-desc", "rank", "input", "error")
"""The orders of ties in which a document has one place, whatever its label."""
Contrast = tuple[str, ...]
"""A system by itself, or a baseline and a candidate, from which it is subtracted."""


def as_exact() -> str:
    """What to do where labels cannot be drawn."""
    return f"leave the intervals out with {spelt('exact_labels', True)}"


def are_uncertain(engine: Engine, inputs: Inputs) -> bool:
    """Whether some label has an interval that is wider than 0."""
    judged = inputs.relations.qrels
    if judged.low is None:
        return False
    context = {"relation": judged.relation, "low": judged.low, "high": judged.high}
    return bool(engine.row(render("labels/uncertain.sql", engine.dialect, **context))["uncertain"])


def check_drawn(engine: Engine, request: Request) -> None:
    """Raise UsageError for what labels cannot be drawn for."""
    if not isinstance(engine, DuckDBEngine):
        raise UsageError(f"labels that have an interval are drawn in DuckDB; evaluate there, or {as_exact()}")
    for measure in filter(reads_judgments, request.measures):
        values = dict(measure.values)
        if ":" in str(values.get("gain")):
            raise UsageError(
                f"{measure.text}: a label that is drawn between others has no entry in the gain; {as_exact()}"
            )
        if ends_with_data(values):
            raise UsageError(
                f"{measure.text}: its scale ends at the largest label, which is uncertain; say where with"
                f" {spelt('top_relevance')}, or {as_exact()}"
            )
        if also := inputs_of([measure]).keys() & {"history", "baseline"}:
            raise UsageError(f"{measure.text}: it reads the {min(also)} of a query besides labels; {as_exact()}")
        if is_drawn(measure) and measure.weighs_items:
            raise UsageError(f"{measure.text}: labels that are drawn have no item_weight; {as_exact()}")
        if measure.metric.grain == "system":
            raise UsageError(f"{measure.text}: labels are drawn for metrics of queries alone; {as_exact()}")


def is_drawn(measure: Measure) -> bool:
    """Whether labels make a measure uncertain, and change no weight of a query in its mean."""
    summed = measure.metric.grain == "query" and measure.summary in ("mean", "sum")
    return summed and reads_judgments(measure) and measure.weight_column is None


def without_part(measures: Sequence[Measure]) -> list[str]:
    """The texts of the measures whose uncertainty is not known, as labels change how their queries count."""
    return [measure.text for measure in measures if reads_judgments(measure) and not is_drawn(measure)]


@dataclass(frozen=True, kw_only=True)
class LabelDraws:
    """What labels do to the values of queries: of systems, and of differences of two."""

    engine: DuckDBEngine
    request: Request
    asked: Sequence[Measure]
    """The measures that are asked for, of those of the request."""
    relations: Relations
    per_query: Markup
    """The rows of the queries with the labels as they are."""
    contrasts: Sequence[Contrast]
    again: Callable[[Sequence[Measure], Relations, int], MetricResult]
    """Evaluates measures on other relations, of so many draws."""
    base: str = "label"
    """What its tables are called."""
    seed: int = 0

    def spreads(self) -> Markup:
        """The table of how far the mean over the draws is from the value of each query, and how much they vary."""
        self.keep("queries", "queries", {"per_query": self.per_query})
        self.load_contrasts()
        top = self.request.conventions.top_relevance
        given: dict[str, Any] = {
            "judged": self.relations.qrels,
            "queries": self.table("queries"),
            "subtopics": self.subtopics,
        }
        self.keep("labels", "labels", given | {"top": top, "width": 2 * NORMAL, "loosest": LOOSEST})
        measures = [measure for measure in self.asked if is_drawn(measure)]
        linear = [measure for measure in measures if self.is_linear(measure)]
        if linear:
            self.find_linear(linear)
        self.draw([measure for measure in measures if measure not in linear])
        found: dict[str, Any] = {name: self.table(name) for name in ("moments", "queries")}
        self.keep("spreads", "spreads", found | {"linear": self.table("linear") if linear else None})
        return self.table("spreads")

    @cached_property
    def subtopics(self) -> bool:
        """Whether labels are of subtopics."""
        return "subtopic" in inputs_of(self.request.measures)

    def is_linear(self, measure: Measure) -> bool:
        """Whether a measure is a sum of labels with weights of their places, which no label changes."""
        conventions, metric = self.request.conventions, measure.metric
        own = metric.name != "dcg" or metric.folder is not None
        ordered = conventions.ties in ORDERED and conventions.judgments == "error"
        return not own and measure["gain"] == "linear" and ordered and not self.subtopics

    def find_linear(self, measures: Sequence[Measure]) -> None:
        """Find the variances of sums of labels."""
        described = [
            {"text": each.text, "k": each.k, "discount": discount_value(each["discount"])} for each in measures
        ]
        places = places_statement(self.engine.dialect, self.relations, self.request.conventions)
        context: dict[str, Any] = {name: self.table(name) for name in ("contrasts", "labels", "queries")}
        self.keep("linear", "linear", context | {"measures": described, "places": sql_text(places)})

    def draw(self, measures: Sequence[Measure]) -> None:
        """Evaluate all draws, some at once, and keep the sums of what they move."""
        if not measures:
            self.keep("moments", "no_moments", {})
            return
        draws, at_once = self.request.reading.label_draws, self.at_once()
        described = [{"text": each.text, "column": each.column, "kind": each.summary} for each in measures]
        context: dict[str, Any] = {"measures": described, "per_query": self.per_query, "draws": draws}
        context |= {"rounding": ROUNDING} | {name: self.table(name) for name in ("contrasts", "queries")}
        for first in range(0, draws, at_once):
            span = {"first": first, "last": min(first + at_once, draws), "draws": draws}
            with self.drawn(measures, span) as result:
                self.keep("moments", "moments", context | {"by_draw": result.per_query_table}, more=first > 0)

    def at_once(self) -> int:
        """How many draws are taken at once."""
        rankings = self.relations.run.relation
        assert rankings is not None  # noqa: S101 there is a run
        rows = count_rows(self.engine, self.table("labels")) + count_rows(self.engine, rankings)
        return max(1, ROWS_AT_ONCE // max(rows, 1))

    @contextmanager
    def drawn(self, measures: Sequence[Measure], span: Mapping[str, int]) -> Iterator[MetricResult]:
        """The result of some draws: the query of a row is that of a draw."""
        queries, relations, name = self.table("queries"), self.relations, NativeId("query_id")
        labels: dict[str, Any] = {"labels": self.table("labels"), "subtopics": self.subtopics, "seed": self.seed}
        self.keep("drawn", "drawn", labels | dict(span))
        rankings = relations.context() | {"queries": queries, "limit": self.limit(measures)}
        self.keep("rankings", "crossed", rankings | dict(span))
        run = replace(relations.run, relation=self.table("rankings"), query_id=name, stated_doc_id=None)
        alone: dict[str, Any] = {"queries": Relation(), "segments": (), "cluster": None, "weight": None}
        qrels = Relation(relation=self.table("drawn"), query_id=name)
        made = replace(relations, run=run, qrels=qrels, id_columns=(), **alone)
        with self.again(measures, made, span["last"] - span["first"]) as result:
            yield result
        for table in ("drawn", "rankings"):
            self.engine.drop("table", self.name(table))

    def limit(self, measures: Sequence[Measure]) -> int | None:
        """The last place that counts, where rows beyond it can be left out before anything is ranked."""
        conventions = self.request.conventions
        usual = (conventions.unjudged, conventions.copies, conventions.score_type)
        cutoffs = [measure.k for measure in measures]
        return max(filter(None, cutoffs)) if usual == USUAL and all(cutoffs) else None

    def load_contrasts(self) -> None:
        """Make the table of what is added and subtracted."""
        rows = [
            (number, system, 1 if place == len(contrast) - 1 else -1, len(contrast))
            for number, contrast in enumerate(self.contrasts, 1)
            for place, system in enumerate(contrast)
        ]
        kinds = {"contrast": "integer", "system": "varchar", "sign": "integer", "members": "integer"}
        self.engine.load(self.name("contrasts"), kinds, list(map(list, zip(*rows, strict=True))))

    def keep(self, name: str, template: str, context: Mapping[str, Any], more: bool = False) -> None:
        """Keep the rows of a statement of sql/labels."""
        statement = render(f"labels/{template}.sql", self.engine.dialect, **context)
        self.engine.keep(self.name(name), statement, doing="drawing labels", more=more)

    def name(self, table: str) -> str:
        """What a table is called."""
        return self.engine.name(f"{self.base}_{table}")

    def table(self, name: str) -> Markup:
        """A table as SQL."""
        return sql_text(self.engine.dialect.ident(self.name(name)))
