"""Results as Python prints them: the tables of a terminal, at its width."""

from __future__ import annotations

import io
import shutil
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlrank.comparison.notes import legend
from sqlrank.comparison.result import Comparison
from sqlrank.evaluation.explanation import ExplainedDifference, Explanation
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.experiments.result import ArmComparison
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.comparison import comparison_table, standings_table
from sqlrank.output.explanation import shown_difference, shown_places
from sqlrank.output.parts import parts_table
from sqlrank.output.summary import fitting_table
from sqlrank.output.tables import DIGITS, write_on_terminal
from sqlrank.output.verdicts import verdict_table
from sqlrank.pages.tables import Cell, Table
from sqlrank.pages.terminal_tables import Screen, write_lines
from sqlrank.presentation import rows_of
from sqlrank.reports.notebook import tables_of

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
    head, tables, remarks = shown(result, screen)
    file = io.StringIO()
    write_lines(head, file, screen)
    write_on_terminal((list(map(elided, tables)), [*remarks, *result.notes]), file, screen)
    return file.getvalue().rstrip("\n")


def shown(result: Any, screen: Screen) -> tuple[Sequence[str], Sequence[Table], Sequence[str]]:
    """The lines above, the tables, and the lines below."""
    match result:
        case Explanation():
            return shown_places(result, DIGITS)
        case ExplainedDifference():
            return shown_difference(result, DIGITS)
        case Comparison():
            return [], compared_tables(result), [*result.remarks(), legend(result.questions)]
        case ArmComparison():
            return [], tables_of(result), [*result.remarks(), legend(result.questions)]
        case MetricResult():
            return [], [whole(fitting_table(result, DIGITS, screen), "system")], result.remarks()
        case SideBySide():
            return [], [verdict_table(result, DIGITS)], result.remarks()
    return [], tables_of(result), result.remarks()


def compared_tables(comparison: Comparison) -> list[Table]:
    """The tables of a comparison, as the command shows them."""
    above = [standings_table(comparison, DIGITS)] if comparison.all_pairs else []
    table = whole(comparison_table(comparison, comparison.all_rows, DIGITS), "interval")
    return [*above, table, *([parts_table(comparison, DIGITS)] if comparison.all_parts else [])]


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
