"""Comparisons of all pairs as tables of LaTeX: a matrix of differences for each metric and segment."""

from __future__ import annotations

from typing import TextIO

from sqlrank.comparison.notes import Row, legend, stars
from sqlrank.comparison.result import Comparison
from sqlrank.comparison.significance import TESTS
from sqlrank.comparison.standings import matrix
from sqlrank.output.latex import corrections_of
from sqlrank.pages.latex_tables import captioned, comments, latex_text, tabular, write_lines


def write_matrices(comparison: Comparison, file: TextIO, digits: int) -> None:
    """Write for each metric and segment the differences of all pairs, the system of the row less that of the column."""
    lines = [line for block in blocks(comparison) for line in table_of(comparison, block, digits)]
    write_lines([*comments(comparison.remarks()), *lines], file)


def blocks(comparison: Comparison) -> list[list[Row]]:
    """The rows of each metric and segment, the total first."""
    found: dict[tuple[object, ...], list[Row]] = {}
    for row in sorted(comparison.all_rows, key=lambda row: not row["is_total"]):
        key = (row["is_total"], *(row[name] for name in comparison.by), row["metric"])
        found.setdefault(key, []).append(row)
    return list(found.values())


def table_of(comparison: Comparison, rows: list[Row], digits: int) -> list[str]:
    """The lines of one matrix."""
    cells, systems = matrix(rows), comparison.systems
    places = 0 if rows[0]["sqlrank_counts"] else digits
    body = []
    for system in systems:
        line = [cell(cells.get((system, other)), places) for other in systems]
        body.append(" & ".join([latex_text(system), *line]) + r" \\")
    return captioned(caption(comparison, rows[0]), tabular("l" + "r" * len(systems), ["", *systems], [body]))


def cell(row: Row | None, digits: int) -> str:
    """One difference with its stars; nothing for a system and itself."""
    if row is None:
        return ""
    if row["difference"] is None:
        return "-"
    marks = stars(row)
    return f"${row['difference']:+.{digits}f}" + (f"^{{{marks}}}$" if marks else "$")


def caption(comparison: Comparison, row: Row) -> str:
    """The caption: what a reader of the matrix must know."""
    questions = comparison.questions
    named = [] if row["is_total"] or not comparison.by else [f"{name} {row[name]}" for name in comparison.by]
    where = f" ({', '.join(named)})" if named else ""
    others = {"none": "not corrected", "tukey": "corrected by Tukey's HSD by randomization"}
    corrected = others.get(questions.correction) or corrections_of(comparison)
    return (
        f"Differences of {row['metric']}{where}, the system of the row less that of the column, over {row['queries']}"
        f" queries. Stars: significant ({TESTS[questions.test]}, {corrected}; {legend(questions)})."
    )
