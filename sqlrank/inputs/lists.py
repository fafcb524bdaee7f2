"""Tables with a row for each query and lists in it: every place of the lists becomes a row.

Lists are found by their type: lists of ids beside lists of scores and labels, or lists of structs; in JSON by what the
first records hold. Texts are lists where a separator is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, shortened
from sqlrank.inputs.known_names import PLACE, POSITIVE, TIERS, plain_name
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, by_tiers, find_roles, has, in_lists
from sqlrank.inputs.table import Table
from sqlrank.statement.templates import render, sql_text

LISTED = ("run", "baseline", "qrels", "history")
"""The inputs that may have lists."""
NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "doc_id": (
        ("doc_ids", "docids", "documents", "docs", "docnos", "passage_ids", "pids", "corpus_ids"),
        ("item_ids", "itemids", "items", "product_ids", "products", "skus", "asins", "ad_ids", "urls"),
        ("ranking", "ranked", "results", "retrieved", "hits", "recommendations", "recommended", "recs", "predictions"),
        ("relevant", "relevant_docs", "relevant_items", "ground_truth", "positives", "purchases", "clicks", "history"),
    ),
    "score": (("scores",), ("sims", "similarities", "preds", "y_scores", "model_scores")),
    "rank": (("ranks", "positions"),),
    "relevance": (("relevances",), ("rels", "labels", "grades", "judgments", "judgements", "ratings", "gains")),
}
"""By role, names of lists from the likeliest on; a list may also be called as a column of one value is."""
SAMPLED = 1000
"""How many records of JSON tell which of its columns are lists."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column that is made of the values of lists."""

    name: str
    kind: str
    """Its type."""
    key: str | None = None
    """The field of the structs that it is."""

    @property
    def path(self) -> str:
        """Where it is in a value of JSON."""
        return "$" if self.key is None else f'$."{self.key}"'


@dataclass(frozen=True, slots=True)
class Found:
    """The columns of a table that hold lists, with what their values have: one field without a key, or several."""

    fields: dict[str, list[Field]]

    @property
    def plain(self) -> list[str]:
        """The lists of single values."""
        return [name for name, fields in self.fields.items() if fields[0].key is None]

    @property
    def structs(self) -> list[str]:
        """The lists of structs."""
        return [name for name, fields in self.fields.items() if fields[0].key is not None]


def roles_of(engine: Engine, table: Table, kind: str, reading: Reading) -> Roles:
    """The columns of a table by role, with a row for each document; DataError for lists without a way to read them."""
    told = told_lists(table, kind, reading)
    roles = roles_in(engine, table, kind, reading, set(told.values()))
    if told and not roles.table.unlisted:
        role, column = next(iter(told.items()))
        raise DataError(f"{table.label}: the {role} is not in lists in {column}; leave out the brackets")
    return roles


def told_lists(table: Table, kind: str, reading: Reading) -> dict[str, str]:
    """By role, the columns that are told to hold lists, as in `docs[]` or `hits[].id`."""
    parts = ((*name.rpartition(".")[::2], in_lists(text)) for name, text in reading.columns.items())
    told = {role: lists[0] for prefix, role, lists in parts if lists and prefix in ("", kind) and role in TIERS[kind]}
    return {role: column for role, column in told.items() if has(table, column) and not has(table, f"{column}[]")}


def roles_in(engine: Engine, table: Table, kind: str, reading: Reading, told: set[str]) -> Roles:
    """The columns of a table by role, its lists unlisted, of which some may be told."""
    if kind not in LISTED or table.canonical:
        return find_roles(table, kind, reading)
    found = lists_of(engine, table, reading.separator)
    structs = [name for name in found.structs if any(names_documents(field.name) for field in found.fields[name])]
    structs = [name for name in found.structs if name in told] or structs
    if len(structs) == 1 and (structs[0] in told or not any(map(names_documents, table.columns))):
        roles = find_roles(unlisted(engine, table, structs, found, reading.separator), kind, reading)
        return in_order(roles, structs[0], kind)
    roles = find_roles(table, kind, reading)
    return of_lists(engine, roles, found, kind, reading) if found.plain else roles


def in_order(roles: Roles, column: str, kind: str) -> Roles:
    """The roles of a table of lists, of which the order is the rank where nothing else orders them."""
    if "rank" not in TIERS[kind] or {"score", "rank"} & {*roles.names, *roles.unclear}:
        return roles
    table = roles.table
    note = f"{table.label}: there is no score; the order of {column} is the rank"
    names = roles.names | {"rank": PLACE}
    return replace(roles, table=replace(table, in_order=True, notes=(*table.notes, note)), names=names)


def names_documents(column: str) -> bool:
    """Whether a column may be the id of a document by its name."""
    return any(plain_name(column) in tier for tier in TIERS["run"]["doc_id"])


def lists_of(engine: Engine, table: Table, separator: str | None) -> Found:
    """The columns that hold lists."""
    if separator is not None:
        texts = [name for name, kind in table.columns.items() if kind.upper() in ("VARCHAR", "STRING")]
        return Found({name: [Field(name, "VARCHAR")] for name in texts})
    if table.json:
        return json_lists(engine, table) if isinstance(engine, DuckDBEngine) else Found({})
    return Found({name: fields_of(engine, table, name) for name, kind in table.columns.items() if is_list(kind)})


def is_list(kind: str) -> bool:
    """Whether a type of DuckDB or Spark is one of lists."""
    return re.search(r"\[\d*\]\Z", kind) is not None or kind.upper().startswith("ARRAY<")


def fields_of(engine: Engine, table: Table, name: str) -> list[Field]:
    """What the values of a list have."""
    kind = table.columns[name]
    inside = re.sub(r"\[\d*\]\Z", "", kind) if kind.endswith("]") else kind[len("ARRAY<") : -1]
    if not inside.upper().startswith("STRUCT"):
        return [Field(name, inside)]
    column = table.aliases.get(name, name)
    context = {"reader": table.reader, "column": column}
    rows = engine.execute(render("sources/struct_fields.sql", engine.dialect, **context))
    return [Field(field, "VARCHAR" if kind == "string" else kind.upper(), field) for field, kind, *_ in rows]


def json_lists(engine: DuckDBEngine, table: Table) -> Found:
    """The columns of JSON that hold lists, by the first records."""
    names = {table.aliases.get(name, name): name for name in table.columns}
    context = {"names": list(names), "reader": table.reader, "most": SAMPLED}
    rows = engine.execute(render("sources/json_lists.sql", engine.dialect, **context))
    return Found(
        {
            names[alias]: [Field(key, "VARCHAR", key) for key in keys or ()] or [Field(names[alias], "VARCHAR")]
            for alias, kind, keys in rows
            if kind != "OBJECT" or keys
        }
    )


def of_lists(engine: Engine, roles: Roles, found: Found, kind: str, reading: Reading) -> Roles:
    """The roles of a table whose documents stand in lists, after each place of them became a row."""
    table, lists = roles.table, found.plain
    chosen: dict[str, str] = {}
    for role in [role for role in NAMES if role in TIERS[kind]]:
        told = roles.names.get(role)
        called = [name for name in by_tiers(table, NAMES[role]) if name in lists and name not in chosen.values()]
        if told in lists:
            chosen[role] = str(told)
        elif role != "doc_id" and told is not None and any(name.rpartition(".")[2] == role for name in roles.given):
            raise DataError(f"{table.label}: the {role} is read from lists here, and {told} is none")
        elif called and told is None:
            chosen[role] = called[0]
        elif role == "doc_id" and told is None and len(lists) == 1 and reading.separator is None:
            chosen[role] = lists[0]
        if role == "doc_id" and role not in chosen:
            return roles
    made = unlisted(engine, table, list(chosen.values()), found, reading.separator)
    kept = {role: name for role, name in roles.names.items() if role not in NAMES or name == POSITIVE}
    names = kept | chosen
    notes = {role: note for role, note in roles.notes.items() if role not in NAMES}
    unclear = {role: problem for role, problem in roles.unclear.items() if role not in NAMES}
    if kind == "run" and "relevance" in roles.names and "relevance" not in chosen:
        right = roles.names["relevance"]
        unclear["relevance"] = (
            f"{table.label}: {right} has one value for a whole ranking; if that is the relevant document, choose"
            f" --positives {table.label} --column qrels.doc_id={right}"
        )
    made_of = replace(roles, table=made, names=names, notes=notes, unclear=unclear)
    return in_order(made_of, chosen["doc_id"], kind)


def unlisted(engine: Engine, table: Table, lists: Sequence[str], found: Found, separator: str | None) -> Table:
    """A table in which each place of some lists is a row."""
    fields = [field for name in lists for field in found.fields[name]]
    taken = {field.name.lower() for field in fields} | {name.lower() for name in lists}
    others = [name for name in table.columns if name.lower() not in taken]
    context = reading_context(table, lists, others, found, separator)

    def reader(whole: Any) -> Any:
        return sql_text(render("sources/unlisted.sql", engine.dialect, reader=whole, **context))

    notes = [f"{table.label}: a row holds lists ({', '.join(lists)}), of which each place becomes a row"]
    if empty := count_empty(engine, table, [each["name"] for each in context["lists"]], separator):
        notes.append(f"{table.label}: {empty} {'row has' if empty == 1 else 'rows have'} no {lists[0]}")
    return replace(
        table,
        reader=reader(table.reader),
        columns={name: table.columns[name] for name in others}
        | {field.name: field.kind for field in fields}
        | {PLACE: "BIGINT"},
        portable=None if table.portable is None else reader(table.portable),
        aliases={name: free for name, free in table.aliases.items() if name in others},
        costly=True,
        unlisted=True,
        row_of_place=row_of_place(engine, table, context),
        notes=(*table.notes, *notes),
    )


def row_of_place(engine: Engine, table: Table, context: Mapping[str, Any]) -> str | None:
    """The statement that finds the row of a place in lists; None where rows have no order."""
    if not isinstance(engine, DuckDBEngine):
        return None
    return render("sources/row_of_place.sql", engine.dialect, reader=table.reader, **context)


def reading_context(
    table: Table, lists: Sequence[str], others: Sequence[str], found: Found, separator: str | None
) -> dict[str, Any]:
    """The variables of the statement that reads the values of lists, beside the other columns of their rows."""
    alias = {name: table.aliases.get(name, name) for name in table.columns}
    named = [alias[name] for name in others]
    described = [
        {
            "name": alias[name],
            "element": f"sqlrank_element_{number}",
            "fields": found.fields[name],
            "complaint": f"{table.label}: the lists {lists[0]} and {name} of one row have ",
        }
        for number, name in enumerate(lists, 1)
    ]
    return {
        "others": [*named, *(f"{name} json type" for name in named if table.json)],
        "lists": described,
        "place": PLACE,
        "json": table.json,
        "separator": separator,
        "pattern": None if separator is None else re.escape(separator),
    }


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
