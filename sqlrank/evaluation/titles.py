"""What queries and documents are called: the columns of titles in the tables that describe them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.inputs.column_names import plain_name
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import find_roles
from sqlrank.statement.templates import render

TITLES = ("title", "name", "text", "query", "query_text", "keyword", "keywords", "description")
"""The columns that say what a query or a document is called, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Titles:
    """A table that says what queries or documents are called."""

    reader: Markup
    id: str
    """The column of the ids."""
    title: str
    """The column of the titles."""

    def statement(self, engine: DuckDBEngine, **chosen: Any) -> str:
        """The statement that gives titles by id: of the `ids`, or of what the column `key` of the table `among` has."""
        context = {"reader": self.reader, "id": self.id, "title": self.title, "among": None}
        return render("sources/titles.sql", engine.dialect, **context | chosen)


def sought_titles(engine: DuckDBEngine, reading: Reading, kind: str, notes: list[str]) -> Titles | None:
    """The same as `titles_of`, with a note where a table that was given does not say it."""
    known = titles_of(engine, reading, kind)
    if known is None and getattr(reading, kind) is not None:
        called = "queries" if kind == "queries" else "documents"
        names = f"{', '.join(TITLES[:-1])} or {TITLES[-1]}"
        notes.append(f"--{kind}: no column says what {called} are called; name one {names}")
    return known


def titles_of(engine: DuckDBEngine, reading: Reading, kind: str) -> Titles | None:
    """What queries (`kind` is `queries`) or documents (`items`) are called; None where no table says it."""
    data = getattr(reading, kind)
    if data is None:
        return None
    roles = prepared(engine, find_roles(open_table(engine, data, kind, reading), kind, reading))
    table, names = roles.table, roles.names
    key = names.get("query_id" if kind == "queries" else "doc_id")
    free = {plain_name(column): column for column in table.columns if column not in names.values()}
    title = next((free[name] for name in TITLES if name in free), None)
    if key is None or title is None:
        return None
    return Titles(table.reader, *(table.aliases.get(name, name) for name in (key, title)))
