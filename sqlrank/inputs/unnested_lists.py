"""Tables with lists become tables in which each place of the lists is a row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, counted, shortened
from sqlrank.inputs.column_names import PLACE
from sqlrank.inputs.fields import pointer
from sqlrank.inputs.table import Table, aliases_of, is_list
from sqlrank.statement.templates import render, sql_text

SAMPLED = 1000
"""How many records of JSON tell which of its columns are lists."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column that is made of the values of lists."""

    name: str
    kind: str
    """Its type."""
    keys: tuple[str, ...] = ()
    """The field of the structs that it is, and of structs in these; nothing for values that are no structs."""

    @property
    def path(self) -> str:
        """Where it is in a value of JSON."""
        return pointer(self.keys) or "$"


@dataclass(frozen=True, slots=True)
class Found:
    """The columns of a table that hold lists, with what their values have: one field without a key, or several."""

    fields: dict[str, list[Field]]

    @property
    def plain(self) -> list[str]:
        """The lists of single values."""
        return [name for name, fields in self.fields.items() if not fields[0].keys]

    @property
    def structs(self) -> list[str]:
        """The lists of structs."""
        return [name for name, fields in self.fields.items() if fields[0].keys]


def lists_of(engine: Engine, table: Table, separator: str | None) -> Found:
    """The columns that hold lists."""
    if separator is not None:
        texts = [name for name, kind in table.columns.items() if kind.upper() in ("VARCHAR", "STRING")]
        return Found({name: [Field(name, "VARCHAR")] for name in texts})
    if table.json:
        return json_lists(engine, table) if isinstance(engine, DuckDBEngine) else Found({})
    return Found({name: fields_of(engine, table, name) for name, kind in table.columns.items() if is_list(kind)})


def fields_of(engine: Engine, table: Table, name: str) -> list[Field]:
    """What the values of a list have."""
    kind = table.columns[name]
    inside = re.sub(r"\[\d*\]\Z", "", kind) if kind.endswith("]") else kind[len("ARRAY<") : -1]
    if not inside.upper().startswith("STRUCT"):
        return [Field(name, inside)]
    column = table.aliases.get(name, name)
    context = {"reader": table.reader, "column": column}
    rows = engine.execute(render("sources/struct_fields.sql", engine.dialect, **context))
    return [Field(field, "VARCHAR" if kind == "string" else kind.upper(), (field,)) for field, kind, *_ in rows]


def json_lists(engine: DuckDBEngine, table: Table) -> Found:
    """The columns of JSON that hold lists, by the first records."""
    names = {table.aliases.get(name, name): name for name in table.columns}
    context = {"names": list(names), "reader": table.reader, "most": SAMPLED}
    rows = engine.execute(render("sources/json_lists.sql", engine.dialect, **context))
    return Found(
        {
            names[alias]: [Field(key, "VARCHAR", (key,)) for key in keys or ()] or [Field(names[alias], "VARCHAR")]
            for alias, kind, keys in rows
            if kind != "OBJECT" or keys
        }
    )


def unlisted(engine: Engine, table: Table, lists: Sequence[str], found: Found, separator: str | None) -> Table:
    """A table in which each place of some lists is a row."""
    fields = [field for name in lists for field in found.fields[name]]
    if nested := [field for field in fields if is_list(field.kind)]:
        raise DataError(
            f"{table.label}: {nested[0].name} holds lists of lists, and each place must be one document; flatten it"
        )
    taken = {field.name.lower() for field in fields} | {name.lower() for name in lists}
    others = [name for name in table.columns if name.lower() not in taken]
    aliases = {name: free for name, free in table.aliases.items() if name in others}
    aliases |= aliases_of([*(field.name for field in fields), *(aliases.get(name, name) for name in others), PLACE])
    context = reading_context(table, lists, others, found, separator, aliases)

    notes = [f"{table.label}: a row holds lists ({', '.join(lists)}), of which each place becomes a row"]
    if empty := count_empty(engine, table, [each["name"] for each in context["lists"]], separator):
        notes.append(f"{table.label}: {counted(empty, 'row', 'has', 'have')} no {lists[0]}")
    return table.through(
        engine.dialect,
        "sources/unlisted.sql",
        context,
        columns={name: table.columns[name] for name in others}
        | {field.name: field.kind for field in fields}
        | {PLACE: "BIGINT"},
        aliases=aliases,
        costly=True,
        unlisted=True,
        whole=None,
        row_of_place=row_of_place(engine, table, context),
        notes=(*table.notes, *notes),
    )


def row_of_place(engine: Engine, table: Table, context: Mapping[str, Any]) -> str | None:
    """The statement that finds the row of a place in lists; None where rows have no order."""
    if not isinstance(engine, DuckDBEngine):
        return None
    return render("sources/row_of_place.sql", engine.dialect, reader=table.reader, **context)


def reading_context(
    table: Table,
    lists: Sequence[str],
    others: Sequence[str],
    found: Found,
    separator: str | None,
    aliases: Mapping[str, str],
) -> dict[str, Any]:
    """The variables of the statement that reads the values of lists, with the other columns of their rows.

    `aliases` are the names of those that another one equals but for case.
    """
    alias = {name: table.aliases.get(name, name) for name in table.columns}
    named = [alias[name] for name in others]
    described = [
        {
            "name": alias[name],
            "element": f"sqlrank_element_{number}",
            "fields": [replace(field, name=aliases.get(field.name, field.name)) for field in found.fields[name]],
            "complaint": f"{table.label}: the lists {lists[0]} and {name} of one row have ",
        }
        for number, name in enumerate(lists, 1)
    ]
    return {
        "others": with_kinds(table, named),
        "lists": described,
        "place": PLACE,
        "json": table.json,
        "separator": separator,
        "pattern": None if separator is None else re.escape(separator),
    }


def with_kinds(table: Table, names: Sequence[str]) -> list[str]:
    """Columns of a table; of JSON with those that hold the types of their values."""
    return [*names, *(f"{name} json type" for name in names if table.json)]


def count_empty(engine: Engine, table: Table, names: Sequence[str], separator: str | None) -> int:
    """How many rows have no documents, the first of the lists; DataError if a value of one in JSON is no list."""
    length = sql_text("len" if isinstance(engine, DuckDBEngine) else "size")
    context = {"reader": table.reader, "names": names, "separator": separator, "length": length, "json": table.json}
    empty, others = engine.execute(render("sources/empty_lists.sql", engine.dialect, **context))[0]
    if others:
        raise no_list(engine, table, context)
    return int(empty)


def no_list(engine: Engine, table: Table, context: Mapping[str, Any]) -> DataError:
    """The error of the first row of JSON that has a value in place of a list."""
    row, *values = engine.execute(render("sources/no_list.sql", engine.dialect, **context))[0]
    found = zip(context["names"], values, strict=True)
    name, value = next((name, value) for name, value in found if value is not None)
    place = f", row {row}" if len(table.files) == 1 else ""
    raise DataError(
        f"{table.label}{place}: {name} is not a list: {shortened(value)}; make it one in every row, or null"
    )
