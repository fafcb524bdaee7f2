"""Reports of any result: the page of it, written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlrank.comparison.result import Comparison
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.evaluation.result import Result
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.monitoring.monitored import Monitored
from sqlrank.output.formats import write_text
from sqlrank.output.writing import Destination, writing_of
from sqlrank.pages.html import Bullets, Heading, Page, page_html
from sqlrank.process.output_files import Target
from sqlrank.reports.comparison import comparison_page
from sqlrank.reports.evaluation import evaluation_page
from sqlrank.reports.explorer import explorer_html
from sqlrank.reports.monitoring import monitored_page
from sqlrank.reports.provenance import note_blocks
from sqlrank.reports.report_settings import Settings
from sqlrank.reports.verdicts import verdicts_page

TITLES = {
    "ArmComparison": "title-arms",
    "Interleaved": "title-interleaving",
    "JudgmentSets": "title-sets",
    "Likeness": "title-likeness",
    "Plan": "title-plan",
    "RaterAgreement": "title-agreement",
    "Values": "title-values",
}
"""The title of each kind, by the name of its class."""


def tables_page(result: Any, settings: Settings, of: Any) -> Page:
    """The page of a result: its tables, the gates, and how the numbers were made; `of` is the result with its notes.

    Raises:
        UsageError: there is no report of its kind.
    """
    words, kind = settings.words, type(result).__name__
    if kind not in TITLES:
        raise UsageError(f"there is no report of {kind}: `to_pandas()` and `to_arrow()` give its rows")
    to = Destination("html", digits=settings.digits)
    writing = writing_of(type(result))
    said = writing.answer(result, words)
    remarks = [words.said(remark) for remark in writing.remarks(result, to)]
    return settings.page(
        words(TITLES[kind]),
        verdict=[settings.answer(said)] if said or settings.gates else None,
        summary=[table.without("drawn") for table in writing.tables(result, to)],
        definitions=[*note_blocks(of.notes, words), Heading(words("method")), Bullets(remarks)],
    )


PAGES: dict[type[OpenResult], Callable[[Any, Settings], Page]] = {
    Comparison: comparison_page,
    Result: evaluation_page,
    SideBySide: verdicts_page,
    Monitored: monitored_page,
}


def report_html(result: Any, settings: Settings, of: Any = None) -> str:
    """The report of a result as HTML; UsageError if there is none of its kind."""
    if settings.explore:
        return explorer_html(result, settings)
    for kind, page in PAGES.items():
        if isinstance(result, kind):
            return page_html(page(result, settings))
    return page_html(tables_page(result, settings, of or result))


def write_report(result: Any, path: Target | str, settings: Settings, of: Any = None) -> None:
    """Write the report of a result; `of` is the one that it was made of, whose notes hold, where that is another."""
    text = report_html(result, settings, of)
    write_text(path, lambda file: file.write(text))


def write_report_of(result: OpenResult, path: str, **settings: Any) -> None:
    """The same, with the settings by their names."""
    write_report(result, path, Settings(**settings))
