"""Rankings of a few queries, place by place, with what queries and documents are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.evaluation.request import Request
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.given_tables import prepared
from sqlrank.inputs.known_names import plain_name
from sqlrank.inputs.roles import find_roles
from sqlrank.statement.relations import Relations
from sqlrank.statement.render import explanation
from sqlrank.statement.templates import render, sql_text

TITLES = ("title", "name", "text", "query", "query_text", "keyword", "keywords", "description")
"""The columns that say what a query or a document is called, the likeliest first."""


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
        data, wanted = getattr(self.request.reading, kind), sorted(set(ids))
        if data is None or not wanted:
            return {}
        table = open_table(self.engine, data, kind, self.request.reading)
        reading = self.request.reading
        single = prepared(self.engine, find_roles(table, kind, reading))
        table, roles = single.table, single.names
        key = roles.get("query_id" if kind == "queries" else "doc_id")
        free = {plain_name(column): column for column in table.columns if column not in roles.values()}
        title = next((free[name] for name in TITLES if name in free), None)
        if key is None or title is None:
            return {}
        columns = {name: table.aliases.get(name, name) for name in (key, title)}
        context = {"reader": table.reader, "id": columns[key], "title": columns[title], "ids": wanted}
        found = self.engine.gather([render("sources/titles.sql", self.engine.dialect, **context)])[0]
        return {row["id"]: row["title"] for row in found if row["title"]}

    def close(self) -> None:
        """Drop the rows."""
        for name in self.made:
            self.engine.drop("table", name)
        self.made = []
