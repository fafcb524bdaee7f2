"""The site: built strictly, and opened in a real Chromium on a telephone and on a desk, in both languages."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.pages.blocks import DOCS, ROOT
from tests.support.browser import chromium, opened
from tests.support.components import package

SITE = ROOT / "site"
LANGUAGES = {"en": ("zensical.toml", DOCS), "zh": ("zensical.zh.toml", DOCS / "zh")}
QUESTIONS = {"en": ("ties", "Ties that come from precision"), "zh": ("平均精度", "平均精度均值")}
"""What is searched for in each language, and what a result has to say."""
SEARCHING = """(() => {
    let element = document.activeElement;
    while (element && element.shadowRoot) element = element.shadowRoot.activeElement;
    return element && element.tagName === "INPUT";
})()"""
"""Whether what is typed goes into the search."""


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


@pytest.fixture(scope="module")
def site() -> Path:
    """The folder of the site, built as it is published."""
    package("zensical", "site")
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "site")],
        env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return SITE


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where a server of this machine shows the site."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def built(site: Path) -> list[str]:
    """The pages of the site, as paths of their addresses."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html") if path.name != "404.html")


@pytest.mark.slow
def test_every_page_opens_wide_and_narrow_without_a_message_or_a_scroll_bar(
    site: Path, address: str, browser: Any
) -> None:
    found = []
    for width, dark in ((1280, False), (360, True)):
        with opened(browser, address, width, dark) as seen:
            for name in built(site):
                seen.messages.clear()
                seen.page.goto(f"{address}/{name}", wait_until="load")
                wide = seen.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                found += [f"{name} at {width}: {message}" for message in seen.messages]
                found += [f"{name} at {width}: {wide} pixels too wide"] if wide > 0 else []
            found += [
                f"{url} was asked for" for url in seen.requests if not url.startswith((address, "data:", "blob:"))
            ]
    assert found == []


@pytest.mark.slow
def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    html = package("html5lib", "test")
    trees, broken = {}, []
    for path in site.rglob("*.html"):
        trees[path] = html.parse(path.read_bytes(), namespaceHTMLElements=False)
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


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_search_finds_a_page(language: str, address: str, browser: Any) -> None:
    question, answer = QUESTIONS[language]
    with opened(browser, f"{address}/{'zh/' if language == 'zh' else ''}index.html") as seen:
        seen.page.keyboard.press("/")
        seen.page.wait_for_function(SEARCHING)
        seen.page.keyboard.type(question, delay=30)
        seen.page.get_by_text(answer).first.wait_for(timeout=10_000)
        assert seen.messages == []


@pytest.mark.slow
def test_a_reader_changes_the_language(address: str, browser: Any) -> None:
    with opened(browser, f"{address}/index.html") as seen:
        assert seen.page.locator('a[hreflang="zh"]').first.get_attribute("href").endswith("zh/")
        seen.page.goto(f"{address}/zh/index.html")
        assert seen.page.locator("html").get_attribute("lang") == "zh"
