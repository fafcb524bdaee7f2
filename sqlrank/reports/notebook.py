"""Results as cells of a notebook show them."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from sqlrank.behaviour.inspected import LogInspection
from sqlrank.comparison.result import Comparison
from sqlrank.evaluation.explanation import Explanation
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.writing import Destination, writing_of
from sqlrank.pages.html import fragment_html
from sqlrank.pages.tables import Table, lines_table, listed
from sqlrank.pages.words import ENGLISH
from sqlrank.reports.tables import comparison_page_table, parts_page_table, verdict_page_table

CELL = Destination("html")
"""A cell of a notebook."""


def result_html(result: Any) -> str:
    """A result with its notes and remarks; UsageError if there are no tables of its kind."""
    writing, notes = writing_of(type(result)), [] if isinstance(result, Explanation) else result.notes
    remarks = writing.remarks(result, CELL)
    return fragment_html(tables_of(result), notes, ENGLISH("method"), remarks, writing.answers(result))


def log_html(found: LogInspection) -> str:
    """What a log is: its roles, the command to go on with, what was settled and what was noticed."""
    roles = lines_table(takewhile(bool, found.lines()))
    tables = [roles, listed(["command"], [[found.command]], caption="to go on with")]
    return fragment_html(tables, [*found.settled, *found.notes])


def tables_of(result: Any) -> list[Table]:
    """The tables of a result, where a report has them with their intervals drawn; UsageError if there are none."""
    if isinstance(result, Comparison):
        parts = [parts_page_table(result, ENGLISH)] if result.all_parts else []
        return [comparison_page_table(result, ENGLISH, result.all_rows), *parts]
    if isinstance(result, SideBySide):
        return [verdict_page_table(result, ENGLISH)]
    return [table.without("drawn") for table in writing_of(type(result)).tables(result, CELL)]
