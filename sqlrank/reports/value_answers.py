"""The answer of an evaluation in sentences: its values, the segments that are worst, and what they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from sqlrank.evaluation.metric_result import dicts
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import SIGNS as WAYS
from sqlrank.output.summary import totals_of
from sqlrank.output.tables import Row, number
from sqlrank.pages.html import Verdict
from sqlrank.pages.labels import label, segment_of
from sqlrank.pages.tables import SIGNS, Cell
from sqlrank.pages.words import Words
from sqlrank.statistics.student import CONFIDENCE

WORST_SEGMENTS = 2
"""How many segments are named, the worst ones."""
OF_QUERIES = ("missing", "no_relevant", "unjudged")
"""The counts that are said where they are not 0."""


class ValueAnswer:
    """What is said of the one system of an evaluation."""

    def __init__(self, result: Result, metrics: Sequence[str], words: Words, digits: int) -> None:
        self.result, self.words, self.digits = result, words, digits
        self.measures = {measure.text: measure for measure in result.measures if measure.text in metrics}

    def verdicts(self) -> list[Verdict]:
        """The first metric, with the others below it."""
        rows = [row for row in totals_of(self.result) if row["metric"] in self.measures and row["value"] is not None]
        if not rows:
            return []
        first, *others = rows
        lines = [Cell(f"{row['metric']}: {self.value(row)}", sign=SIGNS[""]) for row in others]
        lines += [*self.worst(first["metric"]), *self.rests_on(first["system"])]
        return [Verdict(self.headline(first), "", self.detail(first), lines)]

    def headline(self, row: Row) -> str:
        """The value of a metric."""
        value = number(row["value"], self.places(row))
        return self.words("headline", metric=row["metric"], system=label(row["system"]), value=value)

    def detail(self, row: Row) -> str:
        """The interval of a value, and over how many queries it is."""
        if row["ci_low"] is None:
            return self.words("over-queries-without", queries=row["queries"])
        return self.words("over-queries", interval=self.interval(row), queries=row["queries"])

    def worst(self, metric: str) -> list[Cell]:
        """The worst segments of a metric, where better and worse are known."""
        way = WAYS[self.measures[metric].metric.better]
        rows = [row for row in dicts(self.result.rows) if row["metric"] == metric and not row.get("is_total", True)]
        rows = sorted((row for row in rows if row["value"] is not None), key=lambda row: way * row["value"])
        if not way or len(rows) < 2:
            return []
        lines = []
        for row in rows[:WORST_SEGMENTS]:
            segment = segment_of(row, self.result.by, self.words)
            amount = self.words("of-queries", amount=self.value(row), queries=row["queries"])
            lines.append(self.words("lowest-segment" if way > 0 else "highest-segment", segment=segment, amount=amount))
        return [Cell(line, sign=SIGNS[""]) for line in lines]

    def rests_on(self, system: str) -> list[Cell]:
        """How many queries were judged, and how many of them count for nothing or not at all."""
        counts, words = self.result.counts[system], self.words
        if self.result.unjudged:
            return []
        said = [words(f"of-{name}", number=found) for name in OF_QUERIES if (found := getattr(counts, name))]
        text = words.listed([words("of-judged", number=counts.judged), *said])
        return [Cell(text, sign=SIGNS[""])]

    def value(self, row: Row) -> str:
        """A value with its interval."""
        value = number(row["value"], self.places(row))
        if row["ci_low"] is None:
            return value
        return self.words("amount", difference=value, interval=self.interval(row))

    def interval(self, row: Row) -> str:
        """The interval of a value."""
        return f"{self.words('interval', confidence=CONFIDENCE)} {self.words.ends(row, self.digits)}"

    def places(self, row: Row) -> int:
        """How many decimals a value has."""
        return 0 if self.measures[row["metric"]].counts else self.digits
