"""What no column can say: the mean over orders of ties, and documents without judgment that count as judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure, Metric, Value
from sqlrank.spelling import plain, spelt
from sqlrank.statement.columns import COLUMNS, OF_JUDGED, inputs_behind, reads_of

LEAST = {"rel": 1e-300, "min": 0.0}
"""Parameters below which a document without judgment is better than one with some."""


def check_average(measures: Iterable[Measure]) -> None:
    """Raise UsageError if the mean of a metric over all orders of ties has no closed form."""
    for measure in measures:
        if measure.weighs_items:
            raise UsageError(
                f"{spelt('ties', 'average')}: {measure.text} weighs each document where it stands; choose an order"
                " of ties"
            )
        if not measure.metric.linear:
            instead = without_average(measure.metric, dict(measure.values))
            raise UsageError(f"{spelt('ties', 'average')}: {measure.text} has no closed form; {instead}")


def check_grade(measures: Iterable[Measure], grade: float) -> None:
    """Raise UsageError if a metric cannot be told what documents without a judgment are to count as."""
    option = spelt("unjudged", grade)
    for measure in measures:
        level = dict(measure.values).get("rel")
        if measure.weighs_items:
            raise UsageError(f"{option}: {measure.text} needs a weight of each document, and a judgment has it")
        known = [COLUMNS[name] for name in (*measure.reads, *measure.metric.empty) if name in COLUMNS]
        if any(column.tells_judged or OF_JUDGED & set(column.rows) for column in known):
            raise UsageError(
                f"{option}: {measure.text} tells documents that were judged from others; ask for it without {option}"
            )
        if isinstance(level, float) and level <= grade and any("rel" in column.depends for column in known):
            raise UsageError(
                f"{option}: {measure.text} would count unjudged documents as relevant, from {plain(level)} on; raise"
                f" its level, as in rel={plain(int(grade) + 1)}, or ask for metrics of gains alone, such as ndcg@10"
            )


def without_average(
    metric: Metric, values: Mapping[str, Value] = MappingProxyType({}), spell: Callable[..., str] = spelt
) -> str:
    """What to do about ties where their mean has no closed form: where more relevant is better, two orders bound it."""
    of_relevances = metric.grain == "query" and not any(any(inputs_behind(name)) for name in reads_of(metric, values))
    rising = values.get("norm") != "retrieved" and ":" not in str(values.get("gain"))
    rising = rising and not any(float(values.get(name, least)) < least for name, least in LEAST.items())
    if of_relevances and metric.monotone and rising:
        return f"{spell('ties', 'worst')} and {spell('ties', 'best')} give its two bounds"
    return "choose an order of ties"
