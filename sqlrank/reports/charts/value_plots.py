"""Charts of what rankings would have earned: what the log has shown of them, and how its impressions weigh."""

from __future__ import annotations

from typing import Any

from sqlrank.counterfactual.values import Values
from sqlrank.evaluation.metric_result import dicts
from sqlrank.reports.charts.behaviour_plots import BehaviourPlots
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import Field, make
from sqlrank.statement.templates import render


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


def called(row: dict[str, Any]) -> str:
    """What a candidate and its estimator are called together."""
    return f"{row['system']}, {row['estimator']}"


def systems_of(rows: list[dict[str, Any]]) -> list[str]:
    """What is drawn, each once."""
    return list(dict.fromkeys(row["system"] for row in rows))
