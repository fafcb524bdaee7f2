"""Tukey's honestly significant difference by randomization: one test for all pairs of systems.

Where all systems are alike, the values of a query could as well be each other's. In every replicate the systems of each
query change places, and the largest difference of two means is kept; the adjusted p value of a pair is the share of
replicates whose largest difference is as large as its own (B. A. Carterette, Multiple testing in statistical analysis
of systems-based information retrieval experiments, ACM Transactions on Information Systems 30(1), 2012).

The systems of a query stand on a circle in an order drawn for it, and all move on by a distance drawn for each
replicate. These moves are a group, which is what an exact test needs, and give every mean its variance, and over many
queries every two means their covariance, as all orders would. Where there are very many queries, those of a bundle move
by the same distance: with 4,096 bundles the variance grows by a share of z^2 / 4096, for a difference of z standard
errors.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.paired import Paired
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.replicates import scale_of
from sqlrank.engines.progress import counted
from sqlrank.engines.protocol import count_rows
from sqlrank.statement.templates import render, sql_text

BUNDLES = 4096
"""With more queries than these, those of a bundle move together."""
ROWS_AT_ONCE = 4_000_000
"""About how many distances are drawn in one statement."""
OF_BLOCK = 8
"""The replicates of a block."""


@dataclass(frozen=True, slots=True)
class Honest:
    """The finding for one pair of systems."""

    p_adjusted: float
    least: float | None
    """The difference from which on one is significant, of a mean."""


Key = tuple[int, int]
"""A pair, and a segment, 0 for the total."""


def honest_differences(paired: Paired, questions: Questions) -> dict[Key, Honest]:
    """The finding for every pair and segment, over the queries with a value for every system."""
    found = Tukey(paired, questions, total=True).findings()
    return found | (Tukey(paired, questions, total=False).findings() if paired.by else {})


class Tukey:
    """The test over all queries, or in each segment."""

    def __init__(self, paired: Paired, questions: Questions, total: bool) -> None:
        self.paired, self.questions, self.total = paired, questions, total
        self.engine = paired.engine
        numbers = range(len(paired.systems))
        self.values = [
            [f"value_{system}_{place}" for system in numbers] for place in range(1, len(paired.measures) + 1)
        ]
        column = "total_weight" if total else "scope_weight"
        self.weights = [column if paired.weighted and not measure.counts else None for measure in paired.measures]
        sizes = self.engine.execute(self.render("sizes"))[0]
        self.scales = [scale_of(*pair) for pair in zip(sizes[::2], sizes[1::2], strict=True)]

    def findings(self) -> dict[Key, Honest]:
        """The finding for every pair."""
        blocks = math.ceil(self.questions.replicates / OF_BLOCK)
        most = max(blocks, OF_BLOCK, len(self.paired.systems))
        self.engine.keep(self.name("distances"), render("comparison/numbers.sql", self.engine.dialect, count=most))
        self.engine.keep(self.name("circles"), self.render("circles", total=self.total, bundles=BUNDLES))
        for number, statement in enumerate(self.statements(blocks)):
            self.engine.keep(self.name("ranges"), statement, more=number > 0)
        replicates = self.questions.replicates
        rows = self.engine.execute(self.render("extreme", pairs=self.pairs(), confidence=1 - self.questions.alpha))
        return {
            (pair, scope): Honest((1 + int(extreme)) / (1 + replicates), least) for pair, scope, extreme, least in rows
        }

    def statements(self, blocks: int) -> Iterator[str]:
        """The statements that make the ranges of all replicates, each those of some blocks."""
        circles = count_rows(self.engine, self.relation("circles")) // len(self.paired.systems)
        at_once = max(1, ROWS_AT_ONCE // max(1, circles * OF_BLOCK))
        firsts = range(0, blocks, at_once)
        made = (self.render("ranges", first=first, last=min(first + at_once, blocks)) for first in firsts)
        yield from counted(made, len(firsts), "testing") if self.engine.progress else made

    def pairs(self) -> list[dict[str, int]]:
        """The numbers of both systems and of the metric of each pair."""
        numbers = {system: number for number, system in enumerate(self.paired.systems)}
        places = {measure.text: place for place, measure in enumerate(self.paired.measures, 1)}
        return [
            {"one": numbers[pair.baseline], "other": numbers[pair.system], "metric": places[pair.metric]}
            for pair in self.paired.pairs
        ]

    def name(self, base: str) -> str:
        """The name of a temporary table."""
        return self.engine.name(f"{base}_{self.total:d}")

    def relation(self, base: str) -> Any:
        """A temporary table as SQL."""
        return sql_text(self.engine.dialect.ident(self.name(base)))

    def render(self, template: str, **variables: Any) -> str:
        """One of the statements."""
        context: dict[str, Any] = {"values": self.values, "weights": self.weights, "seed": str(self.questions.seed)}
        context |= {"scales": getattr(self, "scales", []), "replicates": self.questions.replicates}
        context |= {"numbers": self.relation("distances"), "circles": self.relation("circles")}
        context |= {"ranges": self.relation("ranges"), "paired": sql_text(self.paired.table)}
        return self.paired.render(f"tukey/{template}", **context | variables)
