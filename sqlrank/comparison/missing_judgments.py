"""The mean differences that are possible over all ways in which documents without a judgment could be judged.

If a metric is a sum of weights of places, which fall with the rank, the difference of two systems is least where just
those documents are relevant that the baseline has above the candidate, and largest where it is the others: each is an
evaluation of judgments that are completed so. For other metrics that rise with relevance the difference lies between
those of the bounds of either system, which need not be reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sqlrank.comparison.paired import Paired
from sqlrank.comparison.test_results import Key
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.statement.relations import Relation
from sqlrank.statement.templates import render, sql_text

ORDERED = ("doc-desc", "doc-asc", "number-desc", "rank", "input", "error")
"""The orders of ties that no judgment changes."""
REACHED = {"low_one": "lost", "low_other": "lost", "high_one": "won", "high_other": "won"}
"""Whose values make the least and the largest difference, of the baseline (one) and the candidate (other)."""
APART = {"low_one": "most", "low_other": "value", "high_one": "value", "high_other": "most"}
"""The same where each system has bounds by itself."""
NOTHING = 1e-12
"""A bound that is no further from 0 is 0."""


@dataclass(frozen=True, slots=True)
class Possible:
    """The least and the largest mean difference."""

    low: float
    high: float
    reached: bool
    """Whether some judgments reach them."""

    def survives(self, difference: float) -> bool:
        """Whether every judgment leaves a difference its sign."""
        return self.low > NOTHING if difference > 0 else self.high < -NOTHING if difference < 0 else False


def possible_differences(
    engine: DuckDBEngine, result: Result, paired: Paired, bounded: Sequence[Measure]
) -> dict[Key, Possible]:
    """The mean differences that are possible, by pair and segment; UsageError where judgments decide between ties."""
    if result.conventions.ties not in ORDERED:
        raise UsageError(
            f"{spelt('bounds')}: under {spelt('ties', result.conventions.ties)} judgments change the order of"
            " documents, and with it the difference; choose another order"
        )
    return Missing(engine, result, paired, bounded).found()


class Missing:
    """Finds the differences that are possible, for every pair of systems."""

    def __init__(self, engine: DuckDBEngine, result: Result, paired: Paired, bounded: Sequence[Measure]) -> None:
        self.engine, self.result, self.paired, self.bounded = engine, result, paired, list(bounded)
        self.added = [measure for measure in bounded if measure.effect == "places"]
        self.places = self.table("places")
        if self.added:
            engine.keep(engine.name("places"), result.places_statement(), doing="ranking")

    def found(self) -> dict[Key, Possible]:
        """The differences, by pair and segment."""
        found: dict[Key, Possible] = {}
        numbers = {(pair.baseline, pair.system, pair.metric): at for at, pair in enumerate(self.paired.pairs, 1)}
        for one, other in dict.fromkeys((pair.baseline, pair.system) for pair in self.paired.pairs):
            for scope, *ends in self.of_pair(one, other):
                for measure, low, high in zip(self.bounded, ends[::2], ends[1::2], strict=True):
                    if low is not None:
                        key = numbers[one, other, measure.text], scope
                        found[key] = Possible(low, high, measure in self.added)
        return found

    def of_pair(self, one: str, other: str) -> list[tuple[Any, ...]]:
        """For each segment, the least and the largest mean difference of each measure, of one pair of systems."""
        rows = {"value": self.result.per_query_table, "most": self.result.upper_table}
        with ExitStack() as open_results:
            if self.added:
                lost, won = (
                    open_results.enter_context(self.completed(*sides)) for sides in ((one, other), (other, one))
                )
                rows |= {"lost": lost.per_query_table, "won": won.per_query_table}
            return self.engine.execute(self.statement(one, other, rows))

    def statement(self, one: str, other: str, rows: Mapping[str, Markup]) -> str:
        """The statement of the differences of one pair, over the rows of its queries as judged and as completed."""
        kinds = {measure: REACHED if measure in self.added else APART for measure in self.bounded}
        sides = [
            {"column": measure.column, "counts": measure.counts}
            | {name: sql_text(f"{kind}_{name.partition('_')[2]}") for name, kind in kinds[measure].items()}
            for measure in self.bounded
        ]
        tables = [
            (sql_text(f"{kind}_{side}"), rows[kind], system)
            for kind in dict.fromkeys(kind for each in kinds.values() for kind in each.values())
            for side, system in (("one", one), ("other", other))
        ]
        return self.paired.render("bounds", sides=sides, tables=tables, paired=sql_text(self.paired.table))

    def completed(self, favoured: str, other: str) -> Result:
        """The result with the documents relevant that one system has above the other."""
        systems, engine = self.paired.systems, self.engine
        base = f"favoured_{systems.index(favoured)}_{systems.index(other)}"
        context = {"places": self.places, "favoured": favoured, "other": other}
        engine.keep(engine.name(base), render("bounds/favoured.sql", engine.dialect, **context))
        some = [favoured, other] if len(systems) > 2 else []
        return self.result.completed(self.added, f"{base}_judged", Relation(relation=self.table(base)), some)

    def table(self, base: str) -> Markup:
        """A table as SQL."""
        return sql_text(self.engine.dialect.ident(self.engine.name(base)))


def add_possible(rows: Sequence[dict[str, Any]], possible: Mapping[Key, Possible]) -> None:
    """Add to each row the differences that are possible, null for a metric that has no bounds."""
    for row in rows:
        found = possible.get(row["sqlrank_key"])
        known = found is not None and row["difference"] is not None
        row["bound_low"], row["bound_high"] = (found.low, found.high) if found is not None and known else (None, None)
        row["sign_survives"] = found.survives(row["difference"]) if found is not None and known else None
        row["sqlrank_reached"] = found is not None and found.reached


def possible_remarks(rows: Sequence[dict[str, Any]], top: str) -> list[str]:
    """What the judgments that are missing could do to the differences in total; `top` says what they may be at most."""
    lines = []
    for row in rows:
        if not row["is_total"] or row["bound_low"] is None:
            continue
        sign = "its sign cannot change" if row["sign_survives"] else "its sign may change"
        apart = "" if row["sqlrank_reached"] else " (the bounds of each system by itself)"
        lines.append(
            f"missing judgments leave the difference in {row['metric']} of {row['system']} between"
            f" {row['bound_low']:+.4f} and {row['bound_high']:+.4f}{apart}: {sign}"
        )
    return [*lines, f"missing judgments are taken to be at most as relevant as {top}"] if lines else []
