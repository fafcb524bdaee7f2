"""The report of side-by-side verdicts."""

from __future__ import annotations

from pathlib import Path

from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.verdicts import TONES
from sqlrank.pages.drawn_intervals import ends
from sqlrank.pages.html import Page, Verdicts
from sqlrank.pages.tables import SIGNS, Cell
from sqlrank.reports.charts.verdict_plots import VerdictPlots
from sqlrank.reports.figures import figures
from sqlrank.reports.provenance import definition_blocks, inputs_table, note_blocks, source_blocks
from sqlrank.reports.report_settings import Settings, gate_blocks
from sqlrank.reports.tables import verdict_page_table


def verdicts_page(result: SideBySide, settings: Settings) -> Page:
    """The page of side-by-side verdicts."""
    words, total = settings.words, result.total
    tone, plots = TONES.get(result.decision, ""), VerdictPlots(result, settings.language)
    digits = settings.digits
    detail = ", ".join(f"{words(name)} {total[name]}" for name in ("good", "same", "bad"))
    if total["ci_low"] is not None:
        interval = f"{words('interval', confidence=result.confidence)} {ends(total, digits, '+')}"
        detail += f"; delta_gsb {total['delta_gsb']:+.{digits}f}, {interval}"
    verdict = Verdicts([Cell(result.decision, tone, sign=SIGNS[tone], detail=detail)])
    charts = figures([plots.verdicts(), plots.differences()], settings.interactive)
    definitions = definition_blocks((), result.settings(), result.remarks(), words)
    return settings.page(
        words("title-verdicts", names=Path(result.label).stem),
        verdict=[verdict, *gate_blocks(settings.gates, words)],
        gsb=[verdict_page_table(result, words, digits), charts],
        data=[inputs_table(result.inputs, words), *note_blocks([*result.notes, *result.limits()], words)],
        definitions=[*definitions, *source_blocks(result, words)],
    )
