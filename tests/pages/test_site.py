"""The site: built strictly, and opened in a real Chromium on a telephone and on a desk, in both languages."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sqlrank.version import __version__
from tests.pages.blocks import DOCS, ROOT
from tests.support.browser import opened, served
from tests.support.components import package

LANGUAGES = {"en": ("zensical.toml", DOCS), "zh": ("zensical.zh.toml", DOCS / "zh")}


def configuration(language: str) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / LANGUAGES[language][0]).read_text(encoding="utf-8"))["project"]
    return project


def navigated(entries: Any) -> Iterator[str]:
    """The pages of a navigation, in order."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            yield from navigated(value for values in entry.values() for value in values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_the_navigation_once(language: str) -> None:
    folder = LANGUAGES[language][1]
    excluded = [DOCS / "examples"] + ([DOCS / "zh"] if language == "en" else [])
    pages = [path for path in folder.rglob("*.md") if not any(path.is_relative_to(other) for other in excluded)]
    assert sorted(navigated(configuration(language)["nav"])) == sorted(
        path.relative_to(folder).as_posix() for path in pages
    )


def test_the_sites_of_both_languages_are_set_up_alike() -> None:
    english, chinese = configuration("en"), configuration("zh")
    assert english["markdown_extensions"] == chinese["markdown_extensions"]
    assert english["theme"]["features"] == chinese["theme"]["features"]
    assert english["extra"] == chinese["extra"]


def built(site: Path) -> list[str]:
    """The pages of the site, as paths of their addresses."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html") if path.name != "404.html")


@cache
def parsed(path: Path) -> Any:
    """The tree of a page, as a browser reads it."""
    return package("html5lib", "test").parse(path.read_bytes(), namespaceHTMLElements=False)


VIEWS = ((360, 1280), (1280, 360), (360,), (360, 1600), (1600, 360), (360,))
"""The widths of one page after another; each begins with the last of the page before: a change costs as much as a page.

What is too wide for a wide column is so for a narrow one too, so that all are narrow, and a third is of each width.
"""


def test_every_page_opens_wide_and_narrow_without_a_message_or_a_scroll_bar(
    site: Path, address: str, browser: Any
) -> None:
    found = []
    with opened(browser, address, 360) as seen:
        # a page begins to read the index of the search, which takes as long as the rest; test_site_search searches
        seen.page.route("**/search.json", lambda route: route.fulfill(json={"config": {"lang": ["en"]}, "items": []}))
        seen.page.emulate_media(reduced_motion="reduce")
        for place, name in enumerate(built(site)):
            seen.messages.clear()
            if place % 2 == 0:
                seen.page.emulate_media(color_scheme="dark" if place % 4 else "light")
            seen.page.goto(f"{address}/{name}", wait_until="load")
            for width in VIEWS[place % len(VIEWS)]:
                seen.page.set_viewport_size({"width": width, "height": 900})
                wide = seen.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                found += [f"{name} at {width}: {wide} pixels too wide"] if wide > 0 else []
            found += [f"{name}: {message}" for message in seen.messages]
    found += [f"{url} was asked for" for url in seen.requests if not url.startswith((address, "data:", "blob:"))]
    assert found == []


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    trees, broken = {path: parsed(path) for path in site.rglob("*.html")}, []
    anchors = {
        path: {element.get("id") or element.get("name") for element in tree.iter() if isinstance(element.tag, str)}
        for path, tree in trees.items()
    }
    for path, tree in trees.items():
        for element in tree.iter("a"):
            target, _, anchor = (element.get("href") or "").partition("#")
            if target.startswith(("http:", "https:", "mailto:", "javascript:")) or path.name == "404.html":
                continue
            start = site / target.lstrip("/") if target.startswith("/") else path.parent / target
            other = (start if target else path).resolve()
            other = other / "index.html" if other.is_dir() else other
            if not other.exists() or (anchor and other in anchors and anchor not in anchors[other]):
                broken.append(f"{path.relative_to(site)}: {element.get('href')}")
    assert broken == []


@pytest.mark.parametrize("beginning", ["", "docs/sqlrank/"], ids=["root", "folder"])
def test_the_switch_leads_to_the_same_page(beginning: str, site: Path, browser: Any, tmp_path: Path) -> None:
    root = tmp_path / beginning
    shutil.copytree(site, root, dirs_exist_ok=True)
    with served(tmp_path) as address, opened(browser, f"{address}/{beginning}explanation/intervals.html") as seen:
        for language in ("zh", "en"):
            seen.page.locator(f'a.md-select__link[hreflang="{language}"]').evaluate("link => link.click()")
            folder = "zh/" if language == "zh" else ""
            seen.page.wait_for_url(f"{address}/{beginning}{folder}explanation/intervals.html")
            assert seen.page.locator("html").get_attribute("lang") == language
        assert seen.messages == []


def test_the_switch_works_in_files(site: Path, browser: Any) -> None:
    with opened(browser, (site / "zh" / "start.html").as_uri()) as seen:
        seen.page.locator('a.md-select__link[hreflang="en"]').evaluate("link => link.click()")
        seen.page.wait_for_url((site / "start.html").as_uri())


def test_each_page_has_one_heading_its_source_and_the_version(site: Path) -> None:
    for name in built(site):
        text = (site / name).read_text(encoding="utf-8")
        assert r"\|" not in re.sub(r"(?s)<pre.*?</pre>", "", text), name
        assert len(re.findall(r"<h1\b", text)) == 1, name
        assert f"sqlrank {__version__}" in text, name
        (source,) = re.findall(r'href="([\w.-]+\.md)"', text.partition('class="md-copyright"')[2])
        assert (site / name).with_name(source).exists()


def test_no_sentence_in_chinese_has_a_space_where_its_line_was_broken(site: Path) -> None:
    broken = re.compile(r"[\u4e00-\u9fff\uff0c\u3002]\s+[\u4e00-\u9fff]|[\uff0c\u3002\uff1b\uff1a]\s+\S")
    for path in (site / "zh").rglob("*.html"):
        for paragraph in parsed(path).iter("p"):
            found = broken.search("".join(paragraph.itertext()))
            assert found is None, (path.name, found)


@pytest.mark.parametrize("name", ["index", "start", "explanation/questions", "zh/index", "zh/explanation/verdicts"])
def test_axe_finds_nothing_in_the_text_of_a_page(name: str, address: str, browser: Any) -> None:
    axe = package("axe_playwright_python.sync_playwright", "browser").Axe()
    with opened(browser, f"{address}/{name}.html") as seen:
        seen.page.emulate_media(reduced_motion="reduce")
        for scheme, rules in (("light", ["wcag2a", "wcag2aa"]), ("dark", ["color-contrast", "link-in-text-block"])):
            seen.page.emulate_media(color_scheme=scheme)
            found = axe.run(seen.page, context=".md-content", options={"runOnly": rules, "resultTypes": ["violations"]})
            assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"
