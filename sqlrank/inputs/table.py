"""A table as it stands after `from`, with what is known of its columns and files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import Dialect
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError
from sqlrank.statement.templates import render, sql_text

POOL = frozenset(("relevance", "priority", "weight", "systems", "best_rank"))
"""The columns by which a pool is told from other judgments, in which a row without relevance is a mistake."""
NESTED = re.compile(r"\[\d*\]\Z|\AARRAY<", re.IGNORECASE)
"""The types of lists in DuckDB and Spark."""
MOST_NAMES = 20
"""How many names a message lists."""


Mark = tuple[str, bytes | None]
"""A file whose metadata say that its judgments come from behaviour, and what they say of it."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A column whose types differ between the files of one input."""

    text: str
    """What to say where it is read."""
    numeric: bool
    """Whether every file has numbers, so that it can be read as a number."""


@dataclass(slots=True)
class Table:
    """Something that can stand after `from`, with what is known of it."""

    label: str
    """What to call it in messages."""
    reader: Markup
    """The SQL that reads it."""
    columns: dict[str, str]
    """Name and type of each column."""
    files: tuple[str, ...] = ()
    """The files that the reader opens."""
    beside: tuple[str, ...] = ()
    """The files that it reads besides, such as sizes of groups."""
    format: str | None = None
    """The format of its files, one of `FORMATS`."""
    checked_rows: int | None = None
    """How many rows it has, where an evaluation before this one found nothing in them that is wrong or unusual."""
    size: int | None = None
    """How many bytes it has, where the engine asked."""
    whole: int | None = None
    """How many rows it has where the condition left some of them unread."""
    costly: bool = False
    """Whether it costs to read twice, or cannot be."""
    json: bool = False
    """Whether the type of each JSON value stands next to it, in a column named for it."""
    text: bool = False
    """Whether every value is text."""
    may_have_commas: bool = False
    """Whether its numbers may have decimal commas, as far as its first lines tell."""
    first_line: int | None = None
    """The line of the first row in a text file of one row per line."""
    canonical: bool = False
    """Whether the columns are named by what they are, as in TREC files."""
    trec: str | None = None
    """Whether it is a TREC `run` or `qrels` file that is read as if split at single blanks."""
    aliases: dict[str, str] = field(default_factory=dict)
    """The name in the reader of each column that another one equals but for case."""
    conflicts: dict[str, Conflict] = field(default_factory=dict)
    """The columns whose types differ between the files."""
    portable: Markup | None = None
    """The SQL that reads the files as they were named, where the reader opens copies of them."""
    inside: dict[str, list[str]] = field(default_factory=dict)
    """The columns that hold lists of structs, with the fields of these."""
    unlisted: bool = False
    """Whether its rows are values of lists, of which the files have several in a row."""
    unordered: str | None = None
    """What it is where its rows have no order to rely on."""
    numbered: bool = False
    """Whether it has the number of each row, which no file names."""
    in_order: bool = False
    """Whether the order of its lists is the rank."""
    row_of_place: str | None = None
    """The statement that finds the row of the files that such a row is of, by its number, where they have an order."""
    foreign: str | None = None
    """What it is and what to do, where a statement of a bare DuckDB cannot read it."""
    comments: int = 0
    """How many lines are comments."""
    nested: bool = False
    """Whether it is a dictionary of dictionaries, which has no names of columns."""
    distinct: bool = False
    """Whether it is a dictionary whose ids are all texts, so that no document can stand in a query twice."""
    unnamed: bool = False
    """Whether the file does not name its columns, and `--column` gives their positions."""
    assumed_rank: bool = False
    """Whether the third column of such a file is the rank because its first lines count 1, 2, 3, ..."""
    notes: tuple[str, ...] = ()
    """What was assumed to read it."""
    unnamed_score: bool = False
    """Whether the score is the third column of a file without names, which nobody called so."""
    marks: tuple[Mark, ...] | None = None
    """What its files say of the behaviour that they come from, where it was read and they are not there any more."""

    def through(self, dialect: Dialect, template: str, context: Mapping[str, Any], **changes: Any) -> Table:
        """The same table read through a statement around its `reader`, with other fields changed."""

        def made(whole: Markup) -> Markup:
            return sql_text(render(template, dialect, reader=whole, **context))

        portable = None if self.portable is None else made(self.portable)
        return replace(self, reader=made(self.reader), portable=portable, **changes)

    @property
    def named(self) -> list[str]:
        """The columns that it has by itself, and not those that were made to read it."""
        return [name for name in self.columns if not name.startswith("sqlrank_")]

    @property
    def is_pool(self) -> bool:
        """Whether it is a pool as `sqlrank pool` writes it, of whose rows raters may have filled some alone."""
        return set(self.columns) >= POOL

    @property
    def has_statistics(self) -> bool:
        """Whether its files carry statistics, which only Parquet does."""
        return bool(self.files) and not self.text and not self.json

    @property
    def may_have_lists(self) -> bool:
        """Whether a row may hold a list: of JSON nobody knows the types beforehand."""
        return self.json or any(map(is_list, self.columns.values()))

    def is_text(self, column: str) -> bool:
        """Whether a column is known to be text: where every value of a file is read as text, nobody knows."""
        untyped = self.text or self.json or self.nested or self.trec is not None
        return not untyped and self.columns[column].upper() in ("VARCHAR", "STRING")


def is_list(kind: str) -> bool:
    """Whether a type of DuckDB or Spark is one of lists."""
    return NESTED.search(kind) is not None


def distinct_names(names: Iterable[str]) -> dict[str, str]:
    """A name for each column that no other one equals but for case, which the engine could not tell apart."""
    taken: set[str] = set()
    chosen: dict[str, str] = {}
    names = list(names)
    reserved = {name.lower() for name in names}
    for name in names:
        free, number = name, 0
        while free.lower() in taken or (number and free.lower() in reserved):
            number += 1
            free = f"{name}_{number}"
        taken.add(free.lower())
        chosen[name] = free
    return chosen


def check_distinct_names(label: str, names: Sequence[str]) -> None:
    """Raise DataError if two columns have one name: whichever were read, the other may be meant."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise DataError(f"{label}: two columns are called {twice!r}; rename one of them")


def may_be_renamed(names: Iterable[str]) -> bool:
    """Whether a column may have a name that DuckDB made, as another one equals its own but for case."""
    names = list(names)
    lower = {name.lower() for name in names}
    parts = [name.rpartition("_") for name in names]
    return any(stem.lower() in lower and number.isdecimal() for stem, _, number in parts)


def aliases_of(names: Iterable[str]) -> dict[str, str]:
    """The columns that are read under another name, and that name."""
    return {name: free for name, free in distinct_names(names).items() if name != free}


def listed(names: Sequence[str]) -> str:
    """Names for a message, the first of them where there are many."""
    more = len(names) - MOST_NAMES
    shown = ", ".join(name if len(name) <= 100 else f"{name[:100]}..." for name in names[:MOST_NAMES])
    return f"{shown} and {more} more" if more > 0 else shown


def column_types(engine: Engine, reader: Markup, label: str) -> dict[str, str]:
    """The name and type of each column of a relation."""
    try:
        rows = engine.execute(render("sources/describe.sql", engine.dialect, reader=reader))
    except (DataError, UsageError) as error:
        text = str(error)
        raise DataError(text if text.startswith(label) else f"{label}: cannot be read: {text}") from error
    return {row[0]: row[1] for row in rows}
