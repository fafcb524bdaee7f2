"""Tables with a row for each query and lists in it: every place of the lists becomes a row.

Lists are found by their type: lists of ids next to lists of scores and labels, or lists of structs; in JSON by what the
first records hold. Texts are lists where a separator is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, shortened
from sqlrank.inputs.column_names import LIST_NAMES, LISTED, PLACE, POSITIVE, TIERS, WANTED, plain_name
from sqlrank.inputs.fields import parts_of, resolved, with_fields
from sqlrank.inputs.reading import Reading, told_of
from sqlrank.inputs.roles import Roles, by_tiers, find_roles, has, in_lists
from sqlrank.inputs.table import Table
from sqlrank.inputs.unnested_lists import Field, Found, lists_of, unlisted
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render


def roles_within(engine: Engine, table: Table, kind: str, reading: Reading) -> Roles:
    """The columns of a table by role, with a row for each document; DataError for lists without a way to read them."""
    table = with_fields(engine, table, kind, reading)
    told = told_lists(table, kind, reading)
    roles = roles_in(engine, table, kind, reading, told)
    if told and not roles.table.unlisted:
        role, (column, _) = next(iter(told.items()))
        raise DataError(f"{table.label}: the {role} is not in lists in {column}; leave out the brackets")
    return roles


def told_lists(table: Table, kind: str, reading: Reading) -> dict[str, tuple[str, str | None]]:
    """By role, the columns that are told to hold lists, and the fields in these, as in `docs[]` or `hits[].id`."""
    every = told_of(reading.columns, kind, TIERS[kind])
    told = {role: lists for _, role, text in every if (lists := in_lists(text)) is not None}
    return {role: lists for role, lists in told.items() if has(table, lists[0]) and not has(table, f"{lists[0]}[]")}


def roles_in(
    engine: Engine, table: Table, kind: str, reading: Reading, told: dict[str, tuple[str, str | None]]
) -> Roles:
    """The columns of a table by role, its lists unlisted, of which some may be told."""
    if kind not in LISTED or table.canonical:
        return find_roles(table, kind, reading)
    found, within = in_structs(engine, table, kind, reading, told)
    if within is not None:
        return within
    table = replace(table, inside={name: [field.name for field in found.fields[name]] for name in found.structs})
    roles = find_roles(table, kind, reading)
    return of_lists(engine, roles, found, kind, reading) if found.plain else roles


def in_structs(
    engine: Engine, table: Table, kind: str, reading: Reading, told: dict[str, tuple[str, str | None]]
) -> tuple[Found, Roles | None]:
    """The lists of a table; and its columns by role, where its documents are structs in one of them."""
    found = lists_of(engine, table, reading.separator)
    if isinstance(engine, DuckDBEngine):
        named = {part.strip() for text in reading.columns.values() for part in text.split(",")}
        found = with_told(engine, table, found, told, named)
    columns = {column for column, _ in told.values()}
    structs = [name for name in found.structs if any(names_documents(field.name) for field in found.fields[name])]
    structs = [name for name in found.structs if name in columns] or structs
    if len(structs) != 1 or (structs[0] not in columns and any(map(names_documents, table.columns))):
        return found, None
    roles = find_roles(unlisted(engine, table, structs, found, reading.separator), kind, reading)
    return found, in_order(roles, structs[0], kind)


def with_told(
    engine: DuckDBEngine,
    table: Table,
    found: Found,
    told: dict[str, tuple[str, str | None]],
    texts: set[str],
) -> Found:
    """Lists with the fields that are told below those of their structs, and with those apart that a column hides.

    `texts` are what --column names: a column of them wins over a field of its name, which is called by its path.
    """
    fields = {name: list(each) for name, each in found.fields.items()}
    for name in found.structs:
        hidden = texts & table.columns.keys()
        fields[name] = [
            replace(field, name=f"{name}[].{field.name}") if field.name in hidden else field for field in fields[name]
        ]
        for path in dict.fromkeys(path for column, path in told.values() if column == name and path):
            if not any(field.keys == (path,) for field in fields[name]):
                keys, kind = resolved(engine, table, name, parts_of(path), in_list=True)
                if len(keys) > 1 or '"' in path:
                    fields[name].append(Field(path, kind, keys))
    return Found(fields)


def in_order(roles: Roles, column: str, kind: str) -> Roles:
    """The roles of a table of lists, of which the order is the rank where nothing else orders them."""
    place = "position" if kind == "log" else "rank"
    if place not in TIERS[kind] or {"score", place} & {*roles.names, *roles.unclear}:
        return roles
    table = roles.table
    note = f"{table.label}: there is no {place if kind == 'log' else 'score'}; the order of {column} is the {place}"
    names = roles.names | {place: PLACE}
    return replace(roles, table=replace(table, in_order=True, notes=(*table.notes, note)), names=names)


def names_documents(column: str) -> bool:
    """Whether a column may be the id of a document by its name."""
    return any(plain_name(column) in tier for tier in TIERS["run"]["doc_id"])


def is_flat(engine: Engine, roles: Roles, lists: Sequence[str], kind: str, separator: str) -> bool:
    """Whether a table has a row for each document, though texts may hold lists; DataError if an id is several then.

    A number cannot be a list of texts, so what has a score, a rank or a label that is one is of a single document.
    """
    labels = {"score", "rank"} if kind == "run" else {"score", "rank", "relevance"}
    single = [role for role in TIERS[kind] if role in labels & roles.names.keys() and roles.names[role] not in lists]
    document = roles.names.get("doc_id")
    if document is None or document not in lists or not single:
        return False
    table = roles.table
    context = {"reader": table.reader, "name": table.aliases.get(document, document), "separator": separator}
    if several := engine.execute(render("sources/separated.sql", engine.dialect, **context)):
        raise DataError(
            f"{table.label}: {document} has several documents in {shortened(several[0][0])}, and"
            f" {roles.names[single[0]]} one {single[0]} for all of them; give a {single[0]} for each"
        )
    return True


def of_lists(engine: Engine, roles: Roles, found: Found, kind: str, reading: Reading) -> Roles:
    """The roles of a table whose documents stand in lists, after each place of them became a row."""
    table, lists = roles.table, found.plain
    if reading.separator is not None and is_flat(engine, roles, lists, kind, reading.separator):
        return roles
    chosen: dict[str, str] = {}
    for role in [role for role in LIST_NAMES if role in TIERS[kind]]:
        if role == "relevance" and kind == "run" and reading.positives is not None:
            continue
        told = roles.names.get(role)
        tiers = (WANTED, *LIST_NAMES[role]) if (kind, role) == ("qrels", "doc_id") else LIST_NAMES[role]
        called = [name for name in by_tiers(table, tiers) if name in lists and name not in chosen.values()]
        if told in lists:
            chosen[role] = str(told)
        elif role != "doc_id" and told is not None and any(name.rpartition(".")[2] == role for name in roles.given):
            raise DataError(f"{table.label}: the {role} is read from lists here, and {told} is not a list")
        elif called and told is None:
            chosen[role] = called[0]
        elif role == "doc_id" and told is None and len(lists) == 1 and reading.separator is None:
            chosen[role] = lists[0]
        if role == "doc_id" and role not in chosen:
            return roles
    made = unlisted(engine, table, list(chosen.values()), found, reading.separator)
    kept = {role: name for role, name in roles.names.items() if role not in LIST_NAMES or name == POSITIVE}
    names = kept | chosen
    notes = {role: note for role, note in roles.notes.items() if role not in LIST_NAMES}
    unclear = {role: problem for role, problem in roles.unclear.items() if role not in LIST_NAMES}
    if kind == "run" and "relevance" in roles.names and "relevance" not in chosen:
        right = roles.names["relevance"]
        unclear["relevance"] = (
            f"{table.label}: {right} has one value for a whole ranking; if that is the relevant document, choose"
            f" {spelt('positives', table.label)} {spelt('columns', {'qrels.doc_id': right})}"
        )
    made_of = replace(roles, table=made, names=names, notes=notes, unclear=unclear)
    return in_order(made_of, chosen["doc_id"], kind)
