"""Partitions of a run: which one a statement adds or renews, and what of the other inputs belongs to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sqlrank.statement.templates import sql_text

PARTITION_ROWS = sql_text("partition_rows")
"""The step that holds the rows of the run in one partition."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Days that a template language is told, as texts between quotes, and who makes them."""

    first: Markup
    """The first day that is made, and the last."""
    last: Markup
    first_gone: Markup
    """The first day whose rows go, and the last."""
    last_gone: Markup
    invocation: Markup


@dataclass(frozen=True, slots=True)
class Looped:
    """What a template language says of a statement that it writes once for each partition."""

    partition: Markup
    """The partition as a text, between quotes."""
    if_held: Markup
    """The line above what is for a table that is there and is added to, and those between and below the two cases."""
    otherwise: Markup
    ending: Markup
    batch: Batch | None = None
    """The days that it is told, where it does not look for them."""


@dataclass(frozen=True, slots=True)
class Partition:
    """The column that divides a run, and the table that holds what was made of its partitions."""

    column: str
    table: Markup
    system: str | None = None
    """The name of the one system, where a column of the table holds it."""
    replaced: str | None = None
    """The partition that is made again; None for the first one that the table does not hold."""
    until: Markup | None = None
    """The value from which on partitions are left out."""
    definition: str = ""
    """What the values of the table are."""
    mixed: str = ""
    """What to say where the table holds rows of another definition."""
    looped: Looped | None = None
    cut: tuple[tuple[str, str], ...] = ()
    """The other inputs that are divided too, since the column is a part of their ids of queries: each with its own."""
    ids: tuple[tuple[str, str], ...] = ()
    """The columns of the run that the id of a query is made of, each with that of the judgments."""

    def rows_of(self, kind: str) -> Markup:
        """The step that holds the rows of another input in the partition."""
        return sql_text(f"partition_{kind}")

    def context(self, inputs: Mapping[str, Any], titles: Mapping[str, str]) -> dict[str, Any]:
        """The variables of steps/partition.sql.

        The columns of lists and those that are made of others are not there yet: a partition is not asked for them.
        """
        batch = None if self.looped is None else self.looped.batch
        run, qrels, judged = inputs["run"], inputs.get("qrels"), dict(self.cut).get("qrels")
        stated = qrels is not None and not qrels.lists and not qrels.positive
        return {
            "column": self.column,
            "table": self.table,
            "system": self.system,
            "replaced": self.replaced,
            "until": self.until,
            "definition": self.definition,
            "mixed": self.mixed,
            "looped": self.looped,
            "batch": batch,
            "adds": self.replaced is None and batch is None,
            "relation": run.relation,
            "made": run.lists is not None,
            "where": run.where,
            "judgments": None if qrels is None else qrels.relation,
            "relevance": qrels.relevance if qrels is not None and stated else None,
            "ids": self.ids,
            "own": [] if judged is None else [(self.column, judged)],
            "cut": [
                {
                    "rows": self.rows_of(kind),
                    "title": sql_text(f"{titles[kind]} of the partition"),
                    "column": column,
                    "relation": inputs[kind].relation,
                }
                for kind, column in self.cut
            ],
        }
