"""Exports of Quepid in CSV: ratings, of which some queries have none yet, and snapshots of rankings."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted, shortened
from sqlrank.inputs.beginnings import QUEPID, QUEPID_RATINGS
from sqlrank.inputs.column_names import is_number
from sqlrank.inputs.csv_files import read_csv, table_of_rows
from sqlrank.inputs.files import Files
from sqlrank.inputs.headings import Heading
from sqlrank.inputs.plain_text import opened
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import lines_of
from sqlrank.statement.templates import render

ROLES = {
    **dict(zip(QUEPID_RATINGS, ("query_id", "doc_id", "relevance"), strict=True)),
    **{"Query Text": "query_id", "Doc ID": "doc_id", "Doc Position": "rank", "Rating": "relevance"},
    "Snapshot Name": "system",
}
"""What the columns are."""
UNRATED = ("", "--")
"""What stands for the rating of a document that has none."""
GUARDED = tuple(f" {mark}" for mark in "-=+@")
"""What a text begins with that sheets would take for a formula: Quepid puts a blank before it."""


@dataclass(slots=True)
class Counted:
    """What was left out."""

    queries: int = 0
    """Queries without a rating."""
    documents: int = 0
    """Documents without one."""
    guarded: int = 0
    """Rows whose query had a blank before its first mark."""


def read_export(engine: DuckDBEngine, given: Files) -> Table:
    """Exports as a table."""
    headers = [tuple(Heading(read, engine.called(read)).fields(",")) for read, _ in given.pairs]
    if len(set(headers)) > 1:
        raise DataError(f"{given.label}: its files are different exports of Quepid; name one kind")
    if not any(set(known) <= set(headers[0]) for known in QUEPID):
        raise DataError(f"{given.label}: is not an export of Quepid with documents (it has {', '.join(headers[0])})")
    if headers[0] == QUEPID_RATINGS and is_plain(engine, given):
        return replace(read_csv(engine, given._replace(kind="csv")), format="csv")
    roles = roles_of(headers[0])
    columns, unrated = list(roles.values()), Counted()
    table = table_of_rows(
        engine, given, columns, lambda file: rows_of(file, engine.called(file), headers[0], columns, unrated)
    )
    said = ", ".join(f"{name} is {role}" for name, role in roles.items())
    notes = [f"{given.label}: read as an export of Quepid: {said}"]
    if unrated.queries or unrated.documents:
        there = [(unrated.documents, "document"), (unrated.queries, "query")]
        said = " and ".join(counted(number, noun) for number, noun in there if number)
        verb = "is" if sum(number for number, _ in there) == 1 else "are"
        notes.append(f"{given.label}: {said} without a rating {verb} left out")
    if unrated.guarded:
        notes.append(
            f"{given.label}: the blank that guards - = + or @ is left out of {counted(unrated.guarded, 'query')}"
        )
    foreign = f"an export of Quepid; write CSV or Parquet of {', '.join(columns)}"
    return replace(table, notes=tuple(notes), foreign=foreign)


def roles_of(header: Sequence[str]) -> dict[str, str]:
    """The columns of an export that are read, and what they are; a snapshot is no judgment, whatever its fields."""
    snapshot = "Doc Position" in header
    return {name: ROLES[name] for name in header if name in ROLES and not (snapshot and name == "Rating")}


def is_plain(engine: DuckDBEngine, given: Files) -> bool:
    """Whether ratings are rows of CSV and nothing else, which DuckDB reads itself, as it does those of others."""
    lines = lines_of(engine, [engine.pattern(read) for read in given.paths])
    return not engine.execute(render("sources/quepid_look.sql", engine.dialect, lines=lines))[0][0]


def rows_of(
    file: str, label: str, header: Sequence[str], columns: Sequence[str], unrated: Counted
) -> Iterator[Sequence[str]]:
    """The rows of an export, of which one ends before the document where a query has no rating."""
    roles = roles_of(header)
    places = [place for place, name in enumerate(header) if name in roles]
    query, rated = columns.index("query_id"), "relevance" in columns
    rating = columns.index("relevance") if rated else 0
    with opened(file) as source, io.TextIOWrapper(source, "utf-8-sig", newline="") as text:
        lines = Lines(text)
        reader = csv.reader(lines, strict=True)
        try:
            next(filter(None, reader))
            for fields in filter(any, reader):
                where = f"{label}, line {reader.line_num}"
                alone = rated and len(fields) == 1
                if not alone and len(fields) != len(header):
                    count = f"{len(fields)} fields, where the header has {len(header)}"
                    raise DataError(f"{where}: {count}: {said(fields)}")
                row = [fields[place] for place in places if place < len(fields)]
                if rated and (alone or row[rating] in UNRATED):
                    if not lines.ended:
                        raise DataError(f"{where}: the line has no end and no rating: the file is cut: {said(fields)}")
                    unrated.queries += alone
                    unrated.documents += not alone
                    continue
                if rated and not is_number(row[rating]):
                    raise DataError(f"{where}: the rating is not a number: {said(fields)}")
                if row[query].startswith(GUARDED):
                    row[query], unrated.guarded = row[query][1:], unrated.guarded + 1
                yield row
        except csv.Error as error:
            raise DataError(f"{label}, line {reader.line_num}: cannot be read as CSV ({error})") from None


def said(fields: Sequence[str]) -> str:
    """The fields of a line for a message."""
    return shortened(repr(",".join(fields)))


class Lines:
    """The lines of a text, of which the last one may have no end."""

    def __init__(self, text: io.TextIOBase) -> None:
        self.text, self.ended = text, True

    def __iter__(self) -> Iterator[str]:
        for line in self.text:
            self.ended = line.endswith(("\n", "\r"))
            yield line
