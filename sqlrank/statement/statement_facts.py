"""What decides the form of a statement: the engine, the inputs, the conventions, the columns, and metrics by place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlrank.conventions import Conventions
from sqlrank.dialects import Argument, Dialect
from sqlrank.metrics.measure import Measure
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import COLUMNS, CUMULATED, inputs_of
from sqlrank.statement.relations import Relations

LARGEST_HEAP = 100
"""Up to how many documents or relevances of a query are kept in a heap rather than sorted."""
TAKEN = frozenset(("system", "query_id", "relevance", "rank", "place"))
"""Columns that the rows of a statement may have besides those of its plan."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a statement is asked for, and what its steps may count on."""

    dialect: Dialect
    inputs: Relations
    plan: ColumnPlan
    reads_relevance: bool = False
    """Whether a metric of whole systems reads the judgment of each document."""
    ranked: bool = False
    """Whether tables that are there already hold the ranks."""
    rankings: str | None = None
    """The table that holds the queries with results, where there is one."""
    parts: int = 1
    """The number of parts of the queries of which it gives one."""

    @property
    def conventions(self) -> Conventions:
        """How a ranking is formed and what counts."""
        return self.plan.conventions

    @property
    def pooled(self) -> bool:
        """Whether several rows may judge one document."""
        labelled, conventions = self.inputs.labelled, self.conventions
        pooled = self.inputs.parted or conventions.judgments != "error" or "subtopic" in inputs_of(self.plan.measures)
        return pooled or (labelled and (self.inputs.several or conventions.copies != "error"))

    @property
    def attach(self) -> bool:
        """Whether documents have their judgments before they are ranked: ties are counted next to their neighbours."""
        if self.ranked:
            return False
        if self.inputs.labelled:
            return self.pooled or self.conventions.grade_of_unjudged is not None
        counting = self.plan.diagnostics and not self.inputs.without_judgments
        return self.conventions.needs_judgments or self.plan.ranks_all or counting or self.reads_relevance

    @property
    def carries(self) -> bool:
        """Whether the ranked documents have them."""
        return self.ranked or ((self.attach or self.inputs.labelled) and not self.inputs.without_judgments)

    @property
    def averaged(self) -> bool:
        """Whether ties are averaged."""
        return self.conventions.ties == "average"

    @property
    def reads_returned(self) -> bool:
        """Whether something reads how many documents a query has."""
        return not self.plan.measures or any(kind == "retrieved" for kind, _ in self.plan.wanted.values())

    @property
    def reads_found(self) -> bool:
        """Whether something reads which queries have results: a segment is named for those that have none."""
        carried = any(column.found or not column.is_number for column in self.inputs.carried_columns)
        return self.reads_returned or carried or self.conventions.query_set != "judged"

    @property
    def limit(self) -> int | None:
        """The last rank that matters: one below the largest cutoff where ties across it are counted."""
        return row_limit(self.plan.deepest(), self.conventions, self.plan.diagnostics)

    @property
    def by_heap(self) -> bool:
        """Whether the engine finds the first documents of a ranking, in their order, without sorting the others.

        A cutoff that is given later may be any number.
        """
        ordered = (str(self.inputs.direction), self.conventions.ties) in (("desc", "doc-desc"), ("asc", "doc-asc"))
        if isinstance(self.limit, Argument) or not ordered or self.inputs.by_rank:
            return False
        return self.dialect.heaps and 0 < (self.limit or 0) <= LARGEST_HEAP

    @property
    def as_they_are(self) -> bool:
        """Whether the relations can be ranked without a look at copies, labels of others or 32-bit numbers."""
        looking = self.conventions.needs_judgments or self.averaged
        odd = self.attach or self.ranked or self.inputs.without_judgments or looking
        return not odd and (self.conventions.copies, self.conventions.score_type) == ("error", "double")

    @property
    def alone(self) -> bool:
        """Whether the rows of a run and of judgments give the values, without a step of the queries."""
        judged = self.conventions.query_set == "judged"
        return self.as_they_are and judged and not self.inputs.several and self.plan.in_one_step


def row_limit(deepest: int | None, conventions: Conventions, diagnostics: bool) -> int | None:
    """The last rank that matters: one below the largest cutoff where ties across it are counted."""
    limits = [conventions.depth if conventions.unjudged != "remove" else None]
    if deepest is not None:
        limits.append(max(deepest + 1 if diagnostics else deepest, 1))
    return shallowest(limits)


def shallowest(depths: Iterable[int | None]) -> int | None:
    """The smallest of some depths; None for no limit."""
    return min((depth for depth in depths if depth is not None), default=None)


def measures_by_place(plan: ColumnPlan) -> tuple[Measure, ...]:
    """The measures that are summed up apart: none where there are no others, or a value has the name of a column.

    They read sums down to each place, and alone need a row for each place of the ideal rankings. Where others are with
    them they have a step of their own, with the few columns that they need: what goes through windows is copied, and
    each row of the statement is read by every metric.
    """
    found = tuple(measure for measure in plan.measures if reads_places(measure))
    taken = TAKEN.union(plan.wanted)
    alone = len(found) == len(plan.measures) or any(measure.column in taken for measure in found)
    return () if alone or any(measure.weight_column for measure in found) else found


def reads_places(measure: Measure) -> bool:
    """Whether a measure reads sums down to each place."""
    return any(CUMULATED in COLUMNS[name].rows for name in measure.reads)


def columns_of(plan: ColumnPlan, measures: Iterable[Measure], diagnostics: bool = False) -> frozenset[str]:
    """The columns of a plan that some of its measures need."""
    return frozenset(ColumnPlan(tuple(measures), plan.conventions, diagnostics, plan.listing).wanted)
