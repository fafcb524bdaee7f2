"""Pools: files of pairs to judge, as `sqlrank pool` writes them and raters fill them, some rows at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from markupsafe import Markup

from sqlrank.engines.protocol import Engine
from sqlrank.inputs.relation_maker import Part
from sqlrank.inputs.roles import Roles
from sqlrank.statement.templates import render, sql_text


def filled(engine: Engine, roles: Roles, labels: Sequence[str] = (), blank: bool = False) -> Markup:
    """The condition that somebody judged a row: of a pool, or where one of some labels means unjudged.

    `blank` says that a row without a relevance is no judgment.
    """
    column = roles.names["relevance"]
    name, blank = roles.table.aliases.get(column, column), blank or roles.table.is_pool
    return sql_text(render("sources/filled.sql", engine.dialect, relevance=name, blank=blank, labels=labels).strip())


def only_judged(engine: Engine, roles: Roles, part: Part, labels: Sequence[str]) -> tuple[Part, int]:
    """The rows of judgments that are judged, and how many are not; arguments as in `filled`."""
    unfilled = count_unfilled(engine, roles, labels)
    return (replace(part, judged=filled(engine, roles, labels)) if unfilled else part), unfilled


def count_unfilled(engine: Engine, roles: Roles, labels: Sequence[str] = ()) -> int:
    """How many rows are not judged; arguments as in `filled`."""
    if not labels and not roles.table.is_pool:
        return 0
    context = {"filled": filled(engine, roles, labels), "reader": roles.table.reader}
    return int(engine.execute(render("sources/unfilled.sql", engine.dialect, **context))[0][0])
