"""The table of paired values: a row for each query, with the value of every system side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from markupsafe import Markup

from sqlrank.comparison.interval import span_of
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows
from sqlrank.errors import DataError, counted
from sqlrank.evaluation.counts import lone_clusters
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

TOLERANCE = 1e-9
"""The largest relative difference of two values that tie."""
NOISE = 1e-15
"""Two values also tie whose difference is at most this share of the largest value of the metric."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems, one metric, and the columns of the table of paired values that hold both sides."""

    baseline: str
    system: str
    measure: Measure
    baseline_value: str
    value: str
    difference: str

    @property
    def metric(self) -> str:
        """The text of the metric."""
        return self.measure.text

    @property
    def counts(self) -> bool:
        """Whether the metric is a count, summed over queries."""
        return self.measure.counts


@dataclass(frozen=True, slots=True)
class Source:
    """Per-query rows of one or more systems."""

    relation: Markup
    """What stands after `from`."""
    label: str
    """What to call it in messages."""
    system: str | None
    """The name of its one system, where the rows are to have another than in the column."""
    columns: tuple[str, ...]
    """The column of each metric."""
    retrieved: str | None
    """The column of how many documents each ranking has, where it is known."""
    day: str | None = None
    """The column of the day, where a query may have a row for each."""


def described(sources: Sequence[Source]) -> list[dict[str, Any]]:
    """What a statement needs of each source."""
    names = ("relation", "system", "columns", "day")
    return [{name: getattr(source, name) for name in names} for source in sources]


class Paired:
    """The values of every query side by side, over one set of queries; the baseline is the first of `systems`."""

    def __init__(
        self,
        engine: DuckDBEngine,
        sources: Sequence[Source],
        systems: Sequence[str],
        measures: Sequence[Measure],
        by: Sequence[str],
        weighted: bool,
        all_pairs: bool = False,
        cluster: str | None = None,
    ) -> None:
        self.engine, self.systems, self.measures = engine, list(systems), list(measures)
        self.by, self.weighted, self.cluster = list(by), weighted, cluster
        self.crossing: str | None = None
        """The column of clusters that cross those."""
        self.all_pairs = all_pairs and len(self.systems) > 2
        """Whether there are pairs without the baseline."""
        name = engine.name("paired")
        engine.keep(name, self.render("paired", parts=described(sources)), doing="pairing")
        self.table = engine.dialect.ident(name)
        sides = list(combinations(range(len(self.systems)), 2))
        self.pairs = [
            Pair(
                self.systems[one],
                self.systems[other],
                measure,
                f"value_{one}_{place}",
                f"value_{other}_{place}",
                f"difference_{one}_{other}_{place}",
            )
            for one, other in (sides if all_pairs else sides[: len(self.systems) - 1])
            for place, measure in enumerate(self.measures, 1)
        ]
        """Every candidate with the baseline, or every system with those before it, with every metric."""
        self.uncertain = False
        """Whether labels have intervals, of which those of the differences take account."""
        self.labels: dict[tuple[int, int], dict[str, float]] = {}
        """What labels add to each mean difference, by pair and segment."""
        self.left_out = 0
        """How many queries do not count because a system has no results for them."""
        self.lone = 0
        """How many queries are clusters of their own because no system has results for them."""

    def choose_queries(self, query_set: str) -> None:
        """Keep the same queries for all systems; DataError if one is missing, doubled, or in two segments."""
        found = self.engine.gather([self.render("pairing", paired=sql_text(self.table))])[0]
        for system, row in zip(self.systems, found, strict=True):
            if row["repeated"]:
                raise DataError(f"{system} has the query {row['repeated_query']!r} twice (cases: {row['repeated']})")
        if found[0]["disagreements"]:
            where = " and ".join(self.systems)
            what = "segment, cluster or weight" if self.cluster else "segment or weight"
            raise DataError(
                f"{where} disagree on the {what} of a query (cases: {found[0]['disagreements']}):"
                f" {found[0]['disagreement_query']!r}"
            )
        if found[0]["loose"]:
            raise DataError(
                f"{counted(found[0]['loose'], 'query', 'has', 'have')} no value of {self.cluster}, such as"
                f" {found[0]['loose_query']!r}: give each one, its own where it is related to no other"
            )
        self.lone = int(found[0]["lone"])
        lacking = [(system, row) for system, row in zip(self.systems, found, strict=True) if row["missing"]]
        if not lacking:
            return
        if query_set != "shared":
            system, row = lacking[0]
            advice = {
                "run": f"choose {spelt('query_set', 'judged')}, where a query without results counts as 0, or shared,"
                " which leaves it out of all systems",
                "judged": "evaluate them against the same judgments",
            }[query_set]
            raise DataError(
                f"the systems do not have the same queries: {system} lacks {row['missing']} that others have, such as"
                f" {row['missing_query']!r}; {advice}"
            )
        before = count_rows(self.engine, sql_text(self.table))
        self.engine.execute(self.render("kept", paired=sql_text(self.table)))
        self.left_out = before - count_rows(self.engine, sql_text(self.table))
        if self.left_out == before:
            raise DataError("the systems have no query in common")

    def same_queries(self) -> bool:
        """Whether all systems have the same queries, each once and with the same segment, cluster and weight."""
        found = self.engine.gather([self.render("pairing", paired=sql_text(self.table))])[0]
        return not any(row[name] for row in found for name in ("missing", "repeated", "disagreements"))

    def differ(self) -> None:
        """Make the table of the differences, in which a tie is 0, and of the weights as shares of the largest."""
        name = self.engine.name("differing")
        columns = dict.fromkeys(name for pair in self.pairs for name in (pair.baseline_value, pair.value))
        context = {"pairs": self.pairs, "columns": list(columns), "values": sql_text(self.table)}
        context |= {"tolerance": TOLERANCE, "noise": NOISE}
        self.engine.keep(name, self.render("differing", **context), doing="pairing")
        self.table = self.engine.dialect.ident(name)

    def unpaired(self) -> list[str]:
        """Notes on queries that have a value for one system only; DataError if none has a value on both sides."""
        numbers = self.engine.row(self.over("unpaired"))
        notes = []
        if self.lone:
            notes.append(lone_clusters(self.lone, str(self.cluster)))
        for number, pair in enumerate(self.pairs, 1):
            what = f"{pair.metric} of {pair.system}"
            if not numbers[f"paired_{number}"]:
                raise DataError(f"{what}: no query has a value both there and in {pair.baseline}")
            if lone := numbers[f"unpaired_{number}"]:
                queries, does = ("1 query has", "does") if lone == 1 else (f"{lone} queries have", "do")
                notes.append(f"{what}: {queries} a value on one side only, and {does} not count in the difference")
        return notes

    def summary(self) -> list[dict[str, Any]]:
        """Means, spread, wins and losses of each pair and segment: pair, scope (0: the total), segments and numbers."""
        rows = self.engine.gather([self.over("comparison")])[0]
        unknown = {"label_stderr": None if self.uncertain else 0.0, "label_shift": 0.0}
        return [
            row
            | {"span": span_of(self.pairs[row["pair"] - 1].measure), "shared_queries": row["queries"]}
            | self.labels.get((row["pair"], row["scope"]), unknown)
            for row in rows
        ]

    def by_query(self, **variables: Any) -> str:
        """The statement of both values of every query, and their difference."""
        return self.over("by_query", sides=None, **variables)

    def over(self, template: str, pairs: Sequence[Pair] | None = None, **variables: Any) -> str:
        """A statement over the differences, of some pairs or of all."""
        chosen = self.pairs if pairs is None else pairs
        return self.render(template, pairs=chosen, paired=sql_text(self.table), **variables)

    def render(self, template: str, **variables: Any) -> str:
        """One of the statements over the values side by side."""
        context = {"systems": self.systems, "measures": self.measures, "segments": self.by, "weighted": self.weighted}
        context |= {"all_pairs": self.all_pairs, "cluster": self.cluster, "crossing": self.crossing}
        return render(f"comparison/{template}.sql", self.engine.dialect, **context, **variables)
