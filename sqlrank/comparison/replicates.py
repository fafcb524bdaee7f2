"""Replicates of the differences between two systems: random signs or weights of queries, drawn by hashing their ids."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from sqlrank.comparison.paired import Pair, Paired
from sqlrank.comparison.questions import Questions
from sqlrank.engines.progress import counted
from sqlrank.engines.protocol import count_rows
from sqlrank.statement.templates import render, sql_text

LARGEST = 10**15
"""How large the differences of all queries may be together as whole numbers, which a double still tells apart."""
FINEST = 12
"""Digits of the largest difference that count."""
FAREST = 300
"""The largest power of ten that a number is multiplied with."""
LARGEST_BLOCK = 1260
"""How many replicates a block has at most: those of signs, 63 for each six random bits."""
SUMS_AT_ONCE = 2_000_000
"""About how many sums one statement has at most, each of the queries that draw the same bits."""
ROWS_AT_ONCE = 400_000
"""About how many draws are made in one statement."""
MOST_KEPT = 10_000_000
"""How many sums of replicates of segments are kept at once: of more segments, some are drawn and finished at a time."""
CROWD = 128
"""From how many queries of a segment on those that draw the same bits are added first, as there are many of each."""


class Replicates:
    """The statements that draw replicates, over a table of differences as whole numbers, whose sums are exact.

    `totals` says of the total, of segments, or of both whether it is the total; `weight` is the column of the weights
    as shares of the largest one, or None where every query counts alike. The queries of a cluster change
    their signs, and are drawn, together.
    """

    def __init__(self, paired: Paired, questions: Questions, totals: Sequence[bool], weight: str | None) -> None:
        self.engine, self.pairs, self.totals, self.number = paired.engine, paired.pairs, totals, questions.replicates
        self.drawing = {"replicates": self.number, "seed": str(questions.seed)}
        self.sides = [questions.side_of(pair.measure.metric.better) for pair in paired.pairs]
        self.drawing |= {"sides": self.sides}
        self.drawing |= {"clustered": paired.cluster is not None, "scopes": totals}
        engine, pairs = self.engine, self.pairs
        context = {"paired": sql_text(paired.table), "pairs": pairs, "weighted": weight is not None, "weight": weight}
        *sizes, self.segments, weights = engine.execute(render("comparison/sizes.sql", engine.dialect, **context))[0]
        self.scales = [scale_of(*pair) for pair in zip(sizes[::3], sizes[1::3], strict=True)]
        self.weight_of = shared_weights(pairs, sizes[2::3])
        self.weighing = list(dict.fromkeys(self.weight_of))
        self.columns = [f"difference_{pair}" for pair in range(1, len(pairs) + 1)]
        self.columns += [f"weight_{pair}" for pair in self.weighing]
        self.weight_scale = 1.0 if weight is None else scale_of(weights, 1.0)
        scales = {"scales": self.scales, "weight_scale": self.weight_scale}
        scaled = render("comparison/scaled.sql", engine.dialect, **context, **scales, **self.drawing)
        engine.keep(self.name("scaled"), scaled)
        largest = max(LARGEST_BLOCK, math.ceil(self.number / 12))
        engine.keep(self.name("numbers"), render("comparison/numbers.sql", engine.dialect, count=largest + 1))
        self.queries = count_rows(engine, self.relation("scaled"))
        self.crowded = self.queries >= CROWD * (self.segments if False in totals else 1)
        """Whether segments have so many queries that many draw the same bits."""
        self.drawing["crowded"] = self.crowded

    def groups(self) -> list[range | None]:
        """The segments to draw one after the other, or None alone for all at once."""
        most = max(1, MOST_KEPT // (self.number * len(self.columns)))
        if False not in self.totals or self.segments <= most:
            return [None]
        each = math.ceil(self.segments / math.ceil(self.segments / most))
        firsts = range(1, self.segments + 1, each)
        return [range(first, min(first + each, self.segments + 1)) for first in firsts]

    def draw(self, template: str, replicates_of_block: int, group: range | None = None, sums: int = 0) -> None:
        """Make the table of all replicates, of some segments or of all, called as its template.

        `sums` is how many sums of a column each block has at most, where they are many.
        """
        for number, statement in enumerate(self.statements(template, replicates_of_block, group, sums)):
            self.keep(template, statement, more=number > 0)

    def keep(self, base: str, statement: str, more: bool) -> None:
        """Keep the rows of a statement in a table, or add them to those of it."""
        self.engine.keep(self.name(base), statement, more=more)

    def drop(self, base: str) -> None:
        """Drop a table."""
        self.engine.drop("table", self.name(base))

    def mean(self, pair: int, whole: float | None) -> float | None:
        """The mean difference of a pair, counted from 1, of a mean of whole numbers; None where that is not finite."""
        if whole is None or math.isinf(whole):
            return None
        return whole * self.weight_scale / self.scales[pair - 1]

    def statements(self, template: str, replicates_of_block: int, group: range | None, sums: int) -> Iterable[str]:
        """The statements that make all replicates, each those of some blocks."""
        blocks = math.ceil(self.number / replicates_of_block)
        queries = self.queries if group is None else math.ceil(self.queries * len(group) / self.segments)
        at_once = max(1, min(ROWS_AT_ONCE // max(1, queries), SUMS_AT_ONCE // max(1, sums * len(self.columns))))
        firsts = range(0, blocks, at_once)
        statements = (
            self.render(template, first=first, last=min(first + at_once, blocks), group=group) for first in firsts
        )
        return counted(statements, len(firsts), "testing") if self.engine.progress else statements

    def name(self, base: str) -> str:
        """The name of a temporary table."""
        return self.engine.name(f"{base}_{len(self.totals)}_{self.totals[0]:d}")

    def relation(self, base: str) -> Any:
        """A temporary table as SQL."""
        return sql_text(self.engine.dialect.ident(self.name(base)))

    def render(self, template: str, **variables: Any) -> str:
        """One of the statements over the scaled differences."""
        context: dict[str, Any] = {"pairs": list(range(1, len(self.pairs) + 1)), **self.drawing}
        context |= {"weight_of": self.weight_of, "weighing": self.weighing, "columns": self.columns}
        context |= {name: self.relation(name) for name in ("scaled", "numbers", "times")}
        context |= {"group": None, "squares": False}
        return render(f"comparison/{template}.sql", self.engine.dialect, **context | variables)


def scale_of(size: float | None, largest: float | None) -> float:
    """The power of ten that makes numbers of this total size and this largest one whole without too large a sum."""
    if not size or not largest:
        return 1.0
    return 10.0 ** min(FINEST - math.ceil(math.log10(largest)), FAREST, math.floor(math.log10(LARGEST / size)))


def shared_weights(pairs: Sequence[Pair], lacking: Sequence[int]) -> list[int]:
    """The pair, counted from 1, whose column of weights each takes: the first whose queries weigh the same.

    `lacking` is how many queries lack a difference, by pair: those of pairs that lack none weigh the same.
    """
    first: dict[tuple[bool, int], int] = {}
    return [
        first.setdefault((pair.counts, 0 if not number else place), place)
        for place, (pair, number) in enumerate(zip(pairs, lacking, strict=True), 1)
    ]
