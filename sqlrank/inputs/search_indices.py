"""Documents of several indices of a search engine: an `_id` is unique in its index alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlrank.engines.protocol import Engine
from sqlrank.inputs.column_names import SEARCH_INDEX as INDEX
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.required_roles import System
from sqlrank.inputs.roles import Roles
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render

MOST_NAMED = 3
"""How many indices a note names."""


def told_apart_by_index(
    engine: Engine, systems: Sequence[System], judgments: Iterable[Roles]
) -> tuple[list[System], list[Roles]]:
    """The runs and judgments, with the index in the ids of the documents where they know several indices together."""
    systems, judgments = list(systems), list(judgments)
    every = [*(system.roles for system in systems), *judgments]
    if not all(INDEX in roles.table.columns and "doc_id" not in roles.given for roles in every):
        return systems, judgments
    relations = [roles.table.reader for roles in every]
    context = {"relations": relations, "column": INDEX}
    indices = [name for (name,) in engine.execute(render("sources/indices.sql", engine.dialect, **context))]
    if len(indices) < 2:
        return systems, judgments
    named = ", ".join(indices[:MOST_NAMED]) + ", ..." * (len(indices) > MOST_NAMED)
    said = f"documents are of {len(indices)} indices ({named}), so {INDEX} is part of doc_id"
    note = f"{said}; {spelt('columns', {'doc_id': 'doc_id'})} leaves it out"
    runs = [replace(one, roles=with_index(engine, one.roles, note)) for one in systems]
    return runs, [with_index(engine, roles, note) for roles in judgments]


def with_index(engine: Engine, roles: Roles, note: str) -> Roles:
    """A table whose ids of documents begin with the index."""
    table = replace(roles.table, notes=(*roles.table.notes, f"{roles.table.label}: {note}"))
    names = dict(roles.names)
    found = replace(roles, table=table, names=names, composed={})
    found.take("doc_id", (INDEX, roles.names["doc_id"]))
    return replace(prepared(engine, found), composed=roles.composed | found.composed)
