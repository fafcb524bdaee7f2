"""Results that keep a database connection open, and their rows, fetched some at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb
from markupsafe import Markup

from sqlrank.engines.protocol import Engine, Rows
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine

ROWS_AT_ONCE = 10_000
"""How many rows are fetched at once: a relation that is iterated over holds all of them, whatever the limit."""


@contextmanager
def closed_on_error(engine: Engine) -> Iterator[None]:
    """Close an engine if the block fails; else what the block made keeps it open."""
    try:
        yield
    except BaseException:
        engine.close()
        raise


class OpenResult:
    """A result whose tables stay on an engine until it is closed; a context manager closes it."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._local = engine, engine.local

    def copy(self, sql: str, path: str, metadata: dict[str, str]) -> None:
        """Write the rows of a statement as Parquet, with metadata by key."""
        context = {"statement": sql_text(sql), "path": path, "metadata": metadata}
        self._local.execute(render("sources/copy.sql", self._local.dialect, **context))

    def stored(self, base: str, kinds: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> Markup:
        """Put few rows into a table, or into it anew, with the type of each of its columns; returns it as SQL."""
        name = self._local.name(base)
        self._local.load(name, kinds, [[row[column] for row in rows] for column in kinds])
        return sql_text(self._local.dialect.ident(name))

    def _every_row(self, table: Markup) -> duckdb.DuckDBPyRelation:
        """The rows of a table that the result keeps."""
        return self._local.relation(render("sources/every_row.sql", self._local.dialect, relation=table))

    def streamed(self, rows: Rows) -> Rows:
        """The same rows, to be read to their end before anything else runs; none of them waits in memory."""
        return StreamedRows(self._local, rows) if isinstance(rows, duckdb.DuckDBPyRelation) else rows

    def close(self) -> None:
        """Close the connection, or drop what was made on the one that was passed."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class StreamedRows:
    """The rows of a relation whose statement runs while they are read; the connection must run nothing else then."""

    def __init__(self, engine: DuckDBEngine, relation: duckdb.DuckDBPyRelation) -> None:
        self.engine, self.sql = engine, relation.sql_query()
        self.columns = list(relation.columns)

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows, in order."""
        result = self.engine.watched(lambda: self.engine.connection.execute(self.sql))
        while some := self.engine.watched(lambda: result.fetchmany(ROWS_AT_ONCE)):
            yield from some
