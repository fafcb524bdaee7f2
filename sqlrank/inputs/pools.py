"""Pools: files of pairs to judge, as `sqlrank pool` writes them and raters fill them, some rows at a time."""

from __future__ import annotations

from markupsafe import Markup

from sqlrank.engines.protocol import Engine
from sqlrank.inputs.roles import Roles
from sqlrank.inputs.table import Table
from sqlrank.statement.templates import render, sql_text

COLUMNS = frozenset(("relevance", "priority", "weight", "systems", "best_rank"))
"""The columns by which a pool is told from other judgments, in which a row without relevance is a mistake."""


def is_pool(table: Table) -> bool:
    """Whether a table is a pool, of whose rows raters may have filled some alone."""
    return set(table.columns) >= COLUMNS


def filled(engine: Engine, roles: Roles) -> Markup:
    """The condition on a row of a pool that somebody judged it."""
    column = roles.names["relevance"]
    name = roles.table.aliases.get(column, column)
    return sql_text(render("sources/filled.sql", engine.dialect, relevance=name).strip())


def count_unfilled(engine: Engine, roles: Roles) -> int:
    """How many rows of a pool nobody judged yet."""
    context = {"filled": filled(engine, roles), "reader": roles.table.reader}
    return int(engine.execute(render("sources/unfilled.sql", engine.dialect, **context))[0][0])
