"""How a report is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from sqlrank.pages.elements import Block, Page, Section
from sqlrank.pages.words import Words, words_of
from sqlrank.reports.charts.chart import scripts
from sqlrank.reports.gates import Outcome
from sqlrank.version import __version__

DRAW = """
for (const place of document.querySelectorAll("[data-chart]")) {
  vegaEmbed(place, JSON.parse(place.dataset.chart), {actions: false, renderer: "svg", mode: "vega-lite"});
}
"""
"""Draws every chart anew, where its picture stood."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a report is made."""

    title: str | None = None
    """Its title; None for one that names the systems."""
    language: str = "en"
    interactive: bool = False
    """Whether it has the scripts that draw the charts with tooltips."""
    digits: int = 4
    gates: Sequence[Outcome] = ()

    @property
    def words(self) -> Words:
        """The words of its language."""
        return words_of(self.language)

    def page(self, title: str, **sections: Sequence[Block] | None) -> Page:
        """The page of some sections by their keys, but those that are None; `title` is for a report without one."""
        words = self.words
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        return Page(
            title=self.title or title,
            language=self.language,
            subtitle=words("subtitle", version=__version__, date=now),
            sections=[
                Section(key, words(f"section-{key}"), made) for key, made in sections.items() if made is not None
            ],
            contents=words("contents"),
            skip=words("skip"),
            numbers=words("numbers"),
            scripts=[Markup(scripts()), Markup(DRAW)] if self.interactive else [],  # noqa: S704 no text of the data
        )
