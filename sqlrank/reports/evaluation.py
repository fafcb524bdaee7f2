"""The report of an evaluation, and the sections that it shares with that of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlrank.errors import UsageError
from sqlrank.evaluation.fingerprints import folder_of
from sqlrank.evaluation.metric_result import dicts
from sqlrank.evaluation.result import Result
from sqlrank.metrics.measure import Measure
from sqlrank.output.leaderboard import FEWEST, Leaderboard, values_of
from sqlrank.pages.html import Block, Page, Text
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.curves import CURVES
from sqlrank.reports.charts.making import listed
from sqlrank.reports.charts.result_plots import ResultPlots
from sqlrank.reports.charts.segments import MOST_SEGMENTS
from sqlrank.reports.figures import figures
from sqlrank.reports.provenance import counts_table, definition_blocks, inputs_table, note_blocks, source_blocks
from sqlrank.reports.rankings import worst_blocks
from sqlrank.reports.report_settings import Settings
from sqlrank.reports.tables import metric_page_table, totals_page_table
from sqlrank.reports.value_answers import ValueAnswer

MOST_METRICS = 3
"""The number of metrics whose segments and distributions are drawn."""
MOST_DRAWN = 4
"""The number of systems whose segments are drawn, the best ones."""
MOST_ROWS = 600
"""How many rows a table of segments has, at most."""


def evaluation_page(result: Result, settings: Settings) -> Page:
    """The page of an evaluation."""
    parts = EvaluationParts(result, settings)
    title = settings.words("title-evaluation", names=listed(list(parts.board.labels.values())))
    return settings.page(
        title,
        folder_of(result.fingerprints()),
        **{"verdict" if len(result.systems) == 1 else "systems": parts.verdict()},
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

    def __init__(
        self,
        result: Result,
        settings: Settings,
        metrics: Sequence[str] | None = None,
        order: Sequence[str] | None = None,
    ) -> None:
        self.result, self.settings, self.words = result, settings, settings.words
        self.metrics = [measure.text for measure in result.measures] if metrics is None else metrics
        """The metrics that were asked for: a comparison evaluates some besides."""
        self.board = Leaderboard(result.systems, self.measures, values_of(result), self.words, settings.digits)
        self.order = list(self.board.systems if order is None else order)
        """The systems, the best first."""
        several = len(self.order) > 1
        self.plots = ResultPlots(result, settings.lang, self.metrics, self.order if several else None)
        self.left_out: list[str] = []
        """Why something is not shown."""

    def drawn(self, charts: Sequence[Chart], wide: bool = False) -> list[Block]:
        """Charts as figures side by side, or each over the whole width."""
        return [figures(charts, self.settings.interactive, wide)]

    def or_reason(self, make: Callable[[], list[Block]]) -> list[Block]:
        """Blocks, or nothing, and among the notes why they cannot be made from this result."""
        try:
            return make()
        except UsageError as error:
            if str(error) not in self.left_out:
                self.left_out.append(str(error))
            return []

    @property
    def measures(self) -> list[Measure]:
        """The measures of these metrics."""
        return [measure for measure in self.result.measures if measure.text in self.metrics]

    def verdict(self) -> list[Block]:
        """The values of one system, or a table of several, and the gates."""
        words, digits, systems = self.words, self.settings.digits, self.result.systems
        if len(systems) == 1:
            return [self.settings.answer(ValueAnswer(self.result, self.metrics, words, digits).verdicts())]
        return [self.settings.answer([]), self.board.table({}), Text(words("not-compared"))]

    def summary(self) -> list[Block]:
        """Every metric with its interval."""
        return [totals_page_table(self.result, self.words, self.metrics, digits=self.settings.digits)]

    def segments(self) -> list[Block]:
        """The segments of the best systems, drawn, and all of them as a table."""
        if not self.result.by:
            return []
        several = len(self.order) > 1
        metrics = [measure.text for measure in self.plots.measures[: 1 if several else MOST_METRICS]]
        shown = self.order[:MOST_DRAWN] if several else None
        more = Text(self.words("segments-drawn", shown=MOST_DRAWN, all=len(self.order)))
        drawn = self.drawn([self.plots.segments(metric, shown, True) for metric in metrics], True)
        return [*([more] if len(self.order) > MOST_DRAWN else []), *drawn, *self.tables()]

    def tables(self) -> list[Block]:
        """The values of all segments."""
        rows = [row for row in dicts(self.result.rows) if not row["is_total"] and row["metric"] in self.metrics]
        several = len({tuple(row[name] for name in self.result.by) for row in rows})
        more = Text(self.words("segments-more", shown=MOST_SEGMENTS, all=several))
        return [*([more] if several > MOST_SEGMENTS else []), *segment_tables(self, rows, several)]

    def distribution(self) -> list[Block]:
        """How the values of the queries are distributed: of one system several metrics, of several the first."""
        metrics = [measure.text for measure in self.plots.measures[: MOST_METRICS if len(self.order) == 1 else 1]]
        charts = [] if len(self.order) >= FEWEST else [self.plots.distribution(metric) for metric in metrics]
        return self.drawn([*charts, *(self.plots.ecdf(metric) for metric in metrics[:1])])

    def curves(self) -> list[Block]:
        """Quality by cutoff and by recall, or why there is none."""

        def make() -> list[Block]:
            families: list[Callable[[], Chart]] = [partial(self.plots.by_cutoff, family) for family in CURVES]
            return self.drawn([chart() for chart in (*families, self.plots.recall_precision)])

        return self.or_reason(make)

    def queries(self) -> list[Block]:
        """The worst queries of the best system with their rankings."""
        measures = self.plots.measures

        def make() -> list[Block]:
            return worst_blocks(self.result, measures[0], self.order[0], self.words) if measures else []

        return self.or_reason(make)

    def data(self, notes: Sequence[str]) -> list[Block]:
        """What the numbers rest on."""
        result, words = self.result, self.words
        blocks: list[Block] = [counts_table(result.counts, words)]
        if not result.unjudged:
            blocks += self.or_reason(lambda: self.drawn([self.plots.unjudged()]))
        left_out = [words("no-curves", reason=reason) for reason in self.left_out]
        return [*blocks, inputs_table(result.inputs, words), *note_blocks([*notes, *left_out], words)]

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
