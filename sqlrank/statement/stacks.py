"""Rows of several kinds below one another: which columns they have, and what each kind holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.metrics.measure import Measure
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.column_texts import ColumnText
from sqlrank.statement.forms import Form
from sqlrank.statement.statement_facts import columns_of, measures_by_place
from sqlrank.statement.templates import sql_text

OF_IDEALS = ("ideal_gain", "ideal_step")
"""The columns that rows of an ideal ranking hold."""

SUMMED = {"rows": "metrics_by_place", "kind": "retrieved"}
"""The step of metrics that are summed up before the others, which has a row for each ranking."""


@dataclass(frozen=True, slots=True)
class StackColumn:
    """A column of such rows."""

    name: str
    type: Markup


@dataclass(frozen=True, slots=True)
class Branch:
    """The rows of one kind."""

    rows: str
    """The step that holds them."""
    held: Mapping[str, Markup]
    """What they hold, by the name of the column; null is every other one."""
    ideals: list[dict[str, Any]] = field(default_factory=list)
    """The ideal rankings next to them."""
    inner: bool = False
    """Whether queries without them are left out."""

    @property
    def joined(self) -> bool:
        """Whether other rows stand next to them."""
        return bool(self.ideals)


@dataclass(frozen=True, slots=True)
class Stack:
    """All of them."""

    columns: list[StackColumn]
    branches: list[Branch]


class Stacks:
    """The stacks of some metrics: what they look at, and the rankings place by place.

    `summed` are metrics whose values are already there, in the step `metrics_by_place`; `apart` says that it is theirs.
    """

    def __init__(
        self,
        dialect: Dialect,
        context: Mapping[str, Any],
        columns: Iterable[ColumnText],
        summed: Iterable[Measure] = (),
        apart: bool = False,
    ) -> None:
        self.dialect, self.context, self.columns, self.apart = dialect, context, list(columns), apart
        self.double, self.whole, self.text = (sql_text(word) for word in (dialect.double, "bigint", dialect.text))
        read = {column.name for column in self.columns}
        self.ideals = [ideal for ideal in context["ideals"] if read.intersection(ideal["names"])]
        self.named = [ideal for ideal in self.ideals if ideal["name"]]
        self.summed = [measure.column for measure in summed]

    def observed(self) -> Stack:
        """What the metrics look at."""
        by_place = any(column.step == "cumulated" for column in self.columns)
        found = [] if self.context["without_judgments"] else [self.found(by_place)]
        found += [self.of_ideal(ideal) for ideal in self.named if found and not by_place]
        kinds = {kind for column in self.columns for kind in column.rows}
        found += [self.of_kind(each["rows"], each["kind"]) for each in self.context["rare"] if each["kind"] in kinds]
        carried = [
            (column.alias, self.double if column.is_number else self.text) for column in self.context["carried_columns"]
        ]
        kept = self.of(lambda column: column.queried or column.padded or column.retrieved or column.step == "cumulated")
        summed = [(name, self.double) for name in self.summed]
        return self.stack([*found, self.query()], [*carried, *self.typed(kept), *summed])

    def by_place(self) -> Stack:
        """The documents found, and the ideal rankings place by place."""
        found = self.found(cumulated=False)
        scored = Branch(found.rows, {**found.held, "place": self.as_place("rank")})
        kept = self.of(lambda column: column.retrieved or column.column in OF_IDEALS)
        return self.stack([scored, *map(self.of_ideal, self.named)], self.typed(kept))

    def stack(self, branches: list[Branch], columns: list[tuple[str, Markup]]) -> Stack:
        """The columns that some of the rows hold."""
        every = [*columns, ("relevance", self.double), ("rank", self.whole), ("place", self.whole)]
        held = {name for branch in branches for name in branch.held} | self.context["always_held"]
        return Stack([StackColumn(name, kind) for name, kind in every if name in held], branches)

    def found(self, cumulated: bool) -> Branch:
        """The documents found that were judged, next to the ideal rankings where these are summed up to each place."""
        held = self.of(lambda column: column.retrieved)
        if cumulated:
            held += self.of(lambda column: column.step == "cumulated" or column.column in OF_IDEALS)
        names = [*(column.name for column in held), "relevance", "rank"]
        place = {"place": self.as_place("place")} if cumulated else {}
        return Branch("cumulated" if cumulated else "scored", {name: self.ident(name) for name in names} | place)

    def of_ideal(self, ideal: dict[str, Any]) -> Branch:
        """The places of an ideal ranking."""
        held = {name: self.of_step(ideal["rows"], name) for name in ideal["names"]}
        held["place"] = self.as_place(f"{self.dialect.ident(ideal['rows'])}.place")
        if self.apart and ideal["kind"] == "judged" and self.every_judged:
            return Branch(ideal["rows"], held)
        return Branch("query_rows", held, [ideal], inner=True)

    @property
    def every_judged(self) -> bool:
        """Whether the queries are those that were judged, and no others: what is not is not joined to them later."""
        return self.context["query_set"] == "judged" and len(self.context["key_names"]) == 1

    def of_kind(self, rows: str, kind: str) -> Branch:
        """The rows of a kind that few metrics read."""
        held = self.of(lambda column: kind in column.rows and column.padded)
        named = {column.name: self.ident(column.name) for column in held}
        return Branch(rows, {**named, "place": self.as_place("place")})

    def query(self) -> Branch:
        """What is known of each query."""
        beside = [ideal for ideal in self.ideals if ideal["totals"]]
        named = [column.alias for column in self.context["carried_columns"]]
        named += [column.name for column in self.of(lambda column: column.queried and column.step != "ideal")]
        beside += [SUMMED | {"names": self.summed}] if self.summed else []
        table = f"{self.dialect.ident('query_rows')}." if beside else ""
        held = {name: sql_text(f"{table}{self.dialect.ident(name)}") for name in named}
        held |= {name: self.of_step(each["rows"], name) for each in beside for name in each["names"]}
        return Branch("query_rows", held, beside)

    def of_step(self, rows: str, name: str) -> Markup:
        """A column of another step, as a number."""
        ident = self.dialect.ident
        return sql_text(f"cast({ident(rows)}.{ident(name)} as {self.double})")

    def as_place(self, text: str) -> Markup:
        """A number of a place: numbers of rows have no sign on some engines, whose unions take no others then."""
        return sql_text(f"cast({text} as {self.whole})")

    def of(self, holds: Callable[[ColumnText], bool]) -> list[ColumnText]:
        """The columns of some kind."""
        return [column for column in self.columns if holds(column)]

    def typed(self, columns: Iterable[ColumnText]) -> list[tuple[str, Markup]]:
        """Their names and types."""
        return [(column.name, self.whole if column.column == "tied" else self.double) for column in columns]

    def ident(self, name: str) -> Markup:
        """A name of a column."""
        return sql_text(self.dialect.ident(name))


def stacked(
    form: Form, plan: ColumnPlan, dialect: Dialect, context: Mapping[str, Any], columns: Iterable[ColumnText]
) -> dict[str, Stack]:
    """The stacks that the steps of a form read."""
    if "observations" not in form.metrics:
        return {}
    every, summed = list(columns), measures_by_place(plan)
    if not summed:
        stacks = Stacks(dialect, context, every)
        return {"observed": stacks.observed()} | ({"by_place": stacks.by_place()} if context["cumulating"] else {})
    others = tuple(measure for measure in plan.measures if measure not in summed)
    of_summed, of_others = columns_of(plan, summed), columns_of(plan, others, plan.diagnostics)
    first = [column for column in every if column.name in of_summed]
    rest = [column for column in every if column.name in of_others]
    of_places = Stacks(dialect, {**context, "carried_columns": []}, first, apart=True)
    return {
        "by_place": of_places.by_place(),
        "observed_by_place": of_places.observed(),
        "observed": Stacks(dialect, context, rest, summed).observed(),
    }
