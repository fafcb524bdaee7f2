"""What tells the copies of a document apart, where one stands in a ranking or among judgments more than once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlrank.engines.protocol import Engine
from sqlrank.errors import SqlrankError
from sqlrank.inputs.known_names import PLACE, TIERS, plain_name
from sqlrank.inputs.roles import Roles, text_of_columns
from sqlrank.statement.templates import render, sql_text

MOST_COPIES = 1000
"""How many documents with copies are looked at."""
NESTED = re.compile(r"(?i)\]\Z|\A(array|struct|map|union)\b")
"""The types of DuckDB and Spark of lists and the like, which are no part of an id."""
RATERS = frozenset(name for tier in TIERS["judgments"]["rater"] for name in tier)
"""The names of columns that name raters."""
SYSTEMS = frozenset(name for tier in TIERS["run"]["system"] for name in tier)
"""The names of columns that name systems."""


def advice_on_copies(engine: Engine, inputs: Iterable[Roles], where: str | None) -> str:
    """What to choose where copies differ in a column, for a message; nothing where no column tells them apart."""
    for roles in inputs:
        column = telling_column(engine, roles, where)
        if column is not None and plain_name(column) in SYSTEMS:
            known = roles.columns_of("system") if "system" in roles.names else []
            system = text_of_columns([*known, column])
            return f"the copies differ in {column}: if that tells systems apart, choose --column system={system}; else "
        if column is not None and plain_name(column) in RATERS:
            return f"the copies differ in {column}: sqlrank agreement says how far those raters agree; "
        if column is not None:
            query = text_of_columns([*roles.columns_of("query_id"), column])
            apart = f"choose --column query_id={query}"
            return f"the copies differ in {column}: if a query is another one for each of its values, {apart}; else "
    return ""


def telling_column(engine: Engine, roles: Roles, where: str | None) -> str | None:
    """The column of the fewest values that differs in all copies of each document, as far as the first ones show."""
    table, names = roles.table, roles.names
    keys = [names[role] for role in ("system", "query_id", "doc_id") if role in names]
    parts = [name for columns in roles.composed.values() for name in columns]
    known = {*names.values(), *parts, PLACE, *table.conflicts}
    others = [name for name, kind in table.columns.items() if name not in known and not NESTED.search(kind)]
    if not others:
        return None
    aliases = {name: table.aliases.get(name, name) for name in others}
    context = {
        "reader": table.reader,
        "keys": [table.aliases.get(name, name) for name in keys],
        "columns": list(aliases.values()),
        "where": None if where is None else sql_text(where),
        "most": MOST_COPIES,
    }
    try:
        rows = engine.execute(render("sources/telling.sql", engine.dialect, **context))
    except SqlrankError:  # the advice is an addition to an error, which must be told in any case
        return None
    return next((name for name, alias in aliases.items() if rows and alias == rows[0][0]), None)
