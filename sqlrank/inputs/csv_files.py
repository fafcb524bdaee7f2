"""CSV and TSV: the names come from the first line, every value is text, nothing is guessed; and rows written as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, ResourceError
from sqlrank.inputs.column_names import INDEX_NOTE, assumed, is_nameless, unnamed, unnamed_score
from sqlrank.inputs.files import Files, check_partitions, partition_names
from sqlrank.inputs.headings import Heading, delimiter_of, is_comment
from sqlrank.inputs.plain_text import check_encoding, copy_path
from sqlrank.inputs.table import Table, aliases_of, listed
from sqlrank.inputs.text_lists import SEEN
from sqlrank.statement.templates import render, sql_text

INDEX = "sqlrank_index"
"""What a first column without a name is called, as pandas and R write the numbers of rows; nothing reads it."""


def read_csv(engine: DuckDBEngine, given: Files) -> Table:
    """CSV or TSV as a table."""
    label, kind, files, role, hive, heads = given
    comments = partial(is_comment, heads=heads, kind=kind)
    headings = [Heading(read, engine.called(read), comments) for read, _ in files]
    delimiter = headings[0].separator or delimiter_of(headings[0].line, kind)
    every = [heading.fields(delimiter) for heading in headings]
    first = every[0]
    nameless = is_nameless(first, role, heads)
    positions = None if heads.header and not nameless else heads.told
    check_alike(headings, every, named=positions is None)
    notes = []
    if nameless:
        positions = heads.told or assumed(headings[0].rows(delimiter), role)
        read = unnamed(len(first), role, positions, label, headings[0].line)
        notes.append(f"{label}: its first line holds no names; the columns are read as {', '.join(read)}")
    typed = kind == "recbole" and positions is None

    def columns_of(fields: Sequence[str]) -> list[str]:
        names = [name.partition(":")[0] for name in fields] if typed else fields
        return header_of(names, role, positions, label, headings[0].line)

    columns = columns_of(first)
    if typed:
        notes.append(f"{label}: read as an atomic file of RecBole: {first[0]} is the column {columns[0]}, and so on")
    if columns[0] == INDEX:
        notes.append(f"{label}: {INDEX_NOTE}")
    if hive:
        check_partitions(label, columns, (read for read, _ in files))
    aliases = aliases_of(columns)
    orders = [[aliases.get(name, name) for name in columns_of(fields)] for fields in every]
    groups = [
        {"before": before, "names": names, "files": [file for _, _, file in same]}
        for (before, names), same in groupby(
            zip((heading.before for heading in headings), orders, files, strict=True), lambda each: each[:2]
        )
    ]
    context = {"header": positions is None, "delimiter": delimiter, "hive": hive}

    def reader(place: int) -> Any:
        chosen = [group | {"files": [engine.pattern(file[place]) for file in group["files"]]} for group in groups]
        return sql_text(render("sources/csv.sql", engine.dialect, **context, groups=chosen))

    keys = partition_names(files[0][0]) if hive else []
    first_line = headings[0].before + 1 + (headings[0].lines if positions is None else 0)
    return Table(
        label,
        reader(0),
        dict.fromkeys([name for name in [*columns, *keys] if name != INDEX], "VARCHAR"),
        tuple(read for read, _ in files),
        costly=True,
        text=True,
        first_line=first_line,
        aliases=aliases,
        portable=reader(1) if any(read != named for read, named in files) else None,
        unnamed=positions is not None,
        unnamed_score=unnamed_score(role, positions),
        assumed_rank=nameless and "rank" in (positions or {}) and not heads.told,
        comments=sum(heading.comments for heading in headings),
        may_have_commas=delimiter != "," and any(SEEN.search(heading.start) for heading in headings),
        notes=tuple(notes),
    )


def check_alike(headings: Sequence[Heading], every: Sequence[Sequence[str]], named: bool) -> None:
    """Raise DataError if several files do not begin alike: with the same names in any order, or as many fields."""
    first, here = every[0], headings[0].label
    for heading, fields in zip(headings, every, strict=True):
        lacking = [name for name in first if name not in fields] if named else []
        more = [name for name in fields if name not in first] if named else []
        if lacking or more:
            one, other = (heading.label, here) if lacking else (here, heading.label)
            raise DataError(
                f"{one} has no column {(lacking or more)[0]!r}, which {other} has: the files of one input have the same"
                f" columns, and {here} has {listed(first)}"
            )
        if len(fields) != len(first):
            raise DataError(f"{heading.label}: the header is not that of {here} ({listed(first)})")


def header_of(
    fields: Sequence[str], role: str, positions: Mapping[str, int] | None, label: str, line: str
) -> list[str]:
    """The names of the columns, made up if there are `positions`; DataError if one is doubled or missing.

    A first column without a name is an index.
    """
    if positions is not None:
        return unnamed(len(fields), role, positions, label, line)
    columns = [INDEX, *fields[1:]] if len(fields) > 1 and fields[0] == "" else list(fields)
    repeated = {name for name in columns if columns.count(name) > 1} if len(set(columns)) < len(columns) else set()
    if repeated or "" in columns:
        problem = f"the column {min(repeated)!r} twice" if repeated else "a column without a name"
        raise DataError(f"{label}: the header has {problem}; the first line is {line[:100]!r}")
    return columns


def table_of_rows(
    engine: DuckDBEngine, given: Files, columns: Sequence[str], rows_of: Callable[[str], Iterable[Sequence[Any]]]
) -> Table:
    """Files as a table of these columns; `rows_of` gives the rows of one of them."""
    copies = [(copied(engine, read, columns, rows_of), named) for read, named in given.pairs]
    table = read_csv(engine, Files(given.label, "csv", copies, given.role))
    return replace(table, first_line=None, portable=None)


def copied(
    engine: DuckDBEngine, file: str, columns: Sequence[str], rows_of: Callable[[str], Iterable[Sequence[Any]]]
) -> str:
    """The rows of a file as CSV in the folder of temporary files, written once."""
    key, label = f"{file} with {', '.join(columns)}", engine.called(file)
    if key in engine.copies:
        return engine.copies[key]
    copy = f"{copy_path(engine, file)}.csv"
    engine.copies[key], engine.origins[copy] = copy, label
    try:
        with open(copy, "w", encoding="utf-8", newline="") as target:
            written = csv.writer(target, quoting=csv.QUOTE_ALL, lineterminator="\n")
            written.writerow(columns)
            written.writerows(rows_of(file))
    except UnicodeDecodeError:
        check_encoding(engine, [file])
        raise
    except UnicodeEncodeError as error:
        raise DataError(f"{label}: an id is not a text, {error.object[:100]!r}: half of a pair of surrogates") from None
    except OSError as error:
        raise ResourceError(f"{label}: cannot be unpacked to {engine.scratch}: {error.strerror or error}") from error
    return copy
