"""Judgments that age: how much of what is returned was judged, and how fast that falls."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import counted
from sqlrank.monitoring.opening import Opened
from sqlrank.statement.templates import render

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
