"""Writing judgments and propensities that were made of a log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlrank.behaviour.columns import LABELS, PROPENSITIES
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.propensities import Propensities
from sqlrank.evaluation.metric_result import dicts
from sqlrank.output.tables import Reading, Rows, declared_table, relation_table
from sqlrank.output.writing import INTERVALS, Destination, Writing
from sqlrank.pages.tables import Table

SHOWN = 20
"""How many labels a terminal shows."""


def judgments_table(result: Judgments, to: Destination) -> Table:
    """All labels in a file, else the first ones; the caption says where the others are."""
    whole, judged = to.file is not None, result.counts["judged"]
    made = relation_table(result.rows if whole else result.rows.limit(SHOWN), to.digits, LABELS)
    caption = f"the first {SHOWN} of {judged:,}: a file (-o) has all" if not whole and judged > SHOWN else ""
    return replace(made, caption=caption)


def propensities_tables(result: Propensities, to: Destination) -> list[Table]:
    """A row for each position, and of which positions the log says them together."""
    table = declared_table(PROPENSITIES, Rows(dicts(result.rows)), Reading(to.digits))
    return [table, *([links_table(result)] if result.links else [])]


def links_table(result: Propensities) -> Table:
    """How many documents each position shares with each of those above it."""
    pairs = {(link["position"], link["other"]): link["pairs"] for link in result.links}
    places = sorted({place for link in pairs for place in link})
    rows = Rows(
        {"position": place} | {str(above): pairs.get((above, place), "") for above in places} for place in places[1:]
    )
    above = [str(place) for place in places[:-1]]
    columns = [rows.numbers("position", title="shared with"), *(rows.numbers(place) for place in above)]
    return Table(columns, "shared with: how many documents each two positions share", spare=above[:0:-1])


def document_of(result: Judgments | Propensities, _: Destination) -> dict[str, Any]:
    """What a JSON document holds besides the rows."""
    found: dict[str, Any] = {"behaviour": result.origin}
    if isinstance(result, Propensities):
        found["links"] = result.links
    return found | {"notes": result.notes, "remarks": result.remarks()}


JUDGMENTS = Writing(
    tables=lambda result, to: [judgments_table(result, to)],
    document=document_of,
    places=INTERVALS,
    captions=True,
)
EXAMINATION = Writing(tables=propensities_tables, document=document_of, places=INTERVALS, captions=True)
