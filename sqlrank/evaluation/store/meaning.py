"""What stored per-query rows mean, whether two of them were measured in one way, and where a store of them is."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.errors import DataError, first_of, shortened
from sqlrank.inputs.files import rooted
from sqlrank.spelling import plain, spelt
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine

PER_QUERY = "per query"
"""The kind of a file of per-query rows in its metadata."""
DAY = "as_of"
"""The column, and the key of the metadata, that holds the day of the rows of a store."""
DATES = re.compile(r"\d{4}-?\d\d-?\d\d")
"""Dates in a condition, by which each day of an export is evaluated by itself."""
NAMED = 3
"""How many days a note names."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the per-query rows of a file mean, or those of one system and day."""

    label: str
    """What the rows are called in messages."""
    conventions: dict[str, Any]
    contents: dict[str, Any]
    """Metrics, segments, weight, condition and judgments, as `metadata_of` writes them."""
    day: str | None = None
    """The day that they are of, where they are in a store."""

    @property
    def metrics(self) -> dict[str, str]:
        """The text of each metric and its column."""
        return dict(self.contents["metrics"])

    @property
    def judgments(self) -> str | None:
        """A fingerprint of the judgments, where it was taken."""
        found: str | None = self.contents["judgments"]
        return found

    def way(self) -> dict[str, Any]:
        """How the rows were measured: for each aspect, an option or words, what tells one way from another."""
        contents = self.contents
        said = dict(self.conventions)
        said["metrics"] = sorted(contents["metrics"])
        said[f"{spelt('bounds')} of"] = ", ".join(sorted(contents.get("bounds", ())))
        said["ids of"] = ", ".join(contents.get("ids", ()))
        said[f"{spelt('by')} or {spelt('cluster')}"] = ", ".join(sorted(contents["by"]))
        said["weight"] = contents["weight"] or ""
        said["where"] = contents["where"] or ""
        said["the condition that"] = "; ".join(sorted(contents["own_sql"]))
        return said


def meaning_of(told: Mapping[str, str], label: str) -> Meaning:
    """What the metadata of per-query rows say; DataError if they do not say it, or in the words of another version."""
    if told.get("rows") != PER_QUERY:
        raise DataError(
            f"{label} holds per-query rows, and not what they mean: store them in Parquet,"
            " with sqlrank eval --per-query FILE.parquet"
        )
    # A convention that a version did not know yet is what its default stands for.
    conventions = Conventions().to_dict() | json.loads(told["conventions"])
    if conventions.keys() != Conventions().to_dict().keys():
        raise DataError(f"{label} was stored by sqlrank {told['sqlrank']}, with other conventions: store it again")
    return Meaning(label, conventions, json.loads(told["contents"]), told.get(DAY))


def difference(one: Meaning, other: Meaning) -> str | None:
    """In what two were measured in different ways, in words; None where they can stand in one store.

    Conditions may differ by a date: each day of an export is then evaluated by itself.
    """
    ways = other.way()
    for aspect, said in one.way().items():
        if DATES.sub("", plain(said)) != DATES.sub("", plain(ways[aspect])):
            told = [with_or_without(aspect, value) for value in (said, ways[aspect])]
            return f"{one.label} was evaluated {told[0]}, {other.label} {told[1]}"
    return None


def with_or_without(aspect: str, value: Any) -> str:
    """One aspect of a way of measuring, in words."""
    if aspect.isidentifier():
        return f"without {spelt(aspect)}" if value == "" else f"with {spelt(aspect, value)}"
    return f"with {aspect} {value}" if value else f"without {aspect}"


def check_alike(meanings: Sequence[Meaning]) -> None:
    """Raise DataError if what a store holds was measured in more than one way."""
    found = next(filter(None, (difference(meanings[0], other) for other in meanings[1:])), None)
    if found is not None:
        raise DataError(f"{found}: a store holds one way of measuring; take one of them out, or name its files alone")


Pools = Mapping[str, set[str | None]]
"""Fingerprints of the judgments of each day, by day."""


def pools_of(meanings: Iterable[Meaning]) -> Pools:
    """The judgments of each day, in the order of days."""
    pools: dict[str, set[str | None]] = {}
    for meaning in sorted(meanings, key=lambda one: str(one.day)):
        pools.setdefault(str(meaning.day), set()).add(meaning.judgments)
    return pools


def renewals(pools: Pools) -> list[str]:
    """The days on which the judgments are not those of the day before; none where nearly every day has its own."""
    changed = [day for before, day in pairwise(pools) if pools[day] != pools[before]]
    return [] if len(changed) > NAMED and 2 * len(changed) > len(pools) else changed


def notes_on(label: str, pools: Pools) -> Iterator[str]:
    """Yield notes on judgments that are not the same in all of a store."""
    mixed = [day for day, found in pools.items() if len(found) > 1]
    if mixed:
        yield f"{label}: the systems of {first_of(mixed, NAMED)} were not evaluated against the same judgments"
    if changed := renewals(pools):
        yield (
            f"{label}: the judgments are not those of the day before from {first_of(changed, NAMED)} on: a step on"
            " such a day may be theirs"
        )


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
