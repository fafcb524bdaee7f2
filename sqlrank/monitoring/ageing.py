"""Judgments that age: how old they are, how much of what is returned was judged, and how fast that falls."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, counted, shortened
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.opening import judgments_in
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import find_roles, require
from sqlrank.inputs.table import Table
from sqlrank.monitoring.opening import Opened, Shown
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


LEAST = 0.8
"""The share of judged documents below which a change of a metric may be that of what was judged."""
SPAN = 7
"""The first and the last days that are averaged."""
STEADY = 0.5
"""How much of the logarithm of the share a straight line explains at least, for a half-life to be told."""


def ageing(engine: DuckDBEngine, opened: Opened) -> Iterator[str]:
    """Yield a note for each system on whose last days fewer documents were judged than a metric needs."""
    if opened.judged is None:
        return
    measure, column = opened.judged
    rows = opened.rows
    context = {"relation": rows.relation, "day": rows.day, "system": rows.system, "judged": column, "span": SPAN}
    context["weighted"] = rows.weighted
    found = engine.gather([render("monitoring/judged.sql", engine.dialect, **context)])[0]
    several = len(found) > 1
    for row in found:
        if row["days"] < 2 * SPAN or row["last_share"] >= LEAST:
            continue
        shares = (
            f"{100 * row['last_share']:.0f} % of the last {SPAN} days, {100 * row['first_share']:.0f} % of the first"
        )
        name = f"{measure.text} of {row['system']}" if several else measure.text
        name += " by weight" if rows.weighted else ""
        yield (
            f"{name}: {shares}{pace(row['slope'], row['explained'])}; unjudged documents count as not relevant, so a"
            " drop is no verdict before they are judged (sqlrank pool lists those to judge first)"
        )


def unused(engine: DuckDBEngine, opened: Opened) -> Iterator[str]:
    """Yield a line that says how many judgments of an export are of documents that are not returned any more."""
    if opened.shown is None or opened.judgments is None:
        return
    context = {"shown": opened.shown, "judged": opened.judgments, "span": SPAN}
    found = engine.row(render("monitoring/unused.sql", engine.dialect, **context))
    if found["judged"]:
        share = 100 * (1 - found["returned"] / found["judged"])
        judged = counted(found["judged"], "judged document")
        yield f"judgments: {share:.0f} % of {judged} not returned on the last {SPAN} days"


def pace(slope: float | None, explained: float | None) -> str:
    """In how many days the share halves, where it falls steadily."""
    if slope is None or explained is None or slope >= 0 or explained < STEADY:
        return ""
    return f", which halves in about {counted(round(-math.log(2) / slope), 'day')}"
