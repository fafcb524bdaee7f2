"""The answer of a comparison in sentences: what is better, by how much, how sure, and where not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from sqlrank.comparison.answers import Answer, answers_of, claim_of
from sqlrank.comparison.questions import Questions
from sqlrank.output.tables import number, small
from sqlrank.pages.html import Verdict
from sqlrank.pages.labels import distinct, label, segment_of
from sqlrank.pages.tables import SIGNS, Cell
from sqlrank.pages.words import Words
from sqlrank.statistics.verdict import BETTER, DIFFERS, UNDECIDED, WITHHELD, WORSE

NOT_BETTER, NOT_WORSE = "not-better", "not-worse"
"""The words for a one-sided test that found nothing."""
TONES = {BETTER: "gain", WORSE: "loss", **dict.fromkeys((DIFFERS, UNDECIDED, NOT_BETTER, NOT_WORSE, WITHHELD), "")}
"""The tone of what is claimed."""
LED_BY = (BETTER, DIFFERS, UNDECIDED, NOT_BETTER, NOT_WORSE, WITHHELD, WORSE)
"""What a page of many candidates says first: whether any is an improvement."""
MOST_LINES = 12
"""How many metrics besides the first are said of a candidate."""
MOST_SEGMENTS = 3
"""How many segments that say otherwise are named of a metric."""


class Tested(Protocol):
    """A comparison of systems, or of the arms of an experiment."""

    systems: list[str]
    baseline: str
    by: tuple[str, ...]
    all_rows: list[dict[str, Any]]
    questions: Questions


class Answers:
    """What is said of the candidates of a comparison."""

    def __init__(self, comparison: Tested, words: Words, digits: int) -> None:
        self.made, self.words, self.digits = comparison, words, digits
        self.confidence = comparison.questions.confidence
        self.labels = distinct(comparison.systems)
        """What sentences call each system: long names are cut."""
        self.all = answers_of(comparison.all_rows)

    def verdicts(self) -> list[Verdict]:
        """One verdict on each candidate against the baseline, in the first metric, with the others below it."""
        return [self.verdict(answers) for (one, _), answers in self.pairs().items() if one == self.made.baseline]

    def sentences(self) -> list[Verdict]:
        """The same without numbers, a sentence on each pair."""
        return [Verdict(self.sentence(answers), TONES[answers[0].claim]) for answers in self.pairs().values()]

    def pairs(self) -> dict[tuple[str, str], list[Answer]]:
        """The answers on each baseline and candidate."""
        found: dict[tuple[str, str], list[Answer]] = {}
        for answer in self.all:
            found.setdefault((answer.total["baseline"], answer.total["system"]), []).append(answer)
        return found

    def verdict(self, answers: Sequence[Answer]) -> Verdict:
        """The verdict on one candidate."""
        first, *others = answers
        lines = [*self.segments(first), *map(self.line, others[:MOST_LINES])]
        if (more := len(others) - MOST_LINES) > 0:
            lines.append(Cell(self.words("more-metrics", number=more), sign=SIGNS[""]))
        row = first.total
        text = self.words(self.said(first), **self.names(row))
        return Verdict(text, TONES[first.claim], self.by_how_much(row), lines)

    def sentence(self, answers: Sequence[Answer]) -> str:
        """What is claimed of one candidate in the first metric and in the others, each with segments that differ."""
        first, *others = answers
        alike: dict[tuple[str, Any], list[Answer]] = {}
        for answer in others:
            alike.setdefault((self.said(answer), answer.total.get("favoured")), []).append(answer)
        clauses = [self.but(first, self.words(self.said(first), **self.names(first.total)))]
        for (said, _), same in alike.items():
            metrics = self.words.listed([self.but(answer, answer.total["metric"]) for answer in same])
            clauses.append(self.words(f"{said}-in", **self.names(same[0].total) | {"metric": metrics}))
        return self.words("semicolon").join(clauses)

    def said(self, answer: Answer) -> str:
        """The words of what is claimed; a one-sided test that found nothing says which side it looked for."""
        side = self.made.questions.side if answer.total["sqlrank_better"] != "neither" else 0
        return {1: NOT_BETTER, -1: NOT_WORSE}.get(side, UNDECIDED) if answer.claim == UNDECIDED else answer.claim

    def but(self, answer: Answer, text: str) -> str:
        """A text on an answer, with the segments that say otherwise."""
        if not answer.against:
            return text
        found: dict[str, list[str]] = {}
        for row in answer.against[:MOST_SEGMENTS]:
            names = (f"{name}={'(null)' if row[name] is None else row[name]}" for name in self.made.by)
            found.setdefault(claim_of(row), []).append(label(" · ".join(names)))
        parts = [self.words(f"{claim}-segment", segment=self.words.listed(names)) for claim, names in found.items()]
        if (more := len(answer.against) - MOST_SEGMENTS) > 0:
            parts.append(self.words("and-segments", number=more))
        return self.words("aside", one=text, other=self.words("semicolon").join(parts))

    def grouped(self) -> list[Verdict]:
        """One verdict on all candidates of which the same is said in the first metric."""
        metric, found = next((answer.total["metric"] for answer in self.all), ""), dict[str, list[str]]()
        for answer in self.all:
            row = answer.total
            if row["metric"] == metric and row["baseline"] == self.made.baseline:
                found.setdefault(self.said(answer), []).append(self.labels[row["system"]])
        names = {"metric": metric, "baseline": self.labels[self.made.baseline]}
        return [
            Verdict(self.words(f"{claim}-all", systems=self.words.listed(found[claim]), **names), TONES[claim])
            for claim in LED_BY
            if claim in found
        ]

    def by_how_much(self, row: dict[str, Any]) -> str:
        """The difference of a row, with its interval, p value and number of queries."""
        numbers = {"difference": self.difference(row), "queries": row["queries"]}
        numbers["p"] = small(row["p_adjusted"], self.digits)
        if row["ci_low"] is None:
            return self.words("by-how-much-without", **numbers)
        return self.words("by-how-much", interval=self.interval(row), **numbers)

    def line(self, answer: Answer) -> Cell:
        """What is said of a further metric, and of the segments that say otherwise."""
        row, claim = answer.total, answer.claim
        said = self.words(f"{self.said(answer)}-in", **self.names(row))
        text = self.words("said-by", said=said, amount=self.amount(row))
        for segment in self.segments(answer):
            text = self.words("and-also", one=text, other=segment.text)
        return Cell(text, TONES[claim], sign=SIGNS[TONES[claim]])

    def segments(self, answer: Answer) -> list[Cell]:
        """The segments of a metric that say otherwise than the total."""
        words, lines = self.words, list[Cell]()
        for row in answer.against[:MOST_SEGMENTS]:
            claim = claim_of(row)
            amount = words("of-queries", amount=self.amount(row), queries=row["queries"])
            text = words("said-by", said=words(f"{claim}-segment", segment=self.segment(row)), amount=amount)
            lines.append(Cell(text, TONES[claim], sign=SIGNS[TONES[claim]]))
        if (more := len(answer.against) - MOST_SEGMENTS) > 0:
            lines.append(Cell(words("more-segments", number=more), sign=SIGNS[""]))
        if answer.opposite is not None:
            against, parts = answer.opposite
            way = "up-but-down" if answer.total["difference"] > 0 else "down-but-up"
            lines.append(Cell(words(way, number=against, all=parts), sign=SIGNS[""]))
        return lines

    def segment(self, row: dict[str, Any]) -> str:
        """The segment of a row."""
        return segment_of(row, self.made.by, self.words)

    def amount(self, row: dict[str, Any]) -> str:
        """A difference with its interval, in few words."""
        if row["ci_low"] is None:
            return self.difference(row)
        return self.words("amount", difference=self.difference(row), interval=self.interval(row))

    def difference(self, row: dict[str, Any]) -> str:
        """A difference."""
        return number(row["difference"], 0 if row["sqlrank_counts"] else self.digits, "+")

    def interval(self, row: dict[str, Any]) -> str:
        """The interval of a difference."""
        return f"{self.words('interval', confidence=self.confidence)} {self.words.ends(row, self.digits, '+')}"

    def names(self, row: dict[str, Any]) -> dict[str, Any]:
        """The names that stand in a sentence."""
        names = {name: self.labels[row[name]] for name in ("system", "baseline")}
        favoured = row.get("favoured")
        return names | {"metric": row["metric"], "favoured": self.labels.get(favoured, favoured)}
