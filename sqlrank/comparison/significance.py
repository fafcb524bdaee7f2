"""Significance tests of the paired differences between two systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlrank.comparison.bootstrap import draw, has_percentiles, p_value, tail_of
from sqlrank.comparison.interval import (
    all_alike,
    cut,
    estimates_of,
    interval_of,
    mostly_tied,
    p_value_of,
    skewness_of,
)
from sqlrank.comparison.paired import Paired
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.randomization import FEWEST_UNITS, Randomization
from sqlrank.comparison.replicates import Replicates
from sqlrank.comparison.test_results import Finding, Findings, Rows, key
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.estimate import NONE, agreeing
from sqlrank.statistics.exact_tests import one_sided_split, scipy_stats, sign_test, wilcoxon
from sqlrank.statistics.student import FEWEST

Resampled = tuple[int, int, int, int, float | None, float | None]
"""A pair and segment, how many replicates are below 0 and above it, and the ends of the middle ones."""


class Significance:
    """Runs the test of some questions over the table of paired values, a row for each query."""

    def __init__(self, paired: Paired, questions: Questions) -> None:
        self.paired, self.questions, self.engine = paired, questions, paired.engine
        self.alpha = questions.alpha_two_sided
        """What the intervals leave out, on both sides together."""
        self.sides = [questions.side_of(pair.measure.metric.better) for pair in paired.pairs]
        """For each pair, on which side of 0 its difference is looked for; 0 for both."""

    def side_of(self, row: Mapping[str, Any]) -> int:
        """The side of the pair of a row."""
        pair: int = row["pair"]
        return self.sides[pair - 1]

    def findings(self, rows: Rows) -> Findings:
        """The finding for each row of the comparison; UsageError if scipy is needed and missing."""
        tests: dict[str, Callable[[Rows], Findings]] = {
            "randomization": self.randomization,
            "bootstrap": self.bootstrap,
            "t": self.student,
            "wilcoxon": self.wilcoxon,
            "sign": self.sign,
        }
        return tests[self.questions.test](rows)

    def sign(self, rows: Rows) -> Findings:
        """The exact sign test: queries won against queries lost."""
        splits = {key(row): (row["wins"], row["losses"])[:: self.side_of(row) or 1] for row in rows}
        test = one_sided_split if self.questions.side else sign_test
        return {which: Finding(test(*split), "sign") for which, split in splits.items()}

    def student(self, rows: Rows) -> Findings:
        """The paired t test."""
        found: Findings = {}
        for row in rows:
            p_value = 1.0 if is_nothing(row) else p_value_of(row, self.side_of(row))
            found[key(row)] = Finding(p_value, "t")
        return found

    def wilcoxon(self, rows: Rows) -> Findings:
        """Wilcoxon's signed rank test, without the queries that tie."""
        scipy_stats()  # whether the extra is needed must not depend on the data
        found: Findings = {}
        for number, pair in enumerate(self.paired.pairs, 1):
            context = {"paired": sql_text(self.paired.table), "difference": pair.difference}
            by_scope: dict[int, list[float]] = {0: []}
            for scope, difference in self.engine.execute(
                render("comparison/vector.sql", self.engine.dialect, **context)
            ):
                by_scope[0].append(difference)
                by_scope.setdefault(scope, []).append(difference)
            for row in rows:
                if row["pair"] == number:
                    p_value = wilcoxon(by_scope.get(row["scope"], []), self.side_of(row))
                    found[key(row)] = Finding(p_value, "wilcoxon")
        return found

    def randomization(self, rows: Rows) -> Findings:
        """Fisher's randomization test, with the interval that belongs to it."""
        few = not self.questions.joint and all(row["units"] <= FEWEST_UNITS for row in rows if row["scope"])
        return Randomization(self.questions, self.sides).findings(rows, self.drawn(few))

    def drawn(self, apart: bool = False) -> list[Replicates]:
        """The replicates to draw: which scopes together, with which weights.

        Weights of a segment are shares of the largest one there, which may be none of the total's to speak of, and a
        cluster may have queries in several segments: then segments are drawn apart, as where they need not be drawn.
        """
        weighted = self.paired.weighted
        weight = "total_weight" if weighted else None
        draws: list[tuple[list[bool], str | None]] = [([True], weight)]
        if self.paired.by:
            of_scope = "scope_weight" if weighted else None
            apart = apart or weighted or self.paired.cluster is not None
            draws = [*draws, ([False], of_scope)] if apart else [([False, True], None)]
        return [Replicates(self.paired, self.questions, totals, weight) for totals, weight in draws]

    def bootstrap(self, rows: Rows) -> Findings:
        """The bootstrap, with the interval that belongs to it."""
        found: Findings = {}
        by_key = {key(row): row for row in rows}
        for pair, scope, below, above, low, high in self.resampled(rows):
            row = by_key.get((pair, scope))
            if row is None or not estimates_of(row) or all_alike(row):
                continue
            modelled = row["apart"] or mostly_tied(row) or skewness_of(row) or "crossed" in row
            ends = interval_of(row, self.alpha) if modelled else (low, high)
            ends = cut(ends, self.paired.pairs[pair - 1].measure)
            if not has_percentiles(row, self.alpha, self.questions.replicates):
                ends = NONE
            drawn = p_value(row, below, above, self.questions.replicates, self.side_of(row))
            if modelled:
                drawn = max(drawn, p_value_of(row, self.side_of(row)) or 0.0)
            ends = agreeing(ends, row["difference"], drawn <= self.questions.alpha, self.side_of(row))
            found[pair, scope] = Finding(drawn, "bootstrap", *ends)
        return {key(row): found.get(key(row), Finding(1.0 if is_nothing(row) else None, "bootstrap")) for row in rows}

    def resampled(self, rows: Rows) -> Iterator[Resampled]:
        """For each pair and segment: pair, scope, replicates below and above 0, and the ends of the middle ones."""
        for replicates in self.drawn():
            draw(replicates)
            names = {base: replicates.relation(base) for base in ("resampled", "tails")}
            most = self.tails(replicates.name("tails"), rows)
            statement = replicates.render("bootstrap", most=most, **names)
            for pair, scope, below, above, *ends in self.engine.execute(statement):
                low, high = (replicates.mean(pair, end) for end in ends)
                yield pair, scope, below, above, low, high

    def tails(self, name: str, rows: Rows) -> int:
        """Make the table of the shares of replicates beyond each end of the intervals; returns how many to look at."""
        kinds = {"pair": "integer", "scope": "bigint", "tail": "double"}
        values = [(*key(row), tail_of(row, self.alpha)) for row in rows]
        self.engine.load(name, kinds, [list(column) for column in zip(*values, strict=True)])
        return math.floor(max(tail for *_, tail in values) * self.questions.replicates) + 2


def is_nothing(row: Mapping[str, Any]) -> bool:
    """Whether several queries all tie: there is no difference to be found, however little they tell."""
    return row["stderr"] is not None and row["effective"] >= FEWEST and not row["changed"]
