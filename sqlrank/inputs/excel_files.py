"""Excel sheets, which are read as the CSV that Excel would export, every value as it stands in its cell."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Sequence
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.plain_text import copy_path, opened


def sheet_of(engine: DuckDBEngine, file: str) -> tuple[str, list[str]]:
    """A copy of the first sheet that holds anything as CSV, and a note where others do too; DataError if none does."""
    label = engine.called(file)
    sheets = [(name, rows) for name, rows in sheets_of(file, label) if rows]
    if not sheets:
        raise DataError(f"{label}: no sheet of it holds anything")
    (name, rows), *others = sheets
    if file not in engine.copies:
        copy = f"{copy_path(engine, file)}.csv"
        with open(copy, "w", encoding="utf-8", newline="") as target:
            csv.writer(target).writerows(rows)
        engine.copies[file], engine.origins[copy] = copy, label
    notes = [f"{label}: read from the sheet {name!r}, the first of {len(sheets)}"] if others else []
    return engine.copies[file], notes


def sheets_of(file: str, label: str) -> list[tuple[str, list[list[str]]]]:
    """The texts of every sheet by its name, without empty rows and columns."""
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise UsageError(
            f"{label}: reading Excel needs python-calamine: pip install 'sqlrank[excel]' ({error}); or export CSV"
        ) from None
    try:
        with opened(file) as source:
            book = CalamineWorkbook.from_filelike(io.BytesIO(source.read()))
        return [(name, filled(book.get_sheet_by_name(name).to_python())) for name in book.sheet_names]
    except CalamineError as error:
        raise DataError(f"{label}: cannot be read as Excel: {error}") from None


def filled(cells: Sequence[Sequence[Any]]) -> list[list[str]]:
    """The texts of cells, without the rows and columns that are empty."""
    rows = [[text_of(cell) for cell in row] for row in cells]
    rows = [row for row in rows if any(row)]
    columns = [number for number, column in enumerate(zip(*rows, strict=True)) if any(column)]
    return [[row[number] for number in columns] for row in rows]


def text_of(cell: Any) -> str:
    """A cell as text: a whole number without .0, which Excel does not tell apart, and a date without its midnight."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return str(cell)
