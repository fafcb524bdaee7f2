"""Charts of judgments and propensities that were made of a log."""

from __future__ import annotations

from typing import Any

from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.propensities import Propensities
from sqlrank.evaluation.metric_result import dicts
from sqlrank.pages.words import words_of
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import Field, fields, make
from sqlrank.statement.templates import render

REASONS = {
    "counted": "rows-counted",
    "copies": "rows-copies",
    "ads": "rows-ads",
    "unseen": "rows-unseen",
    "sorted": "rows-sorted",
    "bots": "rows-bots",
}
"""What rows that count, and those that do not, are called, as keys of the words."""


class BehaviourPlots:
    """Charts of a log: `judgments.plot.labels()`, `propensities.plot.propensities()`, and of both `.plot.excluded()`.

    Args:
        result: the judgments, or the propensities.
        language: the language of titles and axes, `en` or `zh`.
    """

    def __init__(self, result: Any, language: str = "en") -> None:
        self.result: Judgments | Propensities = result
        self.words = words_of(language)

    def excluded(self) -> Chart:
        """How many rows of the log count, and how many do not, by reason."""
        words, origin = self.words, self.result.origin
        left = {name: rows for name, rows in origin["excluded"].items() if rows}
        counts = {"counted": max(origin["rows"] - sum(left.values()), 0)} | left
        rows = [{"label": words(REASONS[name]), "count": count} for name, count in counts.items()]
        columns = [Field("label", words("log-rows")), Field("count", words("total"), ",d")]
        return make("excluded", words("excluded"), words, rows, columns, counted=words("log-rows"))


class PropensityPlots(BehaviourPlots):
    """Charts of propensities: `propensities.plot.propensities()` and `.excluded()`."""

    def propensities(self) -> Chart:
        """How likely each position is looked at relative to the first, with intervals."""
        words = self.words
        rows = [
            {"position": row["position"], "value": row["propensity"], "low": row["low"], "high": row["high"]}
            for row in dicts(self.result.rows)
        ]
        columns = [Field("position", words("position"), "d"), *fields(words, "value", "low", "high")]
        named = {"position": words("position"), "propensity": words("axis-propensity")}
        return make("propensities", words("propensities"), words, rows, columns, **named)


class LabelPlots(BehaviourPlots):
    """Charts of judgments: `judgments.plot.labels()` and `.excluded()`."""

    def labels(self) -> Chart:
        """How labels spread by how many impressions they rest on: the middle, and where nine tenths of them are."""
        words, local = self.words, self.result._local
        sql = render("charts/labels.sql", local.dialect, relation=self.result._table)
        rows = [row | {"impressions": int(row["impressions"])} for row in dicts(local.relation(sql))]
        columns = [Field("impressions", words("impressions-from"), ",d"), *fields(words, "low", "value", "high")]
        columns += [Field("half_width", words("half-width"), ".4f"), Field("labels", words("labels"), ",d")]
        named = {"impressions": words("impressions-from"), "label": words("axis-label")}
        return make("labels", words("labels-by-impressions"), words, rows, columns, **named)
