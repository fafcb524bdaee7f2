"""The result: the pairs to judge, in order, and what is said below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.dialects import DUCKDB
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import counted, percent
from sqlrank.evaluation.shown_rankings import sought_titles
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.judging.pooling.pool_request import Asked
from sqlrank.judging.pooling.possible import PossibleDifference
from sqlrank.judging.pooling.statements import is_divided
from sqlrank.presentation import Presented
from sqlrank.spelling import plain
from sqlrank.statement.templates import render, sql_text

SHOWN = ("rel", "top_relevance", "ties", "order", "score_type", "query_set", "duplicates", "collapse", "judgments")
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
        reasons = " or ".join(weightless(asked, len(counts), weight))
        yield f"{counted(totals.weightless, 'pair', 'has', 'have')} weight 0: {reasons}"
    for system, found in counts.items():
        share = f" ({percent(found.judged / found.documents)})" if found.documents else ""
        judged = "was judged" if found.judged == 1 else "were judged"
        yield f"{system}: {found.judged:,} of {counted(found.documents, 'document')} in {first} {judged}{share}"
    if totals.unjudged and any(found.judged for found in counts.values()):
        have = "of the queries has" if totals.unjudged == 1 else "of the queries have"
        yield f"{totals.unjudged:,} {have} no judgment so far"
    conventions = asked.request.conventions
    shown = {name: getattr(conventions, name) for name in SHOWN}
    yield ", ".join(f"{name.replace('_', '-')}={plain(value)}" for name, value in shown.items() if value is not None)


def weightless(asked: Asked, systems: int, weight: str | None) -> Iterator[str]:
    """Yield the reasons for which judgments of a pair may change nothing."""
    if systems > 1:
        yield "every system has them at the same places"
    if asked.measure.k is not None and asked.depth > asked.measure.k:
        yield "they are below the cutoff"
    if weight is not None:
        yield "their query has weight 0"


def change(asked: Asked, systems: int) -> str:
    """What the weight of a pair is."""
    document = "a document of gain 1" if asked.measure.effect == "places" else "a relevant document"
    text = asked.measure.text
    found = f"how far apart {document} sets two systems in {text}, at most"
    found = f"how much {document} adds to {text}" if systems == 1 else found
    return f"{found}, before division by what there is to find" if is_divided(asked.measure, DUCKDB) else found


class Pool(OpenResult, Presented):
    """The pairs of a query and a document to judge, in the order in which they could change the comparison most.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    offered = "possible systems"

    def __init__(self, engine: DuckDBEngine, asked: Asked, inputs: Inputs) -> None:
        super().__init__(engine)
        self.measure, self.depth, self.budget = asked.measure, asked.depth, asked.budget
        self.conventions, self.where = asked.request.conventions, inputs.where
        self.notes = list(inputs.notes)
        self.counts: dict[str, PoolCounts] = {}
        """By system, how many documents were looked at, and how many of them were judged."""
        self.totals = PoolTotals(0, 0, 0, 0)
        """How many pairs there are, whatever the budget."""
        self.possible: list[PossibleDifference] = []
        """For each pair of systems, what the judgments so far leave possible; empty where the metric has no bounds."""
        self.of_possible: list[str] = []
        """The same in words, or why nothing is said of it."""
        self._asked, self._inputs = asked, inputs
        self._texts: dict[str, Markup | None] = {"query_texts": None, "titles": None}

    @property
    def systems(self) -> list[str]:
        """The systems whose documents are pooled, in order."""
        return list(self.counts)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each pair, the most important first.

        The id of the query and of the document, `relevance` (null, for a rater to fill), `query_text` and `title` where
        they are known, `priority` (1, 2, ...), `weight` (what the judgment could change), `systems` (how many have the
        document among the first) and `best_rank` among them.
        """
        context = {"ids": self._ids(), "pool": self._table("pool"), **self._texts}
        return self._local.relation(render("pooling/rows.sql", self._local.dialect, **context))

    @property
    def given(self) -> int:
        """How many pairs there are here: all of them, or as many as the budget allows."""
        return self.totals.pairs if self.budget is None else min(self.budget, self.totals.pairs)

    def remarks(self) -> list[str]:
        """How many pairs there are, how they are ordered, how much was judged before, and what that decides."""
        *lines, conventions = remarks_of(self._asked, self.counts, self.totals, self._asked.request.reading.weight)
        lines += [*self.of_possible, conventions]
        return lines + ([] if self.where is None else [f"only rows where {self.where}"])

    def fill(self, pairs: Markup, totals: PoolTotals) -> None:
        """Put the pairs in order, and find what their queries and documents are called."""
        dialect, self.totals = self._local.dialect, totals
        ordered = render("pooling/ordered.sql", dialect, pairs=pairs, budget=self.budget)
        self._local.keep(self._local.name("pool"), ordered, doing="ordering")
        for kind, base, key in (("queries", "query_texts", "query_id"), ("items", "titles", "doc_id")):
            self._texts[base] = self._titles(kind, base, key)
        if not totals.pairs:
            self.notes.append(f"nothing is left to judge: everything in the first {self.depth} was judged")

    def _table(self, base: str) -> Markup:
        return sql_text(self._local.dialect.ident(self._local.name(base)))

    def _titles(self, kind: str, base: str, key: str) -> Markup | None:
        """The table of what the queries or documents of the pool are called; None where nothing says it."""
        known = sought_titles(self._local, self._asked.request.reading, kind, self.notes)
        if known is None:
            return None
        found = known.statement(self._local, among=self._table("pool"), key=sql_text(key))
        self._local.keep(self._local.name(base), found)
        return self._table(base)

    def _ids(self) -> list[dict[str, Any]]:
        """The columns of the ids, under the names by which the options of the run find them."""
        found: list[dict[str, Any]] = []
        for role in ("query_id", "doc_id"):
            parts = self._inputs.composed.get(role, ())
            of = sql_text(f"pool.{role}")
            found += [{"name": name, "of": of, "number": place} for place, name in enumerate(parts, 1)]
            found += [] if parts else [{"name": role, "of": of, "number": None}]
        return found
