"""The report of a comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlrank.comparison.notes import legend
from sqlrank.comparison.result import Comparison
from sqlrank.evaluation.fingerprints import folder_of
from sqlrank.output.leaderboard import FEWEST, Leaderboard, verdicts_of
from sqlrank.pages.html import Block, Page, Text
from sqlrank.pages.tables import Table
from sqlrank.reports.charts.comparison_plots import ComparisonPlots
from sqlrank.reports.evaluation import MOST_METRICS, EvaluationParts
from sqlrank.reports.figures import figures
from sqlrank.reports.provenance import definition_blocks, note_blocks
from sqlrank.reports.rankings import MOST_SYSTEMS, mover_blocks
from sqlrank.reports.report_settings import Settings
from sqlrank.reports.tables import comparison_page_table, pair_matrix, parts_page_table


def comparison_page(comparison: Comparison, settings: Settings) -> Page:
    """The page of a comparison."""
    parts, words = ComparisonParts(comparison, settings), settings.words
    ranked, many = parts.ranked, len(comparison.systems) >= FEWEST
    baseline, name, *_ = parts.board.labels.values()
    title = words("title-comparison", names=name, baseline=baseline)
    return settings.page(
        words("title-many", number=len(comparison.systems)) if many else title,
        "" if comparison.evaluation is None else folder_of(comparison.evaluation.fingerprints()),
        verdict=parts.verdict(),
        summary=ranked.summary() if ranked and not many else None,
        comparison=parts.comparison(),
        segments=parts.segments(),
        distribution=parts.distribution(),
        curves=ranked.curves() if ranked else None,
        queries=parts.queries(),
        data=ranked.data(comparison.notes) if ranked else None,
        definitions=parts.definitions(),
    )


class ComparisonParts:
    """The contents of the sections."""

    def __init__(self, comparison: Comparison, settings: Settings) -> None:
        self.made, self.settings, self.words = comparison, settings, settings.words
        self.plots = ComparisonPlots(comparison, settings.lang)
        self.metrics = [measure.text for measure in comparison.measures]
        self.board = Leaderboard.of(comparison, self.words, settings.digits)
        self.many = len(comparison.systems) >= FEWEST
        """Whether there are so many systems that they are shown in a table of places."""
        result = comparison.evaluation
        order = [system for system in self.board.systems if result is not None and system in result.systems]
        order = order if self.many else list(result.systems) if result else []
        self.ranked = None if result is None else EvaluationParts(result, settings, self.metrics, order)
        """The parts that come from the evaluation of the runs; None where all of them were stored."""

    @property
    def candidates(self) -> list[str]:
        """The systems that are held against the baseline, the best first."""
        return [system for system in self.board.systems if system != self.made.baseline]

    def verdict(self) -> list[Block]:
        """What is better, by how much, how sure, and where not; and the gates."""
        made, board = self.made, self.board
        answer = self.settings.answer(verdicts_of(made, board))
        if not self.many:
            return [answer]
        letters = {(row["system"], row["metric"]): row["letters"] for row in made.standings}
        return [answer, board.table(letters, None if made.all_pairs else made.baseline)]

    def comparison(self) -> list[Block]:
        """The differences, drawn and as a table, or of all pairs as matrices."""
        rows = [row for row in self.made.against_baseline if row["is_total"]]
        blocks: list[Block] = []
        if self.made.all_pairs:
            rows = [row for row in self.made.all_rows if row["is_total"]]
            blocks += [self.matrix(metric, place > 0) for place, metric in enumerate(self.metrics)]
        else:
            drawn = self.plots.differences(self.metrics[0] if self.many else None)
            blocks.append(figures([drawn], self.settings.interactive))
        table = comparison_page_table(self.made, self.words, rows, self.settings.digits)
        return [*blocks, table, *self.why(), Text(self.words.said(legend(self.made.questions)))]

    def matrix(self, metric: str, folded: bool) -> Table:
        """All pairs in one metric."""
        return replace(pair_matrix(self.made, self.words, metric, self.settings.digits), folded=folded)

    def why(self) -> list[Block]:
        """What made the differences, where systems have queries of their own."""
        if not self.made.all_parts:
            return []
        charts = [
            self.plots.waterfall(metric, system)
            for system in self.candidates[:MOST_SYSTEMS]
            for metric in self.metrics[: 1 if self.many else MOST_METRICS]
        ]
        table = parts_page_table(self.made, self.words, self.settings.digits)
        return [figures(charts, self.settings.interactive), table]

    def segments(self) -> list[Block]:
        """The differences of the segments of two systems, or the values of more, drawn and as a table."""
        made = self.made
        if not made.by:
            return []
        if self.many and self.ranked:
            return self.ranked.segments()
        charts = [self.plots.segments(metric, wide=True) for metric in self.metrics[:MOST_METRICS]]
        rows = [row for row in made.against_baseline if not row["is_total"]]
        blocks: list[Block] = [figures(charts, self.settings.interactive, wide=True), self.table(rows)]
        return [*blocks, *(self.ranked.tables() if self.ranked else [])]

    def table(self, rows: list[dict[str, Any]]) -> Table:
        """The differences of the segments, by metric."""
        ordered = sorted(rows, key=lambda row: self.metrics.index(row["metric"]))
        return comparison_page_table(self.made, self.words, ordered, self.settings.digits)

    def distribution(self) -> list[Block]:
        """Differences query by query, and the distributions of the values."""
        shared = not self.many and any(row["shared_queries"] for row in self.made.all_rows)
        if not shared and not self.ranked:
            return []
        charts = [self.plots.sorted_differences(self.metrics[0])] if shared else []
        drawn: list[Block] = [figures(charts, self.settings.interactive)] if charts else []
        return [*drawn, *(self.ranked.distribution() if self.ranked else [])]

    def queries(self) -> list[Block]:
        """The queries that moved most, or of many systems the worst of the best one."""
        if self.many and self.ranked and self.made.all_pairs:
            return self.ranked.queries()
        return mover_blocks(self.made, self.made.measures[0], self.candidates, self.words)

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
