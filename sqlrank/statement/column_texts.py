"""The SQL of columns: what each holds in a row of a statement, and what of it is a total of the query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.metrics.measure import Measure
from sqlrank.statement.column_plan import ColumnPlan
from sqlrank.statement.columns import COLUMNS, CUMULATED, QUERY, RETRIEVED, column_of, physical
from sqlrank.statement.gains import discount_value, gain_value, ideal_rank
from sqlrank.statement.relations import Relation
from sqlrank.statement.templates import render, sql_text

AVERAGED = ("gain", "hit", "miss", "judged", "place_grade")
"""Columns of documents that are means where ties are averaged."""

NOTHING, BY_PLACE = sql_text(""), sql_text("place")

INDENTED = "\n        "
"""What begins a further line of an expression in a step."""

OF_QUERIES = ("judged_queries", "query_subtopics", "query_weights", "query_rows")
"""The steps whose columns the rows of queries hold."""
SOURCES = {"judged_queries": "judged", "query_subtopics": "query_subtopics", "query_weights": "query_weights"}
"""What the step of the queries calls those that it reads."""

UNPADDED = frozenset((RETRIEVED, QUERY, CUMULATED))
"""The kinds of rows whose columns those of other kinds do without."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnText:
    """A column as the templates read it."""

    name: str
    column: str = ""
    """Its name without parameters."""
    rows: tuple[str, ...] = ()
    step: str | None = None
    mean: bool = False
    """Whether it is a mean over the documents of one score."""
    listed: bool = False
    """Whether its total is made of a list of ranks."""
    axis: Markup = BY_PLACE
    """What numbers the rows that hold it: `rank` those of documents found, `place` all others."""
    found: Markup = NOTHING
    """The condition that such a row has a number, where there are others among them."""
    when: Markup
    """The condition under which a row holds it."""
    value: Markup
    """What it holds there."""
    rank: Markup
    """The same, where the rank numbers the rows; it differs for a discount."""
    place: Markup
    text: Markup = NOTHING
    """The expression that its step writes."""
    total: Markup = NOTHING
    """Its total over the query."""
    source: Markup = NOTHING
    """Where the step of the queries reads it."""

    @property
    def padded(self) -> bool:
        """Whether it is null in the rows of other kinds."""
        return bool(set(self.rows) - UNPADDED)

    @property
    def queried(self) -> bool:
        """Whether it is of a query, rather than of a row of it."""
        return QUERY in self.rows

    @property
    def retrieved(self) -> bool:
        """Whether the rows of the documents found hold it under its name."""
        return self.step in ("ranked", "scored") or (self.mean and not self.padded)


def column_texts(plan: ColumnPlan, dialect: Dialect, policy: Mapping[str, Any]) -> dict[str, ColumnText]:
    """The columns of a plan by their names, each after those it is computed from."""
    found: dict[str, ColumnText] = {}
    policy = dict(policy) | {"listing": plan.listing}
    for name, (kind, values) in plan.wanted.items():
        needed = {other: found[physical(other, values)] for other in plan.needs_of(kind, values)}
        settled: dict[str, Any] = dict(values) | ({"gain": gain_value(values["gain"])} if "gain" in values else {})
        settled |= {"discount": discount_value(values["discount"])} if "discount" in values else {}
        settled |= {"ideal_rank": ideal_rank(values)} if "ideal" in values and "gain" in values else {}
        file = f"columns/{'' if kind in COLUMNS else 'counts/'}{kind}.sql"
        text = render(file, dialect, **(policy | settled | needed)).strip()
        found[name] = column_text(name, kind, text, dialect, policy)
    return found


def columns_alone(measure: Measure, dialect: Dialect, joined: bool = False) -> dict[str, ColumnText]:
    """The columns of one measure, as in a statement for it alone; `joined` where a step counts the queries first."""
    plan = ColumnPlan((measure,), Conventions(), diagnostics=False)
    plain = plan.in_one_step and not joined
    policy: dict[str, Any] = dict.fromkeys(("keys", "row_keys", "query_keys"), sql_text("query_id"))
    policy |= {"direction": sql_text("desc"), "ascending": False, "averaged": False, "united": False}
    policy |= {"sums_judged": plain, "may_be_unfound": plain, "rows_of_queries": None}
    policy |= {"items": Relation(), "history": Relation()}
    return column_texts(plan, dialect, policy)


def column_text(name: str, kind: str, text: str, dialect: Dialect, policy: Mapping[str, Any]) -> ColumnText:
    """One column, of the text of its file."""
    column, named = column_of(kind), dialect.ident(name)
    when, _, value = text.removeprefix("when ").partition("\nthen ") if text.startswith("when ") else ("", "", text)
    mean = policy["averaged"] and kind in AVERAGED
    in_place = not (column.step or mean) and bool(text)
    axis = "rank" if column.rows == (RETRIEVED,) else "place"
    shown = value if in_place else named
    by_rank, by_place = shown.split("\n") if kind == "discount" else (shown, shown)
    guarded = when and in_place and (policy["may_be_unfound"] or axis == "place")
    summed = (policy["sums_judged"] and column.step == "judged_queries") or (
        policy["united"] and column.step == "ideal"
    )
    table = policy["rows_of_queries"] if column.step in OF_QUERIES else None
    known = named if table is None else f"{dialect.ident(table)}.{named}"
    return ColumnText(
        name=name,
        column=kind,
        rows=column.rows,
        step=column.step,
        mean=mean,
        listed=policy["listing"] and bool(column.unless_listed),
        axis=sql_text(axis),
        found=sql_text(f"{axis} is not null" if guarded else ""),
        when=sql_text(when if when and in_place else f"{shown} is not null"),
        value=sql_text(shown),
        rank=sql_text(by_rank),
        place=sql_text(by_place),
        text=sql_text((f"case when {when} then {value} else 0 end" if when else value).replace("\n", INDENTED)),
        total=sql_text(text if summed else f"max({known})"),
        source=sql_text(SOURCES.get(column.step or "", "")),
    )
