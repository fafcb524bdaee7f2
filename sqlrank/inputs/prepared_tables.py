"""Tables with the columns that they are read from, where their own do not say it in one.

An id may be made of several columns, such as a query of a user and a date (`--column query_id=user_id,date`): they
stand in one text with commas between them; a comma inside one is written %2C and % itself %25, so that no two ids are
the same text. In a table of positives every row is relevance 1. An SQL expression of the user computes a segment or the
weight from a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.column_names import POSITIVE
from sqlrank.inputs.conditions import check_columns, holds
from sqlrank.inputs.reading import SEGMENTED, Reading, option_of
from sqlrank.inputs.roles import Roles, has
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.conditions import spelt_sql
from sqlrank.statement.syntax_trees import type_of
from sqlrank.statement.templates import render, sql_text

UNKNOWN = "STRING"
"""The type of an expression that another engine evaluates."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A column of a table that an expression makes."""

    name: str
    expression: Markup
    kind: str
    """Its type."""


def computed_in(engine: Engine, table: Table, kind: str, reading: Reading) -> list[Computed]:
    """The columns that are made of those of a table, an input of a kind.

    Raises:
        UsageError: the table has a column of the same name, or DuckDB cannot evaluate the expression.
    """
    if kind not in SEGMENTED:
        return []
    found = []
    for name, text in reading.computed.items():
        if name == text and has(table, name):
            continue
        if has(table, name):
            raise UsageError(
                f"{spelt_sql(option_of(name), text)}: {table.label} has a column {name}; give the expression"
                " another name"
            )
        if not holds(table, text):
            continue
        kind_of = UNKNOWN
        if isinstance(engine, DuckDBEngine):
            check_columns(text, table, option_of(name))
            kind_of = type_of(text, table.columns)
        found.append(Computed(name, sql_text(text), kind_of))
    return found


def check_positive(engine: Engine, roles: Roles, worth: Mapping[str, float | None], where: str | None) -> None:
    """Raise DataError if a column that tells the relevance of positives says that some are not relevant.

    `worth` is what its texts stand for, `where` the condition on the rows that are read.
    """
    table, label = roles.table, roles.label
    if label is None:
        return
    labels = [(text, None if number is None else str(number)) for text, number in worth.items()]
    condition = None if where is None else sql_text(where)
    context: dict[str, Any] = {"reader": table.reader, "column": table.aliases.get(label, label), "labels": labels}
    context |= {"where": condition}
    denied = engine.execute(render("sources/denied.sql", engine.dialect, **context))[0][0]
    if denied:
        raise DataError(
            f"{table.label}: {spelt('positives')} takes every row for relevance 1, and {denied} of its rows"
            f" {'has' if denied == 1 else 'have'} no positive {label}: give it with {spelt('qrels')}, or leave those"
            " rows out"
        )
    if not table.nested:
        roles.notes["relevance"] = f"{table.label}: the column {label} is ignored; every row is relevance 1"


def prepared(engine: Engine, roles: Roles, computed: Sequence[Computed] = ()) -> Roles:
    """The roles of a table in which each is one column; DataError if its files have a part in different types.

    `computed` are the columns that are made by expressions.
    """
    if not roles.composed and not roles.positive and not computed:
        return roles
    table, ids = roles.table, []
    for role, columns in roles.composed.items():
        if table.canonical:
            raise UsageError(f"{table.label}: the {role} is one column here, and not {','.join(columns)}")
        for conflict in (table.conflicts[name] for name in columns if name in table.conflicts):
            raise DataError(f"{table.label}: {conflict.text}")
        names = [table.aliases.get(name, name) for name in columns]
        complaint = f"{table.label}: a {role} in JSON is made of strings and whole numbers, not of "
        ids.append({"name": roles.names[role], "columns": names, "complaint": complaint if table.json else None})
    relevance = POSITIVE if roles.positive else None

    made = dict.fromkeys((roles.names[role] for role in roles.composed), "VARCHAR")
    made |= {} if relevance is None else {relevance: "INTEGER"}
    made |= {each.name: each.kind for each in computed}
    context = {"ids": ids, "relevance": relevance, "computed": computed}
    table = table.through(engine.dialect, "sources/given.sql", context, columns=table.columns | made)
    return replace(roles, table=table)
