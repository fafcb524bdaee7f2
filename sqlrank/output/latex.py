"""Comparisons as tables of LaTeX, for papers: a row per system, or of all pairs a matrix of differences."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isclose
from typing import Any, TextIO

from sqlrank.comparison.circularity import is_withheld
from sqlrank.comparison.notes import Row, families_in_words, legend, stars
from sqlrank.comparison.paired import TOLERANCE
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.standings import matrix
from sqlrank.errors import UsageError
from sqlrank.pages.text_tables import captioned, comments, latex_text, tabular, write_lines
from sqlrank.statistics.corrections import CORRECTIONS

NO_ROW: Row = {"significant": None}
"""Where a segment has no pairs of a metric."""


def write_latex(comparison: Comparison, file: TextIO, digits: int) -> None:
    """Write the values for a paper: a row per system, the best in bold, stars for significant differences."""
    texts = [measure.text for measure in comparison.measures]
    alignment = "l" * (1 + len(comparison.by)) + "r" * len(texts)
    parts = [latex_block(comparison, block, digits) for block in blocks(comparison)]
    table = tabular(alignment, ["system", *comparison.by, *texts], parts)
    write_lines([*comments(comparison.remarks()), *captioned(caption(comparison), table)], file)


def blocks(comparison: Comparison) -> list[dict[tuple[str, str], Row]]:
    """The rows of each segment by system and metric, the total last."""
    found: dict[tuple[Any, ...], dict[tuple[str, str], Row]] = {}
    for row in sorted(comparison.all_rows, key=lambda row: row["is_total"]):
        segment = (row["is_total"], *(row[name] for name in comparison.by))
        found.setdefault(segment, {})[row["system"], row["metric"]] = row
    return list(found.values())


def latex_block(comparison: Comparison, block: dict[tuple[str, str], Row], digits: int) -> list[str]:
    """The lines of one segment, the baseline first."""
    values = values_of(comparison, block)
    first = next(iter(block.values()))
    labels = ["(all)" if first["is_total"] else str(first[name]) for name in comparison.by]
    lines = []
    for system in comparison.systems:
        cells = [latex_text(text) for text in (system, *labels)]
        for measure in comparison.measures:
            column = [values.get((name, measure.text)) for name in comparison.systems]
            if any(text == measure.text and is_withheld(row) for (_, text), row in block.items()):
                column = [None]  # which is the best nobody knows
            number = latex_number(values.get((system, measure.text)), column, 0 if measure.counts else digits)
            marks = "" if system == comparison.baseline else marks_of(block.get((system, measure.text), NO_ROW))
            cells.append(number + (f"$^{{{marks}}}$" if marks else ""))
        lines.append(" & ".join(cells) + r" \\")
    return lines


def values_of(comparison: Comparison, block: dict[tuple[str, str], Row]) -> dict[tuple[str, str], float | None]:
    """The values of a segment by system and metric; UsageError if the baseline has several, over different queries."""
    values: dict[tuple[str, str], float | None] = {}
    for (system, text), row in block.items():
        values[system, text] = row["value"]
        known = values.setdefault((comparison.baseline, text), row["baseline_value"])
        if known is not None and not isclose(known, row["baseline_value"], rel_tol=TOLERANCE):
            raise UsageError(
                f"{text}: the queries with a value on both sides are not the same for all candidates, so the baseline"
                " has more than one mean; compare one candidate at a time, or choose --format table"
            )
    return values


def latex_number(value: float | None, column: list[float | None], digits: int) -> str:
    """A value, in bold where no other of its column is larger."""
    if value is None:
        return "-"
    best = max((other for other in column if other is not None), default=inf)
    return rf"\textbf{{{value:.{digits}f}}}" if isclose(value, best, rel_tol=TOLERANCE) else f"{value:.{digits}f}"


def marks_of(row: Row) -> str:
    """The stars of a row, or a dagger where it has no verdict."""
    return r"\dagger" if is_withheld(row) else stars(row)


def daggers(rows: Iterable[Row]) -> str:
    """What a dagger means, where there is one."""
    favoured = ", ".join(dict.fromkeys(row["favoured"] for row in rows if is_withheld(row)))
    return f" Dagger: no verdict, as the judgments come from clicks, which favour {favoured}." if favoured else ""


def caption(comparison: Comparison) -> str:
    """The caption: what a reader of the table must know."""
    questions = comparison.questions
    uncorrected = f"{families_in_words(comparison.all_rows)}, not corrected"
    corrected = uncorrected if questions.correction == "none" else corrections_of(comparison)
    return (
        f"Means over {comparison.size} queries, the best in bold. Stars: significantly different from"
        f" {comparison.baseline} ({questions.name_of_test}, {corrected}; {legend(comparison.questions)})."
        f"{daggers(comparison.all_rows)}"
    )


def corrections_of(comparison: Comparison) -> str:
    """Which p values were corrected together, and how."""
    how = "the largest t" if comparison.questions.joint else CORRECTIONS[comparison.questions.correction][0]
    return f"{families_in_words(comparison.all_rows)} corrected by {how}"


def write_matrices(comparison: Comparison, file: TextIO, digits: int) -> None:
    """Write for each metric and segment the differences of all pairs, the system of the row less that of the column."""
    lines = [line for block in matrices(comparison) for line in matrix_lines(comparison, block, digits)]
    write_lines([*comments(comparison.remarks()), *lines], file)


def matrices(comparison: Comparison) -> list[list[Row]]:
    """The rows of each metric and segment, the total first."""
    found: dict[tuple[object, ...], list[Row]] = {}
    for row in sorted(comparison.all_rows, key=lambda row: not row["is_total"]):
        key = (row["is_total"], *(row[name] for name in comparison.by), row["metric"])
        found.setdefault(key, []).append(row)
    return list(found.values())


def matrix_lines(comparison: Comparison, rows: list[Row], digits: int) -> list[str]:
    """The lines of one matrix."""
    cells, systems = matrix(rows), comparison.systems
    places = 0 if rows[0]["sqlrank_counts"] else digits
    body = []
    for system in systems:
        line = [matrix_cell(cells.get((system, other)), places) for other in systems]
        body.append(" & ".join([latex_text(system), *line]) + r" \\")
    return captioned(
        matrix_caption(comparison, rows[0]) + daggers(rows), tabular("l" + "r" * len(systems), ["", *systems], [body])
    )


def matrix_cell(row: Row | None, digits: int) -> str:
    """One difference with its stars; nothing for a system and itself."""
    if row is None:
        return ""
    if row["difference"] is None:
        return "-"
    marks = marks_of(row)
    return f"${row['difference']:+.{digits}f}" + (f"^{{{marks}}}$" if marks else "$")


def matrix_caption(comparison: Comparison, row: Row) -> str:
    """The caption: what a reader of the matrix must know."""
    questions = comparison.questions
    named = [] if row["is_total"] or not comparison.by else [f"{name} {row[name]}" for name in comparison.by]
    where = f" ({', '.join(named)})" if named else ""
    corrected = "not corrected" if questions.correction == "none" else corrections_of(comparison)
    return (
        f"Differences of {row['metric']}{where}, the system of the row less that of the column, over {row['queries']}"
        f" queries. Stars: significant ({questions.name_of_test}, {corrected}; {legend(questions)})."
    )
