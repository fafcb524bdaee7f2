"""The interface of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.statement.templates import render

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine


class Rows(Protocol):
    """The rows of a statement, one after the other, as DuckDB's relations give them."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows, which are never all in memory."""


class Engine(Protocol):
    """Runs statements and drops what it made when closed."""

    dialect: Dialect
    limit: tuple[float, str] | None
    """After how many seconds a statement is stopped, and whose SQL it has; None where it may run for ever."""
    narrows: bool
    """Whether a second pass over some of the rows costs less than looking for everything in the first."""
    always_sorts: str | None
    """Why documents are ranked by sorting them, whatever they are; None where another plan may be cheaper."""

    @property
    def local(self) -> DuckDBEngine:
        """The DuckDB engine that holds the summary and what is made of it."""

    @property
    def timezone(self) -> str:
        """The time zone of the session."""

    def use_timezone(self, zone: str) -> None:
        """Read times that have a zone in this one; UsageError for an unknown one, or for a session passed."""

    def zoned(self, kind: str) -> bool:
        """Whether a type of columns is of times that have a zone, or holds some."""

    def name(self, base: str) -> str:
        """A name for an object of this call."""

    def called(self, file: str) -> str:
        """The name that the user gave a file."""

    def parts(self, rows: Callable[[], int]) -> int:
        """In how many parts rows are evaluated.

        Args:
            rows: counts them, which is done only where it matters.
        """

    def parts_of_marks(self, marks: int, long: bool) -> int:
        """In how many parts so many marks of documents are sorted, of `long` rankings or others."""

    def tasks(self, sizes: Sequence[int | None]) -> int | None:
        """In how many tasks the rows of each query are brought together, once, before anything reads them.

        Args:
            sizes: the bytes of each table of rankings and judgments, None where nobody knows them.

        Returns:
            None where rows stay where they are.
        """

    def holds(self, numbers: int) -> bool:
        """Whether lists of so many numbers fit in memory."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), *, doing: str = "") -> list[tuple[Any, ...]]:
        """Run one statement and fetch what it gives."""

    def row(self, sql: str) -> dict[str, Any]:
        """The first row of a statement by column name, or nothing."""

    def defer(self, sql: str, then: Callable[[list[dict[str, Any]]], None]) -> None:
        """Call a function with the few rows of a statement: at once, or in `run_deferred`."""

    def run_deferred(self) -> None:
        """Run the statements that were deferred as one, and call their functions in order."""

    def summarise(self, name: str, statement: str, load: Callable[[list[dict[str, Any]]], None]) -> None:
        """Put the rows of a summary into a table of `local`: at once, or in `run_deferred` with `load`."""

    def gather(self, statements: Sequence[str]) -> list[list[dict[str, Any]]]:
        """The rows of each of some statements of few rows."""

    def make(self, kind: str, name: str, sql: str, parameters: Sequence[Any] = (), *, doing: str = "") -> None:
        """Run the statement that creates a view or table of this call, to be dropped when closed."""

    def keep(self, name: str, statement: str, *, doing: str = "", more: bool = False) -> None:
        """Run a statement once and keep its rows under a name, until closed; with `more`, added to those of a part."""

    def drop(self, kind: str, name: str) -> None:
        """Drop a view or table of this call before it is closed."""

    def relation(self, sql: str) -> Any:
        """A statement as the users of the engine know it: a relation of DuckDB, a data frame of Spark."""

    def rows(self, sql: str) -> Rows:
        """The rows of a statement."""

    def save(self, sql: str, kind: str, path: str) -> bool:
        """Write the rows of a statement, where the engine itself does so."""

    def lock(self, paths: Sequence[str]) -> None:
        """Let nothing but these files be read or written from now on, where that can be done."""

    def close(self) -> None:
        """Drop what was made. Safe to call twice."""


def count_rows(engine: Engine, relation: Markup) -> int:
    """How many rows a relation has."""
    return int(engine.execute(render("sources/rows_of.sql", engine.dialect, relation=relation))[0][0])


def is_spark(value: object) -> bool:
    """Whether something is a session or a data frame of Spark, classic or Connect; nothing is imported for that."""
    return type(value).__module__.startswith("pyspark.sql")
