"""The report of side-by-side verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlrank.evaluation.fingerprints import folder_of
from sqlrank.judging.verdicts.decisions import SHIP, UNDECIDED
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.output.verdicts import DECISIONS, TONES
from sqlrank.pages.html import Page, Verdict
from sqlrank.pages.labels import segment_of
from sqlrank.pages.tables import SIGNS, Cell
from sqlrank.pages.words import Words
from sqlrank.reports.charts.verdict_plots import VerdictPlots
from sqlrank.reports.figures import figures
from sqlrank.reports.provenance import definition_blocks, inputs_table, note_blocks, source_blocks
from sqlrank.reports.report_settings import Settings
from sqlrank.reports.tables import verdict_page_table


def verdicts_page(result: SideBySide, settings: Settings) -> Page:
    """The page of side-by-side verdicts."""
    words, digits = settings.words, settings.digits
    plots = VerdictPlots(result, settings.lang)
    charts = figures([plots.verdicts(), plots.differences()], settings.interactive)
    definitions = definition_blocks((), result.settings(), result.remarks(), words)
    return settings.page(
        words("title-verdicts", names=Path(result.label).stem),
        folder_of(result.fingerprints()),
        verdict=[settings.answer([verdict(result, words, digits)])],
        gsb=[verdict_page_table(result, words, digits), charts],
        data=[inputs_table(result.inputs, words), *note_blocks([*result.notes, *result.limits()], words)],
        definitions=[*definitions, *source_blocks(result, words)],
    )


def verdict(result: SideBySide, words: Words, digits: int) -> Verdict:
    """The decision, what it rests on, and what would decide where nothing does."""
    total, tone = result.total, TONES.get(result.decision, "")
    detail = words.listed([f"{words(name)} {total[name]}" for name in ("good", "same", "bad")])
    if total["delta_gsb"] is not None:
        detail = words("and-also", one=f"delta_gsb {amount(total, result.confidence, words, digits)}", other=detail)
    *segments, row = result.totals
    lines = [
        segment(each, result, words, digits)
        for each in segments
        if each["decision"] not in (row["decision"], UNDECIDED)
    ]
    lines += [Cell(text, sign=SIGNS[""]) for text in rests_on(row, words)]
    return Verdict(words(DECISIONS[result.decision]), tone, detail, lines)


def segment(row: dict[str, Any], result: SideBySide, words: Words, digits: int) -> Cell:
    """A segment whose decision is not that of all verdicts."""
    tone = TONES[row["decision"]]
    said = words(f"said-{'better' if row['decision'] == SHIP else 'worse'}")
    where = words("in-segment", segment=segment_of(row | {"is_total": False}, result.by, words), said=said)
    text = words("said-by", said=where, amount=amount(row, result.confidence, words, digits))
    return Cell(text, tone, sign=SIGNS[tone])


def amount(row: dict[str, Any], confidence: str, words: Words, digits: int) -> str:
    """The difference of the shares, with its interval."""
    value = f"{row['delta_gsb']:+.{digits}f}"
    if row["ci_low"] is None:
        return value
    interval = f"{words('interval', confidence=confidence)} {words.ends(row, digits, '+')}"
    return words("amount", difference=value, interval=interval)


def rests_on(total: dict[str, Any], words: Words) -> list[str]:
    """How many raters gave how many verdicts, and how many would decide."""
    raters = words("gsb-raters" if total["raters"] else "gsb-no-raters", raters=total["raters"], total=total["total"])
    number, low, high = (total[f"judgments_needed{end}"] for end in ("", "_low", "_high"))
    if number is None:
        return [raters]
    most = words("gsb-or-more", low=low) if high is None else words("range", low=low, high=high)
    return [raters, words("gsb-needed", number=number, range=most)]
