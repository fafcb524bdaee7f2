"""What one statement must compute for the measures asked for: each column once, and no other.

A metric reads columns of the observations by name. Where a column depends on a parameter, such as the relevance
level, it stands once for each value and is named for it: `hits`, `hits_rel2`, `gain_exp2`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlrank.catalogue import Value
from sqlrank.conventions import Conventions
from sqlrank.errors import UsageError
from sqlrank.metrics import Measure, column_part

RETRIEVED, IDEAL, QUERY = "retrieved", "ideal", "query"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the observations that metrics may read."""

    depends: tuple[str, ...]
    """The parameters it depends on."""
    rows: tuple[str, ...]
    """The kinds of observation that hold it; it is 0 in the others."""
    text: str
    """What it holds."""
    needs: tuple[str, ...] = ()
    """Columns it is computed from."""


COLUMNS = {
    "gain": Column(("gain",), (RETRIEVED,), "gain of a retrieved document"),
    "ideal_gain": Column(("gain", "ideal"), (IDEAL,), "gain at this place of the best ranking"),
    "discount": Column(("discount",), (RETRIEVED, IDEAL), "weight of the place"),
    "hit": Column(("rel",), (RETRIEVED,), "1 for a relevant document"),
    "hits": Column(("rel",), (RETRIEVED,), "hits down to this rank", ("hit",)),
    "precision_at_hit": Column(("rel",), (RETRIEVED,), "precision at a hit", ("hit", "hits")),
    "reciprocal_rank": Column(("rel",), (RETRIEVED,), "1 / rank at a hit", ("hit",)),
    "judged": Column((), (RETRIEVED,), "1 for a judged document"),
    "query_relevant": Column(
        ("rel",), (RETRIEVED,), "the query's relevant documents, beside each document", ("relevant",)
    ),
    "relevant": Column(("rel",), (QUERY,), "relevant judged documents of the query"),
    "gainful": Column(("gain",), (QUERY,), "judged documents with a positive gain"),
    "retrieved": Column((), (QUERY,), "documents returned"),
}

EMPTY_TEXTS = {
    "relevant": "no judged document is relevant",
    "gainful": "no judged document has a positive gain",
}

DIAGNOSTICS = ("retrieved", "judged", "relevant", "gain")
"""What is computed besides the metrics for the counts of queries and ties beside the numbers."""


def physical(column: str, values: dict[str, Value]) -> str:
    """The name under which a column stands for these parameter values."""
    defaults: dict[str, Value] = {"rel": 1.0, "gain": "linear", "discount": "log2", "ideal": "judged"}
    changed = [(name, values[name]) for name in COLUMNS[column].depends if values[name] != defaults[name]]
    return "_".join([column] + [("rel" if name == "rel" else "") + column_part(value) for name, value in changed])


@dataclass
class Plan:
    """The columns of one statement, gathered from its measures."""

    measures: tuple[Measure, ...]
    conventions: Conventions
    diagnostics: bool
    """Whether the per-query rows also carry what the notes beside the numbers need."""

    def __post_init__(self) -> None:
        self.wanted: dict[str, tuple[str, dict[str, Value]]] = {}
        for measure in self.measures:
            for column in (*measure.metric.reads, *measure.metric.empty):
                self.want(column, dict(measure.values))
        if self.diagnostics:
            values: dict[str, Value] = {"rel": self.conventions.rel, "gain": "linear"}
            for column in DIAGNOSTICS:
                self.want(column, values)
        names = [measure.column for measure in self.measures]
        if len(set(names)) < len(names):
            raise UsageError("two metrics of this request would have the same column name; ask for them apart")

    def want(self, column: str, values: dict[str, Value]) -> None:
        """Note that a column is read, with those it is computed from."""
        if column not in COLUMNS:
            raise UsageError(
                f"a metric reads {column!r}, which is no column of the observations ({', '.join(COLUMNS)})"
            )
        for needed in COLUMNS[column].needs:
            self.want(needed, values)
        if column == "ideal_gain" and values["ideal"] == "retrieved":
            self.want("gain", values)
        self.wanted[physical(column, values)] = (
            column,
            {name: values[name] for name in COLUMNS[column].depends},
        )

    def context(self) -> dict[str, Any]:
        """The variables of the templates that the measures decide."""
        return {
            "levels": [
                {"value": rel} | {kind: names.get(kind) for kind in COLUMNS}
                for rel, names in self.grouped("rel").items()
            ],
            "gains": [
                gain_value(gain) | {"gain": names.get("gain"), "gainful": names.get("gainful")}
                for gain, names in self.grouped("gain").items()
            ],
            "ideals": self.ideals(),
            "columns": [self.column(name, kind, values) for name, (kind, values) in self.wanted.items()],
            "deepest": self.deepest(),
            "diagnostics": self.diagnostics,
            "windowed": self.diagnostics or any(kind == "hits" for kind, _ in self.wanted.values()),
            "diagnostic_relevant": physical("relevant", {"rel": self.conventions.rel}),
            "beside": any(kind == "query_relevant" for kind, _ in self.wanted.values()),
            "recursive": any(ideal["kind"] == "full" for ideal in self.ideals()),
        }

    def column(self, name: str, kind: str, values: dict[str, Value]) -> dict[str, Any]:
        """A column as steps/observations.sql reads it."""
        hits = {needed: physical(needed, values) for needed in COLUMNS[kind].needs if needed in ("hit", "hits")}
        return {
            "name": name,
            "kind": kind,
            "rows": COLUMNS[kind].rows,
            "value": values.get("discount"),
        } | hits

    def grouped(self, parameter: str) -> dict[Value, dict[str, str]]:
        """For each value of a parameter: the columns that depend on it alone, kind to name."""
        groups: dict[Value, dict[str, str]] = {}
        for name, (kind, values) in self.wanted.items():
            if COLUMNS[kind].depends == (parameter,):
                groups.setdefault(values[parameter], {})[kind] = name
        return groups

    def ideals(self) -> list[dict[str, Any]]:
        """The ideal rankings: what each is made of and how deep it is read."""
        found = []
        for name, (kind, values) in self.wanted.items():
            if kind == "ideal_gain":
                cutoffs = [
                    measure.k
                    for measure in self.measures
                    if "ideal_gain" in measure.metric.reads and physical("ideal_gain", dict(measure.values)) == name
                ]
                found.append(
                    {
                        "name": name,
                        "rows": name.replace("ideal_gain", "ideal"),
                        "kind": values["ideal"],
                        "gain": gain_value(values["gain"]),
                        "gain_name": physical("gain", values),
                        "k": deepest_of(cutoffs),
                    }
                )
        return found

    def deepest(self) -> int | None:
        """The largest rank that any measure looks at, or None when one looks at all of them."""
        if any(ideal["kind"] == "retrieved" for ideal in self.ideals()):
            return None
        readers = [
            measure
            for measure in self.measures
            if any(RETRIEVED in COLUMNS[kind].rows for kind in measure.metric.reads)
        ]
        return deepest_of(measure.k for measure in readers)


def deepest_of(cutoffs: Iterable[int | None]) -> int | None:
    """The largest cutoff, 0 for none at all, None where one is unlimited."""
    known = list(cutoffs)
    return None if None in known else max((k for k in known if k), default=0)


def gain_value(gain: Value) -> dict[str, Any]:
    """A gain as the templates read it."""
    if ":" not in str(gain):
        return {"kind": gain, "pairs": [], "worth": []}
    pairs = [(float(left), float(right)) for left, right in (pair.split(":") for pair in str(gain).split(","))]
    return {"kind": "table", "pairs": pairs, "worth": [relevance for relevance, worth in pairs if worth > 0] or [None]}
