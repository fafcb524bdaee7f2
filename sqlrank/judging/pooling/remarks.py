"""What is said below the pairs of a pool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlrank.conventions import plain
from sqlrank.dialects import DUCKDB
from sqlrank.evaluation.words import counted, percent
from sqlrank.judging.pooling.pool_request import Asked
from sqlrank.judging.pooling.statements import is_divided

SHOWN = ("rel", "top_relevance", "ties", "order", "score_type", "query_set", "duplicates", "judgments")
"""The conventions that decide which pairs there are, and in which order."""


@dataclass(frozen=True, slots=True)
class PoolCounts:
    """Counts of one system."""

    queries: int
    """Queries with results."""
    documents: int
    """Documents among the first of their rankings, down to the depth of the pool."""
    judged: int
    """Those of them that were judged before."""

    def __add__(self, other: PoolCounts) -> PoolCounts:
        """The counts of both, of different queries."""
        return PoolCounts(self.queries + other.queries, self.documents + other.documents, self.judged + other.judged)


@dataclass(frozen=True, slots=True)
class PoolTotals:
    """Counts of all pairs that are to be judged, whatever the budget."""

    pairs: int
    queries: int
    """Their queries."""
    weightless: int
    """Pairs that can change nothing between the systems."""
    unjudged: int
    """Those of the queries that have no judgment at all."""


def remarks_of(asked: Asked, counts: Mapping[str, PoolCounts], totals: PoolTotals, weight: str | None) -> Iterator[str]:
    """Yield the lines: how many pairs there are, how they are ordered, and how much was judged before."""
    first = f"the first {asked.depth} of each ranking" if asked.depth > 1 else "the first place of each ranking"
    some = f"the first {asked.budget:,} of " if asked.budget is not None and asked.budget < totals.pairs else ""
    yield f"{some}{counted(totals.pairs, 'pair')} of {counted(totals.queries, 'query')} to judge, in {first}"
    yield f"by weight: {change(asked, len(counts))} (Carterette, Allan and Sitaraman, SIGIR 2006)"
    if asked.measure.effect == "pairs":
        yield "weights depend on what is judged relevant: pool again when some of the pairs are judged"
    if weight is not None:
        yield f"each weight is multiplied by that of its query ({weight})"
    if totals.weightless:
        yield f"{counted(totals.weightless, 'pair')} of weight 0: {' or '.join(weightless(asked, len(counts), weight))}"
    for system, found in counts.items():
        share = f" ({percent(found.judged / found.documents)})" if found.documents else ""
        yield f"{system}: {found.judged:,} of {found.documents:,} documents in {first} were judged{share}"
    if totals.unjudged and any(found.judged for found in counts.values()):
        have = "of the queries has" if totals.unjudged == 1 else "of the queries have"
        yield f"{totals.unjudged:,} {have} no judgment so far"
    conventions = asked.request.conventions
    shown = {name: getattr(conventions, name) for name in SHOWN}
    yield ", ".join(f"{name.replace('_', '-')}={plain(value)}" for name, value in shown.items() if value is not None)


def weightless(asked: Asked, systems: int, weight: str | None) -> Iterator[str]:
    """Yield the reasons for which judgments of a pair may change nothing."""
    if systems > 1:
        yield "every system has them alike"
    if asked.measure.k is not None and asked.depth > asked.measure.k:
        yield "they stand below the cutoff"
    if weight is not None:
        yield "their query has weight 0"


def change(asked: Asked, systems: int) -> str:
    """What the weight of a pair is."""
    document = "a document of gain 1" if asked.measure.effect == "places" else "a relevant document"
    text = asked.measure.text
    found = f"how far apart {document} sets two systems in {text}, at most"
    found = f"how much {document} adds to {text}" if systems == 1 else found
    return f"{found}, before division by what there is to find" if is_divided(asked.measure, DUCKDB) else found
