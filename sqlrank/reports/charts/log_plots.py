"""Charts of what was made of a log: judgments, propensities, values and interleaved lists."""

from __future__ import annotations

from typing import Any

from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.propensities import Propensities
from sqlrank.counterfactual.values import Values
from sqlrank.evaluation.metric_result import dicts
from sqlrank.interleaving.interleaved import Interleaved
from sqlrank.pages.words import words_of
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import Field, fields, make
from sqlrank.statement.templates import render


def called(row: dict[str, Any]) -> str:
    """What a candidate and its estimator are called together."""
    return f"{row['system']}, {row['estimator']}"


def systems_of(rows: list[dict[str, Any]]) -> list[str]:
    """What is drawn, each once."""
    return list(dict.fromkeys(row["system"] for row in rows))


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


class ValuePlots(BehaviourPlots):
    """Charts of values: `values.plot.support()`, `.weights()` and `.excluded()`."""

    def __init__(self, result: Any, language: str = "en") -> None:
        super().__init__(result, language)
        self.values: Values = result

    def support(self) -> Chart:
        """Which share of what each candidate would show the log has shown, by position."""
        words = self.words
        rows = [
            {"system": called(row), "position": row["position"], "share": row["supported"]}
            for row in self.values.support
        ]
        columns = [Field("system", words("system")), Field("position", words("position"), "d")]
        columns += [Field("share", words("axis-support"), ".1%")]
        named = {"position": words("position"), "shown": words("axis-support")}
        return make("support", words("support"), words, rows, columns, systems=systems_of(rows), **named)

    def weights(self) -> Chart:
        """Which share of all weights the impressions of the largest weights have."""
        words, local, rows = self.words, self.values._local, []
        for scored, number, row in self.values.weighed():
            sql = render("charts/weights.sql", local.dialect, scored=scored, column=f"w_{number}")
            rows += [{"system": called(row)} | each for each in dicts(local.relation(sql))]
        columns = [Field("system", words("system")), Field("impressions", words("axis-heaviest"), ".0%")]
        columns += [Field("share", words("axis-weights"), ".1%")]
        named = {"heaviest": words("axis-heaviest"), "weights": words("axis-weights")}
        return make("weights", words("weights"), words, rows, columns, systems=systems_of(rows), **named)


class InterleavedPlots:
    """Charts of interleaved lists: `interleaved.plot.preferences()`.

    Args:
        result: the votes.
        language: the language of titles and axes, `en` or `zh`.
    """

    def __init__(self, result: Any, language: str = "en") -> None:
        self.result: Interleaved = result
        self.words = words_of(language)

    def preferences(self) -> Chart:
        """The preference day by day, and of all votes until then with the confidence sequence."""
        words = self.words
        rows = [
            {
                "date": row["day"].isoformat(),
                "label": f"{row['a']} - {row['b']}",
                "value": row["running"],
                "low": row["running_low"],
                "high": row["running_high"],
                "day_value": row["delta_ab"],
            }
            for row in dicts(self.result.days)
        ]
        pairs = list(dict.fromkeys(row["label"] for row in rows))
        columns = [Field("date", words("day")), Field("label", words("pair"))]
        columns += [*fields(words, "value", "low", "high"), Field("day_value", words("of-the-day"), "+.4f")]
        title, delta = words("preferences"), words("axis-preference")
        legend = {"title": words("pair")} if len(pairs) > 1 else None
        return make(
            "preferences", title, words, rows, columns, date=words("day"), delta=delta, pairs=pairs, legend=legend
        )
