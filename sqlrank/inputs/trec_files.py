"""Reading TREC runs and qrels: lines are split at single blanks until that is seen to fail."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError, counted
from sqlrank.inputs.column_names import TREC_FIELDS
from sqlrank.inputs.files import Files
from sqlrank.inputs.plain_text import check_encoding
from sqlrank.inputs.table import Table
from sqlrank.process.remote import URL
from sqlrank.statement.templates import render, sql_text


def read_trec(engine: DuckDBEngine, given: Files) -> Table:
    """A TREC run or qrels file, split at single blanks until that fails."""
    label, files, role = given.label, given.pairs, given.role
    fields = TREC_FIELDS.get(role)
    if fields is None:
        raise UsageError(f"{label}: TREC files hold runs and qrels; {role} are read from Parquet, CSV or JSON")
    tabs = any(may_hold_tabs(read) for read, _ in files)

    def reader(place: int) -> Any:
        context = {"files": [engine.pattern(file[place]) for file in files], "names": fields, "tabs": tabs}
        return sql_text(render("sources/trec.sql", engine.dialect, **context))

    return Table(
        label,
        reader(0),
        dict.fromkeys(fields, "VARCHAR"),
        tuple(read for read, _ in files),
        costly=True,
        text=True,
        first_line=1,
        canonical=True,
        trec=role,
        portable=reader(1) if any(read != named for read, named in files) else None,
    )


def may_hold_tabs(path: str) -> bool:
    """Whether a file holds a tab, as far as can be told by a quick look at its bytes."""
    if URL.match(path) or not os.path.getsize(path):
        return True
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"\t") >= 0


def lines_of(engine: Engine, files: Sequence[str]) -> Markup:
    """The text that reads files line by line."""
    return sql_text(render("sources/lines.sql", engine.dialect, files=list(files)))


def split_anew(engine: DuckDBEngine, table: Table) -> None:
    """Split the lines of a TREC file at any white space from now on; DataError with file and line of a bad one."""
    role = table.trec or ""
    check_encoding(engine, table.files)
    for file in table.files:
        check_line(engine, file, role)
    lines = lines_of(engine, [engine.pattern(file) for file in table.files])
    table.comments = int(engine.execute(render("sources/trec_comments.sql", engine.dialect, lines=lines))[0][0])
    table.reader = sql_text(render("sources/trec_split.sql", engine.dialect, lines=lines, names=TREC_FIELDS[role]))
    if table.portable is not None:
        named = lines_of(engine, [engine.pattern(engine.called(file)) for file in table.files])
        table.portable = sql_text(
            render("sources/trec_split.sql", engine.dialect, lines=named, names=TREC_FIELDS[role])
        )
    table.trec = None


def check_line(engine: DuckDBEngine, file: str, role: str) -> None:
    """Raise if a line of a TREC file has a wrong number of fields."""
    lines = lines_of(engine, [engine.pattern(file)])
    context = {"lines": lines, "fields": len(TREC_FIELDS[role]), "more": role == "run"}
    for number, line in engine.execute(render("sources/trec_bad_line.sql", engine.dialect, **context)):
        raise trec_complaint(engine.called(file), number, line, role)


def trec_complaint(file: str, number: int, line: str, role: str) -> DataError:
    """The error that shows a line of a TREC file with a wrong number of fields."""
    fields = TREC_FIELDS[role]
    return DataError(
        f"{file}, line {number}: {counted(len(line.split()), 'field')} where a TREC {role} line has {len(fields)}"
        f" ({' '.join(fields)}): {line[:100]!r}"
    )
