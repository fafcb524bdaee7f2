"""The report of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlrank.comparison.circularity import is_withheld
from sqlrank.comparison.notes import legend
from sqlrank.comparison.result import Comparison
from sqlrank.output.comparison import chance, tone_of
from sqlrank.pages.drawn_intervals import ends
from sqlrank.pages.html import Block, Page, Text, Verdicts
from sqlrank.pages.tables import SIGNS, Cell, Table
from sqlrank.reports.charts.comparison_plots import ComparisonPlots
from sqlrank.reports.charts.making import listed
from sqlrank.reports.evaluation import MOST_METRICS, EvaluationParts
from sqlrank.reports.figures import figures
from sqlrank.reports.provenance import definition_blocks, note_blocks
from sqlrank.reports.rankings import MOST_SYSTEMS, mover_blocks
from sqlrank.reports.report_settings import Settings, gate_blocks
from sqlrank.reports.tables import comparison_page_table, pair_matrix, parts_page_table

SAID = {"gain": "better", "loss": "worse", "": "undecided"}
"""The words of a verdict by its tone."""


def comparison_page(comparison: Comparison, settings: Settings) -> Page:
    """The page of a comparison."""
    parts = ComparisonParts(comparison, settings)
    ranked, names = parts.ranked, {"names": listed(comparison.systems[1:]), "baseline": comparison.baseline}
    return settings.page(
        settings.words("title-comparison", **names),
        verdict=parts.verdict(),
        summary=ranked.summary() if ranked else None,
        comparison=parts.comparison(),
        segments=parts.segments(),
        distribution=parts.distribution(),
        curves=ranked.curves() if ranked else None,
        queries=mover_blocks(comparison, parts.metrics[0], settings.words),
        data=ranked.data(comparison.notes) if ranked else None,
        definitions=parts.definitions(),
    )


class ComparisonParts:
    """The contents of the sections."""

    def __init__(self, comparison: Comparison, settings: Settings) -> None:
        self.made, self.settings, self.words = comparison, settings, settings.words
        self.plots = ComparisonPlots(comparison, settings.language)
        self.metrics = [measure.text for measure in comparison.measures]
        result = comparison.evaluation
        self.ranked = None if result is None else EvaluationParts(result, settings, self.metrics)
        """The parts that come from the evaluation of the runs; None where all of them were stored."""

    def verdict(self) -> list[Block]:
        """What is better and what is worse in the first metric, and the gates."""
        rows = [row for row in self.made.against_baseline if row["is_total"] and row["metric"] == self.metrics[0]]
        items = [self.said(row) for row in rows if row["difference"] is not None]
        return [Verdicts(items), *gate_blocks(self.settings.gates, self.words)]

    def said(self, row: Mapping[str, Any]) -> Cell:
        """One verdict."""
        words, digits, tone = self.words, self.settings.digits, tone_of(row)
        names = {"system": row["system"], "baseline": row["baseline"], "metric": row["metric"]}
        numbers = {"difference": f"{row['difference']:+.{digits}f}", "queries": row["queries"]}
        numbers["p"] = chance(row["p_adjusted"], digits)
        detail = words("by-how-much-without", **numbers)
        if row["ci_low"] is not None:
            interval = f"{words('interval', confidence=self.made.questions.confidence)} {ends(row, digits, '+')}"
            detail = words("by-how-much", interval=interval, **numbers)
        if is_withheld(row):
            return Cell(words("withheld", favoured=row["favoured"], **names), tone, sign=SIGNS[tone], detail=detail)
        return Cell(words(SAID[tone], **names), tone, sign=SIGNS[tone], detail=detail)

    def comparison(self) -> list[Block]:
        """The differences, drawn and as a table."""
        rows = [row for row in self.made.against_baseline if row["is_total"]]
        matrices = [
            pair_matrix(self.made, self.words, metric, self.settings.digits)
            for metric in self.metrics[: MOST_METRICS if self.made.all_pairs else 0]
        ]
        return [
            *matrices,
            figures([self.plots.differences()], self.settings.interactive),
            comparison_page_table(self.made, self.words, rows, self.settings.digits),
            *self.why(),
            Text(legend(self.made.questions)),
        ]

    def why(self) -> list[Block]:
        """What made the differences, where systems have queries of their own."""
        if not self.made.all_parts:
            return []
        charts = [
            self.plots.waterfall(metric, system)
            for system in self.made.systems[1 : 1 + MOST_SYSTEMS]
            for metric in self.metrics[:MOST_METRICS]
        ]
        table = parts_page_table(self.made, self.words, self.settings.digits)
        return [figures(charts, self.settings.interactive), table]

    def segments(self) -> list[Block]:
        """The differences of the segments, drawn and as a table, and the values themselves."""
        if not self.made.by:
            return [Text(self.words("no-segments"))]
        charts = [
            self.plots.segments(metric, system)
            for system in self.made.systems[1 : 1 + MOST_SYSTEMS]
            for metric in self.metrics[:MOST_METRICS]
        ]
        rows = [row for row in self.made.against_baseline if not row["is_total"]]
        blocks: list[Block] = [figures(charts, self.settings.interactive), self.table(rows)]
        return [*blocks, *(self.ranked.segments() if self.ranked else [])]

    def table(self, rows: list[dict[str, Any]]) -> Table:
        """The differences of the segments, by metric."""
        ordered = sorted(rows, key=lambda row: self.metrics.index(row["metric"]))
        return comparison_page_table(self.made, self.words, ordered, self.settings.digits)

    def distribution(self) -> list[Block]:
        """Differences query by query, and the distributions of the values."""
        shared = any(row["shared_queries"] for row in self.made.all_rows)
        charts = [self.plots.sorted_differences(metric) for metric in self.metrics[: MOST_METRICS if shared else 0]]
        if not charts and not self.ranked:
            return [Text(self.words("no-shared-queries"))]
        return [figures(charts, self.settings.interactive), *(self.ranked.distribution() if self.ranked else [])]

    def definitions(self) -> list[Block]:
        """How everything is defined, and where it comes from."""
        remarks = self.made.remarks()
        if self.ranked is not None:
            return self.ranked.definitions(remarks)
        made = self.made
        return [
            *note_blocks(made.notes, self.words),
            *definition_blocks(made.measures, made.conventions, remarks, self.words),
        ]
