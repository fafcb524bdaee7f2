"""Charts of a comparison, and of side-by-side verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlrank.charts.chart import Chart
from sqlrank.charts.making import Field, are_dates, label, make
from sqlrank.charts.result_plots import largest
from sqlrank.comparison.result import Comparison
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.pages.words import words_of
from sqlrank.verdicts.side_by_side import SideBySide

PARTS = 200
"""Into how many parts of equal size sorted queries are divided, at most."""
VERDICTS = ("good", "same", "bad")


def side_of(row: Mapping[str, Any]) -> str:
    """Whether a difference is a significant gain or loss."""
    if not row["significant"]:
        return "none"
    return "gain" if row["difference"] > 0 else "loss"


class ComparisonPlots:
    """Charts of a comparison: `comparison.plot.differences()`.

    Args:
        comparison: the comparison.
        language: the language of titles and axes, `en` or `zh`.
    """

    def __init__(self, comparison: Any, language: str = "en") -> None:
        self.comparison: Comparison = comparison
        self.words = words_of(language)
        self.candidates = [label(system) for system in self.comparison.systems[1:]]
        self.baseline = label(self.comparison.baseline)

    def metric(self, metric: str | None) -> str:
        """The text of a metric that was compared, or of the first; UsageError if it was not."""
        if metric is None:
            return self.comparison.measures[0].text
        return str(self.comparison.row_of(metric, self.comparison.systems[1])["metric"])

    def differences(self) -> Chart:
        """A forest plot: the mean difference of every candidate and metric, with its interval."""
        words = self.words
        several = len(self.candidates) > 1
        counted = {measure.text for measure in self.comparison.measures if measure.counts}
        rows = [
            self.row(row, f"{row['system']}: {row['metric']}" if several else row["metric"])
            for row in self.comparison.all_rows
            if row["is_total"] and row["difference"] is not None and row["metric"] not in counted
        ]
        title = words("differences", baseline=self.baseline)
        fields = self.fields(words("metric"))
        return make(
            "differences", title, words, rows, fields, difference=words("axis-differences", baseline=self.baseline)
        )

    def segments(self, metric: str | None = None, system: str | None = None) -> Chart:
        """The mean difference in each segment with its interval: over time where the segment is a date.

        Args:
            metric: the text of a metric; None for the first.
            system: a candidate; None for the first.

        Raises:
            UsageError: the comparison has no segments.
        """
        comparison, words, text = self.comparison, self.words, self.metric(metric)
        if not comparison.by:
            raise UsageError("there are no segments; compare with by=COLUMN")
        chosen = system or comparison.systems[1]
        rows = [
            self.row(row, self.segment(row)) | {"segment": self.segment(row), "is_total": row["is_total"]}
            for row in comparison.all_rows
            if row["metric"] == text and row["system"] == chosen and row["difference"] is not None
        ]
        by = ", ".join(comparison.by)
        title = words("segment-differences", metric=text, by=by)
        axis = words("axis-difference", metric=text, baseline=self.baseline)
        parts = [row for row in rows if not row["is_total"]]
        if len(comparison.by) == 1 and are_dates(row["segment"] for row in parts):
            dated = [row | {"date": row["segment"]} for row in parts]
            values = {"date": by, "difference": axis, "systems": [label(chosen)]}
            return make("differences-over-time", title, words, dated, self.fields(by), **values)
        return make("differences", title, words, largest(rows), self.fields(by), difference=axis)

    def sorted_differences(self, metric: str | None = None) -> Chart:
        """The differences of all queries, from the largest gain to the largest loss.

        Args:
            metric: the text of a metric; None for the first.
        """
        words, text = self.words, self.metric(metric)
        found = self.comparison.sorted_differences(text, PARTS)
        rows = [
            {
                "system": label(row["system"]),
                "from": row["share_before"],
                "to": row["share_up_to"],
                "difference": row["difference"],
                "side": "gain" if row["difference"] > 0 else "loss" if row["difference"] < 0 else "none",
            }
            for row in found
        ]
        fields = [
            Field("system", words("system")),
            Field("from", words("from"), ".1%"),
            Field("to", words("to"), ".1%"),
            Field("difference", words("difference"), "+.4f"),
        ]
        title = words("sorted-differences", metric=text)
        axes = {
            "share": words("axis-sorted"),
            "difference": words("axis-difference", metric=text, baseline=self.baseline),
        }
        return make("sorted-differences", title, words, rows, fields, systems=self.candidates, **axes)

    def fields(self, first: str) -> list[Field]:
        """The columns of differences."""
        words = self.words
        confidence = self.comparison.questions.confidence
        return [
            Field("system", words("system")),
            Field("label", first),
            Field("queries", words("queries"), "d"),
            Field("value", words("difference"), "+.4f"),
            Field("low", f"{confidence} {words('low')}", "+.4f"),
            Field("high", f"{confidence} {words('high')}", "+.4f"),
        ]

    def segment(self, row: Mapping[str, Any]) -> str:
        """The values of the segments of a row, as one text."""
        if row["is_total"]:
            return self.words("all")
        return " · ".join("-" if row[name] is None else str(row[name]) for name in self.comparison.by)

    def row(self, row: Mapping[str, Any], name: str) -> dict[str, Any]:
        """The row of a chart of differences."""
        return {
            "system": label(row["system"]),
            "label": label(name),
            "queries": row["queries"],
            "value": row["difference"],
            "low": row["ci_low"],
            "high": row["ci_high"],
            "side": side_of(row),
        }


class VerdictPlots:
    """Charts of side-by-side verdicts: `result.plot.verdicts()`; arguments as for `ComparisonPlots`."""

    def __init__(self, result: Any, language: str = "en") -> None:
        self.result: SideBySide = result
        self.words = words_of(language)

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the result, each with its segment as a label."""
        return [row | {"label": label(self.segment(row))} for row in dicts(self.result.rows)]

    def segment(self, row: Mapping[str, Any]) -> str:
        """The values of the segments of a row, as one text."""
        if not self.result.by or row["is_total"]:
            return self.words("all")
        return " · ".join("-" if row[name] is None else str(row[name]) for name in self.result.by)

    def verdicts(self) -> Chart:
        """The shares of good, same and bad verdicts, in total and in each segment."""
        words = self.words
        rows = [
            {
                "label": row["label"],
                "verdict": words(kind),
                "place": place,
                "count": row[kind],
                "share": row[kind] / row["total"] if row["total"] else 0.0,
            }
            for row in self.rows()
            for place, kind in enumerate(VERDICTS)
        ]
        fields = [
            Field("label", words("segment")),
            Field("verdict", words("verdict")),
            Field("count", words("total"), "d"),
            Field("share", words("share"), ".1%"),
        ]
        names = [words(kind) for kind in VERDICTS]
        return make("verdicts", words("verdicts"), words, rows, fields, verdicts=names, share=words("axis-verdicts"))

    def differences(self) -> Chart:
        """A forest plot of delta_gsb with its interval, in total and in each segment."""
        words = self.words
        sides = {"better: ship": "gain", "worse: do not ship": "loss"}
        rows = [
            {"label": row["label"], "value": row["delta_gsb"], "low": row["ci_low"], "high": row["ci_high"]}
            | {"side": sides.get(row["decision"], "none"), "total": row["total"]}
            for row in self.rows()
            if row["delta_gsb"] is not None
        ]
        fields = [
            Field("label", words("segment")),
            Field("total", words("total"), "d"),
            Field("value", "delta_gsb", "+.4f"),
            Field("low", words("low"), "+.4f"),
            Field("high", words("high"), "+.4f"),
        ]
        return make("differences", words("delta"), words, rows, fields, difference=words("axis-delta"))
