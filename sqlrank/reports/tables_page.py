"""The report of a result that has tables and no charts."""

from __future__ import annotations

from typing import Any

from sqlrank.errors import UsageError
from sqlrank.output.writing import Destination, writing_of
from sqlrank.pages.html import Bullets, Heading, Page
from sqlrank.reports.provenance import note_blocks
from sqlrank.reports.report_settings import Settings

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
    remarks = [words.said(remark) for remark in writing.remarks(result, to)]
    return settings.page(
        words(TITLES[kind]),
        verdict=[settings.answer([])] if settings.gates else None,
        summary=[table.without("drawn") for table in writing.tables(result, to)],
        definitions=[*note_blocks(of.notes, words), Heading(words("method")), Bullets(remarks)],
    )
