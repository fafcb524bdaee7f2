"""Where a store of per-query rows is, and rows that are to be added to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from sqlrank.errors import DataError, shortened
from sqlrank.evaluation.store.meaning import Meaning, difference, meaning_of
from sqlrank.inputs.files import rooted
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine


@dataclass(frozen=True, slots=True)
class NewRows:
    """The rows of an evaluation that are to be stored."""

    file: str
    """The Parquet file that has those of all systems."""
    day: str
    systems: tuple[str, ...]
    told: Mapping[str, str]
    """What they mean, as the metadata of a file."""

    def of_system(self, engine: DuckDBEngine, system: str) -> str:
        """The statement that gives the rows of one system."""
        reader = reader_of(engine, [self.file])
        return render("store/of_system.sql", engine.dialect, reader=reader, system=system)

    def check_fits(self, meanings: Iterable[Meaning], place: str) -> None:
        """Raise DataError if they were measured in another way than what is stored."""
        own = meaning_of(self.told, "this evaluation")
        for meaning in meanings:
            if found := difference(meaning, own):
                raise DataError(
                    f"{found}: a store holds one way of measuring, so nothing was added to {place}; evaluate as it was,"
                    " or name another place"
                )


class Place(ABC):
    """Where the rows of a store are."""

    label: str
    """What it is called in messages."""

    @abstractmethod
    def meanings(self, engine: DuckDBEngine) -> list[Meaning]:
        """What its rows mean, for each day and system; none where it holds no store."""

    def paths(self, engine: DuckDBEngine) -> Sequence[str]:
        """The files that are read."""
        return ()

    @abstractmethod
    def reader(self, engine: DuckDBEngine) -> Markup:
        """The SQL that reads all of its rows."""

    @abstractmethod
    def add(self, engine: DuckDBEngine, rows: NewRows, replace: bool) -> Collection[str]:
        """Store rows, and return the systems whose rows of that day they replace.

        Raises:
            DataError: it holds rows of a system and day, and is not to `replace` them, or others than these.
            ResourceError: it cannot be written; it is then as it was.
        """

    def taken(self, systems: Iterable[str], day: str) -> str:
        """What is said where rows of systems and a day are there already."""
        named = ", ".join(map(shortened, systems))
        return (
            f"{self.label} holds rows of {named} for {day} already; {spelt('replace', True)} puts these in their place"
        )


def reader_of(engine: DuckDBEngine, files: Iterable[str]) -> Markup:
    """The SQL that reads files of a store."""
    return sql_text(render("store/reader.sql", engine.dialect, files=[engine.pattern(rooted(file)) for file in files]))
