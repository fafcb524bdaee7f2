"""Results as Python prints them: the tables of a terminal, at its width."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from typing import Any

from sqlrank.output.writing import Destination, Shown, write_shown, writing_of
from sqlrank.pages.tables import Cell, Table
from sqlrank.pages.terminal_tables import Screen
from sqlrank.presentation import rows_of

FIRST, LAST = 50, 10
"""How many rows of a long table are shown, from its beginning and its end, where the totals are."""


def result_text(result: Any) -> str:
    """The tables of a result with its remarks and notes, no wider than the terminal, or than 80 columns without one.

    Raises:
        UsageError: the result is closed.
    """
    rows_of(result, per_query=False)  # of a closed result there are none
    screen = Screen(
        shutil.get_terminal_size().columns,
        verbose=False,
        elsewhere=".rows has every column",
        more=".remarks() has more",
    )
    writing, to = writing_of(type(result)), Destination("table", screen=screen)
    tables = [elided(whole(table, writing.kept)) for table in writing.tables(result, to)]
    file = io.StringIO()
    remarks = [*writing.remarks(result, to), *result.notes]
    write_shown(Shown(tables, remarks, writing.head(result), writing.answers(result)), to, file)
    return file.getvalue().rstrip("\n")


def whole(table: Table, kept: str) -> Table:
    """The same with a column that stays, however narrow the terminal is."""
    return replace(table, spare=[name for name in table.spare if name != kept])


def elided(table: Table) -> Table:
    """The same without the rows in the middle, where there are many."""
    between = len(table.columns[0].cells) - FIRST - LAST
    if between <= 1:
        return table
    marks = [Cell(f"… {between:,} more"), *(Cell("…") for _ in table.columns[1:])]
    pairs = zip(table.columns, marks, strict=True)
    columns = [replace(one, cells=[*one.cells[:FIRST], mark, *one.cells[-LAST:]]) for one, mark in pairs]
    return replace(table, columns=columns)
