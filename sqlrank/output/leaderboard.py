"""Three systems or more: a table of them, the best first, and a sentence on which ones cannot be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isclose
from typing import Any

from sqlrank.comparison.answers import Answer, claim_of
from sqlrank.comparison.paired import TOLERANCE
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.standings import places_of, value_of
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.metrics.measure import SIGNS as WAYS
from sqlrank.metrics.measure import Measure
from sqlrank.output.answers import MOST_LINES, MOST_SEGMENTS, TONES, Answers
from sqlrank.output.summary import totals_of
from sqlrank.output.tables import DIGITS, number
from sqlrank.pages.html import Verdict
from sqlrank.pages.labels import distinct
from sqlrank.pages.tables import SIGNS, Cell, Column, Table, column, drawings
from sqlrank.pages.words import ENGLISH, Words
from sqlrank.statistics.student import CONFIDENCE
from sqlrank.statistics.verdict import BETTER, WORSE

FEWEST = 3
"""From how many systems on a page leads with a table of them."""
NAMED = 6
"""How many systems a sentence names."""

Values = Mapping[tuple[str, str], Mapping[str, Any]]
"""The rows of the totals by system and metric."""


def values_of(result: MetricResult) -> dict[tuple[str, str], dict[str, Any]]:
    """The rows of the totals by system and metric."""
    return {(row["system"], row["metric"]): row for row in totals_of(result)}


def compared_values(comparison: Comparison) -> dict[tuple[str, str], dict[str, Any]]:
    """The means of the compared queries by system and metric, with the intervals of means over just these."""
    evaluated = {} if comparison.evaluation is None else values_of(comparison.evaluation)
    found = {}
    for measure in comparison.measures:
        totals = [row for row in comparison.all_rows if row["is_total"] and row["metric"] == measure.text]
        for system in comparison.systems:
            key, value = (system, measure.text), value_of(totals, system)
            known = evaluated.get(key)
            same = known is not None and value is not None and isclose(known["value"] or 0.0, value, rel_tol=TOLERANCE)
            found[key] = known if known is not None and same else {"value": value, "ci_low": None, "ci_high": None}
    return found


class Leaderboard:
    """Systems by the first metric, the best first."""

    def __init__(
        self, systems: Sequence[str], measures: Sequence[Measure], values: Values, words: Words, digits: int
    ) -> None:
        self.measures, self.values, self.words, self.digits = measures, values, words, digits
        self.labels = distinct(systems)
        """What is shown of each name: long ones are cut."""
        self.systems = list(systems)
        self.systems = self.order(measures[0])

    @classmethod
    def of(cls, comparison: Comparison, words: Words, digits: int) -> Leaderboard:
        """That of a comparison."""
        return cls(comparison.systems, comparison.measures, compared_values(comparison), words, digits)

    def order(self, measure: Measure) -> list[str]:
        """The systems by a metric, the best first."""
        return places_of(self.systems, {name: self.mean(name, measure) for name in self.systems}, measure)

    def mean(self, system: str, measure: Measure) -> float | None:
        """The mean of a system; None where there is none."""
        row = self.values.get((system, measure.text))
        return None if row is None else row["value"]

    def table(self, letters: Mapping[tuple[str, str], str], baseline: str | None = None) -> Table:
        """The table; `letters` are those of a system and metric, nothing where no pairs were compared."""
        words, first = self.words, self.measures[0]
        labels = self.labels
        names = [f"{labels[name]} ({words('baseline')})" if name == baseline else labels[name] for name in self.systems]
        rows = [self.values.get((name, first.text), {}) for name in self.systems]
        columns = [
            column("place", range(1, len(names) + 1), words("place"), number=True),
            column("system", names, words("system")),
        ]
        columns.append(self.means(first, letters))
        if any(row.get("ci_low") is not None for row in rows):
            columns += self.intervals([{"ci_low": None, "ci_high": None, "value": None, **row} for row in rows])
        columns += [self.means(measure, letters) for measure in self.measures[1:]]
        key = "leaderboard-letters" if letters else "leaderboard" if baseline is None else "leaderboard-beside"
        return Table(columns, words(key, metric=first.text, baseline=baseline))

    def means(self, measure: Measure, letters: Mapping[tuple[str, str], str]) -> Column:
        """The means of a metric, each with its letters."""
        places = 0 if measure.counts else self.digits
        longest = max(map(len, letters.values()), default=0)
        cells = [
            Cell(number(self.mean(name, measure), places), mark=letters.get((name, measure.text), ""))
            for name in self.systems
        ]
        return column(measure.text, cells, number=True, marks=longest)

    def intervals(self, rows: Sequence[Mapping[str, Any]]) -> list[Column]:
        """The intervals of the first metric, in words and drawn."""
        words, names = self.words, ("value", "ci_low", "ci_high")
        texts = ["-" if row["ci_low"] is None else words.ends(row, self.digits) for row in rows]
        drawn = [Cell("", interval=each) for each in drawings(rows, names, lambda _: None, zero=False)]
        title = words("interval", confidence=CONFIDENCE)
        return [column("interval", texts, title, number=True), column("drawn", drawn, words("drawn"), bar=True)]


class Best:
    """What is said of the best system of a comparison of all pairs."""

    def __init__(self, comparison: Comparison, board: Leaderboard, answers: Answers) -> None:
        self.board, self.words, self.answers = board, board.words, answers
        self.measures = comparison.measures
        self.by_metric: dict[str, list[Answer]] = {measure.text: [] for measure in self.measures}
        for answer in answers.all:
            self.by_metric[answer.total["metric"]].append(answer)

    def verdict(self) -> Verdict:
        """Which system is best in the first metric, and in each other one."""
        first = self.measures[0]
        best = self.leader(first)
        sure = best is not None and not self.alike(best, first.text) and bool(WAYS[first.metric.better])
        found = [Cell(line, sign=SIGNS[""]) for line in self.others()]
        if best is None:
            return Verdict(self.said(first, first.text), lines=found)
        text, detail = self.said(first, first.text), self.detail(best, first)
        return Verdict(text, TONES[BETTER] if sure else "", detail, [*self.segments(best, first.text), *found])

    def sentence(self) -> str:
        """The same without numbers."""
        first = self.measures[0]
        return self.words("semicolon").join([self.said(first, first.text), *self.others()])

    def others(self) -> list[str]:
        """Which system is best in the metrics after the first, those of which the same is said together."""
        alike: dict[str, list[Measure]] = {}
        for measure in self.measures[1 : MOST_LINES + 1]:
            alike.setdefault(self.said(measure, ""), []).append(measure)
        return [self.said(same[0], self.words.listed([each.text for each in same])) for same in alike.values()]

    def leader(self, measure: Measure) -> str | None:
        """The first system of a metric; where pairs have means over different queries, one that is better than all."""
        order = self.board.order(measure)
        if all(self.board.mean(system, measure) is not None for system in order):
            return order[0]
        return next((system for system in order if not self.alike(system, measure.text)), None)

    def detail(self, best: str, measure: Measure) -> str:
        """The mean of the best with its interval, and how many pairs were compared."""
        row, pairs = self.board.values[best, measure.text], len(self.by_metric[measure.text])
        value = number(row["value"], 0 if measure.counts else self.board.digits)
        if row["ci_low"] is not None:
            interval = f"{self.words('interval', confidence=CONFIDENCE)} {self.words.ends(row, self.board.digits)}"
            value = self.words("amount", difference=value, interval=interval)
        return self.words("of-pairs", amount=value, pairs=pairs)

    def said(self, measure: Measure, metric: str) -> str:
        """The sentence on one metric, which it calls `metric`."""
        best = self.leader(measure)
        if best is None:
            return self.words("no-order", metric=metric)
        same = self.alike(best, measure.text)
        names = {"system": self.board.labels[best], "metric": metric}
        if not WAYS[measure.metric.better]:
            return self.words("largest", **names)
        if not same:
            return self.words("better-than-all", **names)
        if len(same) == len(self.board.systems) - 1:
            apart = any(answer.claim in (BETTER, WORSE) for answer in self.by_metric[measure.text])
            return self.words("none-best" if apart else "none-apart", **names)
        others = self.words.listed([self.board.labels[name] for name in same[:NAMED]])
        if (more := len(same) - NAMED) > 0:
            others = self.words("and-more", names=others, number=more)
        return self.words("best-but", others=others, **names)

    def alike(self, best: str, metric: str) -> list[str]:
        """The systems that are not shown to be worse than one, in the order of the table."""
        worse = set()
        for answer in self.by_metric[metric]:
            row = answer.total
            if (row["system"], answer.claim) == (best, BETTER):
                worse.add(row["baseline"])
            elif (row["baseline"], answer.claim) == (best, WORSE):
                worse.add(row["system"])
        return [name for name in self.board.systems if name != best and name not in worse]

    def segments(self, best: str, metric: str) -> list[Cell]:
        """The segments in which another system is better than the best."""
        found = []
        for answer in self.by_metric[metric]:
            for row in answer.against:
                claim, ahead = claim_of(row), row["system"]
                if claim == BETTER and row["baseline"] == best:
                    found.append((row, ahead))
                elif claim == WORSE and row["system"] == best:
                    found.append((row, row["baseline"]))
        found.sort(key=lambda pair: -abs(pair[0]["difference"]))
        lines = [self.segment(row, best, ahead, metric) for row, ahead in found[:MOST_SEGMENTS]]
        if (more := len(found) - MOST_SEGMENTS) > 0:
            lines.append(Cell(self.words("more-segments", number=more), sign=SIGNS[""]))
        return lines

    def segment(self, row: dict[str, Any], best: str, ahead: str, metric: str) -> Cell:
        """One segment in which another system is ahead."""
        where = self.answers.segment(row)
        amount = self.answers.amount(row if row["system"] == best else turned(row))
        amount = self.words("of-queries", amount=amount, queries=row["queries"])
        names = {"system": self.board.labels[best], "other": self.board.labels[ahead]}
        said = self.words("ahead-in", metric=metric, segment=where, **names)
        return Cell(self.words("said-by", said=said, amount=amount), TONES[WORSE], sign=SIGNS[TONES[WORSE]])


def verdicts_of(comparison: Comparison, board: Leaderboard) -> list[Verdict]:
    """What a page leads with: the verdict on each candidate, on candidates together, or on the best of all pairs."""
    said = Answers(comparison, board.words, board.digits)
    if len(comparison.systems) < FEWEST:
        return said.verdicts()
    return [Best(comparison, board, said).verdict()] if comparison.all_pairs else said.grouped()


def sentences_of(comparison: Comparison, words: Words = ENGLISH) -> list[str]:
    """The same in sentences without numbers, for below a table that has them."""
    said = Answers(comparison, words, DIGITS)
    if len(comparison.systems) < FEWEST:
        return [verdict.text for verdict in said.sentences()]
    if comparison.all_pairs:
        return [Best(comparison, Leaderboard.of(comparison, words, DIGITS), said).sentence()]
    return [verdict.text for verdict in said.grouped()]


def turned(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row seen from the other system."""
    low, high = row["ci_low"], row["ci_high"]
    ends_of = {"ci_low": None if high is None else -high, "ci_high": None if low is None else -low}
    return {**row, "difference": -row["difference"], **ends_of}
