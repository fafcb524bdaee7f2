"""The search of the site, in Chromium: what people type finds the page that answers."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tests.support.browser import opened

QUESTIONS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("questions.toml").read_text(encoding="utf-8")
)
"""By language, what is typed, and the pages of which one has to be among the first."""
FIRST = 3


def test_there_are_forty_questions() -> None:
    assert sum(map(len, QUESTIONS.values())) >= 40


@pytest.mark.parametrize("language", QUESTIONS)
def test_what_people_type_finds_the_page_that_answers(language: str, address: str, browser: Any) -> None:
    missed = {}
    start = f"{address}/{'' if language == 'en' else 'zh/'}"
    with opened(browser, f"{start}index.html") as seen:
        seen.page.keyboard.press("/")
        for question, pages in QUESTIONS[language].items():
            found = results(seen.page, start, question)
            if not set(pages) & set(found):
                missed[question] = found
        assert seen.messages == []
    assert missed == {}


def results(page: Any, start: str, question: str) -> list[str]:
    """The pages of the first results of a question."""
    shown = page.get_by_role("option")
    page.get_by_role("combobox").fill("")
    shown.first.wait_for(state="detached")
    page.get_by_role("combobox").fill(question)
    shown.first.wait_for(timeout=10_000)
    page.wait_for_timeout(200)
    addresses = shown.evaluate_all("found => found.map(one => one.href)")[:FIRST]
    root = urlsplit(start).path
    return [unquote(urlsplit(found).path).removeprefix(root).removesuffix(".html") for found in addresses]
