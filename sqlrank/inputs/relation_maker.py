"""Making relations: views and tables of an engine over files and frames."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine, count_rows
from sqlrank.errors import DataError, UsageError, counted
from sqlrank.inputs.column_names import ENDS
from sqlrank.inputs.headings import MIXED
from sqlrank.inputs.plain_text import check_encoding
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import COMPOSED, Roles, require
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

IDS = ("system", "query_id", "doc_id")
OF_JSON = ("impression_id", "query_id", "doc_id")
"""The ids that may be neither objects nor lists nor fractions in JSON."""
MADE = frozenset((*COMPOSED.values(), "sqlrank_impression"))
"""The ids that are made of others, or of the rows, and are none in JSON."""
SAID = frozenset(("relevance", "clicked", "cart", "purchase", "seen", "is_ad", "is_bot"))
"""The columns in which a text may say whether something is so."""
STATED_DOC_ID = "sqlrank_doc_id"
FRACTIONAL = re.compile(r"\b(?:FLOAT|DOUBLE)\b")
"""The types that have NaN, or hold such a type."""
STATE_ERROR = "The CSV Parser state machine reached an invalid state."
"""What DuckDB says of a text file whose lines end in different ways."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, and how it is read."""

    alias: str
    name: str
    form: str
    """`plain`, `json id`, `map`, `label`, `number` or `opaque`; see sources/input.sql."""
    labels: tuple[tuple[str, str | None], ...] = ()
    """Words that stand for numbers, with those; None for one which means unjudged."""
    complaint: str = ""
    """What to say of a value in JSON that is no id."""


@dataclass(frozen=True, slots=True)
class Part:
    """A table that is part of an input, and which of its columns are read."""

    table: Table
    reader: Markup
    columns: tuple[Column, ...]
    query_id: str | None
    """Its column of the query."""
    system: str | None = None
    """The system that all of its rows are of, where no column names it."""
    rater: str | None = None
    """The rater of all of its rows, where no column names one."""
    where: Markup | None = None
    judged: Markup | None = None
    """The condition that a row is judged, where it may not be."""
    guarded: bool = False
    """Whether an error of the condition would end a transaction of the caller."""
    stated: bool = False
    """Whether a file carries statistics of its columns, which DuckDB trusts."""


class RelationMaker:
    """Makes relations, and keeps the statements that made them."""

    def __init__(self, engine: Engine, reading: Reading) -> None:
        self.engine, self.reading = engine, reading
        self.sources: list[str] = []
        self.in_order: dict[Markup, Markup] = {}
        """The relation with the same rows in the order of the files, for one whose rows were brought together."""
        self.guarded = isinstance(engine, DuckDBEngine) and not engine.owned

    def part(
        self,
        roles: Roles,
        chosen: Mapping[str, str],
        extras: Collection[str] = (),
        numbers: Collection[str] = (),
        where: str | None = None,
    ) -> Part:
        """A table, and which columns are read: `chosen` by the names they take, `extras` by their own."""
        named = dict(chosen) | {name: require(roles.table, name) for name in extras}
        return Part(
            roles.table,
            roles.table.reader if where is None else self.unpruned(roles.table, where),
            tuple(self.column(roles.table, alias, name, numbers) for alias, name in named.items()),
            roles.names.get("query_id"),
            where=None if where is None else sql_text(where),
            guarded=self.guarded,
            stated=self.has_statistics(roles.table),
        )

    def unpruned(self, table: Table, where: str) -> Markup:
        """What reads a table for the condition, of which DuckDB leaves nothing out by statistics without NaN."""
        from sqlrank.statement.syntax_trees import parsed

        asked = {parts[0].lower() for parts in parsed(where).columns}
        names = [table.aliases.get(name, name) for name, kind in table.columns.items() if FRACTIONAL.search(kind)]
        names = [name for name in names if name.lower() in asked] if self.has_statistics(table) else []
        if not names:
            return table.reader
        return sql_text(render("sources/unpruned.sql", self.engine.dialect, columns=names, reader=table.reader))

    def has_statistics(self, table: Table) -> bool:
        """Whether DuckDB knows the extremes of columns from the files of a table."""
        return table.has_statistics and isinstance(self.engine, DuckDBEngine)

    def column(self, table: Table, alias: str, name: str, numbers: Collection[str] = ()) -> Column:
        """How one column is read; DataError if the files have it in different types."""
        kind, name = table.columns[name], table.aliases.get(name, name)
        if conflict := table.conflicts.get(name):
            number = alias in ("score", "rank", "relevance", "item_weight", *ENDS, *numbers)
            if not (conflict.numeric and number):
                raise DataError(f"{table.label}: {conflict.text}")
        labels = tuple(
            (label, None if number is None else str(number)) for label, number in self.reading.relevance_map.items()
        )
        form = "json id" if table.json and alias in OF_JSON and name not in MADE else "plain"
        if alias == "relevance" and labels:
            form = "map"
        elif alias in SAID and kind == "VARCHAR":
            form = "label"
        elif self.has_statistics(table):
            from sqlrank.inputs.parquet_files import is_number

            number = alias in ("score", "relevance", "item_weight", *ENDS) and is_number(kind)
            form = "number" if number else "opaque" if alias in IDS else form
        article = "an" if alias.startswith("i") else "a"
        complaint = f"{table.label}: {article} {alias} in JSON must be a string or a whole number, not "
        return Column(alias, name, form, labels, complaint)

    def stated(self, parts: Sequence[Part]) -> tuple[list[Part], str | None]:
        """Add to views of Parquet the ids in the form whose statistics DuckDB reads; gives that column's name, or None.

        Whether one is missing is asked of that column where the documents are looked at later anyway: it spares their
        reading.
        """
        if not any(part.stated for part in parts):
            return list(parts), None
        with_ids = []
        for part in parts:
            name = next(column.name for column in part.columns if column.alias == "doc_id")
            with_ids.append(replace(part, columns=(*part.columns, Column(STATED_DOC_ID, name, "plain"))))
        return with_ids, STATED_DOC_ID

    def make(
        self,
        base: str,
        parts: Sequence[Part],
        loaded: bool,
        ordered: bool = False,
        tasks: int | None = None,
        distinct: bool = False,
    ) -> Markup:
        """Make the union of parts, and keep the statement.

        `loaded` copies its rows, `ordered` numbers them, `distinct` keeps one of equal rows, and `tasks` is in how
        many the rows of a query are brought together, where they are.
        """
        name = self.engine.name(base)
        if tasks is not None:
            rows = self.make(f"{base}_rows", parts, False, ordered, distinct=distinct)
            self.engine.make("table", name, self.together(name, rows, tasks))
            relation = sql_text(self.engine.dialect.ident(name))
            self.in_order[relation] = rows
            return relation
        how = {"name": name, "loaded": loaded, "ordered": ordered, "distinct": distinct}
        sql, *shown = [render("sources/input.sql", self.engine.dialect, parts=read, **how) for read in readers(parts)]
        try:
            self.check_condition(parts)
            self.engine.make("table" if loaded else "view", name, sql, doing="reading" if loaded else "")
        except DataError as error:
            tables = [part.table for part in parts]
            if not any(table.trec for table in tables):
                raise self.unreadable(error, tables) from error
            from sqlrank.inputs.trec_files import split_anew

            for table in tables:
                if table.trec and isinstance(self.engine, DuckDBEngine):
                    split_anew(self.engine, table)
            anew = [replace(part, reader=part.table.reader) for part in parts]
            return self.make(base, anew, loaded, ordered, distinct=distinct)
        except UsageError as error:
            raise self.of_condition(error) from error
        self.sources.append(shown[0] if shown else sql)
        return sql_text(self.engine.dialect.ident(name))

    def together(self, name: str, rows: Markup, tasks: int) -> str:
        """The statement that brings the rows of each query together, and keeps them."""
        return render("sources/together.sql", self.engine.dialect, name=name, rows=rows, tasks=tasks)

    def check_condition(self, parts: Sequence[Part]) -> None:
        """Raise if the condition fails on a row, where its error would end the caller's transaction."""
        for part in parts:
            if part.where is not None and part.guarded and isinstance(self.engine, DuckDBEngine):
                context = {"condition": part.where, "reader": part.reader, "query_id": str(part.query_id)}
                found = self.engine.row(render("conditions/failing.sql", self.engine.dialect, **context))
                if found["findings"]:
                    raise failing(part, found)

    def of_condition(self, error: UsageError) -> UsageError:
        """The error of a condition that the engine refused, with the condition."""
        from sqlrank.statement.conditions import spelt_sql

        own = self.reading.own_sql
        told = not own or str(error).startswith((spelt("where"), spelt("by"), spelt("weight")))
        text = str(error) if told else f"{spelt_sql(*own[0])}: {error}"
        hint = "; values of text files are text: write cast(column as double)" if "Cannot compare" in text else ""
        return UsageError(text + hint)

    def unreadable(self, error: DataError, tables: Sequence[Table]) -> DataError:
        """The error of files that cannot be read, with the file."""
        if isinstance(self.engine, DuckDBEngine):
            check_encoding(self.engine, [file for table in tables if table.text for file in table.files])
        text, labels = str(error).replace(STATE_ERROR, MIXED), list(dict.fromkeys(table.label for table in tables))
        named = any(file in text for table in tables for file in (table.label, *map(self.engine.called, table.files)))
        return DataError(text) if named else DataError(f"{' and '.join(labels)}: {text}")

    def count_filtered(self, tables: Sequence[Table], relation: Any) -> int:
        """How many rows of tables a condition left out of the relation that they make."""
        rows = sum(table.whole or count_rows(self.engine, table.reader) for table in tables)
        return rows - count_rows(self.engine, relation)


def readers(parts: Sequence[Part]) -> list[Sequence[Part]]:
    """The parts as they are read here; then, where files had to be unpacked, as they are read elsewhere."""
    if not any(part.table.portable for part in parts):
        return [parts]
    return [parts, [replace(part, reader=part.table.portable or part.reader) for part in parts]]


def failing(part: Part, found: Mapping[str, Any]) -> DataError:
    """The error of a condition that fails on some rows."""
    from sqlrank.statement.conditions import short

    return DataError(
        f"{part.table.label}: {spelt('where', short(str(part.where)))} cannot be evaluated on"
        f" {counted(found['findings'], 'row')}, such as one of query {found['query_id']!r}: a value that cannot be"
        " converted? Write try_cast(column as type)"
    )
