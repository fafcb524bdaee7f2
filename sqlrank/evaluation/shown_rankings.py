"""Rankings of a few queries, place by place, with what queries and documents are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.titles import titles_of
from sqlrank.statement.relations import Relations
from sqlrank.statement.render import explanation
from sqlrank.statement.templates import render, sql_text


class ShownRankings:
    """Rankings of a few queries: their rows are read once, whatever number of systems is shown.

    Args:
        engine: the engine of the evaluation.
        relations: the inputs of the evaluation.
        request: what the evaluation asked for.
        queries: the ids of the queries.
    """

    def __init__(self, engine: DuckDBEngine, relations: Relations, request: Request, queries: Sequence[str]) -> None:
        self.engine, self.request = engine, request
        self.made: list[str] = []
        restricted = {kind: self.few(relations, kind, queries) for kind in ("run", "qrels")}
        self.relations = replace(relations, **{kind: few for kind, few in restricted.items() if few is not None})

    def few(self, relations: Relations, kind: str, queries: Sequence[str]) -> Any:
        """An input with the rows of these queries alone; None where there is no such input."""
        whole = getattr(relations, kind)
        if not whole or not queries:
            return None
        name = self.engine.name(f"shown_{kind}")
        context = {"relation": whole.relation, "query_id": whole.query_id, "queries": list(queries)}
        self.engine.keep(name, render("sources/rows_of_queries.sql", self.engine.dialect, **context))
        self.made.append(name)
        return replace(whole, relation=sql_text(self.engine.dialect.ident(name)), stated_doc_id=None)

    def ranking(self, query: str, system: str, rows: int) -> list[dict[str, Any]]:
        """The places of one ranking, as `Result.explain` has them."""
        made = explanation(
            self.engine.dialect, self.relations, self.request.measures, self.request.conventions, query, system, rows
        )
        return self.engine.gather([made])[0]

    def titles(self, kind: str, ids: Iterable[str]) -> dict[str, str]:
        """What queries (`kind` is `queries`) or documents (`items`) are called, for those of known name."""
        wanted, known = sorted(set(ids)), titles_of(self.engine, self.request.reading, kind)
        if known is None or not wanted:
            return {}
        found = self.engine.gather([known.statement(self.engine, ids=wanted)])[0]
        return {row["id"]: row["title"] for row in found if row["title"]}

    def close(self) -> None:
        """Drop the rows."""
        for name in self.made:
            self.engine.drop("table", name)
        self.made = []
