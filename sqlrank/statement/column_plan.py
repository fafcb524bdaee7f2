"""What one statement computes for its measures: each column once, and no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError
from sqlrank.metrics.measure import Measure, Value, ends_with_data
from sqlrank.statement.columns import (
    AGREED,
    APART,
    COLUMNS,
    COUNTS,
    COVER,
    CUMULATED,
    GROUP,
    PAIR,
    PLACE,
    QUERY,
    RANKED_KINDS,
    RETRIEVED,
    SHOWN,
    SUBTOPIC,
    TASTE,
    VECTOR,
    Column,
    column_of,
    column_values,
    physical,
    reads_any,
)
from sqlrank.statement.gains import deepest_of, gain_value, ideal_rankings

DIAGNOSTICS = ("retrieved", "judged", "relevant")
"""Columns computed besides the metrics, for the counts of queries and ties."""


@dataclass
class ColumnPlan:
    """The columns of one statement, gathered from its measures."""

    measures: tuple[Measure, ...]
    conventions: Conventions
    diagnostics: bool
    """Whether the per-query rows also hold what the counts of queries need."""
    listing: bool = False
    """Whether the engine makes totals of lists: not where the hits that they spare are there for something else."""

    def __post_init__(self) -> None:
        self.wanted: dict[str, tuple[str, dict[str, Value]]] = {}
        self.want_all()
        if self.listing and self.has("hits"):
            self.listing, self.wanted = False, {}
            self.want_all()
        self.read = {kind for kind, _ in self.wanted.values()}
        if self.diagnostics:
            values: dict[str, Value] = {"rel": self.conventions.rel}
            for column in (*DIAGNOSTICS, "tied"):
                self.want(column, values)
        names = [measure.column for measure in self.measures]
        if len(set(names)) < len(names):
            raise UsageError("two metrics of this request would have the same column name; ask for them apart")

    def want_all(self) -> None:
        """Note what the measures read."""
        for measure in self.measures:
            for column in (*measure.reads, *counted(measure, self.conventions)):
                self.want(column, dict(measure.values) | {"k": measure.k or 0})

    def want(self, column: str, values: Mapping[str, Value]) -> None:
        """Note that a column is read, with those it is computed from."""
        if column not in COLUMNS and column not in COUNTS:
            raise UsageError(
                f"a metric reads {column!r}, which is not a column of the observations ({', '.join(COLUMNS)})"
            )
        for needed in self.needs_of(column, values):
            self.want(needed, values)
        self.wanted[physical(column, values)] = (column, column_values(column, values))

    def needs_of(self, column: str, values: Mapping[str, Value]) -> tuple[str, ...]:
        """The columns that one is computed from, with these parameters."""
        known = column_of(column)
        settled = {**values, **column_values(column, values)}
        also = tuple(name for name, words in known.needs_with.items() if words.items() <= settled.items())
        return known.needs + also + (() if self.listing else known.unless_listed)

    def has(self, *columns: str) -> bool:
        """Whether one of these columns is wanted, for whatever parameters."""
        return any(column in columns for column, _ in self.wanted.values())

    @cached_property
    def context(self) -> dict[str, Any]:
        """The variables of the templates that the measures decide."""
        return (
            self.groups
            | self.depths()
            | self.switches
            | {
                "ideals": self.ideals(),
                "rare": [{"kind": kind, "rows": rows} for kind, rows in RANKED_KINDS.items() if kind in self.rare()],
                "diagnostic_relevant": physical("relevant", {"rel": self.conventions.rel}),
            }
        )

    @cached_property
    def steps(self) -> frozenset[str]:
        """The steps of the statement that make the wanted columns."""
        return frozenset(filter(None, (column_of(kind).step for kind, _ in self.wanted.values())))

    def made_in(self, step: str) -> list[Column]:
        """The wanted columns that a step makes."""
        return [column for column in (column_of(kind) for kind, _ in self.wanted.values()) if column.step == step]

    @cached_property
    def groups(self) -> dict[str, Any]:
        """The columns that are made together: the greedy ideals, and what each persistence of an agreement weighs."""
        together = [kind for kind in COLUMNS if kind.startswith("agreement")]
        return {
            "covered_novelties": [
                values | {"ideal_novelty": name}
                for name, (kind, values) in self.wanted.items()
                if kind == "ideal_novelty"
            ],
            "persistences": [
                values | {other: physical(other, values) for other in together}
                for kind, values in self.wanted.values()
                if kind == "agreement"
            ],
        }

    def depths(self) -> dict[str, Any]:
        """How deep each kind of row is read."""
        return {
            "places": self.depth_of(PLACE),
            "covers": self.depth_of(COVER),
            "showing": self.depth_of(SHOWN),
            "vectors": self.depth_of(VECTOR, TASTE),
            "deepest": self.deepest(),
        }

    @cached_property
    def switches(self) -> dict[str, bool]:
        """Which steps and columns the statement has."""
        rare = self.rare()
        full = any(ideal["kind"] == "full" for ideal in self.ideals())
        return {
            "diagnostics": self.diagnostics,
            "scaled": any(map(ends_with_data, (values for _, values in self.wanted.values()))),
            "recursive": COVER in rare,
            "numbered": full or PLACE in rare,
            "subtopics": bool(rare & {SUBTOPIC, COVER}),
            "covering": COVER in rare,
            "agreeing": AGREED in rare,
            "stops": self.has("stop", "doc_grade"),
            "beside": any(
                QUERY in column_of(needed).rows
                for kind, values in self.wanted.values()
                if column_of(kind).step == "scored"
                for needed in self.needs_of(kind, values)
            ),
            "cumulating": "cumulated" in self.steps,
            "needs_doc": bool(rare & {SUBTOPIC, SHOWN, AGREED, VECTOR, TASTE}) or self.weighing,
            "needs_score": bool(rare & {GROUP, PAIR}) or self.conventions.ties == "average",
        }

    @property
    def in_one_step(self) -> bool:
        """Whether sums over the judged documents of a query, and over its ideal ranking, give every value."""
        gathered = self.rare() or "cumulated" in self.steps or self.diagnostics or self.has(*APART) or self.weighing
        return not gathered and all(ideal["kind"] == "judged" for ideal in self.ideals())

    @property
    def of_documents_found(self) -> bool:
        """Whether the documents found and what is known of each query give every value, without rows of other kinds."""
        gathered = self.rare() or "cumulated" in self.steps or self.diagnostics or self.weighing
        return not gathered and all(ideal["totals"] for ideal in self.ideals())

    @property
    def weighing(self) -> bool:
        """Whether documents have weights."""
        return any(column_of(kind).input == "item_weight" for kind, _ in self.wanted.values())

    @property
    def weighs_judgments(self) -> bool:
        """Whether the weights of judged documents are read, found or not."""
        ideal = any(ideal["weighed"] and ideal["kind"] == "judged" for ideal in self.ideals())
        return ideal or "query_weights" in self.steps

    @property
    def ranks_all(self) -> bool:
        """Whether documents without judgment are looked at too, next to their judged neighbours."""
        return bool(self.rare() & {GROUP, PAIR}) or self.conventions.ties == "average"

    @property
    def positive_only(self) -> bool:
        """Whether documents without a positive relevance change nothing but the ranks of others."""
        levels = [values["rel"] for _, values in self.wanted.values() if "rel" in values]
        gains = [pair for _, values in self.wanted.values() for pair in gain_value(values.get("gain", ""))["pairs"]]
        worthless = all(relevance > 0 or not worth for relevance, worth in gains)
        return not reads_others(self.read) and worthless and all(float(level) > 0 for level in levels)

    @property
    def across_queries(self) -> bool:
        """Whether a query cannot be evaluated without the judgments of others."""
        found = self.switches["scaled"] or self.has("judged_anywhere")
        return found or any(ideal["kind"] == "full" for ideal in self.ideals())

    def rare(self) -> set[str]:
        """The kinds of observation that few metrics read and these do."""
        holding = {
            kind for column, _ in self.wanted.values() if column != "discount" for kind in column_of(column).rows
        }
        return holding & set(RANKED_KINDS)

    def ideals(self) -> list[dict[str, Any]]:
        """The ideal rankings: what each is made of and how deep it is read, summed for each query or as rows."""
        return ideal_rankings(self.wanted)

    def depth_of(self, *kinds: str) -> int | None:
        """The largest cutoff of the measures that read columns of these kinds: 0 for none, None for no limit."""
        return deepest_of(measure.k for measure in self.measures if reads_any(measure, {*kinds}))

    def deepest(self) -> int | None:
        """The largest rank that any measure looks at, or None when one looks at all of them."""
        if any(ideal["kind"] == "retrieved" for ideal in self.ideals()):
            return None
        return self.depth_of(RETRIEVED, CUMULATED, PLACE)


def reads_others(columns: Iterable[str]) -> bool:
    """Whether some of the columns of documents are not 0 where the relevance is not positive."""
    known = [COLUMNS[name] for name in columns]
    return any({RETRIEVED, CUMULATED, PLACE} & set(each.rows) and not each.positive_only for each in known)


def counted(measure: Measure, conventions: Conventions) -> tuple[str, ...]:
    """The totals of a query that are looked at before the expression is: none where that is 0 in an empty query."""
    return () if conventions.empty == "zero" and measure.metric.vanishes else measure.metric.empty
