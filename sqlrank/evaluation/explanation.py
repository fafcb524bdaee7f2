"""The explanation of one query: one ranking beside the best one."""

from __future__ import annotations

from typing import Any

import duckdb

from sqlrank.presented import Presented


class Explanation(Presented):
    """A row for each place of one ranking, read as a relation of DuckDB: whatever that has, this has."""

    def __init__(
        self, relation: duckdb.DuckDBPyRelation, query: str, system: str, values: dict[str, float | None]
    ) -> None:
        self.rows, self.query, self.system = relation, query, system
        self.values = values
        """The values of the query by metric."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # how it is shown is decided here
            raise AttributeError(name)
        return getattr(self.rows, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.rows)})

    def __repr__(self) -> str:
        return str(self.rows)
