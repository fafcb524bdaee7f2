"""How old the judgments of an export are that its rankings use, where a column says when each was made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, counted, shortened
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.opening import judgments_in
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import find_roles, require
from sqlrank.inputs.table import Table
from sqlrank.monitoring.ageing import SPAN
from sqlrank.monitoring.opening import Shown
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render


def ages(engine: DuckDBEngine, shown: Shown | None, qrels: Any, reading: Reading, column: str) -> str:
    """A line that says how old the judgments are that were used on the last days, and on the first.

    Raises:
        UsageError: the judgments have no ids and days that tell it, or no such column.
        DataError: a value of the column is no date.
    """
    if qrels is None:
        raise UsageError(f"{spelt('judged_at')} needs judgments of their own ({spelt('qrels')})")
    if shown is None or shown.query is None:
        raise UsageError(
            f"{spelt('judged_at')}: each day has judgments of its own, or queries of its own by {spelt('session')}"
        )
    tables = [open_table(engine, one, reading.judged_role, reading) for one in judgments_in(qrels)]
    judgments = [dated(engine, table, reading, column) for table in tables]
    found = engine.row(render("monitoring/ages.sql", engine.dialect, shown=shown, judgments=judgments, span=SPAN))
    if found["last"] is None:
        return f"judgments used on the last {SPAN} days: none has a day in {column}"
    first = "" if found["first"] is None else f"; {counted(round(found['first']), 'day')} on the first {SPAN}"
    return (
        f"judgments used on the last {SPAN} days: {counted(round(found['last']), 'day')} old in the median,"
        f" {100 * found['older']:.0f} % older than a year{first}"
    )


def dated(engine: DuckDBEngine, table: Table, reading: Reading, column: str) -> dict[str, Any]:
    """One input of judgments, and its columns."""
    roles = find_roles(table, "qrels", reading)
    ids: list[Sequence[str]] = [roles.columns_of(role) for role in ("query_id", "doc_id")]
    if any(len(columns) > 1 for columns in ids):
        raise UsageError(f"{spelt('judged_at')}: an id of the judgments is made of several columns")
    name = require(table, column)
    at = table.aliases.get(name, name)
    statement = render("monitoring/undated_judgments.sql", engine.dialect, judgments=table.reader, at=at)
    found = engine.row(statement)
    if found["undated"]:
        raise DataError(
            f"{table.label}: {column} is not a date in {counted(found['undated'], 'row')}, such as"
            f" {shortened(str(found['example']))!r}; name a column of dates or timestamps with {spelt('judged_at')}"
        )
    return {"relation": table.reader, "query": ids[0][0], "document": ids[1][0], "at": at}
