"""What one comparison asks for, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlrank.columns import names_of
from sqlrank.comparison.columns import CLICKS, METRIC, PAIR, ROWS
from sqlrank.comparison.periods import Periods
from sqlrank.comparison.questions import Questions, check_weights
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.stored import Stored, texts_of_all
from sqlrank.inputs.reading import bare_name, check_output_names
from sqlrank.metrics.language import Language, parse_measures
from sqlrank.metrics.measure import WITHIN, Measure
from sqlrank.spelling import spelt
from sqlrank.statement.columns import inputs_of

TAKEN = ("baseline", "place", *names_of(field for field in ROWS if field not in (*PAIR, METRIC, *CLICKS)))
"""Columns of the output, which no segment may be called."""
ALONE = "query_id"
"""The name of clusters of one query each."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What one comparison asks for."""

    request: Request
    questions: Questions
    named: bool
    """Whether metrics were named, rather than the default ones taken."""
    demanded: tuple[Measure, ...] = ()
    """The measures of gates, which are compared besides."""
    baseline: str | None = None
    """The system that the others are compared with; None for the first."""
    options: frozenset[str] = frozenset()
    """The options that were given."""
    periods: Periods | None = None
    """What splits one export into the periods that are compared."""

    def __post_init__(self) -> None:
        check_weights(self.questions.test, self.request.reading.weight is not None)
        check_measures([*self.request.measures, *self.demanded])
        check_output_names(map(bare_name, self.request.reading.by), TAKEN)

    def measures(self, stored: Sequence[Stored]) -> tuple[Measure, ...]:
        """The measures asked for, or those that all stored files have in common; DataError if a file lacks one."""
        every = self.request.of([*self.request.measures, *self.demanded]).measures
        if not stored:
            return every
        if self.named:
            texts_of_all(stored, [measure.text for measure in every])
            return every
        texts_of_all(stored, [measure.text for measure in self.demanded])
        # The texts in a file are whole: no option of this call changes what they mean.
        language = Language(own=self.request.language.own)
        measures = parse_measures(texts_of_all(stored, None), language)
        return self.request.of(measure for measure in measures if refusal(measure) is None).measures


def clusters_of(cluster: str | None) -> tuple[str | None, bool]:
    """The column of clusters, and whether queries are to count one by one: clusters of one query each are none."""
    alone = cluster == ALONE
    return None if alone else cluster, alone


def of_own_queries(request: Request) -> Request:
    """The request over the queries that each system returned results for; UsageError if the others were to count."""
    if "query_set" not in request.given:
        own = request.under(replace(request.conventions, query_set="shared"))
        return replace(own, given=own.given | {"query_set"})
    if request.conventions.query_set == "judged":
        raise UsageError(
            f"{spelt('query_set', 'judged')} with {spelt('paired', False)}: every judged query would count in every"
            f" system, as 0 where it was not asked; leave it out, or choose {spelt('query_set', 'run')}"
        )
    return request


def check_measures(measures: Iterable[Measure]) -> None:
    """Raise UsageError if the difference of a metric is not a mean over queries."""
    for measure in measures:
        reason = refusal(measure)
        if reason is not None:
            raise UsageError(f"{measure.text} {reason}")


def refusal(measure: Measure) -> str | None:
    """Why a metric has no mean difference over queries, and what to do; None where it has one."""
    if measure.metric.grain != "query":
        return "is one value for a whole system, and cannot be compared query by query"
    if measure.summary == "geometric":
        return (
            f"is a geometric mean, whose difference is not a mean over queries: {spelt('metrics', measure.metric.name)}"
        )
    if measure.summary == "none":
        return "is a text, which has no difference"
    if measure.weight_column is not None:
        alone = measure.weighs_items and WITHIN in measure.metric.choices["weight"]
        plain = measure.metric.name + ("(weight=within)" if alone else "")
        instead = "choose a metric that does not" if measure.metric.weighs else f"compare {plain}"
        return f"weighs the queries of each system in its own way; {instead}"
    if "baseline" in inputs_of([measure]):
        return "has a baseline of its own; sqlrank eval computes it"
    return None
