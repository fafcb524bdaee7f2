"""The log of a statement: a relation of another session by its name, or a file, whose columns are looked at."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from sqlrank.behaviour.event_tables import is_events
from sqlrank.behaviour.log_lists import log_roles
from sqlrank.behaviour.opened_log import KIND, check_roles
from sqlrank.dialects import Dialect
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError
from sqlrank.export.relation_names import dotted
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import Reading, stem_of
from sqlrank.options.declared import options_of
from sqlrank.options.shared import Separated, TextFiles
from sqlrank.spelling import spelt
from sqlrank.statement.conditions import check_condition
from sqlrank.statement.templates import sql_text

IN_PLACE = {**options_of(TextFiles), **options_of(Separated)}
"""How files are read, of which a statement has no place for those that are not carried."""


def log_relation(dialect: Dialect, log: str, reading: Reading) -> tuple[Any, dict[str, str], Any]:
    """What a statement reads a log from, its columns by role, and the condition on its rows.

    For a file these are the columns that `log judgments` finds; DuckDB reads it itself, and elsewhere it is the
    relation of its name.

    Raises:
        UsageError: the name is no relation, the file has no row for each document shown, or a statement has no place
            for an option.
        DataError: a column is missing.
    """
    for name, item in IN_PLACE.items():
        if not item.carried and (value := getattr(reading, name)) is not None:
            raise UsageError(f"leave out {spelt(name, value)}, which a statement has no place for")
    if reading.where is not None:
        check_condition(reading.where, dialect)
    where = None if reading.where is None else sql_text(reading.where)
    if not os.path.exists(log):
        return dotted(dialect, log), dict(reading.columns), where
    engine = DuckDBEngine(None)
    try:
        plain = replace(reading, where=None)
        table = open_table(engine, log, KIND, plain)
        if is_events(table):
            raise UsageError(f"{log} holds events; a statement reads a log with a row for each document shown")
        roles = log_roles(engine, table, KIND, plain)
        check_roles(roles)
        if roles.table.unlisted:
            raise UsageError(f"{log} holds lists; a statement reads a log with a row for each document shown")
    finally:
        engine.close()
    relation = sql_text(dialect.literal(log)) if dialect.name == "duckdb" else dotted(dialect, f'"{stem_of(log)}"')
    return relation, roles.names | dict(reading.columns), where
