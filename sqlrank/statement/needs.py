"""What one statement computes for its measures: each column once, and no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError
from sqlrank.metrics.catalogue import Value
from sqlrank.metrics.measure import Measure
from sqlrank.statement.columns import (
    AGREED,
    COLUMNS,
    COVER,
    CUMULATED,
    GROUP,
    PAIR,
    PLACE,
    RANKED_KINDS,
    RETRIEVED,
    SHOWN,
    SUBTOPIC,
    column_values,
    physical,
)

DIAGNOSTICS = ("retrieved", "judged", "relevant")
"""Columns computed besides the metrics, for the counts of queries and ties."""

POSITIVE = frozenset(
    ("gain", "hit", "hits", "precision_at_hit", "reciprocal_rank", "discount", "stop", "stop_reached", "query_relevant")
)
"""Columns of retrieved documents that are 0, or read only beside one that is, where the relevance is not positive."""


PLAIN = ("negatives", "top_relevance", "relstring_code", "unjudged_above")
"""Columns that a step has or has not, whatever the parameters."""


@dataclass
class Plan:
    """The columns of one statement, gathered from its measures."""

    measures: tuple[Measure, ...]
    conventions: Conventions
    diagnostics: bool
    """Whether the per-query rows also hold what the counts of queries need."""

    def __post_init__(self) -> None:
        self.wanted: dict[str, tuple[str, dict[str, Value]]] = {}
        for measure in self.measures:
            for column in (*measure.metric.reads, *measure.metric.empty):
                self.want(column, dict(measure.values))
        self.read = {kind for kind, _ in self.wanted.values()}
        if self.diagnostics:
            values: dict[str, Value] = {"rel": self.conventions.rel}
            for column in DIAGNOSTICS:
                self.want(column, values)
        names = [measure.column for measure in self.measures]
        if len(set(names)) < len(names):
            raise UsageError("two metrics of this request would have the same column name; ask for them apart")

    def want(self, column: str, values: Mapping[str, Value]) -> None:
        """Note that a column is read, with those it is computed from."""
        if column not in COLUMNS:
            raise UsageError(
                f"a metric reads {column!r}, which is no column of the observations ({', '.join(COLUMNS)})"
            )
        for needed in COLUMNS[column].needs:
            self.want(needed, values)
        self.wanted[physical(column, values)] = (column, column_values(column, values))

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
                "columns": [self.column(*item) for item in self.wanted.items() if not cumulates(item[1][0])],
                "cumulations": [self.column(*item) for item in self.wanted.items() if cumulates(item[1][0])],
                "rare": [{"kind": kind, "rows": rows} for kind, rows in RANKED_KINDS.items() if kind in self.rare()],
                "diagnostic_relevant": physical("relevant", {"rel": self.conventions.rel}),
            }
        )

    @cached_property
    def groups(self) -> dict[str, Any]:
        """For each set of values of parameters: the values, and the names of the columns that depend on them."""
        beside_views = ("grade_above", "place_grade")
        novelties = [values | names for values, names in self.grouped("alpha", "rel")]
        return {
            "levels": [
                {"value": values["rel"], "number": number} | names
                for number, (values, names) in enumerate(self.grouped("rel"), start=1)
            ],
            "gains": [gain_value(values["gain"]) | names for values, names in self.grouped("gain")],
            "stops": [values | names for values, names in self.grouped("max")],
            "scales": [values | names for values, names in self.grouped("min", "max")],
            "views": [
                values | names | {name: physical(name, values) for name in beside_views}
                for values, names in self.grouped("min", "max", "t")
            ],
            "novelties": novelties,
            "covered_novelties": [novelty for novelty in novelties if novelty["ideal_novelty"]],
            "persistences": [values | names for values, names in self.grouped("p")],
        }

    def depths(self) -> dict[str, Any]:
        """How deep each kind of row is read."""
        return {
            "places": self.depth_of(PLACE),
            "covers": self.depth_of(COVER),
            "showing": self.depth_of(SHOWN),
            "deepest": self.deepest(),
        }

    @cached_property
    def switches(self) -> dict[str, bool]:
        """Which steps and columns the statement has."""
        rare = self.rare()
        full = any(ideal["kind"] == "full" for ideal in self.ideals())
        return {
            "diagnostics": self.diagnostics,
            "windowed": self.has("hits", "misses", "negatives", "stop_reached", "unjudged_above"),
            "beside": self.has("query_relevant", "query_nonrelevant"),
            "scaled": any(values.get("max") == "data" for _, values in self.wanted.values()),
            "recursive": COVER in rare,
            "numbered": full or PLACE in rare,
            "subtopics": bool(rare & {SUBTOPIC, COVER}),
            "covering": COVER in rare,
            "groups": GROUP in rare,
            "pairs": PAIR in rare,
            "agreeing": AGREED in rare,
            "needs_doc": bool(rare & {SUBTOPIC, SHOWN, AGREED}),
            "needs_score": bool(rare & {GROUP, PAIR}) or self.conventions.ties == "average",
            "categories": self.has("alike_above", "first_of_category", "categorised"),
        } | {name: self.has(name) for name in PLAIN}

    @property
    def ranks_all(self) -> bool:
        """Whether documents without judgment are looked at too, beside their judged neighbours."""
        return bool(self.rare() & {GROUP, PAIR}) or self.conventions.ties == "average"

    @property
    def positive_only(self) -> bool:
        """Whether documents without a positive relevance change nothing but the ranks of others."""
        of_documents = {RETRIEVED, CUMULATED, PLACE}
        beside = {column for column in self.read if of_documents & set(COLUMNS[column].rows)} - POSITIVE
        levels = [values["rel"] for _, values in self.wanted.values() if "rel" in values]
        gains = [pair for gain in self.groups["gains"] for pair in gain["pairs"]]
        worthless = all(relevance > 0 or not worth for relevance, worth in gains)
        return not beside and worthless and all(float(level) > 0 for level in levels)

    @property
    def across_queries(self) -> bool:
        """Whether a query cannot be evaluated without the judgments of others."""
        return self.switches["scaled"] or any(ideal["kind"] == "full" for ideal in self.ideals())

    def rare(self) -> set[str]:
        """The kinds of observation that few metrics read and these do."""
        holding = {kind for column, _ in self.wanted.values() if column != "discount" for kind in COLUMNS[column].rows}
        return holding & set(RANKED_KINDS)

    def column(self, name: str, wanted: tuple[str, dict[str, Value]]) -> dict[str, Any]:
        """A column as steps/observations.sql and steps/cumulated.sql read it."""
        kind, values = wanted
        needed = {other: physical(other, values) for other in COLUMNS[kind].needs}
        return {"name": name, "kind": kind, "rows": COLUMNS[kind].rows, "value": values.get("discount")} | needed

    def grouped(self, *parameters: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """For each set of values: the columns that depend on just these parameters, kind to name."""
        groups: dict[tuple[Value, ...], dict[str, str | None]] = {}
        kinds = [kind for kind, column in COLUMNS.items() if column.depends == parameters]
        for name, (kind, values) in self.wanted.items():
            if kind in kinds:
                groups.setdefault(tuple(values.values()), dict.fromkeys(kinds))[kind] = name
        return [(dict(zip(parameters, values, strict=True)), names) for values, names in groups.items()]

    def ideals(self) -> list[dict[str, Any]]:
        """The ideal rankings: what each is made of and how deep it is read."""
        found = []
        for name, (kind, values) in self.wanted.items():
            if kind == "ideal_gain":
                readers = [
                    measure
                    for measure in self.measures
                    if any("ideal" in column for column in measure.metric.reads)
                    and physical("ideal_gain", dict(measure.values)) == name
                ]
                step = physical("ideal_step", values)
                found.append(
                    {
                        "name": name,
                        "rows": name.replace("ideal_gain", "ideal"),
                        "kind": values["ideal"],
                        "gain": gain_value(values["gain"]),
                        "k": deepest_of(measure.k for measure in readers),
                        "step": step if step in self.wanted else None,
                    }
                )
        return found

    def depth_of(self, kind: str) -> int | None:
        """The largest cutoff of the measures that read columns of this kind: 0 for none, None for no limit."""
        return deepest_of(
            measure.k
            for measure in self.measures
            if any(kind in COLUMNS[column].rows and column != "discount" for column in measure.metric.reads)
        )

    def deepest(self) -> int | None:
        """The largest rank that any measure looks at, or None when one looks at all of them."""
        if any(ideal["kind"] == "retrieved" for ideal in self.ideals()):
            return None
        readers = [
            measure
            for measure in self.measures
            if any({RETRIEVED, CUMULATED, PLACE} & set(COLUMNS[kind].rows) for kind in measure.metric.reads)
        ]
        return deepest_of(measure.k for measure in readers)


def cumulates(column: str) -> bool:
    """Whether a column sums over the observations, and so stands in a step after them."""
    return CUMULATED in COLUMNS[column].rows


def deepest_of(cutoffs: Iterable[int | None]) -> int | None:
    """The largest cutoff, 0 for none at all, None where one is unlimited."""
    known = list(cutoffs)
    return None if None in known else max((k for k in known if k), default=0)


def shallowest(depths: Iterable[int | None]) -> int | None:
    """The smallest of some depths; None for no limit."""
    return min((depth for depth in depths if depth is not None), default=None)


def gain_value(gain: Value) -> dict[str, Any]:
    """A gain as the templates read it."""
    if ":" not in str(gain):
        kind, _, least = str(gain).partition("_from_")
        return {"kind": kind, "least": float(least) if least else None, "pairs": [], "worth": []}
    pairs = [(float(left), float(right)) for left, right in (pair.split(":") for pair in str(gain).split(","))]
    return {
        "kind": "table",
        "least": None,
        "pairs": pairs,
        "worth": [relevance for relevance, worth in pairs if worth > 0] or [None],
    }
