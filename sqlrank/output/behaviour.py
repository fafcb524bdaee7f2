"""Writing judgments and propensities that were made of a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlrank.behaviour.columns import PROPENSITIES
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.propensities import Propensities
from sqlrank.choices import RESULT_FORMATS
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import dicts
from sqlrank.output.declared_tables import Reading, declared_table
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Rows, Shown, for_people, relation_table
from sqlrank.pages.tables import Table

SHOWN = 20
"""How many labels a table for people shows."""
NUMBERS = ("relevance", "low", "high", "impressions", "clicks")


def write_judgments(result: Judgments, destination: Destination) -> None:
    """Write labels in any format but trec: all of them, or on a terminal the first ones."""
    most = SHOWN if destination.file is None else None
    write(result, destination, lambda: [judgments_table(result, destination.digits, most)], document_of)


def write_propensities(result: Propensities, destination: Destination) -> None:
    """Write propensities in any format but trec."""
    write(result, destination, lambda: propensities_tables(result, destination.digits), document_of)


def write(
    result: Any,
    destination: Destination,
    tables: Callable[[], Sequence[Table]],
    document: Callable[[Any], dict[str, Any]],
) -> None:
    """Write a result of a log, with what its tables for people are, and what a JSON document holds beside the rows."""
    check_kind(destination.kind)

    def shown() -> Shown:
        made = tables()
        return made, [*(table.caption for table in made if table.caption), *result.remarks()]

    people = for_people(shown, destination.screen)
    write_result(result, result.rows, destination, result.metadata, people, partial(document, result))


def check_kind(kind: str) -> None:
    """Raise UsageError for a format that has no place for intervals."""
    if kind == "trec":
        raise UsageError(f"trec_eval's files have no place for intervals; this takes {', '.join(RESULT_FORMATS)}")


def judgments_table(result: Judgments, digits: int, most: int | None = SHOWN) -> Table:
    """The first labels, or all; the caption says where the others are."""
    rows, judged = result.rows, result.counts["judged"]
    made = relation_table(rows if most is None else rows.limit(most), digits, NUMBERS).without("method")
    caption = f"the first {most} of {judged:,}: a file (-o) has all" if most is not None and judged > most else ""
    return replace(made, caption=caption, spare=("impressions", "clicks"))


def propensities_tables(result: Propensities, digits: int) -> list[Table]:
    """The propensities, and of which positions the log says them together."""
    return [propensities_table(result, digits), *([links_table(result)] if result.links else [])]


def propensities_table(result: Propensities, digits: int) -> Table:
    """A row for each position."""
    return declared_table(PROPENSITIES, Rows(dicts(result.rows)), Reading(digits))


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


def document_of(result: Judgments | Propensities) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
    found: dict[str, Any] = {"behaviour": result.origin}
    if isinstance(result, Propensities):
        found["links"] = result.links
    return found | {"notes": result.notes, "remarks": result.remarks()}
