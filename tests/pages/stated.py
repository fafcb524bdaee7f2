"""Figures that sentences of the pages state, for the tests that find them."""

from __future__ import annotations

import re

from tests.pages.blocks import DOCS

FIGURE = r"(\d[\d,]*(?:\.\d+)?)"


def stated(page: str, sentence: str) -> list[str]:
    """The figures in a sentence of a page.

    Args:
        page: the page below `docs`.
        sentence: part of its text, with `#` for each figure; where the text breaks its lines plays no part.

    Raises:
        AssertionError: the page does not say so, or says it more than once.
    """
    words = (FIGURE.join(map(re.escape, word.split("#"))) for word in sentence.split())
    found = re.findall(r"\s+".join(words), (DOCS / page).read_text(encoding="utf-8"))
    assert len(found) == 1, f"{page} says this {len(found)} times: {sentence}"
    return [found[0]] if isinstance(found[0], str) else list(found[0])


def assert_stated(found: float, page: str, sentence: str) -> None:
    """A figure lies between the least and the largest that a sentence states, up to their last digit."""
    figures = stated(page, sentence)
    step = 10 ** -max(len(figure.partition(".")[2]) for figure in figures)
    numbers = [float(figure.replace(",", "")) for figure in figures]
    low, high = min(numbers) - step / 2, max(numbers) + step / 2
    assert low - 1e-9 <= found <= high + 1e-9, f"{found}: {page} says {' to '.join(figures)} ({sentence})"
