"""Charts of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import MetricResult, dicts
from sqlrank.metrics.language import column_measures, single_measure
from sqlrank.metrics.measure import SIGNS, Measure
from sqlrank.pages.labels import distinct, segment_of
from sqlrank.pages.words import Words, words_of
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.curves import CURVES, RECALLS, Curves
from sqlrank.reports.charts.making import (
    WHOLE_WIDTH,
    WIDTH,
    WITHOUT_HEADER,
    Field,
    fields,
    make,
)
from sqlrank.reports.charts.segments import laid_out, segments_chart

SEGMENTS = {"over-time": "over-time", "panels": "intervals-panels", "": "intervals"}
"""The specifications of segments by their layout."""
BINS = 20
"""The bins of a histogram."""
STEPS = 100
"""The steps of a distribution function."""


class ResultPlots:
    """Charts of an evaluation, each of aggregates alone: `result.plot.by_cutoff()`.

    Args:
        result: the evaluation.
        language: the language of titles and axes, `en` or `zh`.
        metrics: the texts of those metrics that are drawn; None for all.
        order: the systems in the order in which they have colours; None for that of the evaluation.
    """

    def __init__(
        self,
        result: Any,
        language: str = "en",
        metrics: Sequence[str] | None = None,
        order: Sequence[str] | None = None,
    ) -> None:
        self.result: MetricResult = result
        self.metrics = metrics
        self.words: Words = words_of(language)
        self.labels = distinct(self.result.systems)
        """What charts call each system."""
        self.order = list(self.labels if order is None else order)
        self.systems = [self.labels[system] for system in self.order]

    @cached_property
    def curves(self) -> Curves:
        """The evaluation at further cutoffs, made when a chart first needs it."""
        return Curves(self.result, self.labels)

    @property
    def measures(self) -> list[Measure]:
        """The measures that have a value for each query, and a mean."""
        measures = [measure for measure in column_measures(self.result.measures) if measure.summary == "mean"]
        return [measure for measure in measures if self.metrics is None or measure.text in self.metrics]

    def measure(self, metric: str | None) -> Measure:
        """The measure of a text, or the first; UsageError if it has no mean over queries, or was not evaluated."""
        known = {measure.text: measure for measure in self.measures}
        if metric is None and known:
            return next(iter(known.values()))
        text = metric if metric in known or metric is None else single_measure(metric, self.result.language).text
        if text not in known:
            raise UsageError(f"{metric or 'no metric'} has no mean over queries here (there are {', '.join(known)})")
        return known[text]

    def by_cutoff(self, family: str | None = None) -> Chart:
        """Quality by cutoff, with intervals: nDCG, recall and precision at 1 to the largest cutoff asked for.

        Args:
            family: one of `ndcg`, `recall` and `p`; None for all of them, side by side.

        Raises:
            UsageError: the rankings were not evaluated in DuckDB, or without judgments.
        """
        words, rows = self.words, self.curves.by_cutoff([family] if family else CURVES)
        columns = fields(words, "metric", "system", "cutoff", "value", "low", "high")
        title = words("by-cutoff") if family is None else words("one-by-cutoff", metric=rows[0]["metric"])
        values = {"cutoff": words("axis-cutoff"), "value": words("axis-mean"), "cutoffs": span(rows, "cutoff")}
        facets: dict[str, Any] = {"metrics": list(dict.fromkeys(row["metric"] for row in rows))}
        facets["header"] = {} if family is None else WITHOUT_HEADER
        return make("by-cutoff", title, words, rows, columns, systems=self.systems, **facets, **values)

    def recall_precision(self) -> Chart:
        """Interpolated precision at eleven levels of recall, averaged over queries, with intervals."""
        words, rows = self.words, self.curves.by_recall(RECALLS)
        columns = fields(words, "system", "recall", "value", "low", "high")
        values = {"recall": words("axis-recall"), "precision": words("axis-precision")}
        title = words("recall-precision")
        return make("recall-precision", title, words, rows, columns, systems=self.systems, **values)

    def unjudged(self) -> Chart:
        """The share of documents without judgments among the first of each ranking."""
        words, rows = self.words, self.curves.unjudged()
        columns = [*fields(words, "system", "cutoff"), Field("value", words("share"), ".1%")]
        values = {"cutoff": words("axis-rank"), "share": words("axis-unjudged"), "cutoffs": span(rows, "cutoff")}
        return make("unjudged", words("unjudged"), words, rows, columns, systems=self.systems, **values)

    def distribution(self, metric: str | None = None) -> Chart:
        """A histogram of the values of the queries.

        Args:
            metric: the text of a metric; None for the first that has a mean.
        """
        measure = self.measure(metric)
        low, high = self.extent(measure)
        edges = steps_of(low, high, BINS)
        shape = {"column": measure.column, "starts": edges[:-1], "ends": edges[1:]}
        found = self.result.aggregates("charts/distribution.sql", **shape)
        rows = [row | {"system": self.labels[row["system"]]} for row in found]
        words = self.words
        ends = [Field("low", words("from"), ".4g"), Field("high", words("to"), ".4g")]
        columns = [*fields(words, "system"), *ends, *fields(words, "queries", "share")]
        title = words("distribution", metric=measure.text)
        values = {"metric": words("axis-value", metric=measure.text), "share": words("axis-queries")}
        extent = {"systems": self.systems, "range": [low, high]}
        return make("distribution", title, words, rows, columns, **extent, **values)

    def ecdf(self, metric: str | None = None) -> Chart:
        """The share of queries whose value is at most x; argument as for `distribution`."""
        measure = self.measure(metric)
        low, high = self.extent(measure)
        steps = steps_of(low, high, STEPS)
        found = self.result.aggregates("charts/ecdf.sql", column=measure.column, steps=steps)
        rows = [row | {"system": self.labels[row["system"]]} for row in found]
        words = self.words
        columns = [*fields(words, "system"), Field("value", measure.text, ".4g"), *fields(words, "share")]
        title = words("ecdf", metric=measure.text)
        values = {"metric": words("axis-value", metric=measure.text), "share": words("axis-at-most")}
        return make("ecdf", title, words, rows, columns, systems=self.systems, range=[low, high], **values)

    def segments(self, metric: str | None = None, systems: Sequence[str] | None = None, wide: bool = False) -> Chart:
        """The mean of each segment with its interval, the worst first: over time where the segment is a date.

        Args:
            metric: the text of a metric; None for the first that has a mean.
            systems: the names of the systems that are drawn, the first of which orders the segments; None for all.
            wide: whether it is drawn for the whole width of a page.

        Raises:
            UsageError: the evaluation has no segments.
        """
        if not self.result.by:
            raise UsageError("there are no segments; evaluate with by=COLUMN")
        measure, drawn = self.measure(metric), list(self.order if systems is None else systems)
        found = list(dicts(self.result.rows))
        rows = [
            {"system": self.labels[row["system"]], "segment": segment_of(row, self.result.by, self.words)}
            | {"is_total": row["is_total"], "queries": row["queries"], "value": row["value"]}
            | {"low": row["ci_low"], "high": row["ci_high"]}
            for system in drawn
            for row in found
            if row["system"] == system and row["metric"] == measure.text and row["value"] is not None
        ]
        words, by = self.words, self.result.by
        known = {segment_of(row, by, words): [row[name] for name in by] for row in found}
        labels = [self.labels[system] for system in drawn]
        sign, width = SIGNS[measure.metric.better] or 1, WHOLE_WIDTH if wide else WIDTH
        layout = laid_out(rows, by, known, labels, sign, width)
        title = words("by-segment", metric=measure.text, by=", ".join(by))
        columns = [*fields(words, "system"), *layout.columns, *fields(words, "queries", "value", "low", "high")]
        values: dict[str, Any] = {"value": words("axis-metric", metric=measure.text)}
        values |= {} if layout.kind == "over-time" else {"systems": labels, "step": 12 + 12 * len(labels)}
        return segments_chart(SEGMENTS, title, layout, columns, words, **values)

    def extent(self, measure: Measure) -> tuple[float, float]:
        """From where to where the values of a metric are drawn: its range, or that of the values where it has none."""
        if measure.metric.range is not None and max(measure.metric.range) < float("inf"):
            low, high = measure.metric.range
            return float(low), float(high)
        row = self.result.aggregates("charts/extent.sql", column=measure.column)[0]
        low, high = float(row["low"] or 0), float(row["high"] or 0)
        return (low, high) if low < high else (low - 0.5, high + 0.5)


def steps_of(low: float, high: float, number: int) -> list[float]:
    """So many steps from one number to another, both of which are there exactly."""
    return [low + (high - low) * step / number for step in range(number)] + [high]


def span(rows: Sequence[dict[str, Any]], name: str) -> list[int]:
    """The smallest and the largest value of a field."""
    values = [row[name] for row in rows]
    return [min(values), max(values)] if values else [1, 1]
