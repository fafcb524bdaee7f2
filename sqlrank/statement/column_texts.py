"""The SQL of columns: what each holds in a row of a statement, and what of it is a total of the query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.dialects import Dialect
from sqlrank.metrics.catalogue import Value
from sqlrank.metrics.measure import Measure
from sqlrank.statement.columns import COLUMNS, CUMULATED, QUERY, RETRIEVED, physical
from sqlrank.statement.needs import Plan, gain_value
from sqlrank.statement.templates import render, sql_text

AVERAGED = ("gain", "hit", "miss", "judged", "place_grade")
"""Columns of documents that are means where ties are averaged."""

AXES = ("rank", "place")
"""The columns that number the rows: ranks of documents found, and places of every other kind of row."""

INDENTED = "\n        "
"""What begins a further line of an expression in a step."""

UNPADDED = frozenset((RETRIEVED, QUERY, CUMULATED))
"""The kinds of rows whose columns those of other kinds do without."""


def column_texts(plan: Plan, dialect: Dialect, policy: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The columns of a plan by their names, each after those it is computed from, as templates read them."""
    found: dict[str, dict[str, Any]] = {}
    for name, (kind, values) in plan.wanted.items():
        needed = {other: found[physical(other, values)] for other in COLUMNS[kind].needs}
        found[name] = column_text(name, kind, values, needed, dialect, policy)
    return found


def columns_alone(measure: Measure, dialect: Dialect, joined: bool = False) -> dict[str, dict[str, Any]]:
    """The columns of one measure, as in a statement for it alone; `joined` where a step counts the queries first."""
    plan = Plan((measure,), Conventions(), diagnostics=False)
    plain = plan.in_one_step and not joined
    keys = {
        "keys": sql_text("query_id"),
        "row_keys": sql_text("query_id"),
        "query_keys": sql_text("query_id"),
        "direction": sql_text("desc"),
    }
    return column_texts(plan, dialect, keys | {"plain": plain, "outer": plain, "averaged": False, "ascending": False})


def column_text(
    name: str,
    kind: str,
    values: Mapping[str, Value],
    needed: Mapping[str, Any],
    dialect: Dialect,
    policy: Mapping[str, Any],
) -> dict[str, Any]:
    """One column.

    `when` and `value` are the condition under which a row holds it and what it holds, `total` its total over the query,
    `found` the condition that the row has a place, and `text` the expression that its step writes.
    """
    settled = dict(values) | ({"gain": gain_value(values["gain"])} if "gain" in values else {})
    text = render(f"columns/{kind}.sql", dialect, **(dict(policy) | settled | dict(needed))).strip()
    column = COLUMNS[kind]
    mean = policy["averaged"] and kind in AVERAGED
    described = {"name": name, "column": kind, "rows": column.rows, "step": column.step, "mean": mean}
    described |= {"padded": bool(set(column.rows) - UNPADDED)}
    described["retrieved"] = column.step == "scored" or (mean and not described["padded"])
    if kind == "discount":
        rank, place = map(sql_text, text.split("\n"))
        return described | {"rank": rank, "place": place}
    named = sql_text(dialect.ident(name))
    when, _, value = text.removeprefix("when ").partition("\nthen ") if text.startswith("when ") else ("", "", text)
    made = bool(column.step) or mean
    axis = "rank" if column.rows == (RETRIEVED,) else "place"
    placed = of_place(
        axis, sql_text("" if made else when), named if made or not text else sql_text(value), policy["outer"]
    )
    return (
        described
        | placed
        | {
            "text": sql_text((f"case when {when} then {value} else 0 end" if when else value).replace("\n", INDENTED)),
            "total": total_of(column.step, sql_text(text), named, policy) if QUERY in column.rows else None,
        }
    )


def of_place(axis: str, when: Markup, value: Markup, outer: bool) -> dict[str, Any]:
    """What the words of the templates read of a column that rows of one numbering hold.

    `outer` says that among the rows are judged documents that were not found.
    """
    found = sql_text(f"{axis} is not null" if when and (outer or axis == "place") else "")
    holds = when or sql_text(f"{value} is not null")
    return {"axis": sql_text(axis), "when": holds, "found": found} | dict.fromkeys(("value", *AXES), value)


def total_of(step: str | None, text: Markup, named: Markup, policy: Mapping[str, Any]) -> Markup:
    """The total of a query: of its own rows, or beside them."""
    return text if policy["plain"] and step == "judged_queries" else sql_text(f"max({named})")
