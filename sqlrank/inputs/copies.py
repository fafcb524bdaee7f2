"""What tells the copies of a document apart, where one stands in a ranking or among judgments more than once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlrank.engines.protocol import Engine
from sqlrank.errors import SqlrankError
from sqlrank.inputs.column_names import PLACE, TIERS, is_number, plain_name
from sqlrank.inputs.roles import Roles
from sqlrank.options.values import text_of_columns
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

MOST_COPIES = 1000
"""How many documents with copies are looked at."""
NESTED = re.compile(r"(?i)\]\Z|\A(array|struct|map|union)\b")
"""The types of DuckDB and Spark of lists and the like, which are no part of an id."""
RATERS = frozenset(name for tier in TIERS["judgments"]["rater"] for name in tier)
"""The names of columns that name raters."""
SYSTEMS = frozenset(name for tier in TIERS["run"]["system"] for name in tier)
"""The names of columns that name systems."""
PARTS = frozenset(
    "chunk chunk_id chunk_no chunk_index chunk_number passage passage_id paragraph paragraph_id section section_id"
    " part part_id page page_no snippet snippet_id offset".split()
)
"""The names of columns that name parts of a document."""
TIMES = re.compile(r"(?:\A|_)(?:date|day|ds|dt|week|month|hour|time|timestamp|ts|at)\Z|session|request|impression")
"""What the names of columns have that tell one time a query was asked from another."""
MOST_SYSTEMS = 50
"""How many systems a column names at most that is not called so."""
COVERED = 0.5
"""The share of all pairs of a query and a system that such a column has at least."""


@dataclass(frozen=True, slots=True)
class Telling:
    """The column that tells copies of a document apart, and what its values are."""

    column: str
    meaning: str
    """`system`, `rater`, `part` of a document, or `query`."""


def advice_on_copies(engine: Engine, inputs: Iterable[Roles], where: str | None, of_ranks: bool) -> str:
    """What to choose where copies differ in a column, for a message; nothing where no column tells them apart.

    `of_ranks` says that a document stands in a ranking twice, rather than that it has two judgments.
    """
    for roles in inputs:
        if (found := telling(engine, roles, where)) is None:
            continue
        said, choice = f"the copies differ in {found.column}", spelt_choice(option_on(found, roles, of_ranks))
        return (
            said
            + {
                "system": f": if that tells systems apart, choose {choice}; else ",
                "rater": ": sqlrank agreement measures how well those raters agree; ",
                "part": f": if its values are parts of a document, {choice} takes the best of each; else ",
                "query": f": if a query is another one for each of its values, choose {choice}; else ",
            }[found.meaning]
        )
    return ""


def spelt_choice(option: tuple[str, Any] | None) -> str:
    """An option and its value in a message; nothing where there is none."""
    return "" if option is None else spelt(*option)


def option_on(found: Telling, roles: Roles, of_ranks: bool) -> tuple[str, Any] | None:
    """The option by which copies are told apart, or the best of them taken, with its value; None for raters."""
    if found.meaning == "part":
        return ("collapse", "best") if of_ranks else ("judgments", "max")
    if found.meaning == "rater":
        return None
    role = "query_id" if found.meaning == "query" else "system"
    known = roles.columns_of(role) if role in roles.names else []
    return "columns", {role: text_of_columns([*known, found.column])}


def telling(engine: Engine, roles: Roles, where: str | None) -> Telling | None:
    """The column that tells copies apart, with what its values are; None where there is none."""
    column = telling_column(engine, roles, where)
    if column is None:
        return None
    name = plain_name(column)
    for meaning, names in (("system", SYSTEMS), ("rater", RATERS), ("part", PARTS)):
        if name in names:
            return Telling(column, meaning)
    timed = TIMES.search(name) or "DATE" in roles.table.columns[column] or "TIME" in roles.table.columns[column]
    return Telling(column, "query" if timed or not names_all(engine, roles, column, where) else "system")


def names_all(engine: Engine, roles: Roles, column: str, where: str | None) -> bool:
    """Whether a column has few values, which are no numbers and stand with most of the queries, as systems do."""
    table = roles.table
    context = {
        "reader": table.reader,
        "query_id": table.aliases.get(roles.names["query_id"], roles.names["query_id"]),
        "column": table.aliases.get(column, column),
        "where": None if where is None else sql_text(where),
    }
    row = engine.row(render("sources/covering.sql", engine.dialect, **context))
    different = int(row["different"])
    if not 1 < different <= MOST_SYSTEMS or (is_number(row["smallest"]) and is_number(row["largest"])):
        return False
    return int(row["pairs"]) >= COVERED * different * int(row["queries"])


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
