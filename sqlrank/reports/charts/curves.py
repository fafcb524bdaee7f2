"""Quality by cutoff and by recall: the same rankings evaluated at further cutoffs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import MetricResult, dicts
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import Measure

CURVES = ("ndcg", "recall", "p")
RECALLS = tuple(number / 10 for number in range(11))
DEEPEST = 100
"""The largest cutoff of a curve."""
EACH = 10
"""Up to this cutoff there is a value for each, unless a curve goes on beyond it."""
FURTHER = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100)
"""The cutoffs of curves that do."""


class Curves:
    """The means of the curves of one evaluation, computed together when the first is asked for."""

    def __init__(self, result: MetricResult, labels: Mapping[str, str]) -> None:
        if not isinstance(result, Result) or result.unjudged:
            raise UsageError("curves show how good rankings are: they need judgments")
        self.result, self.labels = result, labels

    @cached_property
    def cutoffs(self) -> list[int]:
        """The cutoffs, up to the largest asked for that a ranking reaches."""
        asked = max((int(measure.k) for measure in self.result.measures if measure.k), default=EACH)
        longest = self.result.aggregates("charts/extent.sql", column="sqlrank_retrieved")[0]["high"] or EACH
        return cutoffs_up_to(max(min(asked, int(longest), DEEPEST), EACH))

    @cached_property
    def texts(self) -> dict[str, dict[str, float]]:
        """The texts of the measures of each curve, with the cutoff or level of each."""
        found = {
            family: {f"{self.family_text(family)}@{cutoff}": float(cutoff) for cutoff in self.cutoffs}
            for family in CURVES
        }
        found["unj"] = {f"unj@{cutoff}": float(cutoff) for cutoff in self.cutoffs}
        found["iprec"] = {f"iprec(recall={level:g})": level for level in RECALLS}
        return found

    def family_text(self, family: str) -> str:
        """A metric without its cutoff, with the parameters that it was asked for with."""
        asked = (measure for measure in self.result.measures if measure.metric.name == family)
        return next(map(without_cutoff, asked), family)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each system and measure of all curves."""
        texts = [text for family in self.texts.values() for text in family]
        with self.result.further(texts) as found:
            written = {measure.text: text for measure, text in zip(found.measures, texts, strict=True)}
            return [row | {"asked": written[row["metric"]]} for row in dicts(found.rows)]

    def curve(self, family: str, level: str) -> list[dict[str, Any]]:
        """The rows of one curve, in which `level` is the field of its cutoff or recall."""
        levels, place = self.texts[family], self.result.systems.index
        rows = [
            {"system": self.labels[row["system"]], level: levels[row["asked"]], "value": row["value"]}
            | {"low": row["ci_low"], "high": row["ci_high"], "queries": row["queries"], "place": place(row["system"])}
            for row in self.rows
            if row["asked"] in levels and row["value"] is not None
        ]
        ordered = sorted(rows, key=lambda row: (row["place"], row[level]))
        return [{name: value for name, value in row.items() if name != "place"} for row in ordered]

    def by_cutoff(self, families: Sequence[str]) -> list[dict[str, Any]]:
        """The rows of some families of metrics."""
        for family in families:
            if family not in CURVES:
                raise UsageError(f"{family} has no curve by cutoff (one of {', '.join(CURVES)})")
        return [
            {"metric": f"{self.family_text(family)}@k"} | row | {"cutoff": int(row["cutoff"])}
            for family in families
            for row in self.curve(family, "cutoff")
        ]

    def by_recall(self, levels: Sequence[float]) -> list[dict[str, Any]]:
        """Interpolated precision at some levels of recall."""
        return [row for row in self.curve("iprec", "recall") if row["recall"] in levels]

    def unjudged(self) -> list[dict[str, Any]]:
        """The share of documents without judgments at each cutoff."""
        return [row | {"cutoff": int(row["cutoff"])} for row in self.curve("unj", "cutoff")]


def cutoffs_up_to(last: int) -> list[int]:
    """The cutoffs of a curve that ends at the last: every one, or of a long curve a dozen."""
    if last <= EACH:
        return list(range(1, last + 1))
    return [*(cutoff for cutoff in FURTHER if cutoff < last), last]


def without_cutoff(measure: Measure) -> str:
    """The text of a measure up to its cutoff."""
    return measure.text.rpartition("@")[0] if "@" in measure.text else measure.text
