"""Ids that are made of several columns, such as a query of a user and a date: `--column query_id=user_id,date`.

The columns stand in one text with commas between them; a comma inside one is written %2C and % itself %25, so that no
two ids are the same text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.roles import Roles
from sqlrank.statement.templates import render, sql_text


def with_single_ids(engine: Engine, roles: Roles) -> Roles:
    """The roles of a table in which each id is one column; DataError if its files have a part in different types."""
    if not roles.composed:
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

    def reader(whole: Any) -> Any:
        return sql_text(render("sources/with_ids.sql", engine.dialect, reader=whole, ids=ids))

    made = replace(
        table,
        reader=reader(table.reader),
        columns=table.columns | dict.fromkeys((roles.names[role] for role in roles.composed), "VARCHAR"),
        portable=None if table.portable is None else reader(table.portable),
    )
    return replace(roles, table=made)
