"""Opening one table that is no ranking: what raters said, or a log of what was shown and clicked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import is_spark
from sqlrank.errors import UsageError
from sqlrank.inputs.column_names import ROLES
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.fields import with_fields
from sqlrank.inputs.opening import allowed, check_roles_used, keep_apart
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.relation_maker import RelationMaker
from sqlrank.inputs.roles import Roles, check_role_names, find_roles
from sqlrank.inputs.table import Table


def open_single(
    engine: DuckDBEngine,
    data: Any,
    kind: str,
    reading: Reading,
    needed: str,
    roles_of: Callable[[DuckDBEngine, Table, str, Reading], Roles] | None = None,
    known: Sequence[str] = ROLES,
) -> tuple[RelationMaker, Roles]:
    """Find and describe the rows of a table, which is of a `kind` and has the columns that are `needed`, in words.

    `roles_of` finds the columns by role, of those that are `known`; without it each is one of the table.

    Raises:
        UsageError: the rows are of a kind that is not read, or the condition cannot be carried out.
        DataError: they are missing or unreadable, or have no column of a name that was given.
    """
    if is_spark(data):
        raise UsageError("a data frame of Spark cannot be read here; pass data.toPandas(), or a path")
    if isinstance(data, Mapping):
        raise UsageError(f"{kind} are rows of {needed}: pass a path, a data frame or a relation")
    check_role_names(reading.columns, known)
    if reading.where is not None:
        from sqlrank.statement.conditions import check_condition

        check_condition(reading.where, engine.dialect)
    if reading.timezone is not None:
        engine.use_timezone(reading.timezone)
    maker = RelationMaker(engine, reading)
    if reading.database is not None:
        from sqlrank.inputs.databases import attach

        maker.sources += attach(engine, reading.database)
    table = with_fields(engine, open_table(engine, data, kind, reading), kind, reading)
    roles = find_roles(table, kind, reading) if roles_of is None else roles_of(engine, table, kind, reading)
    if roles.composed or roles.positive:
        from sqlrank.inputs.prepared_tables import prepared

        roles = prepared(engine, roles)
    check_roles_used(reading.columns, [roles])
    if reading.where is not None:
        from sqlrank.inputs.conditions import check_columns

        check_columns(reading.where, roles.table)
    return maker, roles


def lock(engine: DuckDBEngine, reading: Reading, every: Sequence[Roles], writes: Sequence[str]) -> None:
    """Restrict the condition to the files of some tables, and what will be written."""
    if reading.where is not None:
        keep_apart(engine, reading, [*allowed(file for roles in every for file in roles.table.files), *writes])
