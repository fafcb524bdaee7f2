"""The columns of a table that hold lists, and what the values of these have."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.inputs.fields import pointer
from sqlrank.inputs.table import Table, is_list
from sqlrank.statement.templates import render

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
