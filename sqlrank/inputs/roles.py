"""Which column plays which role: by well-known names, unless given."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlrank.dialects import visible
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.inputs.column_names import (
    ENDS,
    LABELS,
    POSITIVE,
    ROLES,
    TIERS,
    are_of_beir,
    names_systems,
    plain_name,
)
from sqlrank.inputs.column_notes import ReadFrom
from sqlrank.inputs.reading import Reading, bare_name, told_of
from sqlrank.inputs.table import Table, listed
from sqlrank.spelling import spelt

COMPOSED = {"query_id": "sqlrank_query_id", "doc_id": "sqlrank_document_id", "system": "sqlrank_system"}
"""The roles that several columns together may play, and the column that is made of those."""
SESSIONED = ("run", "qrels", "queries", "baseline")
"""The inputs whose queries a session is part of."""
PARTLY = ("queries", "history")
"""The inputs that may have a part of the columns of a query, such as the user alone."""
IN_LISTS = re.compile(r"(.+)\[\](?:\.(.+))?", re.DOTALL)
"""A column of lists, and the field of the structs in them."""
STRUCTS = re.compile(r"(?:STRUCT|MAP|UNION)\b(?!.*\[\d*\]\Z)", re.DOTALL | re.IGNORECASE)
"""The types of DuckDB and Spark whose values have fields, and play no role themselves."""
NUMBERS = re.compile(r"(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|FLOAT|DOUBLE|DECIMAL)\b", re.IGNORECASE)
"""The types of numbers in DuckDB and Spark."""
PLACE = re.compile(r"#([1-9][0-9]*)")
"""The place of a column of a file without names."""


@dataclass(slots=True)
class Roles:
    """The columns of one table by role."""

    table: Table
    names: dict[str, str]
    """Role and the column that plays it."""
    given: list[str] = field(default_factory=list)
    """The --column options that apply to this table, as they were written."""
    unclear: dict[str, str] = field(default_factory=dict)
    """By role, the message where two columns are equally likely."""
    notes: dict[str, str] = field(default_factory=dict)
    """By role, a note on the column chosen, where it lacks the canonical name."""
    composed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By role, the columns that play it together."""
    positive: bool = False
    """Whether every row is relevance 1."""
    label: str | None = None
    """The column that would be the relevance if it were not 1 in every row."""

    def columns_of(self, role: str) -> Sequence[str]:
        """The columns that play a role."""
        return self.composed.get(role, (self.names[role],))

    def columns_read(self) -> list[str]:
        """The columns that play any role."""
        return [column for role in self.names for column in self.columns_of(role)]

    def take(self, role: str, columns: Sequence[str]) -> None:
        """Let a column play a role, or several together."""
        self.names[role] = columns[0] if len(columns) == 1 else COMPOSED[role]
        if len(columns) > 1:
            self.composed[role] = tuple(columns)


def told_columns(table: Table, role: str, text: str) -> list[str]:
    """The columns that a --column option names in a table."""
    if table.unnamed and text.removeprefix("#").isdecimal():
        return [role]
    if (parts := in_lists(text)) is not None and not has(table, text):
        return [parts[1] or parts[0]]
    names = [text] if has(table, text) else columns_in(role, text)
    places = [PLACE.fullmatch(name) if table.unnamed else None for name in names]
    known = list(table.columns)
    return [
        known[int(place[1]) - 1] if place and int(place[1]) <= len(known) else name
        for name, place in zip(names, places, strict=True)
    ]


def in_lists(text: str) -> tuple[str, str | None] | None:
    """The column of lists that a --column option names, and the field of the structs in them, or None."""
    found = IN_LISTS.fullmatch(text)
    return None if found is None else (found[1], found[2])


def columns_in(role: str, text: str) -> list[str]:
    """The columns that a --column option names: several between commas for an id, quoted where they hold a comma."""
    if role not in COMPOSED or "," not in text:
        return [text]
    try:
        return next(csv.reader([text], skipinitialspace=True))
    except csv.Error:
        raise UsageError(
            f"{spelt('columns', {role: visible(text[:200])})}: put a name that holds a line break between double quotes"
        ) from None


def find_roles(table: Table, kind: str, reading: Reading) -> Roles:
    """The columns of a table by role, some given as `query_id` or `run.query_id`; DataError if one is not there."""
    roles = Roles(table, {})
    told: dict[str, list[str]] = {}
    for name, role, text in told_of(reading.columns, kind, {*TIERS[kind], *(ENDS if kind == "qrels" else ())}):
        columns = told_columns(table, role, text)
        if kind in PARTLY:
            columns = [column for column in columns if has(table, column)] or columns
        if name != role or any(has(table, column) for column in columns):
            told[role] = columns
            roles.given.append(name)
    segments = {bare_name(text) for text in (*reading.by, *filter(None, [reading.cluster]))}
    taken = {column for columns in told.values() for column in columns}
    taken |= {column for column in table.columns if any(name.startswith(f"{column}.") for name in taken)}
    if kind == "qrels" and reading.positives is not None and "relevance" not in told:
        roles.positive, roles.names["relevance"] = True, POSITIVE
        roles.label = next(iter(by_tiers(table, LABELS)), None)
    for role in dict.fromkeys([*TIERS[kind], *told]):
        if role in roles.names:
            continue
        if role in told:
            roles.take(role, [require(table, column) for column in told[role]])
            continue
        apart = taken if role in COMPOSED else ()
        found = [column for column in by_tiers(table, TIERS[kind][role], apart) if column not in taken]
        if role == "system" and found and found[0] in segments and not names_systems(found[0]):
            continue
        if len(found) > 1:
            both = f"{' and '.join(found)} may both be the {role}; name it with {spelt('columns', {role: found[0]})}"
            roles.unclear[role] = f"{table.label}: {both}"
        elif found:
            roles.names[role] = found[0]
            if found[0] != role and not table.canonical:
                roles.notes[role] = ReadFrom(table.label, role, found[0])
    if kind == "run" and "score" in roles.names and are_of_beir(table.columns):
        roles.notes["score"] = (
            f"{table.label}: read as a run, though judgments of BEIR have these columns: are they {spelt('qrels')}?"
        )
    if kind == "qrels" and not told.keys() & ENDS.keys():
        take_ends(roles, {*taken, *roles.columns_read()}, reading)
    partly = kind in PARTLY and reading.session is not None and not has(table, reading.session)
    if reading.session is not None and kind in SESSIONED and "query_id" in roles.names and not partly:
        roles.take("query_id", [*roles.columns_of("query_id"), require(table, reading.session)])
    return roles


def take_ends(roles: Roles, taken: Collection[str], reading: Reading) -> None:
    """Let two columns be the ends of the interval of each label, and note where there is one that may be an end."""
    table, ends = roles.table, ends_of(roles.table, taken)
    if len(ends) == len(ENDS):
        roles.names |= ends
    elif ends and reading.positives is None and not reading.exact_labels:
        (role, column), (other,) = *ends.items(), ENDS.keys() - ends.keys()
        roles.notes[role] = (
            f"{table.label}: {column} looks like one end of a label interval, and there is no other end, so labels are"
            f" treated as exact: {spelt('columns', {role: column, other: 'NAME'})} names both"
            f" ends, {spelt('exact_labels', True)} ignores them"
        )


def ends_of(table: Table, taken: Collection[str]) -> dict[str, str]:
    """The columns of the ends of the interval of a label that can be numbers: text only of a file."""
    found: dict[str, str] = {}
    for role, tiers in ENDS.items():
        columns = [column for column in by_tiers(table, tiers) if column not in taken]
        columns = [column for column in columns if NUMBERS.match(table.columns[column]) or table.text]
        found |= {role: columns[0]} if len(columns) == 1 else {}
    return found


def check_role_names(given: Mapping[str, str], roles: Sequence[str] = ROLES) -> None:
    """Raise if a --column role is not one of those of the inputs."""
    for name in given:
        prefix, _, role = name.rpartition(".")
        if role not in roles or prefix not in ("", "positives", *TIERS):
            before = ", with the input before them if need be: run., qrels., positives." if roles is ROLES else ""
            raise UsageError(f"{spelt('columns', name)}: the roles are {', '.join(roles)}{before}")


def columns_of_judgments(columns: Mapping[str, str]) -> dict[str, str]:
    """The same with `positives.` in front of a role as `qrels.`, which is what pairs in place of judgments are."""
    return {
        f"qrels.{name.removeprefix('positives.')}" if name.startswith("positives.") else name: column
        for name, column in columns.items()
    }


def positions_of(given: Mapping[str, str], kind: str) -> tuple[dict[str, int], bool]:
    """The positions, from 1, that were given to roles of an input without names; whether one was written as #3."""
    kind = "qrels" if kind == "positives" else kind
    every = ((role, column) for _, role, column in told_of(given, kind, TIERS[kind]))
    told = {role: column for role, column in every if column.removeprefix("#").isdecimal()}
    marked = any(column.startswith("#") for column in told.values())
    return {role: int(column.removeprefix("#")) for role, column in told.items()}, marked


def by_tiers(table: Table, tiers: Sequence[Collection[str]], taken: Collection[str] = ()) -> list[str]:
    """The columns of the strongest tier that has any besides those `taken`."""
    for tier in tiers:
        found = [column for column in table.columns if plain_name(column) in tier and column not in taken]
        if found := [column for column in found if not STRUCTS.match(table.columns[column])]:
            return found
    return []


def require(table: Table, column: str) -> str:
    """The column of a name, which may differ in case; DataError with the nearest if there is none."""
    if (found := column_of(table, column)) is not None:
        return found
    hint = nearest(column, table.named) or nearest(column.partition(".")[0], table.named)
    raise DataError(f"{table.label} has no column {column!r}{hint} (it has {listed(table.named)})")


def column_of(table: Table, name: str) -> str | None:
    """The column of a name, which may differ in case; None if there is none, or several."""
    if name in table.columns:
        return name
    alike = [column for column in table.columns if plain_name(column) == plain_name(name)]
    return alike[0] if len(alike) == 1 else None


def has(table: Table, name: str) -> bool:
    """Whether a table has a column of this name."""
    return column_of(table, name) is not None
