"""Fields inside structs and inside objects of JSON, which `--column` names by their path, as in `request.id`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, nearest
from sqlrank.inputs.column_names import TIERS
from sqlrank.inputs.reading import Reading, told_of
from sqlrank.inputs.roles import columns_in, has, in_lists, require
from sqlrank.inputs.table import Table, aliases_of, listed
from sqlrank.statement.templates import render

QUOTED = re.compile(r'"(?:[^"]|"")+"')
PART = re.compile(rf"(?:{QUOTED.pattern}(?=\.|\Z)|[^.]+)")
"""A part of a path between its dots, in double quotes where it holds some itself."""
SAMPLED = 1000
"""How many records of JSON tell what is inside a column."""


@dataclass(frozen=True, slots=True)
class Inside:
    """A field inside a column."""

    name: str
    """Its path as it was named."""
    column: str
    """The column as the reader calls it."""
    keys: tuple[str, ...]
    kind: str
    """Its type."""
    texts: bool = False
    """Whether the column holds texts with objects of JSON in them."""

    @property
    def pointer(self) -> str:
        """Where it is in a value of JSON."""
        return pointer(self.keys)


def pointer(keys: Sequence[str]) -> str:
    """The path of keys as a pointer of JSON, in which any key can be written."""
    return "".join(f"/{key.replace('~', '~0').replace('/', '~1')}" for key in keys)


def with_fields(engine: Engine, table: Table, kind: str, reading: Reading) -> Table:
    """A table with a column for each field inside of others that plays a role; DataError if there is no such field."""
    if table.canonical or not isinstance(engine, DuckDBEngine):
        return table
    found = {path: inside(engine, table, path) for path in paths_in(table, kind, reading)}
    fields = [field for field in found.values() if field is not None]
    if not fields:
        return table
    aliases = aliases_of([*(table.aliases.get(name, name) for name in table.columns), *(each.name for each in fields)])
    aliases = {each.name: aliases[each.name] for each in fields if each.name in aliases}
    named = [replace(each, name=aliases.get(each.name, each.name)) for each in fields]

    return table.through(
        engine.dialect,
        "sources/with_fields.sql",
        {"fields": named, "json": table.json},
        columns=table.columns | {field.name: field.kind for field in fields},
        aliases=table.aliases | aliases,
    )


def paths_in(table: Table, kind: str, reading: Reading) -> Iterator[str]:
    """The paths that are told for roles of an input and are no columns of its table."""
    for _, role, text in told_of(reading.columns, kind, TIERS[kind]):
        for part in [text] if has(table, text) else columns_in(role, text):
            lists = in_lists(part)
            path = part if lists is None or has(table, part) else lists[0]
            if "." in path and not has(table, path):
                yield path


def inside(engine: DuckDBEngine, table: Table, path: str) -> Inside | None:
    """The field that a path names; None where no column is called as its beginning."""
    parts = parts_of(path)
    ends = [end for end in range(len(parts) - 1, 0, -1) if has(table, ".".join(map(unquoted, parts[:end])))]
    if not ends:
        return None
    column = require(table, ".".join(map(unquoted, parts[: ends[0]])))
    if column in table.conflicts:
        raise DataError(f"{table.label}: {table.conflicts[column].text}")
    keys, kind = resolved(engine, table, column, parts[ends[0] :])
    texts = not table.json and of_texts(table, column)
    return Inside(path, table.aliases.get(column, column), keys, kind, texts)


def parts_of(path: str) -> list[str]:
    """The parts of a path between its dots; those within double quotes are one, and keep these."""
    return PART.findall(path)


def unquoted(part: str) -> str:
    """A part of a path without its quotes."""
    return part[1:-1].replace('""', '"') if QUOTED.fullmatch(part) else part


def resolved(
    engine: DuckDBEngine, table: Table, column: str, parts: Sequence[str], in_list: bool = False
) -> tuple[tuple[str, ...], str]:
    """The keys of a path inside a column, as they are written there, and the type of what it leads to.

    A key may hold dots, and is several parts then. `in_list` is for a path inside the values of a list.

    Raises:
        DataError: a part of it is not there, or it leads to two fields.
    """
    texts = not in_list and of_texts(table, column)
    exact = table.json or texts
    found: list[tuple[tuple[str, ...], str]] = []
    failed: list[tuple[tuple[str, ...], str, Sequence[str], dict[str, str]]] = []
    waiting: list[tuple[tuple[str, ...], str, Sequence[str]]] = [((), table.columns[column], parts)]
    while waiting:
        keys, kind, rest = waiting.pop(0)
        if not rest:
            found.append((keys, "VARCHAR" if exact else kind))
            continue
        opens = exact or kind.startswith("STRUCT") or (in_list and not keys)
        known = fields_at(engine, table, column, keys, in_list) if opens else {}
        named = [(same(name, known, exact), end) for name, end in first_keys(rest)]
        waiting += [((*keys, key), known[key], rest[end:]) for key, end in named if key is not None]
        failed.append((keys, kind, rest, known))
    if len(found) > 1:
        both = " and ".join(".".join([column, *(f'"{key}"' for key in keys)]) for keys, _ in found)
        raise DataError(f"{table.label}: {column}.{'.'.join(parts)} may be {both}; name one of them, with its quotes")
    if not found:
        raise not_there(table, f"{column}[]" if in_list else column, *max(failed, key=lambda each: len(each[0])))
    return found[0]


def first_keys(parts: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the names that a path may begin with, and of how many parts each is."""
    for end in range(len(parts), 0, -1):
        if end == 1 or not any(QUOTED.fullmatch(part) for part in parts[:end]):
            yield ".".join(map(unquoted, parts[:end])), end


def not_there(
    table: Table, column: str, keys: tuple[str, ...], kind: str, rest: Sequence[str], known: dict[str, str]
) -> DataError:
    """The error of a path of which some keys were found, and the rest was not."""
    where, names = ".".join([column, *keys]), list(known)
    name = ".".join(map(unquoted, rest if any("." in key for key in names) else rest[:1]))
    inner = f"has no field {name!r}{nearest(name, names)} (it has {listed(names)})"
    return DataError(f"{table.label}: {where} {inner if known else f'has nothing inside: it is {kind}'}")


def of_texts(table: Table, column: str) -> bool:
    """Whether a column holds texts, which may be objects of JSON."""
    return not table.json and table.columns[column].upper() in ("VARCHAR", "JSON")


def same(part: str, known: dict[str, str], exact: bool) -> str | None:
    """The field of a name; struct fields may be written in another case."""
    if part in known or exact:
        return part if part in known else None
    alike = [name for name in known if name.lower() == part.lower()]
    return alike[0] if len(alike) == 1 else None


def fields_at(engine: DuckDBEngine, table: Table, column: str, keys: tuple[str, ...], in_list: bool) -> dict[str, str]:
    """The fields of what keys lead to in a column, with their types; of JSON those of the first records."""
    texts = not in_list and of_texts(table, column)
    context = {"name": table.aliases.get(column, column), "keys": keys, "pointer": pointer(keys), "texts": texts}
    context |= {"json": table.json or texts}
    sql = render("sources/fields.sql", engine.dialect, reader=table.reader, listed=in_list, most=SAMPLED, **context)
    return {row[0]: row[1] for row in engine.execute(sql)}
