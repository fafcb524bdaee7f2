"""Replicates of the differences between two systems: random signs or weights of queries, drawn by hashing their ids."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.progress import counted
from sqlrank.templates import render, sql_text

TOLERANCE = 1e-9
"""Differences up to this count as none."""
LARGEST = 10**15
"""How large the differences of all queries may be together as whole numbers, which a double still tells apart."""
FINEST = 12
"""Decimals of a difference that count."""
ROWS_AT_ONCE = 1_000_000
"""About how many draws are made in one statement."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One candidate, one metric, and the columns of the table of paired values that hold both sides."""

    system: str
    metric: str
    baseline_value: str
    value: str
    counts: bool
    """Whether the metric is a count, summed over queries."""


class Replicates:
    """The statements that draw replicates, over differences that are whole numbers.

    Making it makes the table of differences and weights as whole numbers, so large that no sum of them overflows.

    Args:
        engine: where the table of paired values is.
        paired: that table: a row for each query.
        pairs: which columns are compared.
        segmented: whether the queries are in segments besides the total.
        number: how many replicates are drawn.
        seed: what the random numbers depend on besides the ids of the queries.
    """

    def __init__(
        self, engine: DuckDBEngine, paired: str, pairs: Sequence[Pair], segmented: bool, number: int, seed: int
    ) -> None:
        self.engine, self.pairs, self.segmented, self.number, self.seed = engine, pairs, segmented, number, seed
        context = {"paired": sql_text(paired), "pairs": pairs, "tolerance": TOLERANCE}
        looked = render("comparison/sizes.sql", engine.dialect, **context)
        *sizes, weight, fractions = engine.execute(looked)[0]
        self.scales = [10 ** decimals(size) for size in sizes]
        self.weight_scale = 10 ** decimals(weight) if fractions else 1
        scales = {"scales": self.scales, "weight_scale": self.weight_scale}
        scaled = render("comparison/scaled.sql", engine.dialect, **context, **scales)
        engine.keep(engine.name("scaled"), scaled)
        largest = max(1024, math.ceil(number / 12))
        numbers = render("comparison/numbers.sql", engine.dialect, count=largest + 1)
        engine.keep(engine.name("numbers"), numbers)
        rows_of = render("sources/rows_of.sql", engine.dialect, relation=self.relation("scaled"))
        self.queries = int(engine.execute(rows_of)[0][0])

    def statements(self, template: str, replicates_of_block: int, weights: bool = False) -> Iterable[str]:
        """The statements that make all replicates, each those of some blocks."""
        blocks = math.ceil(self.number / replicates_of_block)
        at_once = max(1, ROWS_AT_ONCE // max(1, self.queries))
        firsts = range(0, blocks, at_once)
        lasts = [min(first + at_once, blocks) for first in firsts]
        statements = (
            self.render(template, weights=weights, first=first, last=last)
            for first, last in zip(firsts, lasts, strict=True)
        )
        return counted(statements, len(firsts), "testing") if self.engine.progress else statements

    def relation(self, base: str) -> Any:
        """A table of ours as SQL."""
        return sql_text(self.engine.dialect.ident(self.engine.name(base)))

    def render(self, template: str, weights: bool = False, **variables: Any) -> str:
        """One of the statements over the scaled differences."""
        context = {"pairs": list(range(1, len(self.pairs) + 1)), "scopes": [False, True] if self.segmented else [True]}
        context |= {"scaled": self.relation("scaled"), "numbers": self.relation("numbers"), "seed": str(self.seed)}
        context |= {"replicates": self.number, "weights": weights}
        return render(f"comparison/{template}.sql", self.engine.dialect, **context, **variables)


def decimals(size: float | None) -> int:
    """How many decimals whole numbers can hold without their sum becoming too large."""
    return next((places for places in range(FINEST, 0, -1) if (size or 0) * 10**places <= LARGEST), 0)
