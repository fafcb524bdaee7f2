"""Metrics that read sums down to each place: the only ones that need a row for each place of the ideal rankings.

Where others are with them they are summed up in a step of their own, with the few columns that they need: what goes
through windows is copied, and each row of the statement is read by every metric.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlrank.metrics.measure import Measure
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import COLUMNS, CUMULATED

TAKEN = frozenset(("system", "query_id", "relevance", "rank", "place"))
"""Columns that the rows of a statement may have besides those of its plan."""


def measures_by_place(plan: ColumnPlan) -> tuple[Measure, ...]:
    """The measures that are summed up apart: none where there are no others, or a value has the name of a column."""
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
