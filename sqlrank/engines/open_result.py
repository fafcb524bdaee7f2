"""Results that keep a database connection open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from duckdb import DuckDBPyRelation

from sqlrank.engines.duckdb_rows import StreamedRows
from sqlrank.engines.protocol import Engine, Rows
from sqlrank.statement.templates import render, sql_text


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

    def streamed(self, rows: Rows) -> Rows:
        """The same rows, to be read to their end before anything else runs; none of them waits in memory."""
        return StreamedRows(self._local, rows) if isinstance(rows, DuckDBPyRelation) else rows

    def close(self) -> None:
        """Close the connection, or drop what was made on the one that was passed."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
