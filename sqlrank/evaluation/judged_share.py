"""The share of the documents that was judged, evaluated with other metrics to tell what their change is."""

from __future__ import annotations

from collections.abc import Sequence

from sqlrank.evaluation.request import Request
from sqlrank.metrics.language import parse_measures
from sqlrank.metrics.measure import Measure
from sqlrank.statement.columns import reads_judgments

POOL = 10
"""The depth to which judged documents are counted, where no metric has a cutoff."""


def with_pool(request: Request, measures: Sequence[Measure]) -> Request:
    """The request with the share of judged documents besides, unless it follows a tool or needs no judgments.

    Where those without a judgment count as if they had one, the request itself does not tell them apart.
    """
    counted = request.preset is None and request.conventions.grade_of_unjudged is None
    pool = pool_measure(measures) if counted else None
    return request.of([*measures, *filter(None, [pool])])


def pool_measure(measures: Sequence[Measure]) -> Measure | None:
    """The share that was judged, to the largest cutoff of some metrics; None where none of them needs judgments."""
    if not any(map(reads_judgments, measures)):
        return None
    k = max((int(measure.k) for measure in measures if measure.k), default=POOL)
    return parse_measures(f"judged@{k}")[0]
