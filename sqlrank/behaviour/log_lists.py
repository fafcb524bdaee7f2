"""Logs with a row for each impression: a list of what was shown, and one of what was clicked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.behaviour.folder import Folder
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted
from sqlrank.inputs.column_names import TIERS, plain_name
from sqlrank.inputs.lists import in_structs, told_lists
from sqlrank.inputs.reading import Reading, told_of
from sqlrank.inputs.roles import Roles, find_roles, require
from sqlrank.inputs.table import Table
from sqlrank.inputs.unnested_lists import count_empty, with_kinds
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

WAYS = {
    "flags": "what happened at each place (0 or 1)",
    "places": "the places that were clicked, from 1",
    "documents": "the documents that were clicked",
}
"""What a list of clicks may hold."""
MADE = {"impression_id": "impression", "doc_id": "document", "position": "place", "clicked": "clicked"}
"""By role, what the columns that are made of lists are called."""
TEAMS = "team"
"""The role of a list that says of each place whose pick it was."""
RANKINGS = {"ranking_a": ("rank_a", "length_a"), "ranking_b": ("rank_b", "length_b")}
"""The roles of lists that two rankers gave, and what is made of each: the rank of a document in it, and its length."""


LISTS = ("shown", "clicks", TEAMS, *RANKINGS)
"""The roles that lists have."""


def log_roles(engine: DuckDBEngine, table: Table, kind: str, reading: Reading) -> Roles:
    """The columns of a log by role, with a row for each document; DataError for lists that may say two things."""
    found, within = in_structs(engine, table, kind, reading, told_lists(table, kind, reading))
    if within is not None:
        return within
    shown, clicks = (list_column(table, kind, reading, role, found.plain) for role in ("shown", "clicks"))
    if shown is None:
        if reading.separator is not None:
            raise DataError(
                f"{table.label}: {spelt('separator', reading.separator)} is for lists, and no column of them is what"
                f" was shown; name it with {spelt('columns', {'shown': 'NAME'})}"
            )
        return find_roles(table, kind, reading)
    if clicks is None:
        raise DataError(
            f"{table.label}: {shown} lists what was shown, and no column lists what was clicked; name it with"
            f" {spelt('columns', {'clicks': 'NAME'})}"
        )
    lists = {"shown": table.aliases.get(shown, shown), "clicks": table.aliases.get(clicks, clicks)}
    beside = {role: list_column(table, kind, reading, role, found.plain) for role in (TEAMS, *RANKINGS)}
    named = {role: table.aliases.get(name, name) for role, name in beside.items() if name is not None}
    context = lists | {"json": table.json, "separator": reading.separator, "reader": table.reader, "beside": named}
    check_places(engine, table, context)
    return of_lists(engine, table, kind, reading, (shown, clicks, *filter(None, beside.values())), context)


def list_column(table: Table, kind: str, reading: Reading, role: str, lists: Sequence[str]) -> str | None:
    """The column of lists that plays a role: as it is told, or by its name."""
    told = [text for _, _, text in told_of(reading.columns, kind, (role,))]
    if told:
        return require(table, told[0])
    for tier in TIERS[kind][role]:
        for name in lists:
            if plain_name(name) in tier:
                return name
    return None


def of_lists(
    engine: DuckDBEngine,
    table: Table,
    kind: str,
    reading: Reading,
    lists: tuple[str, ...],
    context: Mapping[str, Any],
) -> Roles:
    """The roles of a log in which each place of its lists became a row: of what was shown, of clicks, and others."""
    listed = [context["shown"], context["clicks"], *context["beside"].values()]
    empty = count_empty(engine, table, listed, reading.separator)
    way, without = clicks_are(engine, table, lists, context)
    others = [name for name in table.columns if name not in lists]
    told = [name for name, _, _ in told_of(reading.columns, kind, LISTS)]
    rest = replace(reading, columns={name: column for name, column in reading.columns.items() if name not in told})
    given = find_roles(replace(table, columns={name: table.columns[name] for name in others}), kind, rest)
    given.given += told
    names = {role: f"sqlrank_{name}" for role, name in MADE.items()}
    kinds = {"impression_id": "BIGINT", "doc_id": "VARCHAR", "position": "BIGINT", "clicked": "INTEGER"}
    for role in context["beside"]:
        more = dict.fromkeys(RANKINGS[role], "BIGINT") if role in RANKINGS else {role: "VARCHAR"}
        names |= {each: f"sqlrank_{each}" for each in more}
        kinds |= more
    made: dict[str, Any] = {
        name: names[role] for role, name in (("impression_id", "impression"), ("doc_id", "document"))
    }
    made |= {"position": names["position"], "clicked": names["clicked"], "names": names, "rankings": RANKINGS}
    aliases = with_kinds(table, [table.aliases.get(name, name) for name in others])
    reader = sql_text(Folder(engine).text("listed", others=aliases, clicks_are=way, **made, **context))
    unlisted = replace(
        table,
        reader=reader,
        columns={name: table.columns[name] for name in others} | {names[role]: kind for role, kind in kinds.items()},
        portable=None,
        costly=True,
        unlisted=True,
        whole=None,
        row_of_place=render("sources/row_of_place.sql", engine.dialect, lists=[{"name": listed[0]}], **context),
        notes=(*table.notes, *said_of(table.label, lists, way, without, empty)),
    )
    roles = {role: name for role, name in given.names.items() if role not in names or role == "impression_id"}
    return replace(given, table=unlisted, names=names | roles, unclear={})


def said_of(label: str, lists: Sequence[str], way: str, without: int, empty: int) -> Iterator[str]:
    """What is noted of a log of lists: of what was shown, and of clicks."""
    yield f"{label}: a row is an impression; {lists[0]} lists what was shown, {lists[1]} {WAYS[way]}"
    if without:
        yield f"{label}: {lists[1]} is empty in {counted(without, 'row')}: nothing was clicked"
    if empty:
        yield f"{label}: {counted(empty, 'row', 'has', 'have')} no {lists[0]}"


def check_places(engine: DuckDBEngine, table: Table, context: Mapping[str, Any]) -> None:
    """Raise DataError if a list of teams lacks a team for a place."""
    if TEAMS not in context["beside"]:
        return
    found = Folder(engine).row("teams_in_lists", teams=context["beside"][TEAMS], **context)
    if found["uneven"]:
        raise DataError(
            f"{table.label}: {context['beside'][TEAMS]} says whose pick each place was, and has more or fewer values"
            f" than {context['shown']} in {counted(found['uneven'], 'row')}, such as {found['teams_example']} for"
            f" {found['shown_example']}"
        )


def clicks_are(
    engine: DuckDBEngine, table: Table, lists: tuple[str, ...], context: Mapping[str, Any]
) -> tuple[str, int]:
    """What a list of clicks holds, and how many are empty; DataError where it may be two things, or is none."""
    row = Folder(engine).row("clicks_in_lists", **context)
    fitting = [way for way in WAYS if row[way] == row["rows_read"]]
    if "flags" in fitting and row["without"]:
        fitting.remove("flags")
    shown, clicks = row["shown_example"], row["clicks_example"]
    example = f"such as {lists[0]} {shown} with {lists[1]} {clicks}"
    if not fitting:
        raise DataError(f"{table.label}: {lists[1]} is neither {', nor '.join(WAYS.values())}, in every row; {example}")
    if len(fitting) > 1 and row["without"] < row["rows_read"]:
        ways = " or ".join(WAYS[way] for way in fitting)
        raise DataError(
            f"{table.label}: {lists[1]} may hold {ways}, {example}; write it so that it can be one of them alone, such"
            " as 0|1|0|0 for each place"
        )
    return fitting[0], int(row["without"])
