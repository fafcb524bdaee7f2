"""The catalogue of metrics as a table of a notebook."""

from __future__ import annotations

from sqlrank.metrics.metric import Metric
from sqlrank.pages.elements import Cell, Column, Table
from sqlrank.pages.html import fragment_html
from sqlrank.pages.words import words_of
from sqlrank.reference.metric_facts import usage
from sqlrank.reference.metric_pages import choices_of


def catalogue_html(metrics: dict[str, Metric]) -> str:
    """The catalogue of metrics."""
    words = words_of("en")
    rows = [
        [Cell(usage(metric)), Cell(metric.title), Cell(choices_of(metric).replace("`", ""))]
        for metric in metrics.values()
    ]
    columns = [Column(words("metric")), Column(words("what")), Column(words("parameters"))]
    return fragment_html([Table("sqlrank.METRICS", columns, rows)])
