"""The report of metrics that are watched: what is in alarm, the charts, and what happened."""

from __future__ import annotations

from sqlrank.monitoring.happened import Happened
from sqlrank.monitoring.monitored import Monitored
from sqlrank.output.monitoring import charts_table
from sqlrank.pages.html import Block, Page, Text, Verdict
from sqlrank.pages.tables import Table, listed
from sqlrank.reports.charts.monitored_plots import MonitoredPlots
from sqlrank.reports.figures import figures
from sqlrank.reports.provenance import definition_blocks, note_blocks
from sqlrank.reports.report_settings import Settings

MOST_CHARTS = 12
"""How many charts are drawn, those in alarm first."""
MOST_PARTS = 8
"""How many parts of a change are shown."""


def monitored_page(result: Monitored, settings: Settings) -> Page:
    """The page of metrics that are watched."""
    words, plots = settings.words, MonitoredPlots(result, settings.lang)
    notes = [*settings.notes, *((day, words("renewed")) for day in result.renewed)]
    said = [Verdict(text, "loss") for text in result.alarms_in_words()]
    shown = plots.worst_first[:MOST_CHARTS]
    charts: list[Block] = [figures([plots.control(chart, notes) for chart in shown], settings.interactive)]
    charts += [Text(f"{day}: {text}") for day, text in sorted(notes)]
    if more := len(result.charts) - len(shown):
        charts.append(Text(words("other-parts", number=more)))
    return settings.page(
        words("title-monitoring", names=", ".join(result.metrics)),
        verdict=[settings.answer(said or [Verdict(words("no-alarm"))])],
        monitoring=[*charts, charts_table(result, settings.digits)],
        why=why_blocks(result, settings) if result.alarms and result.by else None,
        definitions=[
            *note_blocks(result.notes, words),
            *definition_blocks((), result.conventions.to_dict(), result.remarks(), words),
        ],
    )


def why_blocks(result: Monitored, settings: Settings) -> list[Block]:
    """The parts of the change of each total that is in alarm."""
    return [
        parts_table(happened, result, settings, result.called(chart))
        for chart, happened in zip(result.alarms, result.happened, strict=True)
        if chart["is_total"] and happened.parts
    ]


def parts_table(happened: Happened, result: Monitored, settings: Settings, name: str) -> Table:
    """The largest parts of one change."""
    words, digits = settings.words, settings.digits
    names = [words(key) for key in ("part", "contribution", "low", "value")]
    rows = []
    for part in [part for part in happened.parts if part["kind"] == "segment"][:MOST_PARTS]:
        segment = ", ".join(str(part[column]) for column in result.segment_columns)
        label = words("itself" if part["part"] == "within" else "its-share", segment=segment)
        low = "-" if part["ci_low"] is None else words.ends(part, digits, "+")
        both = " → ".join(
            "-" if part[key] is None else f"{part[key]:.{digits}f}" for key in ("baseline_value", "value")
        )
        rows.append([label, f"{part['contribution']:+.{digits}f}", low, both])
    names[2] = words("interval", confidence="95 %")
    caption = f"{name}: {happened.before:.{digits}f} → {happened.since:.{digits}f}"
    return listed(names, rows, numbers=names[1:], caption=caption)
