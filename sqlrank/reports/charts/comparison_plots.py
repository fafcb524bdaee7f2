"""Charts of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.comparison.result import Comparison
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import SIGNS
from sqlrank.output.comparison import tone_of
from sqlrank.output.formats import dicts
from sqlrank.output.parts import shown_parts
from sqlrank.output.tables import DIGITS
from sqlrank.pages.labels import distinct, segment_of
from sqlrank.pages.words import words_of
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import (
    WHOLE_WIDTH,
    WIDTH,
    Field,
    fields,
    make,
    with_labels,
)
from sqlrank.reports.charts.result_plots import span
from sqlrank.reports.charts.segments import laid_out, segments_chart
from sqlrank.statistics.paired_power import POWER

SEGMENTS = {"over-time": "differences-over-time", "panels": "differences-panels", "": "differences"}
"""The specifications of segments by their layout."""
PARTS = 200
"""Into how many parts of equal size sorted queries are divided, at most."""


class ComparisonPlots:
    """Charts of a comparison: `comparison.plot.differences()`.

    Args:
        comparison: the comparison.
        language: the language of titles and axes, `en` or `zh`.
    """

    def __init__(self, comparison: Any, language: str = "en") -> None:
        self.comparison: Comparison = comparison
        self.words = words_of(language)
        self.labels = distinct(self.comparison.systems)
        """What charts call each system."""
        self.baseline, *self.candidates = self.labels.values()

    def metric(self, metric: str | None) -> str:
        """The text of a metric that was compared, or of the first; UsageError if it was not."""
        if metric is None:
            return self.comparison.measures[0].text
        return str(self.comparison.row_of(metric, self.comparison.systems[1])["metric"])

    def sign(self, metric: str) -> int:
        """1 where more of a metric is better, -1 where less is, and 0 where neither is."""
        return SIGNS[self.comparison.row_of(metric, self.comparison.systems[1])["sqlrank_better"]]

    def differences(self, metric: str | None = None) -> Chart:
        """A forest plot: the mean difference of every candidate and metric, with its interval.

        Args:
            metric: the text of the one metric that is drawn; None for all.
        """
        words, text = self.words, None if metric is None else self.metric(metric)
        several = len(self.candidates) > 1
        counted = {measure.text for measure in self.comparison.measures if measure.counts}
        rows = [
            self.row(row, f"{self.labels[row['system']]}: {row['metric']}" if several else row["metric"])
            for row in self.comparison.against_baseline
            if row["is_total"] and row["difference"] is not None and row["metric"] not in counted
            if text in (None, row["metric"])
        ]
        title = words("differences", baseline=self.baseline)
        columns = self.columns(Field("label", words("metric")))
        return make(
            "differences",
            title,
            words,
            with_labels(rows),
            columns,
            difference=words("axis-differences", baseline=self.baseline),
        )

    def segments(self, metric: str | None = None, system: str | None = None, wide: bool = False) -> Chart:
        """The mean difference in each segment with its interval, the worst first: over time where it is a date.

        Args:
            metric: the text of a metric; None for the first.
            system: a candidate; None for the first.
            wide: whether it is drawn for the whole width of a page.

        Raises:
            UsageError: the comparison has no segments.
        """
        comparison, words, text = self.comparison, self.words, self.metric(metric)
        if not comparison.by:
            raise UsageError("there are no segments; compare with by=COLUMN")
        chosen = system or comparison.systems[1]
        rows = [
            self.row(row, segment_of(row, comparison.by, words))
            for row in comparison.against_baseline
            if row["metric"] == text and row["system"] == chosen and row["difference"] is not None
        ]
        known = {
            segment_of(row, comparison.by, words): [row[name] for name in comparison.by]
            for row in comparison.against_baseline
        }
        width = WHOLE_WIDTH if wide else WIDTH
        layout = laid_out(rows, comparison.by, known, [self.labels[chosen]], self.sign(text), width)
        title = words("segment-differences", metric=text, by=", ".join(comparison.by))
        axis = words("axis-difference", metric=text, baseline=self.baseline)
        axis = words("difference") if layout.kind == "panels" else axis
        return segments_chart(SEGMENTS, title, layout, self.columns(*layout.columns), words, difference=axis)

    def sorted_differences(self, metric: str | None = None) -> Chart:
        """The differences of all queries, from the largest gain to the largest loss.

        Args:
            metric: the text of a metric; None for the first.
        """
        words, text = self.words, self.metric(metric)
        sign = self.sign(text)
        found = self.comparison.sorted_differences(text, PARTS)
        rows = [
            {
                "system": self.labels[row["system"]],
                "from": row["share_before"],
                "to": row["share_up_to"],
                "difference": row["difference"],
                "side": side_of(row["difference"] * sign),
            }
            for row in found
        ]
        ends = [Field(name, words(name), ".1%") for name in ("from", "to")]
        columns = [*fields(words, "system"), *ends, Field("difference", words("difference"), "+.4f")]
        title = words("sorted-differences", metric=text)
        axes = {
            "share": words("axis-sorted"),
            "difference": words("axis-difference", metric=text, baseline=self.baseline),
        }
        return make("sorted-differences", title, words, rows, columns, systems=self.candidates, **axes)

    def waterfall(self, metric: str | None = None, system: str | None = None) -> Chart:
        """Why a mean of different queries changed: from that of the baseline to that of a candidate, part by part.

        Args:
            metric: the text of a metric; None for the first.
            system: a candidate; None for the first.

        Raises:
            UsageError: the same queries were compared, one by one, or nothing tells parts apart.
        """
        words, text, chosen = self.words, self.metric(metric), system or self.comparison.systems[1]
        kind = "segment" if self.comparison.by else "queries"
        parts = [
            part
            for part in shown_parts(self.comparison, DIGITS, words)
            if (part["metric"], part["system"], part["kind"]) == (text, chosen, kind)
            and part["baseline"] == self.comparison.baseline
        ]
        if not parts:
            raise UsageError("there are no parts of a difference: compare different queries, with by=COLUMN")
        total = self.comparison.row_of(text, chosen)
        value, sign = total["baseline_value"], SIGNS[total["sqlrank_better"]]
        rows = [{"label": self.baseline, "from": value, "to": value, "side": "none"}]
        for part in parts:
            gain = part["contribution"]
            ends = {"from": value, "to": value + gain}
            rows.append({"label": part["label"], **ends, "side": side_of(gain * sign), "contribution": gain})
            value += gain
        rows.append({"label": self.labels[chosen], "from": value, "to": value, "side": "none"})
        known = distinct(range(len(rows)), text=lambda place: str(rows[place]["label"]))
        rows = [row | {"label": known[place]} for place, row in enumerate(rows)]
        columns = [Field("label", words("part")), Field("contribution", words("contribution"), "+.4f")]
        columns += [Field("from", words("from"), ".4f"), Field("to", words("to"), ".4f")]
        title = words("waterfall", metric=text, baseline=self.baseline, system=self.labels[chosen])
        return make("waterfall", title, words, rows, columns, value=text)

    def power(self, sizes: Sequence[int] | None = None, power: float = POWER) -> Chart:
        """The smallest difference that a number of queries like these can detect, by that number.

        Args:
            sizes: the numbers of queries; None for those that double around the number there is.
            power: the chance with which it is found.

        Raises:
            UsageError: a number or the power is out of its range, or all differences are alike.
        """
        words, counts = self.words, {measure.text for measure in self.comparison.measures if measure.counts}
        rows = [
            {"system": self.labels[row["system"]], "value": row["detectable_difference"]}
            | {name: row[name] for name in ("metric", "queries")}
            for row in dicts(self.comparison.power(sizes, power))
            if row["detectable_difference"] is not None and row["metric"] not in counts
        ]
        if not rows:
            raise UsageError("there is nothing to plan by: all differences are alike, or one query decides")
        columns = [*fields(words, "metric", "system"), Field("queries", words("queries"), "d")]
        columns.append(Field("value", words("difference"), ".4f"))
        numbers = sorted({row["queries"] for row in rows})
        axes = {
            "queries": words("axis-number"),
            "sizes": span(rows, "queries"),
            "ticks": numbers[:: 1 + len(numbers) // 7],
        }
        axes |= {"difference": words("axis-power", power=f"{power:g}")}
        metrics = list(dict.fromkeys(row["metric"] for row in rows))
        return make("power", words("power"), words, rows, columns, systems=self.candidates, metrics=metrics, **axes)

    def columns(self, *first: Field) -> list[Field]:
        """The columns of differences, after those that say of what they are."""
        words = self.words
        confidence = self.comparison.questions.confidence
        return [
            Field("system", words("system")),
            *first,
            Field("queries", words("queries"), "d"),
            Field("value", words("difference"), "+.4f"),
            Field("low", f"{confidence} {words('low')}", "+.4f"),
            Field("high", f"{confidence} {words('high')}", "+.4f"),
        ]

    def row(self, row: Mapping[str, Any], name: str) -> dict[str, Any]:
        """The row of a chart of differences."""
        return {
            "system": self.labels[row["system"]],
            "segment": name,
            "is_total": row["is_total"],
            "queries": row["queries"],
            "value": row["difference"],
            "low": row["ci_low"],
            "high": row["ci_high"],
            "side": tone_of(row) or "none",
        }


def side_of(gain: float) -> str:
    """The side of a bar."""
    return "gain" if gain > 0 else "loss" if gain < 0 else "none"
