"""Charts of side-by-side verdicts."""

from __future__ import annotations

from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.verdicts import TONES
from sqlrank.pages.labels import segment_of
from sqlrank.pages.words import words_of
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.making import Field, fields, make, with_labels

VERDICTS = ("good", "same", "bad")


class VerdictPlots:
    """Charts of side-by-side verdicts: `result.plot.verdicts()`.

    Args:
        result: the verdicts.
        language: the language of titles and axes, `en` or `zh`.
    """

    def __init__(self, result: Any, language: str = "en") -> None:
        self.result: SideBySide = result
        self.words = words_of(language)

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the result, each with its segment as a label."""
        rows = [
            {"is_total": True} | row | {"segment": segment_of(row, self.result.by, self.words)}
            for row in dicts(self.result.rows)
        ]
        return with_labels(rows)

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
        columns = [Field("label", words("segment")), *fields(words, "verdict"), Field("count", words("total"), "d")]
        columns += fields(words, "share")
        names = [words(kind) for kind in VERDICTS]
        return make("verdicts", words("verdicts"), words, rows, columns, verdicts=names, share=words("axis-verdicts"))

    def differences(self) -> Chart:
        """A forest plot of delta_gsb with its interval, in total and in each segment."""
        words = self.words
        rows = [
            {"label": row["label"], "value": row["delta_gsb"], "low": row["ci_low"], "high": row["ci_high"]}
            | {"side": TONES.get(row["decision"], "none"), "total": row["total"]}
            for row in self.rows()
            if row["delta_gsb"] is not None
        ]
        signed = [Field(name, words(name), "+.4f") for name in ("low", "high")]
        columns = [Field("label", words("segment")), Field("total", words("total"), "d")]
        columns += [Field("value", "delta_gsb", "+.4f"), *signed]
        return make("differences", words("delta"), words, rows, columns, difference=words("axis-delta"))
