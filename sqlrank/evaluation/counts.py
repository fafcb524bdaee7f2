"""The summary of an evaluation: counts of queries, and the numbers of each metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.statement.summaries import SUMMARISED

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class QueryCounts:
    """Counts of the queries of one system."""

    judged: int
    """Queries with judgments."""
    shared: int
    """Judged queries with results."""
    missing: int
    """Judged queries without results."""
    unjudged: int
    """Queries with results and without judgments."""
    no_relevant: int
    """Evaluated queries where nothing is relevant."""
    tied: int
    """Evaluated queries with tied scores that could change a metric."""
    tied_documents: int
    """Relevant documents whose score ties with that of a document of another relevance."""


OF_SYSTEMS = ("documents", "unjudged_documents", "without_relevance")
"""What sources/counts.sql counts of each system, besides its queries."""
OF_JUDGMENTS = ("judgments", "missing_judgments")
"""What it counts of the judgments, whatever the system."""


def add_counts(counts: dict[str, QueryCounts], totals: Counter[str], rows: Iterable[Row]) -> None:
    """Add what sources/counts.sql gave to the counts of queries by system, and to the totals of rows of all systems."""
    for number, row in enumerate(rows):
        counts.setdefault(row["system"], QueryCounts(*(0,) * len(fields(QueryCounts))))
        add_row(counts, row)
        for name in OF_SYSTEMS if number else (*OF_SYSTEMS, *OF_JUDGMENTS):
            totals[name] += int(row.get(name) or 0)


def add_evaluated(counts: dict[str, QueryCounts], totals: Counter[str], rows: Iterable[Row]) -> None:
    """Add what sources/evaluated.sql gave, of the systems that have results."""
    for row in rows:
        if row["system"] in counts:
            add_row(counts, row)
            totals["judged_documents"] += int(row["judged_documents"])


def add_row(counts: dict[str, QueryCounts], row: Row) -> None:
    """Add the numbers of one row to the counts of its system."""
    before = asdict(counts[row["system"]])
    counts[row["system"]] = QueryCounts(**{name: found + int(row.get(name) or 0) for name, found in before.items()})


def in_order(counts: dict[str, QueryCounts], systems: Sequence[str]) -> dict[str, QueryCounts]:
    """The counts with the systems in the order in which they were given, then by name."""
    places = {name: place for place, name in enumerate(systems)}
    return {name: counts[name] for name in sorted(counts, key=lambda name: (places.get(name, len(places)), name))}


def counts_in_words(found: QueryCounts, query_set: str) -> str:
    """The counts of the queries of one system; the convention `query_set` says which do not count."""
    judged = "1 judged query" if found.judged == 1 else f"{found.judged} judged queries"
    missing = f"{found.missing} without results{' (left out)' * (found.missing > 0 and query_set == 'shared')}"
    text = f"{judged}, {missing}, {found.no_relevant} with nothing relevant"
    if found.tied:
        documents = f"{found.tied_documents} relevant document{'' if found.tied_documents == 1 else 's'}"
        text += f"; {queries(found.tied, 'has', 'have')} tied scores that could change a metric ({documents})"
    if found.unjudged:
        text += f"; {queries(found.unjudged, 'has', 'have')} results but no judgments"
        if query_set != "run":
            text += ", and is left out" if found.unjudged == 1 else ", and are left out"
    return text


def is_unusual(found: QueryCounts) -> bool:
    """Whether queries of a system lack results, judgments or relevant documents, or ties could change a metric."""
    return bool(found.missing or found.no_relevant or found.tied or found.unjudged)


def judged_in_part(label: str) -> str:
    """A note on judgments of which some are still to be made, such as a pool that raters have filled in part."""
    return (
        f"{label}: judged in part, and unjudged documents count as not relevant: the values do not estimate those that"
        f" all judgments will give; {spelt('judged')} adds the judged shares, {spelt('bounds')} what the rest could"
        " change"
    )


def lone_clusters(number: int, cluster: str) -> str:
    """A note on queries that are clusters of their own, as no row of a run says which they are in."""
    one, several = "counts as a cluster of its own", "count as clusters of their own"
    counted = queries(number, f"without results {one}", f"without results {several}")
    return f"{counted}, as no row says {'its' if number == 1 else 'their'} {cluster}; a table of {spelt('queries')} can"


def queries(number: int, one: str, several: str) -> str:
    """So many queries, with the verb that follows."""
    return f"1 query {one}" if number == 1 else f"{number} queries {several}"


def long_rows(row: Row, by: Iterable[str], measures: Iterable[Measure]) -> Iterator[Row]:
    """The rows of each metric, from one that has the numbers of all side by side."""
    total = row.get("is_total", False)
    scope = {"system": row["system"], "is_total": total} | {name: None if total else row[name] for name in by}
    for measure in measures:
        if measure.summary != "none":
            columns = {name: f"{measure.column}_{name}" for name in SUMMARISED}
            yield scope | {"metric": measure.text} | {name: row.get(column) for name, column in columns.items()}


def load_rows(engine: DuckDBEngine, base: str, rows: Sequence[Row], by: Sequence[str]) -> None:
    """Load rows of the summary into the table that the output reads."""
    kinds = {"system": "varchar"} | dict.fromkeys(by, "varchar") | ({"is_total": "boolean"} if by else {})
    kinds |= {"metric": "varchar"} | SUMMARISED
    engine.load(engine.name(base), kinds, [[row.get(column) for row in rows] for column in kinds])
