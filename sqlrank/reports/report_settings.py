"""How a report is made, and the gates that it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from sqlrank.errors import Outcome
from sqlrank.pages.html import Block, Page, Section, Verdict, Verdicts
from sqlrank.pages.words import Words, words_of
from sqlrank.reports.charts.chart import scripts
from sqlrank.version import __version__


def said(gate: Outcome) -> str:
    """Why a gate failed, and how often it does by chance."""
    return "; ".join(text for text in (gate.failure, gate.power) if text)


DRAW = """
for (const place of document.querySelectorAll("[data-chart]")) {
  vegaEmbed(place, JSON.parse(place.dataset.chart), {actions: false, renderer: "svg", mode: "vega-lite"});
}
"""
"""Draws every chart anew, where its picture stood."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a report is made, by the names of its options."""

    title: str | None = None
    lang: str = "en"
    interactive: bool = False
    digits: int = 4
    explore: bool = False
    rows: int = 10
    gates: Sequence[Outcome] = ()
    notes: Sequence[tuple[str, str]] = ()
    """Days with what happened on them, of a metric that is watched."""

    @property
    def words(self) -> Words:
        """The words of its language."""
        return words_of(self.lang)

    def answer(self, verdicts: Sequence[Verdict]) -> Verdicts:
        """What the page says first: the gates that fail, the verdicts, and in one statement the gates that hold."""
        words = self.words
        failing = [gate for gate in self.gates if gate.failure is not None]
        holding = [gate for gate in self.gates if gate.failure is None]
        failed = [self.gate(gate, "gate-fails", "loss", "✗") for gate in failing]
        if len(holding) < 2:
            held = [self.gate(gate, "gate-holds", "gain", "✓") for gate in holding]
        else:
            names = words.listed([words.said(gate.name) for gate in holding])
            held = [Verdict(words("gates-hold", number=len(holding)), "gain", names, sign="✓")]
        return Verdicts([*failed, *verdicts, *held])

    def gate(self, gate: Outcome, came: str, tone: str, sign: str) -> Verdict:
        """What came of one gate."""
        words = self.words
        text = words("said-by", said=words.said(gate.name), amount=words(came))
        return Verdict(text, tone, words.said(said(gate)), sign=sign)

    def page(self, title: str, folder: str = "", **sections: Sequence[Block] | None) -> Page:
        """The page of some sections by their keys, but those that are None or empty.

        Args:
            title: that of a report without one.
            folder: as that of a `Page`.
            **sections: what each section holds.
        """
        words = self.words
        now = datetime.now(UTC).strftime(words("date-format"))
        return Page(
            title=self.title or title,
            language=self.lang,
            subtitle=words("subtitle", version=__version__, date=now),
            sections=[Section(key, words(f"section-{key}"), made) for key, made in sections.items() if made],
            contents=words("contents"),
            skip=words("skip"),
            numbers=words("numbers"),
            folder=folder,
            scripts=[Markup(scripts()), Markup(DRAW)] if self.interactive else [],  # noqa: S704 no text of the data
        )
