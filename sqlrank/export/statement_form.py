"""The form of a statement that is handed on: for which engine, of what grain, and into what it goes."""

from __future__ import annotations

from dataclasses import dataclass

from sqlrank.errors import UsageError

KINDS = ("table", "view")
"""What a statement can become."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of a statement."""

    dialect: str = "duckdb"
    summary: bool = False
    """Whether it gives one row per metric rather than one per query."""
    check: bool = False
    """Whether it gives the findings of the checks instead."""
    system: str | None = None
    """The name of the one system, which a column then holds."""
    keep: tuple[str, ...] = ()
    """Columns of the inputs that are carried along to the rows of the queries."""
    create: tuple[str, str] | None = None
    """What is made of it, and the name of that."""
    incremental: str | None = None
    """The column of the run that divides it into partitions."""
    replaced: str | None = None
    """The partition that is made again, as the engine writes it as a text."""
    model: bool = False
    """Whether it is a model of dbt, which makes the table of `create` itself and is told the partition."""
    command: str | None = None
    """The command that prints it."""

    def __post_init__(self) -> None:
        if self.create is not None and self.create[0] not in KINDS:
            raise UsageError(f"--create {self.create[0]} is not known (one of {', '.join(KINDS)})")

    @property
    def keyed(self) -> bool:
        """Whether the table that it adds to has a name that an index can be called after."""
        return self.create is not None and not self.create[1].startswith("{{")

    @property
    def kind(self) -> str | None:
        """What is made of it."""
        return None if self.create is None else self.create[0]
