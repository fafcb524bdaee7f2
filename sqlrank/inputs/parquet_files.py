"""Reading Parquet: one file or many, each column of one type that loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError
from sqlrank.inputs.files import Files, check_partitions
from sqlrank.inputs.table import Conflict, Table, aliases_of, check_distinct_names, column_types, may_be_renamed
from sqlrank.process.remote import URL
from sqlrank.statement.templates import render, sql_text

INTEGERS = frozenset("TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT".split())
WIDE_INTEGERS = frozenset("HUGEINT UBIGINT UHUGEINT".split())
FRACTIONS = ("FLOAT", "DOUBLE", "DECIMAL")


def read_parquet(engine: DuckDBEngine, given: Files) -> Table:
    """Parquet files, local ones and URLs, as a table; DataError if one cannot be read."""
    label, files, hive = given.label, given.paths, given.hive
    engine.parquet += [file for file in files if file not in engine.parquet]
    costly = any(URL.match(file) for file in files)

    def reader(*groups: Mapping[str, Any]) -> Markup:
        return sql_text(render("sources/parquet.sql", engine.dialect, groups=groups, hive=hive))

    def described(files: Sequence[str]) -> dict[str, str]:
        return column_types(engine, reader({"files": [engine.pattern(file) for file in files]}), label)

    schemas = schemas_of(engine, files) if len(files) > 1 else {}
    if hive:
        for file in {schema: file for file, schema in schemas.items()}.values() if schemas else files:
            check_partitions(label, own_names(engine, file), files)
    runs = [list(same) for _, same in groupby(files, lambda file: schemas.get(file))]
    if len(runs) == 1:
        columns = described(files)
        names = real_names(engine, files[0], columns)
        check_distinct_names(label, names)
        kinds = dict(zip(names, columns.values(), strict=True))
        one = reader({"files": [engine.pattern(file) for file in files]})
        aliases = {name: alias for name, alias in zip(names, columns, strict=True) if name != alias}
        return Table(label, one, kinds, tuple(files), costly=costly, aliases=aliases)
    return unlike(engine, label, files, runs, schemas, described, reader)


def unlike(
    engine: DuckDBEngine,
    label: str,
    files: Sequence[str],
    runs: Sequence[Sequence[str]],
    schemas: Mapping[str, Any],
    described: Callable[[Sequence[str]], dict[str, str]],
    reader: Callable[..., Markup],
) -> Table:
    """Files whose schemas differ: each column is cast to one type, or refused where it is read."""
    first = {schemas[run[0]]: run[0] for run in reversed(runs)}
    kinds = {schema: described([file]) for schema, file in first.items()}
    for schema, described_columns in kinds.items():
        names = real_names(engine, first[schema], described_columns)
        check_distinct_names(first[schema], names)
        if aliases_of(names):
            raise DataError(f"{first[schema]}: two columns differ only in case, and the files differ in their columns")
    columns: dict[str, str] = {}
    conflicts: dict[str, Conflict] = {}
    for name in dict.fromkeys(name for each in kinds.values() for name in each):
        found = {first[schema]: each.get(name) for schema, each in kinds.items()}
        kind, problem = common_type(name, found)
        columns[name] = kind
        if problem is not None:
            conflicts[name] = problem
    groups = [
        {
            "files": [engine.pattern(file) for file in run],
            "columns": [
                {"name": name, "kind": None if kind == columns[name] else sql_text(columns[name])}
                for name, kind in kinds[schemas[run[0]]].items()
                if name not in conflicts or conflicts[name].numeric
            ],
        }
        for run in runs
    ]
    return Table(label, reader(*groups), columns, tuple(files), costly=True, conflicts=conflicts)


def schemas_of(engine: DuckDBEngine, files: Sequence[str]) -> dict[str, str]:
    """The schema of each file, as a key."""
    patterns = [engine.pattern(file) for file in files]
    rows = engine.execute(render("sources/parquet_schemas.sql", engine.dialect, files=patterns))
    return {file: schema for file, *_, schema in rows}


def real_names(engine: DuckDBEngine, file: str, columns: Mapping[str, str]) -> list[str]:
    """The columns as the file has them: of two that differ only in case, DuckDB renames one."""
    names = list(columns)
    if not may_be_renamed(names):
        return names
    top = own_names(engine, file)
    return [*top, *names[len(top) :]]


def own_names(engine: DuckDBEngine, file: str) -> list[str]:
    """The columns that a file has, without those of its folders."""
    rows = engine.execute(render("sources/parquet_schemas.sql", engine.dialect, files=[engine.pattern(file)]))
    _, declared, children, _ = rows[0]
    return list(top_level(declared, children))


def top_level(names: Sequence[str], children: Sequence[int | None]) -> Iterable[str]:
    """The columns of a schema that is listed depth first, without what is inside them."""
    place = 1
    while place < len(names):
        yield names[place]
        waiting = 1
        while waiting:
            waiting += (children[place] or 0) - 1
            place += 1


def is_number(kind: str) -> bool:
    """Whether a type of DuckDB is one of numbers."""
    return kind in INTEGERS or kind.startswith(FRACTIONS)


def common_type(name: str, found: Mapping[str, str | None]) -> tuple[str, Conflict | None]:
    """A type that holds the values of a column in every file (None: it lacks it) without loss, or the conflict."""
    absent = next((file for file, kind in found.items() if kind is None), None)
    kinds: dict[str, str] = {}
    for file, kind in found.items():
        if kind is not None:
            kinds.setdefault(kind, file)
    (one, here), *others = kinds.items()
    if absent is not None:
        return one, Conflict(f"{absent} has no column {name!r}, which {here} has", numeric=False)
    if not others:
        return one, None
    if all(kind in INTEGERS for kind in kinds):
        return ("HUGEINT" if WIDE_INTEGERS & kinds.keys() else "BIGINT"), None
    other, there = others[0]
    text = f"the column {name!r} is {one} in {here} and {other} in {there}; give it one type in all files"
    numeric = all(kind == "BOOLEAN" or is_number(kind) for kind in kinds)
    if all(kind == "VARCHAR" or kind.startswith("ENUM") for kind in kinds):
        return "VARCHAR", None
    return ("DOUBLE" if numeric else one), Conflict(text, numeric)
