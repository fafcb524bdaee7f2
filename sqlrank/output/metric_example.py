"""A metric worked out on one ranking of five documents, by the statement that evaluates."""

from __future__ import annotations

import io

from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import SqlrankError
from sqlrank.evaluation.engine_choice import connect
from sqlrank.evaluation.evaluate import evaluate_request
from sqlrank.evaluation.request import list_runs, request_of
from sqlrank.metrics.measure import Measure
from sqlrank.output.aligned import write_aligned
from sqlrank.output.explanation import explained
from sqlrank.output.tables import DIGITS
from sqlrank.statement.columns import inputs_of

RANKING = (3, 0, 2, None, 1)
"""The relevance of the documents at ranks 1 to 5; nobody judged the one at rank 4."""
MISSED = 2
"""The relevance of a document that was not returned."""
DISCOUNTED = ("rank", "relevance", "gain", "discount", "contribution")
COUNTED = ("rank", "relevance", "hits")
"""What is shown of each place, of metrics with a discount and of others."""


def example(measure: Measure) -> list[str]:
    """The lines of the example; none for a metric that needs more than a run and judgments, or has no single value."""
    if measure.metric.grain != "query" or measure.summary == "none" or inputs_of([measure]):
        return []
    run = {"q": {f"d{rank}": -float(rank) for rank in range(1, len(RANKING) + 1)}}
    judged = {f"d{rank}": float(relevance) for rank, relevance in enumerate(RANKING, 1) if relevance is not None}
    qrels = {"q": judged | {"missed": float(MISSED)}}
    request = request_of([measure.text], {"metrics_dir": measure.metric.folder})
    engine = connect(request, [run])
    try:
        with closed_on_error(engine), evaluate_request(engine, request, list_runs(run, None), qrels) as result:
            value = result.value(measure.text)
            places = result.explain("q", rows=len(RANKING)).to_dicts()
    except SqlrankError:  # a metric of the user, or parameters, that this ranking is no example for
        return []
    names = DISCOUNTED if "discount" in measure.metric.parameters else COUNTED
    rows = [[explained(name, row[name], DIGITS) for name in names] for row in places]
    table = io.StringIO()
    write_aligned([names, *rows], (), table)
    return [
        f"Example: five documents; one more, of relevance {MISSED}, was not returned",
        "",
        *(f"    {line}" for line in table.getvalue().splitlines()),
        "",
        f"    {measure.text} = {explained('value', value, DIGITS)}",
        "",
    ]
