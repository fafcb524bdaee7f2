"""Per-query rows that an earlier evaluation stored as Parquet, with what they mean in the metadata of the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlrank.errors import DataError
from sqlrank.evaluation.behaviour_labels import Behaviours, behaviour_of
from sqlrank.evaluation.shared_queries import RETRIEVED
from sqlrank.evaluation.store.folders import place_at
from sqlrank.evaluation.store.meaning import DAY, Meaning, Place, check_alike, meaning_of, notes_on, pools_of, renewals
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import bare_name
from sqlrank.inputs.roles import find_roles
from sqlrank.process.remote import URL
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine
    from sqlrank.inputs.reading import Reading

PARQUET = (".parquet", ".pq", ".parq")
TEXTS = (".csv", ".tsv", ".jsonl")


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of per-query rows, or a store of those of many days."""

    label: str
    """The file."""
    reader: Markup
    """The SQL that reads it."""
    systems: tuple[str, ...]
    """The systems it has rows of."""
    system: str | None
    """The name given to its one system, if another than that in the file."""
    metrics: dict[str, str]
    """The text of each metric and its column."""
    conventions: dict[str, Any]
    by: tuple[str, ...]
    """Its segments, and the column of its clusters."""
    weight: str | None
    """What its rows are weighted by."""
    where: str | None
    """The condition that rows of its run had to meet."""
    judgments: str | None
    """A fingerprint of the judgments, where it was taken."""
    retrieved: str | None
    """The column of how many documents each ranking has, where it is there."""
    day: str | None = None
    """The column of the day of each row, where one query may have a row for each."""
    days: tuple[str, ...] = ()
    """The days that a store has rows of."""
    pool: str | None = None
    """The metric that says what was judged, where it was stored with those that were asked for."""
    notes: tuple[str, ...] = ()
    """What was noticed about a store."""
    tells_judged: bool = True
    """Whether the share that was judged says more than the share that is relevant."""
    bounds: Mapping[str, str] = field(default_factory=dict)
    """The columns of upper bounds, by the metrics that have them."""
    renewed: tuple[str, ...] = ()
    """The days from which on its judgments are others."""
    files: tuple[str, ...] = ()
    """The files that are read."""
    said: str | None = None
    """What is said of it below the numbers, where that is not the name of a file."""
    behaviours: Behaviours = ()
    """Where its judgments come from, of those that come from behaviour."""


def open_stored(engine: DuckDBEngine, name: str | None, path: Any, reading: Reading) -> Stored | None:
    """The per-query rows in a file or a store, or None where there are none.

    Raises:
        DataError: it does not say what its rows mean, or not all of them were measured in one way.
    """
    if reading.database is not None:
        return None
    place = place_at(path)
    if place is not None and (meanings := place.meanings(engine)):
        check_alike(meanings)
        return stored_in(engine, name, place, meanings)
    if not may_be_stored(path):
        return None
    table = open_table(engine, str(path), "run", reading)
    if not {"system", "query_id"} <= set(table.columns) or "doc_id" in find_roles(table, "run", reading).names:
        return None
    parquet = str(path).lower().endswith(PARQUET)
    metadata = render("sources/metadata.sql", engine.dialect, files=list(table.files))
    meaning = meaning_of(dict(engine.execute(metadata)) if parquet else {}, table.label)
    listed = render("sources/systems.sql", engine.dialect, relation=table.reader, column="system")
    systems = [row[0] for row in engine.execute(listed)]
    retrieved = RETRIEVED if RETRIEVED in table.columns else None
    return replace(stored_as(meaning, table.reader, systems, name, retrieved), files=(table.label,))


def stored_in(engine: DuckDBEngine, name: str | None, place: Place, meanings: Sequence[Meaning]) -> Stored:
    """The rows of a store; DataError if it holds a query of a system and day twice."""
    reader = place.reader(engine)
    rows = engine.execute(render("store/days.sql", engine.dialect, reader=reader))
    for day, system, queries, different in rows:
        if different < queries:
            raise DataError(f"{place.label} holds rows of {system} for {day} twice; take one of the files out")
    pools = pools_of(meanings)
    conditions = {meaning.contents["where"] for meaning in meanings}
    latest = replace(max(meanings, key=lambda one: str(one.day)), label=place.label)
    found = stored_as(latest, reader, sorted({row[1] for row in rows}), name, RETRIEVED)
    return replace(
        found,
        where=found.where if len(conditions) == 1 else None,
        judgments=found.judgments if len(set().union(*pools.values())) == 1 else None,
        tells_judged=any(meaning.contents.get("tells_judged", True) for meaning in meanings),
        day=DAY,
        days=tuple(sorted({row[0] for row in rows})),
        notes=tuple(notes_on(place.label, pools)),
        renewed=tuple(renewals(pools)),
        files=tuple(place.paths(engine)),
        behaviours=tuple(dict.fromkeys(one for meaning in meanings for one in behaviours_in(meaning))),
    )


def stored_as(
    meaning: Meaning, reader: Markup, systems: Sequence[str], name: str | None, retrieved: str | None
) -> Stored:
    """Rows of systems with what they mean; DataError if there are several and one name is given to them."""
    if name is not None and len(systems) > 1:
        raise DataError(f"{meaning.label} holds {len(systems)} systems ({', '.join(systems)}); leave out {name}=")
    contents = meaning.contents
    return Stored(
        label=meaning.label,
        reader=reader,
        systems=tuple(systems) if name is None else (name,),
        system=name,
        metrics=meaning.metrics,
        conventions=meaning.conventions,
        by=tuple(contents["by"]),
        weight=contents["weight"],
        where=contents["where"],
        judgments=meaning.judgments,
        retrieved=retrieved,
        pool=contents.get("pool"),
        tells_judged=contents.get("tells_judged", True),
        bounds=contents.get("bounds", {}),
        behaviours=behaviours_in(meaning),
    )


def behaviours_in(meaning: Meaning) -> Behaviours:
    """Where the judgments of stored rows come from; DataError where the metadata are not what they should be."""
    found = meaning.contents.get("behaviours", [])
    return tuple(behaviour_of(said, meaning.label) for said in (found if isinstance(found, list) else [found]))


def may_be_stored(path: Any) -> bool:
    """Whether an input may be a single file of per-query rows."""
    if not isinstance(path, str | Path):
        return False
    if URL.match(str(path)):
        return str(path).lower().endswith(PARQUET)
    return str(path).lower().endswith((*PARQUET, *TEXTS)) and Path(path).is_file()


def check_one_day(stored: Sequence[Stored]) -> None:
    """Raise DataError if a store has several days, of which a query has a row each."""
    for file in stored:
        if len(file.days) > 1:
            first, last = file.days[0], file.days[-1]
            raise DataError(
                f"{file.label} holds {len(file.days)} days, {first} to {last}, and a query may have a row on each of"
                f" them: say which are compared, {spelt('periods', f'{DAY}={first},{last}')}, or name the folder of one"
                " day"
            )


def check_conventions(stored: Sequence[Stored], others: Mapping[str, Any], label: str) -> None:
    """Raise DataError if a stored file was evaluated under other conventions than what it is compared with."""
    for file in stored:
        for name, value in others.items():
            there = file.conventions.get(name)
            if there != value:
                raise DataError(
                    f"{file.label} was evaluated with {spelt(name, there)}, {label} with {spelt(name, value)}:"
                    f" the numbers cannot be compared; evaluate both in the same way"
                )


def name_in(file: Stored, name: str) -> str:
    """What a segment is called in a file: as it is written, or without the input it was of."""
    return name if name in file.by else bare_name(name)


def check_reading(stored: Sequence[Stored], reading: Reading) -> None:
    """Raise DataError if a stored file lacks a segment, or has another weight or condition."""
    for file in stored:
        wanted = [*(("by", name) for name in reading.by), ("cluster", reading.cluster)]
        for option, name in wanted:
            if name is not None and name_in(file, name) not in file.by:
                held = ", ".join(file.by) or "no segments"
                raise DataError(
                    f"{file.label} was evaluated without {spelt(option, name)} (it holds {held}); evaluate it again"
                    " with that"
                )
        for option, there, here, named in (
            ("weight", file.weight, reading.weight, bare_name),
            ("where", file.where, reading.where, str),
        ):
            if (there and named(there)) != (here and named(here)):
                told = [
                    f"with {spelt(option, value)}" if value else f"without {spelt(option)}" for value in (there, here)
                ]
                raise DataError(f"{file.label} was evaluated {told[0]}, and is read {told[1]} here")


def texts_of_all(stored: Sequence[Stored], asked: Sequence[str] | None) -> list[str]:
    """The metrics asked for, else those that all files hold; DataError if a file lacks one or none is common."""
    common = [text for text in stored[0].metrics if all(text in file.metrics for file in stored)]
    common = [text for text in common if text not in {file.pool for file in stored}]
    if asked is None:
        if not common:
            raise DataError(f"{stored[0].label} and {stored[1].label} have no metric in common")
        return common
    for file in stored:
        for text in asked:
            if text not in file.metrics:
                raise DataError(f"{file.label} does not hold {text} (it has {', '.join(file.metrics)})")
    return list(asked)
