"""Per-query rows that an earlier evaluation stored as Parquet, with what they mean in the metadata of the file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlrank.conventions import Conventions, plain
from sqlrank.errors import DataError
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.shared_queries import RETRIEVED
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.reading import bare_name
from sqlrank.inputs.roles import find_roles
from sqlrank.process.remote import URL
from sqlrank.statement.templates import render
from sqlrank.version import __version__

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine
    from sqlrank.inputs.reading import Reading

PARQUET = (".parquet", ".pq", ".parq")
TEXTS = (".csv", ".tsv", ".jsonl")
PER_QUERY = "per query"
"""The kind of a file of per-query rows in its metadata."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of per-query rows."""

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
    said: str | None = None
    """What is said of it below the numbers, where that is not the name of a file."""


def metadata_of(result: MetricResult, per_query: bool) -> dict[str, str]:
    """The metadata of a Parquet file of results: of the per-query rows, or of the summary."""
    found = {"sqlrank": __version__, "conventions": json.dumps(result.conventions.to_dict())}
    if per_query and isinstance(result, Result):
        columns = {measure.text: measure.column for measure in result.measures if measure.metric.grain == "query"}
        contents = {
            "metrics": columns,
            "by": (*result.by, *filter(None, [result.cluster])),
            "weight": result.weight_column,
            "where": result.where,
            "own_sql": result.own_sql,
            "judgments": result.judgments(),
        }
        found |= {"rows": PER_QUERY, "contents": json.dumps(contents)}
    return found


def open_stored(engine: DuckDBEngine, name: str | None, path: Any, reading: Reading) -> Stored | None:
    """The per-query rows in a file, or None where it holds none; DataError if it does not say what its rows mean."""
    if not may_be_stored(path) or reading.database is not None:
        return None
    table = open_table(engine, str(path), "run", reading)
    if not {"system", "query_id"} <= set(table.columns) or "doc_id" in find_roles(table, "run", reading).names:
        return None
    parquet = str(path).lower().endswith(PARQUET)
    metadata = render("sources/metadata.sql", engine.dialect, files=list(table.files))
    told = dict(engine.execute(metadata)) if parquet else {}
    if told.get("rows") != PER_QUERY:
        raise DataError(
            f"{table.label} holds per-query rows, and not what they mean: store them in Parquet,"
            " with sqlrank eval --per-query FILE.parquet"
        )
    contents, said = json.loads(told["contents"]), json.loads(told["conventions"])
    # A convention that a version did not know yet is what its default stands for.
    conventions = Conventions().to_dict() | said
    if conventions.keys() != Conventions().to_dict().keys():
        raise DataError(
            f"{table.label} was stored by sqlrank {told['sqlrank']}, with other conventions: store it again"
        )
    listed = render("sources/systems.sql", engine.dialect, relation=table.reader, column="system")
    systems = [row[0] for row in engine.execute(listed)]
    if name is not None and len(systems) > 1:
        raise DataError(f"{table.label} holds {len(systems)} systems ({', '.join(systems)}); leave out {name}=")
    return Stored(
        label=table.label,
        reader=table.reader,
        systems=tuple(systems) if name is None else (name,),
        system=name,
        metrics=contents["metrics"],
        conventions=conventions,
        by=tuple(contents["by"]),
        weight=contents["weight"],
        where=contents["where"],
        judgments=contents["judgments"],
        retrieved=RETRIEVED if RETRIEVED in table.columns else None,
    )


def may_be_stored(path: Any) -> bool:
    """Whether an input may be a single file of per-query rows."""
    if not isinstance(path, str | Path):
        return False
    if URL.match(str(path)):
        return str(path).lower().endswith(PARQUET)
    return str(path).lower().endswith((*PARQUET, *TEXTS)) and Path(path).is_file()


def check_conventions(stored: Sequence[Stored], others: Mapping[str, Any], label: str) -> None:
    """Raise DataError if a stored file was evaluated under other conventions than what it is compared with."""
    for file in stored:
        for name, value in others.items():
            there = file.conventions.get(name)
            if there != value:
                option = f"--{name.replace('_', '-')}"
                raise DataError(
                    f"{file.label} was evaluated with {option} {plain(there)}, {label} with {option} {plain(value)}:"
                    f" the numbers cannot be compared; evaluate both in the same way"
                )


def name_in(file: Stored, name: str) -> str:
    """What a segment is called in a file: as it is written, or without the input it was of."""
    return name if name in file.by else bare_name(name)


def check_reading(stored: Sequence[Stored], reading: Reading) -> None:
    """Raise DataError if a stored file lacks a segment, or has another weight or condition."""
    for file in stored:
        wanted = [*(("--by", name) for name in reading.by), ("--cluster", reading.cluster)]
        for option, name in wanted:
            if name is not None and name_in(file, name) not in file.by:
                held = ", ".join(file.by) or "no segments"
                raise DataError(
                    f"{file.label} was evaluated without {option} {name} (it holds {held}); evaluate it again with that"
                )
        for option, there, here, named in (
            ("--weight", file.weight, reading.weight, bare_name),
            ("--where", file.where, reading.where, str),
        ):
            if (there and named(there)) != (here and named(here)):
                told = [f"with {option} {value}" if value else f"without {option}" for value in (there, here)]
                raise DataError(f"{file.label} was evaluated {told[0]}, and is to be compared {told[1]}")


def texts_of_all(stored: Sequence[Stored], asked: Sequence[str] | None) -> list[str]:
    """The metrics asked for, else those that all files hold; DataError if a file lacks one or none is common."""
    common = [text for text in stored[0].metrics if all(text in file.metrics for file in stored)]
    if asked is None:
        if not common:
            raise DataError(f"{stored[0].label} and {stored[1].label} have no metric in common")
        return common
    for file in stored:
        for text in asked:
            if text not in file.metrics:
                raise DataError(f"{file.label} does not hold {text} (it has {', '.join(file.metrics)})")
    return list(asked)
