"""The report of an evaluation, and the sections that it shares with that of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlrank.evaluation.metric_result import dicts
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import Measure
from sqlrank.pages.drawn_intervals import ends
from sqlrank.pages.html import Block, Page, Text, Verdicts
from sqlrank.pages.tables import Cell
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.curves import CURVES
from sqlrank.reports.charts.making import listed
from sqlrank.reports.charts.result_plots import ResultPlots
from sqlrank.reports.charts.segments import MOST_SEGMENTS
from sqlrank.reports.figures import figures, or_reason
from sqlrank.reports.provenance import counts_table, definition_blocks, inputs_table, note_blocks, source_blocks
from sqlrank.reports.rankings import worst_blocks
from sqlrank.reports.report_settings import Settings, gate_blocks
from sqlrank.reports.tables import metric_page_table, totals_of, totals_page_table
from sqlrank.statistics.student import CONFIDENCE

MOST_METRICS = 3
"""Of how many metrics segments and distributions are drawn."""
MOST_ROWS = 600
"""How many rows a table of segments has, at most."""


def evaluation_page(result: Result, settings: Settings) -> Page:
    """The page of an evaluation."""
    parts = EvaluationParts(result, settings)
    title = settings.words("title-evaluation", names=listed(result.systems))
    return settings.page(
        title,
        verdict=parts.verdict(),
        summary=parts.summary(),
        segments=parts.segments(),
        distribution=parts.distribution(),
        curves=parts.curves(),
        queries=parts.queries(),
        data=parts.data(result.notes),
        definitions=parts.definitions(result.remarks()),
    )


class EvaluationParts:
    """The contents of the sections."""

    def __init__(self, result: Result, settings: Settings, metrics: Sequence[str] | None = None) -> None:
        self.result, self.settings, self.words = result, settings, settings.words
        self.metrics = [measure.text for measure in result.measures] if metrics is None else metrics
        """The metrics that were asked for: a comparison evaluates some besides."""
        self.plots = ResultPlots(result, settings.language, self.metrics)

    def drawn(self, charts: Sequence[Chart]) -> list[Block]:
        """Charts as figures side by side."""
        return [figures(charts, self.settings.interactive)]

    @property
    def measures(self) -> list[Measure]:
        """The measures of these metrics."""
        return [measure for measure in self.result.measures if measure.text in self.metrics]

    def verdict(self) -> list[Block]:
        """The first metric of each system, and the gates."""
        words, digits = self.words, self.settings.digits
        rows = [row for row in totals_of(self.result) if row["metric"] in self.metrics]
        items = []
        for row in rows:
            if row["metric"] != rows[0]["metric"] or row["value"] is None:
                continue
            said = {"metric": row["metric"], "system": row["system"], "value": f"{row['value']:.{digits}f}"}
            detail = words("over-queries-without", queries=row["queries"])
            if row["ci_low"] is not None:
                interval = f"{words('interval', confidence=CONFIDENCE)} {ends(row, digits)}"
                detail = words("over-queries", interval=interval, queries=row["queries"])
            items.append(Cell(words("headline", **said), sign="●", detail=detail))
        return [Verdicts(items), *gate_blocks(self.settings.gates, words)]

    def summary(self) -> list[Block]:
        """Every metric with its interval."""
        return [totals_page_table(self.result, self.words, self.metrics, digits=self.settings.digits)]

    def segments(self) -> list[Block]:
        """The segments, drawn and as a table."""
        result, words = self.result, self.words
        if not result.by:
            return [Text(words("no-segments"))]
        metrics = [measure.text for measure in self.plots.measures[:MOST_METRICS]]
        blocks = self.drawn([self.plots.segments(metric) for metric in metrics])
        rows = [row for row in dicts(result.rows) if not row["is_total"] and row["metric"] in self.metrics]
        several = len({tuple(row[name] for name in result.by) for row in rows})
        if several > MOST_SEGMENTS:
            blocks.append(Text(words("segments-more", shown=MOST_SEGMENTS, all=several)))
        return [*blocks, *segment_tables(self, rows, several)]

    def distribution(self) -> list[Block]:
        """How the values of the queries are distributed."""
        charts = [
            chart(measure.text)
            for chart in (self.plots.distribution, self.plots.ecdf)
            for measure in self.plots.measures[:MOST_METRICS]
        ]
        return self.drawn(charts)

    def curves(self) -> list[Block]:
        """Quality by cutoff and by recall, or why there is none."""

        def make() -> list[Block]:
            families: list[Callable[[], Chart]] = [partial(self.plots.by_cutoff, family) for family in CURVES]
            return self.drawn([chart() for chart in (*families, self.plots.recall_precision)])

        return or_reason(self.words, make)

    def queries(self) -> list[Block]:
        """The worst queries with their rankings."""
        measures = self.plots.measures

        def make() -> list[Block]:
            return worst_blocks(self.result, measures[0], self.words) if measures else []

        return or_reason(self.words, make)

    def data(self, notes: Sequence[str]) -> list[Block]:
        """What the numbers rest on."""
        result, words = self.result, self.words
        blocks: list[Block] = [counts_table(result.counts, words)]
        if not result.unjudged:
            blocks += or_reason(words, lambda: self.drawn([self.plots.unjudged()]))
        return [*blocks, inputs_table(result.inputs, words), *note_blocks(notes, words)]

    def definitions(self, remarks: Sequence[str]) -> list[Block]:
        """How everything is defined, and where it comes from."""
        blocks = definition_blocks(self.measures, self.result.conventions.to_dict(), remarks, self.words)
        return [*blocks, *source_blocks(self.result, self.words)]


def segment_tables(parts: EvaluationParts, rows: Sequence[dict[str, Any]], several: int) -> list[Block]:
    """The table of the segments; of those with the most queries where there are very many."""
    words, result = parts.words, parts.result
    each = max(len(rows) // max(several, 1), 1)
    most, blocks = MOST_ROWS // each, list[Block]()
    if several > most:
        sizes = sorted({(-row["queries"], *(row[name] or "" for name in result.by)) for row in rows})
        kept = {tuple(names) for _, *names in sizes[:most]}
        rows = [row for row in rows if tuple(row[name] or "" for name in result.by) in kept]
        blocks.append(Text(words("segments-cut", shown=len(kept), all=several)))
    places = {measure.text: number for number, measure in enumerate(result.measures)}
    ordered = sorted(rows, key=lambda row: places[row["metric"]])
    table = metric_page_table(result, words, words("segments-table"), ordered, parts.settings.digits, segments=True)
    return [*blocks, table]
