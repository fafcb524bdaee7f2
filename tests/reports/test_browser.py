"""Reports in a real Chromium: whole in light and dark, at 360 and 1,280 pixels and on paper, quiet, and accessible."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from tests.support.browser import chromium, compare_picture, opened
from tests.support.cli_helper import completed
from tests.support.components import package
from tests.support.reports import HOSTILE, SEARCH, command_for, write_dated, write_hostile, write_long, write_systems

VIEWS = {"wide": (1280, ("light", "dark")), "narrow": (360, ("narrow", "narrow-dark"))}
"""A width, and what its pictures are called, light and dark."""
INPUTS = ["--qrels", "qrels.parquet"]
PLACES = 10
"""How many systems the report of many has."""
REPORTS = {
    "example": ["keyword.parquet", *INPUTS, "--queries", "queries.parquet", "--by", "country"],
    "dated": ["keyword.parquet", "semantic.parquet", *INPUTS, "--queries", "dated.csv", "--by", "day", "-m", "ndcg@10"],
    "verdicts": ["verdicts.csv", "--by", "country", "--lang", "zh"],
    "chinese": [
        "keyword.parquet",
        "semantic.parquet",
        *INPUTS,
        "--queries",
        "queries.parquet",
        "--by",
        "country",
        "--by",
        "device",
        "--lang",
        "zh",
    ],
    "long": ["long.csv", "--all-pairs", "--by", "category", "-m", "ndcg@5", "-m", "rr"],
    "leaders": [
        *(f"system-{number}.csv" for number in range(PLACES)),
        *INPUTS,
        "--queries",
        "queries.parquet",
        "--by",
        "country",
    ],
}
SECTIONS = {"example": 8, "dated": 9, "verdicts": 4, "leaders": 8, "chinese": 9, "long": 8}
FIGURES = {"example": 12, "dated": 10, "verdicts": 2, "leaders": 7, "chinese": 12, "long": 7}
"""At most twelve."""


UNDATED = """() => {
  document.querySelector(".subtitle").textContent = "sqlrank";
  for (const name of document.querySelectorAll("dt"))
    if (["sqlrank", "DuckDB", "Python"].includes(name.textContent)) name.nextElementSibling.textContent = "-";
}"""
"""Takes from a page what is another one on another day or machine."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reports")
    for name in ("keyword.parquet", "semantic.parquet", "qrels.parquet", "queries.parquet", "verdicts.csv"):
        shutil.copy(SEARCH / name, made)
    write_dated(made)
    write_systems(made, PLACES)
    write_long(made)
    with chdir(made):
        for name, arguments in REPORTS.items():
            completed(*command_for(*arguments), *arguments, "-o", f"{name}.html")
            completed(*command_for(*arguments), *arguments, "--interactive", "-o", f"{name}-lively.html")
    return made


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as made:
        yield made


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_whole_and_quiet_in_every_view(name: str, view: str, folder: Path, browser: Any) -> None:
    width, pictures = VIEWS[view]
    address = (folder / f"{name}.html").as_uri()
    with opened(browser, address, width) as seen:
        page = seen.page
        headings = page.locator("main section > h2")
        assert headings.count() == SECTIONS[name]
        assert all(headings.nth(number).is_visible() for number in range(SECTIONS[name]))
        charts = page.locator("figure svg.marks")
        assert charts.count() == FIGURES[name]
        for number in range(charts.count()):
            box = charts.nth(number).bounding_box()
            assert box["width"] > 200
            assert box["height"] > 50
        frames = page.locator("figure .chart")  # one of the whole width is moved in its frame where there is no room
        boxes = [frames.nth(number).bounding_box() for number in range(frames.count())]
        assert all(box["x"] + box["width"] <= width for box in boxes)
        page.evaluate(UNDATED)
        for picture, scheme in zip(pictures, ("light", "dark"), strict=True):
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") == width
            taken = package("PIL.Image", "browser").open(io.BytesIO(page.screenshot(full_page=True)))
            compare_picture(f"{name}-{picture}", taken)
        assert (seen.messages, seen.requests) == ([], [address])


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_printed_in_pages(name: str, folder: Path, browser: Any) -> None:
    pdfium, image = package("pypdfium2", "browser"), package("PIL.Image", "browser")
    with opened(browser, (folder / f"{name}.html").as_uri()) as seen:
        seen.page.evaluate(UNDATED)
        document = pdfium.PdfDocument(seen.page.pdf(format="A4", prefer_css_page_size=True))
    texts = [page.get_textpage().get_text_range() for page in document]
    assert all(text.strip() for text in texts)
    assert "SHA-256" in "".join(texts)
    pages = [page.render(scale=1).to_pil() for page in document]
    columns = 4
    width, height = pages[0].size
    sheet = image.new("RGB", (columns * width, -(-len(pages) // columns) * height), "white")
    for number, page in enumerate(pages):
        sheet.paste(page, (number % columns * width, number // columns * height))
    compare_picture(f"{name}-print", sheet)


ONE_OF_EACH_LOOK = """() => {
  for (const table of document.querySelectorAll("table")) {
    const seen = new Set();
    for (const row of table.querySelectorAll("tbody tr")) {
      const within = [row, ...row.querySelectorAll("*")];
      const look = [row.rowIndex % 2, ...within.map(one => one.tagName + one.className + one.style.cssText)].join();
      if (seen.has(look)) row.remove();
      seen.add(look);
    }
  }
}"""
"""Takes from each table the rows with the elements, classes and styles of an earlier one: they have its colours too."""
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe that look at colours: of two thousand rows, they take ten times as long as all others together."""


@pytest.mark.parametrize("name", REPORTS)
def test_axe_finds_nothing(name: str, folder: Path, browser: Any) -> None:
    axe = package("axe_playwright_python.sync_playwright", "browser").Axe()
    with opened(browser, (folder / f"{name}.html").as_uri()) as seen:
        page = seen.page
        page.evaluate("document.querySelectorAll('details').forEach(element => { element.open = true; })")

        def check(**options: Any) -> None:
            found = axe.run(page, options={"resultTypes": ["violations"], **options})
            assert found.violations_count == 0, found.generate_report()

        check(rules={rule: {"enabled": False} for rule in COLOURS})
        page.evaluate(ONE_OF_EACH_LOOK)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            check(runOnly=COLOURS)


def test_the_keyboard_reaches_the_content_and_the_numbers(folder: Path, browser: Any) -> None:
    with opened(browser, (folder / "example.html").as_uri()) as seen:
        page = seen.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        page.wait_for_url("**#content")
        summary = page.locator("figure summary").first
        summary.focus()
        page.keyboard.press("Enter")
        assert page.locator("figure details[open] table").first.is_visible()


@pytest.mark.parametrize("name", REPORTS)
def test_an_interactive_report_draws_itself_with_tooltips(name: str, folder: Path, browser: Any) -> None:
    address = (folder / f"{name}-lively.html").as_uri()
    with opened(browser, address) as seen:
        page = seen.page
        page.wait_for_function(
            "count => document.querySelectorAll('.vega-embed svg').length === count", arg=FIGURES[name]
        )
        shape = page.locator(".vega-embed svg .mark-symbol path, .vega-embed svg .mark-rect path").first
        shape.scroll_into_view_if_needed()
        shape.hover(force=True)
        page.wait_for_selector("#vg-tooltip-element.visible")
        assert (seen.messages, seen.requests) == ([], [address])


def test_hostile_texts_do_nothing_in_a_browser_and_stay_text_on_paper(tmp_path: Path, browser: Any) -> None:
    write_hostile(tmp_path)
    files = ["run_a.csv", "run_b.csv", "--qrels", "qrels.csv", "--queries", "queries.csv", "--items", "items.csv"]
    shared = [*files, "--by", "<b>segment\"'</b>", "-m", "ndcg@5", "--title", HOSTILE[-1]]
    for name, further in (("plain", []), ("lively", ["--interactive"])):
        completed("compare", *shared, *further, "-o", f"{name}.html")
        address = (tmp_path / f"{name}.html").as_uri()
        with opened(browser, address, 360) as seen:
            for width in (360, 1280):
                seen.page.set_viewport_size({"width": width, "height": 900})
                seen.page.wait_for_timeout(500 if further else 50)
                assert (seen.messages, seen.requests) == ([], [address])
                assert seen.page.locator("h1").inner_text() == HOSTILE[-1]
                assert seen.page.evaluate("document.documentElement.scrollWidth") == width
    with opened(browser, (tmp_path / "plain.html").as_uri()) as seen:
        document = package("pypdfium2", "browser").PdfDocument(seen.page.pdf(format="A4"))
        text = "".join(page.get_textpage().get_text_range() for page in document)
    assert HOSTILE[0] in text
    completed("compare", *shared, "--chart", "segments", "-o", "segments.pdf")
    pdf = package("pypdfium2", "browser").PdfDocument(tmp_path / "segments.pdf")
    assert len(pdf) == 1
