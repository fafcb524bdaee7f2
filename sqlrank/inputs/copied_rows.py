"""Rows that only Python reads, written as CSV to the folder of temporary files, which DuckDB reads."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, ResourceError
from sqlrank.inputs.csv_files import read_csv
from sqlrank.inputs.files import Files
from sqlrank.inputs.plain_text import check_encoding, copy_path
from sqlrank.inputs.table import Table


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
