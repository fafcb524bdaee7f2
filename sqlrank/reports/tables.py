"""Results as tables of a page: what a terminal shows, with the words of a language and with intervals drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlrank.comparison.result import Comparison
from sqlrank.comparison.standings import matrix
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.judging.verdicts.columns import COUNTS
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.comparison import comparison_table, tone_of
from sqlrank.output.parts import parts_table
from sqlrank.output.summary import totals_of, values_table
from sqlrank.output.tables import DIGITS, Row
from sqlrank.output.verdicts import verdict_table
from sqlrank.pages.labels import distinct
from sqlrank.pages.tables import SIGNS, Cell, Column, Table, column
from sqlrank.pages.words import Words
from sqlrank.statistics.student import CONFIDENCE

COMPARED = {
    **{name: name for name in ("system", "metric", "queries", "difference", "drawn")},
    **{"relative_difference": "relative", "effect_size": "effect", "wins": "wins", "verdict": "section-verdict"},
    **{"p_adjusted": "adjusted-p", "baseline_queries": "baseline-queries"},
}
"""The words of the columns of a comparison."""
MOST_WIDE, SHORT_DIGITS = 12, 3
"""Above how many systems a matrix has small cells, and how many decimals these have."""
MOST_OPEN = 40
"""From how many rows on a table is folded."""


def totals_page_table(result: MetricResult, words: Words, metrics: Sequence[str], digits: int = DIGITS) -> Table:
    """The totals: a row for each metric and system, with its interval drawn."""
    rows = [row for row in totals_of(result) if row["metric"] in metrics]
    return metric_page_table(result, words, words("summary-table", confidence=CONFIDENCE), rows, digits)


def metric_page_table(
    result: MetricResult, words: Words, caption: str, rows: Sequence[Row], digits: int = DIGITS, segments: bool = False
) -> Table:
    """Rows of a summary, each with its interval drawn next to those of the same metric."""
    by = [f"by {name}" for name in result.by if segments]
    table = values_table(result, rows, digits, words)
    table = table.only("metric", *by, "system", "queries", "mean", "interval", "drawn")
    titles = {name: words(name) for name in ("metric", "system", "queries", "drawn")}
    titles |= {"mean": words("value"), "interval": words("interval", confidence=CONFIDENCE)}
    table = short_names(table.titled(**titles), result.systems)
    return replace(table, caption=caption, folded=len(rows) > MOST_OPEN)


def short_names(table: Table, systems: Sequence[str]) -> Table:
    """The same with long names of systems cut in the middle, so that a row has one line."""
    labels = distinct(systems)

    def cut(one: Column) -> Column:
        title = labels.get(one.title, one.title)
        if one.name not in ("system", "baseline"):
            return replace(one, title=title)
        return replace(one, cells=[cell._replace(text=labels.get(cell.text, cell.text)) for cell in one.cells])

    return replace(table, columns=[cut(one) for one in table.columns])


def comparison_page_table(comparison: Comparison, words: Words, rows: Sequence[Row], digits: int = DIGITS) -> Table:
    """Rows of a comparison, without p before its correction and delta_gsb, and without what is the same in all rows."""
    sides = {row["baseline"] for row in rows}
    confidence = comparison.questions.confidence
    caption = words("comparison-table", baseline=comparison.baseline, confidence=confidence)
    if len(sides) > 1:
        caption = words("pairs-table", confidence=confidence)
    same = ["p_value", "delta_gsb"]
    same += ["system"] if len(comparison.systems) == 2 else []
    same += ["baseline"] if len(sides) == 1 else []
    same += [f"by {name}" for name in comparison.by] if all(row["is_total"] for row in rows) else []
    table = comparison_table(comparison, rows, digits, words).without(*same)
    titles = {name: words(key) for name, key in COMPARED.items()}
    titles |= {"interval": words("interval", confidence=confidence)}
    if comparison.all_pairs:
        titles |= {"baseline_value": words("baseline-value"), "baseline": words("baseline")}
    table = table.titled(**titles)
    if len(comparison.systems) > 2:
        table = table.titled(value=words("value"))
    table = short_names(table, comparison.systems)
    return replace(table, caption=caption, folded=len(rows) > MOST_OPEN)


def parts_page_table(comparison: Comparison, words: Words, digits: int = DIGITS) -> Table:
    """What made the differences of different queries."""
    table = parts_table(comparison, digits, words)
    names = {name: words(name) for name in ("system", "metric", "part", "contribution")}
    if len(comparison.systems) == 2:
        table = table.without("system")
    return replace(table.titled(label=names["part"], shown=names["contribution"]), caption=words("why-table"))


def pair_matrix(comparison: Comparison, words: Words, metric: str, digits: int = DIGITS) -> Table:
    """The differences of all pairs in one metric, in total: the system of the row less that of the column.

    Columns are called by the place of their system, of which the rows are the key.
    """
    cells = matrix(row for row in comparison.all_rows if row["is_total"] and row["metric"] == metric)
    systems = [row["system"] for row in comparison.standings if row["metric"] == metric]
    labels = distinct(comparison.systems)
    digits = 0 if any(row["sqlrank_counts"] for row in cells.values()) else digits
    dense = len(systems) > MOST_WIDE
    digits = min(digits, SHORT_DIGITS) if dense else digits
    columns = [
        column("place", range(1, len(systems) + 1), words("place"), number=True),
        column("system", (labels[system] for system in systems), words("system")),
    ]
    for place, other in enumerate(systems, 1):
        differences = (matrix_cell(cells.get((system, other)), digits, dense) for system in systems)
        columns.append(column(f"less {place}", differences, str(place), number=True))
    return Table(columns, words("pair-matrix", metric=metric), dense=dense)


def matrix_cell(row: Row | None, digits: int, dense: bool) -> Cell:
    """One difference of a matrix, of a `dense` one without a 0 before its point; nothing for a system and itself."""
    if row is None or row["difference"] is None:
        return Cell("" if row is None else "-")
    tone = tone_of(row)
    text = f"{row['difference']:+.{digits}f}"
    text = text[0] + text[2:] if dense and text[1:3] == "0." else text
    return Cell(text, tone, sign=SIGNS[tone] if tone else "")


def verdict_page_table(result: SideBySide, words: Words, digits: int = DIGITS) -> Table:
    """The counts, estimates and decisions of verdicts, with the interval of each drawn."""
    table = verdict_table(result, digits, words=words).without("p_sign", "reading", "disagreement")
    titles = {name: words(name) for name in (*COUNTS, "drawn")}
    titles |= {"judgments_needed": words("judgments-needed")}
    titles |= {"interval": words("interval", confidence=result.confidence), "decision": words("decision")}
    return replace(table.titled(**titles, p_adjusted=words("adjusted-p")), caption=words("verdicts"))
