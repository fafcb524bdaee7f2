"""The result: the pairs to judge, in order."""

from __future__ import annotations

from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult
from sqlrank.evaluation.titles import sought_titles
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.judging.pooling.pool_request import Asked
from sqlrank.judging.pooling.possible import PossibleDifference
from sqlrank.judging.pooling.remarks import PoolCounts, PoolTotals, remarks_of
from sqlrank.presentation import Presented
from sqlrank.statement.templates import render, sql_text


class Pool(OpenResult, Presented):
    """The pairs of a query and a document to judge, in the order in which they could change the comparison most.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

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
