"""Charts of metrics that are watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.monitoring.monitored import Monitored
from sqlrank.pages.words import words_of
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import Field, make

STATISTICS = {
    "e": "statistic-e",
    "cs": "statistic-cs",
    "shewhart": "statistic-shewhart",
    "ewma": "statistic-ewma",
    "cusum": "statistic-cusum",
}
"""What the statistic of each rule is called, as a key of the words."""
Note = tuple[str, str]
"""A day and what happened on it."""


class MonitoredPlots:
    """Charts of metrics that are watched: `monitored.plot.control()`.

    Args:
        monitored: the result of `monitor`.
        language: the language of titles and axes, `en` or `zh`.
    """

    def __init__(self, monitored: Any, language: str = "en") -> None:
        self.monitored: Monitored = monitored
        self.words = words_of(language)
        self.days: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in dicts(self.monitored.rows):
            self.days.setdefault(self.key(row), []).append(row)

    @property
    def worst_first(self) -> list[dict[str, Any]]:
        """The charts: those in alarm first, by how much they changed, and then the others in their order."""
        return sorted(self.monitored.charts, key=lambda chart: (not chart["alarm"], -abs(chart["change"] or 0.0)))

    def control(self, chart: Mapping[str, Any] | None = None, notes: Sequence[Note] = ()) -> Chart:
        """The days of one chart, with their expected values, and the alarms; below, the rule with its limit.

        Args:
            chart: one of `monitored.charts`; None for the worst.
            notes: days with what happened on them.
        """
        words, shown = self.words, chart or self.worst_first[0]
        rows = [self.row(row, shown) for row in self.days[self.key(shown)]]
        ends = [str(rows[0]["date"]), str(rows[-1]["date"])]
        noted = [{"date": day, "note": said} for day, said in notes if ends[0] <= day <= ends[1]]
        columns = [Field("date", words("day")), Field("value", words("value"), ".4f")]
        columns += [Field("low", words("usual-low"), ".4f"), Field("high", words("usual-high"), ".4f")]
        columns += [Field("statistic", words("statistic"), ".4g"), Field("limit", words("limit"), ".4g")]
        columns.append(Field("side", words("state")))
        title, method = words("control", chart=self.monitored.called(shown)), self.monitored.rule.method
        named = {"date": words("day"), "value": shown["metric"], "statistic": words(STATISTICS[method])}
        evidence = shown["limit"] if method == "e" else None
        scale = {"type": "log", "domain": [1, 100 * evidence], "clamp": True} if evidence else {"zero": False}
        named["format"] = "~s" if evidence else "~g"
        return make("control", title, words, rows, columns, notes=noted, scale=scale, **named)

    def key(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        """What tells one chart from the others."""
        names = ("system", *self.monitored.by, "metric", "direction")
        return (*(row[name] for name in names), row.get("is_total", True))

    def row(self, row: Mapping[str, Any], chart: Mapping[str, Any]) -> dict[str, Any]:
        """One day."""
        known = chart["usual_low"] is not None and row["expected"] is not None
        half = (chart["usual_high"] - chart["usual_low"]) / 2 if known else None
        return {
            "date": str(row["day"]),
            "value": row["value"],
            "low": None if half is None else row["expected"] - half,
            "high": None if half is None else row["expected"] + half,
            "statistic": row["statistic"],
            "limit": row["limit"],
            "side": "baseline" if row["is_baseline"] else "alarm" if row["alarm"] else "none",
        }
