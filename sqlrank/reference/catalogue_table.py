"""The catalogue of metrics as a table of a notebook."""

from __future__ import annotations

from sqlrank.metrics.measure import Metric
from sqlrank.pages.html import fragment_html
from sqlrank.pages.tables import listed
from sqlrank.pages.words import words_of
from sqlrank.reference.metric_facts import usage
from sqlrank.reference.metric_pages import choices_of


def catalogue_html(metrics: dict[str, Metric]) -> str:
    """The catalogue of metrics."""
    words = words_of("en")
    rows = [(usage(metric), metric.title, choices_of(metric).replace("`", "")) for metric in metrics.values()]
    return fragment_html(
        [listed([words("metric"), words("what"), words("parameters")], rows, caption="sqlrank.METRICS")]
    )
