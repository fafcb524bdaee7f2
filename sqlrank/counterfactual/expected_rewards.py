"""What documents are expected to earn from a place on, told or learned, for doubly robust estimates."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.counterfactual.candidates import Candidates
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import find_roles

KIND = "expected"


class Expected:
    """Expected rewards: of each half of the units by the other one, unless they are told."""

    def __init__(self, engine: DuckDBEngine, candidates: Candidates, told: Any) -> None:
        self.sql = Folder(engine, room="counterfactual", prefix="value_")
        self.candidates, self.label = candidates, ""
        self.table: Markup | None = None
        self.with_query = self.with_position = True
        if told is not None:
            roles = find_roles(open_table(engine, told, KIND, Reading()), KIND, Reading())
            need(roles, KIND, ("doc_id", "reward"))
            names, self.label = roles.names, roles.table.label
            self.with_query, self.with_position = "query_id" in names, "position" in names
            columns = {role: names.get(role) for role in ("query_id", "doc_id", "position")}
            self.table = self.sql.keep(
                "told", "logged/told", reader=roles.table.reader, expected=names["reward"], **columns
            )

    @property
    def line(self) -> str:
        """Where they come from, in words."""
        if self.label:
            return f"rewards are expected as {self.label} says"
        return "rewards are expected of each half of the units as the other half earned them, document by document"

    def prospects(self, chosen: Markup) -> dict[str, Any]:
        """The variables of a statement that weighs, with what documents and candidates are expected to earn.

        Raises:
            DataError: a document that a candidate shows has no expected reward.
        """
        told = self.table is not None
        table = self.table or self.sql.keep("expected", "logged/expected", chosen=chosen)
        context: dict[str, Any] = {"expected": table, "with_query": self.with_query}
        context |= {"with_position": self.with_position}
        made = self.sql.keep(
            "prospects",
            "logged/prospects",
            chosen=chosen,
            told=told,
            entries=self.candidates.entries,
            by_impression=self.candidates.by_impression,
            **context,
        )
        found = self.sql.row("facts/unknown", prospects=made, chosen=chosen, **context)
        if found["unknown"]:
            raise DataError(
                f"{self.label}: {counted(found['unknown'], 'shown document', 'has', 'have')} no expected reward, such"
                f" as {found['example']!r}"
            )
        return context | {"prospects": made}
