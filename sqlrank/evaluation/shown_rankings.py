"""Rankings of a few queries, place by place, and what tables of queries and items say of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import duckdb
from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.inputs.column_names import plain_name
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, find_roles
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.relations import Relations
from sqlrank.statement.render import explanation
from sqlrank.statement.templates import render, sql_text

TITLES = ("title", "name", "text", "user_query", "query", "query_text", "keyword", "keywords", "description")
"""The columns that say what a query or a document is called, the likeliest first."""
IN_RUNS = {
    "queries": ("query_text", "user_query", "query", "keyword", "keywords", "search_term"),
    "items": ("title", "doc_title", "item_title", "product_title", "product_name"),
}
"""The columns of a run or an export that say it, where no table of queries or items is given."""


class Named(NamedTuple):
    """A table in which ids stand next to titles."""

    reader: Markup
    id: str
    """The column of the ids."""
    title: str
    """The column of the titles."""


@dataclass(frozen=True, slots=True)
class Titles:
    """The tables that say what queries or documents are called."""

    tables: Sequence[Named]

    def statement(self, engine: DuckDBEngine, **chosen: Any) -> str:
        """The statement that gives titles by id: of the `ids`, or of what the column `key` of the table `among` has."""
        context = {"tables": [table._asdict() for table in self.tables], "among": None}
        return render("sources/titles.sql", engine.dialect, **context | chosen)


def sought_titles(
    engine: DuckDBEngine, reading: Reading, kind: str, notes: list[str], runs: Sequence[Table] = ()
) -> Titles | None:
    """The same as `titles_of`, with a note where a table that was given does not say it."""
    known = titles_of(engine, reading, kind, runs)
    if known is None and getattr(reading, kind) is not None:
        called = "queries" if kind == "queries" else "documents"
        names = f"{', '.join(TITLES[:-1])} or {TITLES[-1]}"
        notes.append(f"{spelt(kind)}: no column has the names of the {called}; call one {names}")
    return known


def titles_of(engine: DuckDBEngine, reading: Reading, kind: str, runs: Sequence[Table] = ()) -> Titles | None:
    """What queries (`kind` is `queries`) or documents (`items`) are called; None where no table says it.

    Without a table of them, a column of the runs may say it.
    """
    data, key = getattr(reading, kind), "query_id" if kind == "queries" else "doc_id"
    if data is not None:
        roles = prepared(engine, find_roles(open_table(engine, data, kind, reading), kind, reading))
        found = [named_in(roles, key, TITLES)]
    else:
        found = [named_in(prepared(engine, find_roles(run, "run", reading)), key, IN_RUNS[kind]) for run in runs]
    tables = [table for table in found if table is not None]
    return Titles(tables) if tables else None


def named_in(roles: Roles, key: str, titles: Sequence[str]) -> Named | None:
    """A table with its id and the likeliest column of titles; None where it has none."""
    table, names = roles.table, roles.names
    id_column = names.get(key)
    free = {plain_name(column): column for column in table.columns if column not in names.values()}
    title = next((free[name] for name in titles if name in free), None)
    if id_column is None or title is None:
        return None
    return Named(table.reader, *(table.aliases.get(name, name) for name in (id_column, title)))


class ShownRankings:
    """Rankings of a few queries: their rows are read once, whatever number of systems is shown.

    Args:
        engine: the engine of the evaluation.
        relations: the inputs of the evaluation.
        request: what the evaluation asked for.
        queries: the ids of the queries.
        runs: the tables of the runs.
    """

    def __init__(
        self,
        engine: DuckDBEngine,
        relations: Relations,
        request: Request,
        queries: Sequence[str],
        runs: Sequence[Table] = (),
    ) -> None:
        self.engine, self.request, self.runs = engine, request, runs
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
        # The places that are shown say nothing of weights.
        measures = [measure for measure in self.request.measures if not measure.weighs_items]
        made = explanation(self.engine.dialect, self.relations, measures, self.request.conventions, query, system, rows)
        return self.engine.gather([made])[0]

    def titles(self, kind: str, ids: Iterable[str]) -> dict[str, str]:
        """What queries (`kind` is `queries`) or documents (`items`) are called, for those of known name."""
        wanted, known = sorted(set(ids)), titles_of(self.engine, self.request.reading, kind, self.runs)
        if known is None or not wanted:
            return {}
        found = self.engine.gather([known.statement(self.engine, ids=wanted)])[0]
        return {row["id"]: row["title"] for row in found if row["title"]}

    def close(self) -> None:
        """Drop the rows."""
        for name in self.made:
            self.engine.drop("table", name)
        self.made = []


def described_queries(
    engine: Engine, reading: Reading, rows: duckdb.DuckDBPyRelation, systems: Sequence[str], numbers: Collection[str]
) -> duckdb.DuckDBPyRelation:
    """The rows with every column of the table of queries that they have not, before the columns that are `numbers`.

    Raises:
        UsageError: there is no table of queries, or no column of it has their ids.
    """
    if reading.queries is None or not isinstance(engine, DuckDBEngine):
        raise UsageError(f"there is no table of queries here: evaluate in DuckDB, with {spelt('queries', 'FILE')}")
    roles = prepared(engine, find_roles(open_table(engine, reading.queries, "queries", reading), "queries", reading))
    table, key = roles.table, roles.names.get("query_id")
    if key is None:
        raise UsageError(
            f"{table.label}: no column has the ids of queries; name it with"
            f" {spelt('columns', {'queries.query_id': 'NAME'})}"
        )
    more = {name: table.aliases.get(name, name) for name in table.columns if name not in {key, *rows.columns}}
    first: dict[str, str | None] = {name: None for name in rows.columns if name not in numbers}
    columns = first | more | {name: None for name in rows.columns if name in numbers}
    context: dict[str, Any] = {"reader": table.reader, "id": table.aliases.get(key, key), "systems": systems}
    context |= {"columns": columns, "rows": sql_text(rows.sql_query())}
    return engine.relation(render("sources/described_queries.sql", engine.dialect, **context))
