"""Rows of DuckDB, fetched some at a time: a relation that is iterated over holds all of them, whatever the limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine

ROWS_AT_ONCE = 10_000


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
