"""Charts of interleaved lists."""

from __future__ import annotations

from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.interleaving.interleaved import Interleaved
from sqlrank.pages.words import words_of
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import Field, fields, make


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
