"""Results as tables of a page: the numbers that a terminal shows, rounded alike, with intervals drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlrank.comparison.result import Comparison
from sqlrank.comparison.standings import matrix
from sqlrank.evaluation.metric_result import MetricResult, dicts
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.comparison import cells_of, header_of, left_of, tone_of
from sqlrank.output.rater_texts import rounded
from sqlrank.output.tables import DIGITS, cell, wide
from sqlrank.output.verdicts import COUNTS, TONES, line, small
from sqlrank.pages.drawn_intervals import Row, drawings, ends
from sqlrank.pages.elements import Cell, Column, Table, plain
from sqlrank.pages.words import Words
from sqlrank.statistics.student import CONFIDENCE

MOST_OPEN = 40
"""From how many rows on a table is folded."""
SIGNS = {"gain": "▲", "loss": "▼", "": "●"}
"""What says to those who see no colours whether a difference is a gain."""


def wide_table(result: MetricResult, caption: str, digits: int = DIGITS) -> Table:
    """The summary as a terminal shows it: a row for each system and segment, or for each metric where many are."""
    header, rows, left = wide(result, digits)
    columns = [Column(text, number=number >= left) for number, text in enumerate(header)]
    return Table(caption, columns, [plain(row) for row in rows])


def summary_table(result: MetricResult, words: Words, metrics: Sequence[str], digits: int = DIGITS) -> Table:
    """The totals: a row for each metric and system, with its interval drawn."""
    rows = [row for row in totals_of(result) if row["metric"] in metrics]
    return metric_table(result, words, words("summary-table", confidence=CONFIDENCE), rows, digits)


def totals_of(result: MetricResult) -> list[dict[str, Any]]:
    """The rows of the totals, by metric."""
    rows = [row for row in dicts(result.rows) if row.get("is_total", True)]
    places = {measure.text: number for number, measure in enumerate(result.measures)}
    return sorted(rows, key=lambda row: places[row["metric"]])


def metric_table(
    result: MetricResult, words: Words, caption: str, rows: Sequence[Row], digits: int = DIGITS, segments: bool = False
) -> Table:
    """Rows of a summary, each with its interval drawn beside those of the same metric."""
    counted = {measure.text for measure in result.measures if measure.counts}
    by = list(result.by) if segments else []
    heads = [Column(words("metric")), *map(Column, by), Column(words("system")), Column(words("queries"), number=True)]
    heads += [Column(words("value"), number=True), Column(words("interval", confidence=CONFIDENCE), number=True)]
    heads += [Column(words("drawn"), bar=True)]
    drawn = drawings(rows, ("value", "ci_low", "ci_high"), lambda row: row["metric"], zero=False)
    lines = []
    for row, interval in zip(rows, drawn, strict=True):
        shown = {**row, "ci_low": None}
        names = [words("all") if row["is_total"] else str(row[name]) for name in by]
        texts = [row["metric"], *names, row["system"], row["queries"], cell(shown, digits, row["metric"] in counted)]
        texts.append("-" if row["ci_low"] is None else ends(row, digits))
        lines.append([*plain(texts), Cell("", interval=interval)])
    return Table(caption, heads, lines, folded=len(lines) > MOST_OPEN)


def comparison_table(comparison: Comparison, words: Words, rows: Sequence[Row], digits: int = DIGITS) -> Table:
    """Rows of a comparison as a terminal shows them, differences coloured where they are significant, and drawn."""
    sides = {row["baseline"] for row in rows}
    confidence = comparison.questions.confidence
    caption = words("comparison-table", baseline=comparison.baseline, confidence=confidence)
    if len(sides) > 1:
        caption = words("pairs-table", confidence=confidence)
    left, header = left_of(comparison), [text.strip() for text in header_of(comparison)]
    drawn = drawings(rows, ("difference", "ci_low", "ci_high"), lambda row: row["metric"], zero=True)
    lines = []
    for row, interval in zip(rows, drawn, strict=True):
        tone = tone_of(row)
        cells = plain([text.strip() for text in cells_of(comparison, dict(row), digits)])
        sign = "" if row["difference"] is None else SIGNS[tone]
        cells[left + 3] = Cell(cells[left + 3].text, tone, sign=sign)
        lines.append([*cells[: left + 5], Cell("", tone, interval=interval), *cells[left + 5 :]])
    columns = [Column(text, number=number >= left) for number, text in enumerate(header)]
    columns.insert(left + 5, Column(words("drawn"), bar=True))
    kept = told_apart(comparison, rows, left, len(columns))
    shown = [[line[place] for place in kept] for line in lines]
    return Table(caption, [columns[place] for place in kept], shown, folded=len(rows) > MOST_OPEN)


def told_apart(comparison: Comparison, rows: Sequence[Row], left: int, width: int) -> list[int]:
    """The places of the columns that a page has room for: no system or segment where all rows have the same.

    Left out are p before its correction and delta_gsb, the last one.
    """
    totals = all(row["is_total"] for row in rows)
    first = 1 + comparison.all_pairs
    same = [0] * (len(comparison.systems) == 2) + [*range(first, left - 1)] * totals
    same += [1] * (comparison.all_pairs and len({row["baseline"] for row in rows}) == 1)
    unadjusted, last = left + 7, width - 1
    return [place for place in range(width) if place not in (*same, unadjusted, last)]


def pair_matrix(comparison: Comparison, words: Words, metric: str, digits: int = DIGITS) -> Table:
    """The differences of all pairs in one metric, in total: the system of the row less that of the column."""
    cells = matrix(row for row in comparison.all_rows if row["is_total"] and row["metric"] == metric)
    standing = [row for row in comparison.standings if row["metric"] == metric]
    systems = [row["system"] for row in standing]
    counted = any(row["sqlrank_counts"] for row in cells.values())
    lines = []
    for row in standing:
        value = "-" if row["value"] is None else f"{row['value']:.{0 if counted else digits}f}"
        line = plain([row["system"], value, row["letters"]])
        line += [matrix_cell(cells.get((row["system"], other)), 0 if counted else digits) for other in systems]
        lines.append(line)
    heads = [Column(words("system")), Column(words("value"), number=True), Column(words("letters"))]
    heads += [Column(system, number=True) for system in systems]
    return Table(words("pair-matrix", metric=metric), heads, lines)


def matrix_cell(row: Row | None, digits: int) -> Cell:
    """One difference of a matrix; nothing for a system and itself."""
    if row is None or row["difference"] is None:
        return Cell("" if row is None else "-")
    tone = tone_of(row)
    return Cell(f"{row['difference']:+.{digits}f}", tone, sign=SIGNS[tone] if tone else "")


def verdict_table(result: SideBySide, words: Words, digits: int = DIGITS) -> Table:
    """The counts, estimates and decisions of verdicts, with the interval of each drawn."""
    rows = list(dicts(result.rows))
    drawn = drawings(rows, ("delta_gsb", "ci_low", "ci_high"), lambda _: None, zero=True)
    heads = [*map(Column, result.by), *(Column(words(name), number=True) for name in COUNTS)]
    heads += [Column("delta_gsb", number=True), Column(words("interval", confidence=result.confidence), number=True)]
    heads += [Column(words("drawn"), bar=True), Column("p", number=True)]
    heads += [Column("adjusted p", number=True)] if result.by else []
    heads += [Column(words("verdict")), Column("judgments needed", number=True)]
    lines = []
    for row, interval in zip(rows, drawn, strict=True):
        tone, texts = TONES.get(row["decision"], ""), line(result, row, digits)
        left = len(result.by)
        chances = [small(row[name], digits) for name in ("p_value", *(["p_adjusted"] if result.by else []))]
        cells = plain(texts[: left + len(COUNTS)])
        cells += [Cell(rounded(row["delta_gsb"], digits), tone, sign=SIGNS[tone]), Cell(texts[left + len(COUNTS) + 1])]
        cells += [Cell("", tone, interval=interval), *plain(chances), Cell(row["decision"], tone)]
        lines.append([*cells, Cell(texts[texts.index(row["decision"], left) + 1])])
    return Table(words("verdicts"), heads, lines)
