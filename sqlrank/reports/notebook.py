"""Results as cells of a notebook show them."""

from __future__ import annotations

from typing import Any

from sqlrank.comparison.notes import legend
from sqlrank.comparison.result import Comparison
from sqlrank.errors import UsageError
from sqlrank.evaluation.explanation import ExplainedDifference, Explanation
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.judging.pooling.pool import Pool
from sqlrank.judging.raters.rater_agreement import RaterAgreement
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.agreement import lines_of as lines_of_measures
from sqlrank.output.explanation import explained, grid_of, values_grid
from sqlrank.output.pool import NUMBERS, hint_of, lines_of
from sqlrank.output.tables import DIGITS
from sqlrank.pages.elements import Column, Table, plain
from sqlrank.pages.html import fragment_html
from sqlrank.pages.terminal_tables import Grid
from sqlrank.pages.words import words_of
from sqlrank.reports.tables import comparison_table, verdict_table, wide_table
from sqlrank.statistics.student import CONFIDENCE

WORDS = words_of("en")
LEFT = ("doc_id", "ideal_doc_id")
"""The columns of an explanation that are not numbers."""


def result_html(result: Any) -> str:
    """A result with its notes and remarks; UsageError if there are no tables of its kind."""
    if isinstance(result, Explanation):
        return explanation_html(result)
    if isinstance(result, ExplainedDifference):
        return difference_html(result)
    if isinstance(result, MetricResult):
        table, remarks = wide_table(result, WORDS("summary-table", confidence=CONFIDENCE)), result.remarks()
    elif isinstance(result, Comparison):
        table, remarks = comparison_table(result, WORDS, result.all_rows), result.remarks()
        remarks.append(legend(result.questions))
    elif isinstance(result, Pool):
        (header, *lines), remarks = lines_of(result, DIGITS), result.remarks()
        columns = [Column(name, number=name in NUMBERS) for name in header]
        table = Table(hint_of(result, len(lines)), columns, [plain(line) for line in lines])
    elif isinstance(result, RaterAgreement):
        (header, *lines), remarks = lines_of_measures(result, DIGITS), result.remarks()
        columns = [Column(name, number=place > 0) for place, name in enumerate(header)]
        table = Table("", columns, [plain(line) for line in lines])
    elif isinstance(result, SideBySide):
        table, remarks = verdict_table(result, WORDS), result.remarks()
    else:
        raise UsageError(f"there are no tables of a {type(result).__name__}")
    return fragment_html([table], result.notes, WORDS("method"), remarks)


def explanation_html(explanation: Explanation) -> str:
    """One ranking beside the best one, and the values of the metrics."""
    names = explanation.columns
    columns = [Column(name, number=name not in LEFT) for name in names]
    rows = [
        plain([explained(name, value, DIGITS) for name, value in zip(names, row, strict=True)])
        for row in explanation.fetchall()
    ]
    values = [plain([text, explained("value", value, DIGITS)]) for text, value in explanation.values.items()]
    metrics = Table("", [Column(WORDS("metric")), Column(WORDS("value"), number=True)], values)
    caption = f"{explanation.title}: {explanation.system}"
    return fragment_html([Table(caption, columns, rows), metrics])


def difference_html(explanation: ExplainedDifference) -> str:
    """Two rankings of one query side by side, and the values of the metrics."""
    documents = grid_table(grid_of(explanation, DIGITS), f"{explanation.title}. {explanation.legend}")
    metrics = grid_table(values_grid(explanation, DIGITS), "")
    return fragment_html([documents, metrics], explanation.notes, WORDS("method"), explanation.remarks())


def grid_table(grid: Grid, caption: str) -> Table:
    """A table of the terminal as one of a page."""
    columns = [Column(name, number=number not in grid.words) for number, name in enumerate(grid.header)]
    return Table(caption, columns, [plain(row) for row in grid.rows])
