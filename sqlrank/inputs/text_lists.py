"""Texts that stand for something else: lists as JSON, Python, NumPy and PostgreSQL write them, and decimal commas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, shortened
from sqlrank.inputs.column_names import ENDS, LIST_NAMES, LISTED, TIERS, plain_name
from sqlrank.inputs.reading import Reading, bare_name, told_of
from sqlrank.inputs.roles import Roles, column_of, columns_in
from sqlrank.inputs.table import Table, column_types
from sqlrank.statement.templates import render, sql_text

SAMPLED = 100
"""How many texts of a column tell whether these are lists."""
QUOTED = r""""(?:[^"\\]|\\["\\/bfnrtu])*"|'(?:[^'\\]|\\['"\\])*'"""
NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|nan|None|True|False"
BARE = r"""[^\s,'"\[\]{}][^,\[\]{}]*"""
ANY, STRICT = f"(?:{QUOTED}|{BARE})", f"(?:{QUOTED}|{NUMBER})"
ELEMENT = r"""(?:"(?:[^"\\]|\\["\\])*"|[^\s,'"{}\\]+)"""
"""An element of an array of PostgreSQL, which quotes all that has a blank or a mark."""
NUMBERS = ("score", "rank", "relevance", "item_weight", "length", *ENDS)
"""The roles of numbers."""
SEEN = re.compile(rb"\d,\d")
"""What shows in the beginning of a file that its numbers may have decimal commas."""


def between(opening: str, part: str, closing: str, last: str = r"\s*,?") -> str:
    """The pattern of parts with commas between two brackets."""
    return rf"\s*\{opening}\s*(?:{part}(?:\s*,\s*{part})*{last})?\s*\{closing}\s*"


PATTERNS = {
    "commas": f"(?s)(?:{between('[', ANY, ']')}|{between('(', STRICT, ')')}|\\s*)",
    "braces": rf"(?s)\{{(?:{ELEMENT}(?:,{ELEMENT})*)?\}}",
    "spaces": rf"(?s)\s*\[\s*{STRICT}(?:\s+{STRICT})+\s*\]\s*",
    "numbers": f"(?s){between('[', f'(?:{NUMBER})', ']')}",
    "uneven": r"""(?s)\s*\[[^'"]*(?:,\s[^'"]*,[^\s\]]|,[^\s,][^'"]*,\s)[^'"]*\]\s*""",
    "cut": r"(?:^|[\s,\[(])\.\.\.(?:[\s,\])]|$)",
    "part": f"(?s){QUOTED}|{BARE}",
    "element": f"(?s){ELEMENT}",
    "strict": f"(?s){QUOTED}|{NUMBER}",
    "inner": r"(?s)^\s*[\[({](.*)[\])}]\s*$",
}
"""What texts of lists and their parts look like. NumPy leaves out the middle of a long array, and where texts with
commas are cast nobody can tell where one ends: these are no lists."""
BRACKETED = re.compile(r"\s*(?:\[.*\]|\(.*\)|\{.*\})\s*", re.DOTALL)
DICTIONARY = re.compile(r"""\s*\{\s*(?:"[^"]*"|'[^']*')\s*:""")
SCALARS = ("score", "rank", "relevance")
"""The roles whose columns say that a row is of one document."""
WAYS = """as JSON ('["a", "b"]'), Python or PostgreSQL write one, with a value in each place"""


@dataclass(frozen=True, slots=True)
class TextList:
    """A column whose texts are lists."""

    name: str
    """Its name in the reader."""
    structure: str | None
    """The structure of the objects in its lists, for DuckDB; None where these hold values."""


def with_text_lists(engine: Engine, table: Table, kind: str, reading: Reading) -> Table:
    """The table with the columns of texts that are lists as lists.

    Raises:
        DataError: one text of such a column is no list.
    """
    if kind not in LISTED or table.canonical or table.json or not isinstance(engine, DuckDBEngine):
        return table
    if not (names := candidates(table, kind, reading)):
        return table
    aliases = [table.aliases.get(name, name) for name in names]
    first = render("sources/first_texts.sql", engine.dialect, names=aliases, reader=table.reader, most=SAMPLED)
    texts: list[list[str]] = [[] for _ in names]
    for number, text in engine.execute(first):
        texts[number].append(text)
    found = {name: column for name, column, each in zip(names, aliases, texts, strict=True) if are_lists(each)}
    if not found:
        return table
    columns = [TextList(alias, structure_of(texts[names.index(name)])) for name, alias in found.items()]
    for name, column in zip(found, columns, strict=True):
        check_lists(engine, table, name, column)
    reader = made(engine, table.reader, columns)
    types = dict(column_types(engine, reader, table.label))
    portable = None if table.portable is None else made(engine, table.portable, columns)
    kinds = {name: types[table.aliases.get(name, name)] for name in found}
    return replace(table, reader=reader, portable=portable, columns=table.columns | kinds, whole=None)


def candidates(table: Table, kind: str, reading: Reading) -> list[str]:
    """The columns of texts whose names say that they may hold lists, or that options name."""
    options = [columns_in(role, text) for _, role, text in told_of(reading.columns, kind, TIERS[kind])]
    told = {re.split(r"\[\]|\.", name)[0] for names in options for name in names}
    texts = [name for name, type_ in table.columns.items() if type_.upper() == "VARCHAR"]
    tiers = [tier for role in LIST_NAMES for tier in LIST_NAMES[role] if role in TIERS[kind]]
    one = {name for role in SCALARS for tier in TIERS[kind].get(role, ()) for name in tier}
    if not any(plain_name(name) in one for name in table.columns):
        tiers += TIERS[kind]["doc_id"]
    return [name for name in texts if name in told or any(plain_name(name) in tier for tier in tiers)]


def are_lists(texts: Sequence[str]) -> bool:
    """Whether texts are lists: one in brackets has several values, or all are in brackets."""
    bracketed = [text for text in texts if BRACKETED.fullmatch(text) and not DICTIONARY.match(text)]
    return bool(bracketed) and (len(bracketed) == len(texts) or any(re.search(r"[,\s'\"]", text) for text in bracketed))


def structure_of(texts: Sequence[str]) -> str | None:
    """The structure of the objects in lists of JSON, by the first of these; None where they hold no objects."""
    keys: dict[str, str] = {}
    for text in texts:
        try:
            values = json.loads(text)
        except ValueError:
            continue
        for value in values if isinstance(values, list) else ():
            if isinstance(value, dict):
                keys |= {key: "JSON" if isinstance(held, dict | list) else "VARCHAR" for key, held in value.items()}
    return json.dumps([keys]) if keys else None


def check_lists(engine: DuckDBEngine, table: Table, name: str, column: TextList) -> None:
    """Raise DataError for the first text of a column that is no list."""
    context = {"reader": table.reader, "column": column, "patterns": PATTERNS, "sql_value": sql_text("value")}
    for row, text in engine.execute(render("sources/no_text_list.sql", engine.dialect, **context)):
        line = f", row {row}" if table.first_line is None else f", line {row - 1 + table.first_line}"
        place = line if len(table.files) == 1 else ""
        raise DataError(
            f"{table.label}{place}: {name} is not a list that can be read: {shortened(text)}; write it {WAYS}"
        )


def made(engine: DuckDBEngine, reader: Markup, columns: Sequence[TextList]) -> Markup:
    """A reader with some columns as lists."""
    context = {"reader": reader, "columns": columns, "patterns": PATTERNS}
    return sql_text(render("sources/text_lists.sql", engine.dialect, **context))


def with_points(engine: Engine, roles: Roles, reading: Reading) -> Roles:
    """The roles of a table whose columns of numbers have points where every number of one has a decimal comma or none.

    Raises:
        DataError: the commas of a column may stand between thousands as well.
    """
    table = roles.table
    if not table.may_have_commas or "," in (reading.separator or "") or not isinstance(engine, DuckDBEngine):
        return roles
    changed: dict[str, str] = {}
    for column in dict.fromkeys(columns_of_numbers(roles, reading)):
        name = table.aliases.get(column, column)
        sql = render("sources/decimal_commas.sql", engine.dialect, reader=table.reader, name=name)
        try:
            found = engine.row(sql)
        except DataError:  # whoever reads all of it says what is wrong, and where
            return roles
        if not found["with_commas"] or found["others"]:
            continue
        if not found["decimal"]:
            raise thousands(engine, table, column)
        example = found["example"]
        changed[name] = f"{example} in the column {column} is read as {example.replace(',', '.')}"
    if not changed:
        return roles

    notes = [f"{table.label}: decimal commas: {said}" for said in changed.values()]
    context = {"names": list(changed)}
    made = table.through(engine.dialect, "sources/decimal_points.sql", context, notes=(*table.notes, *notes))
    return replace(roles, table=made)


def thousands(engine: DuckDBEngine, table: Table, column: str) -> DataError:
    """The error of a column whose commas may stand between thousands as well as before fractions."""
    context = {"reader": table.reader, "name": table.aliases.get(column, column)}
    found = engine.row(render("sources/first_comma.sql", engine.dialect, **context))
    line = "" if table.first_line is None else f", line {found['row_number'] - 1 + table.first_line}"
    value = found["value"]
    return DataError(
        f"{table.label}{line}: {value} in the column {column} may be {value.replace(',', '.')} or"
        f" {value.replace(',', '')}; write its numbers with a decimal point and nothing between thousands"
    )


def columns_of_numbers(roles: Roles, reading: Reading) -> Iterator[str]:
    """Yield the columns of a table that are read as numbers."""
    columns = roles.table.columns
    for role, column in roles.names.items():
        mapped = role == "relevance" and reading.relevance_map
        if role in NUMBERS and columns.get(column) == "VARCHAR" and not mapped:
            yield column
    weight = None if reading.weight is None else column_of(roles.table, bare_name(reading.weight))
    if weight is not None and columns[weight] == "VARCHAR":
        yield weight
