"""The page of all queries in a real Chromium: what it finds, by keys alone, in every view, quiet, and accessible."""

from __future__ import annotations

import io
import math
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_plus

import pytest

from tests.support.browser import chromium, compare_picture, opened
from tests.support.cli_helper import run_process
from tests.support.components import package
from tests.support.explorer import Data, data_of, differences_of, keys_of, rows_of, values_of, write_large
from tests.support.reports import HOSTILE, SEARCH, command_for, write_hostile

INPUTS = ["--qrels", "qrels.parquet", "--queries", "queries.parquet", "--by", "country", "--by", "device"]
PAGES = {
    "two": ["keyword.parquet", "semantic.parquet", *INPUTS, "-m", "ndcg@10", "-m", "rr", "-m", "p@5"],
    "one": ["keyword.parquet", *INPUTS, "-m", "ndcg@10", "-m", "ap", "--lang", "zh"],
    "three": ["keyword.parquet", "semantic.parquet", "export.parquet", *INPUTS, "-m", "ndcg@10"],
}
VIEWS = {"light": (1280, False), "dark": (1280, True), "narrow": (360, False), "narrow-dark": (360, True)}
READY = "#filters:not([hidden])"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("explorer")
    for name in ("keyword.parquet", "semantic.parquet", "qrels.parquet", "queries.parquet"):
        shutil.copy(SEARCH / name, made)
    shutil.copy(SEARCH / "keyword.parquet", made / "export.parquet")
    for name, arguments in PAGES.items():
        write_page(made, f"{name}.html", *arguments)
    return made


def write_page(folder: Path, name: str, *arguments: str) -> Data:
    """The data of the page that a command writes."""
    outcome = run_process(*command_for(*arguments), *arguments, "--explore", "-o", name, cwd=folder)
    assert outcome.code == 0, outcome.err
    return data_of(folder / name)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as made:
        yield made


@pytest.fixture
def two(folder: Path, browser: Any) -> Iterator[Any]:
    with opened(browser, (folder / "two.html").as_uri()) as seen:
        seen.page.wait_for_selector(READY)
        yield seen.page
        assert seen.messages == []


@pytest.fixture(scope="module")
def data(folder: Path) -> Data:
    return data_of(folder / "two.html")


def listed(page: Any) -> list[str]:
    """The ids of the queries in the list, page after page."""
    found = []
    while True:
        links = page.locator("#rows tbody a").evaluate_all("links => links.map(link => link.hash)")
        found += [unquote_plus(re.findall(r"[#&]q=([^&]*)", link)[0]) for link in links]
        further = page.locator("#rows .bar-of button").last
        if not further.count() or not further.is_enabled():
            return found
        further.click()


def fields(page: Any, **values: str | bool) -> None:
    """Fill in fields of the form."""
    for name, value in values.items():
        field = page.locator(f"#filters [name='{name.replace('_', '.')}']")
        if isinstance(value, bool):
            field.set_checked(value)
        elif name == "find":
            field.fill(value)
        else:
            field.select_option(label=value) if value else field.select_option("")


def open_query(page: Any, address: str, query: str, shown: str | None = None) -> None:
    """Follow the link to a query, which the page calls `shown`."""
    page.goto(f"{address}#q={quote(query)}")
    page.locator("#opened .subtitle", has_text=query if shown is None else shown).wait_for()


def by_difference(data: Data, metric: str = "ndcg@10") -> list[str]:
    """The queries with the largest losses first."""
    found = differences_of(data, metric, "keyword", "semantic")
    return sorted(found, key=lambda query: (found[query], query))


def test_the_list_is_sorted_by_difference_and_has_every_query(two: Any, data: Data) -> None:
    assert listed(two) == by_difference(data)
    assert two.locator("#count").inner_text() == "300 of 300 queries"


def test_the_list_is_sorted_by_whatever_is_asked_for(two: Any, data: Data) -> None:
    before, change = values_of(data, "keyword", "rr"), differences_of(data, "rr", "keyword", "semantic")
    fields(two, metric="rr", sort="rr of keyword")
    assert listed(two) == sorted(before, key=lambda query: (before[query], query))
    fields(two, sort="size of the difference", down=True)
    assert listed(two) == sorted(change, key=lambda query: (-abs(change[query]), query))
    fields(two, sort="query id")
    assert listed(two) == sorted(before, reverse=True)
    two.locator("[data-sort=difference]").click()
    assert listed(two) == by_difference(data, "rr")
    two.locator("[data-sort=difference]").click()
    assert two.locator("th[aria-sort=descending]").inner_text() == "difference ↓"
    assert listed(two) == sorted(change, key=lambda query: (-change[query], query))


def test_search_looks_into_ids_and_texts(two: Any, data: Data) -> None:
    texts = dict(zip(data["queries"]["ids"], data["queries"]["texts"], strict=True))
    for wanted in ("linen", "Q01", "linen q", "SOCKS wool", "no such text"):
        fields(two, find=wanted)
        words = wanted.lower().split()
        found = [one for one in by_difference(data) if all(word in f"{one} {texts[one]}".lower() for word in words)]
        assert listed(two) == found
        assert two.locator("#count").inner_text() == f"{len(found)} of 300 queries"


def test_filters_leave_what_they_say(two: Any, data: Data) -> None:
    difference, order = differences_of(data, "ndcg@10", "keyword", "semantic"), by_difference(data)
    place = {query: at for at, query in enumerate(data["queries"]["ids"])}
    for outcome, sign in (("won", 1), ("lost", -1), ("tied", 0)):
        wanted = [query for query in order if (difference[query] > 0) - (difference[query] < 0) == sign]
        fields(two, outcome=f"{outcome} ({len(wanted)})")
        assert listed(two) == wanted
    fields(two, outcome="", empty=True)
    assert listed(two) == [query for query in order if not all(side[place[query]] for side in data["retrieved"])]
    fields(two, empty=False, unjudged=True)
    assert listed(two) == [query for query in order if any(side[place[query]] for side in data["unjudged"])]
    fields(two, unjudged=False, by_0="de", by_1="mobile")
    country, device = data["segments"]
    wanted = [
        query
        for query in order
        if (country["values"][country["of"][place[query]]], device["values"][device["of"][place[query]]])
        == ("de", "mobile")
    ]
    assert listed(two) == wanted
    two.locator("button[type=reset]").click()
    assert listed(two) == order


def test_an_opened_query_says_what_each_document_is_worth(two: Any, data: Data) -> None:
    query = by_difference(data)[0]
    two.locator("#rows tbody a").first.click()
    rows = {row["doc_id"]: row for row in rows_of(data, query)}
    for place, system in enumerate(("keyword", "semantic")):
        table = two.locator("#opened .beside table").nth(place)
        assert table.locator("caption").inner_text() == system
        ranked = sorted(
            (row for row in rows.values() if is_shown(row["rank"][system])), key=lambda it: it["rank"][system]
        )
        cells = [[cell.inner_text() for cell in row.locator("th, td").all()] for row in table.locator("tbody tr").all()]
        assert [(cell[0], cell[1]) for cell in cells] == [(str(row["rank"][system]), row["doc_id"]) for row in ranked]
        for cell, row in zip(cells, ranked, strict=True):
            worth = row["part"]["semantic"] - row["part"]["keyword"]
            said = "0" if abs(worth) < 5e-9 else f"{worth:+.4f}"
            assert cell[5].split()[-1] == said
            assert cell[4] == moved(row["rank"], place)
            relevance = row["relevance"]
            words = "unjudged" if relevance is None else "relevant" if relevance >= 1 else "judged, not relevant"
            assert re.sub(r"\s+", " ", cell[2]).endswith(words)
    whole = differences_of(data, "ndcg@10", "keyword", "semantic")[query]
    assert f"Together with those above: {whole:+.4f}." in two.locator("#opened .remarks").inner_text()


def is_shown(rank: int | None) -> bool:
    """Whether a document stands in the first ten places."""
    return rank is not None and rank <= 10


def moved(ranks: dict[str, int | None], place: int) -> str:
    """What a table says of how a document moved."""
    before, after = ranks["keyword"], ranks["semantic"]
    if before is None or after is None:
        return ("○ gone", "★ new")[place]
    if before == after:
        return "stays"
    way = "up" if after < before else "down"
    sign = "▲" if way == "up" else "▼"
    return f"{sign} {way} to {after}" if place == 0 else f"{sign} {way} from {before}"


def test_parts_and_the_rest_add_up_where_documents_lie_deeper(folder: Path, browser: Any) -> None:
    data = write_page(folder, "deep.html", *PAGES["two"][:-6], "-m", "ap", "--rows", "3")
    whole = differences_of(data, "ap", "keyword", "semantic")
    with opened(browser, (folder / "deep.html").as_uri()) as seen:
        for query in by_difference(data, "ap")[::60]:
            open_query(seen.page, (folder / "deep.html").as_uri(), query)
            line = seen.page.locator("#opened .remarks li").last.inner_text()
            shown = math.fsum(row["part"]["semantic"] - row["part"]["keyword"] for row in rows_of(data, query))
            others = whole[query] - shown
            said = "0" if abs(others) < 5e-8 else f"{others:+.4f}"
            assert line == f"Documents below these places: {said}. Together with those above: {whole[query]:+.4f}."


def test_keys_alone_find_open_and_leave_a_query(two: Any, data: Data) -> None:
    press = two.keyboard.press
    order = by_difference(data)
    focused = "document.activeElement.textContent"
    press("/")
    assert two.evaluate("document.activeElement.name") == "find"
    two.keyboard.type("linen")
    texts = dict(zip(data["queries"]["ids"], data["queries"]["texts"], strict=True))
    found = [query for query in order if "linen" in texts[query]]
    press("ArrowDown")
    assert two.evaluate(focused) == texts[found[0]]
    press("j")
    press("ArrowDown")
    press("k")
    assert two.evaluate(focused) == texts[found[1]]
    press("Enter")
    two.wait_for_selector("#opened h2:focus")
    assert two.evaluate(focused) == texts[found[1]]
    assert f"q={found[1]}&find=linen" in two.url
    press("j")
    two.get_by_role("heading", name=texts[found[2]]).wait_for()
    press("Escape")
    two.wait_for_selector("#rows a:focus")
    assert not two.locator("#opened").is_visible()
    assert two.evaluate(focused) == texts[found[2]]
    two.go_back()
    two.get_by_role("heading", name=texts[found[2]]).wait_for()
    press("/")
    two.wait_for_selector("[name=find]:focus")
    assert two.locator("#list").is_visible()


def test_arrows_turn_the_pages_of_the_list(two: Any, data: Data) -> None:
    order = by_difference(data)
    two.locator("#rows tbody a").last.focus()
    two.keyboard.press("ArrowDown")
    assert order[50] in two.evaluate("document.activeElement.hash")
    two.keyboard.press("ArrowUp")
    assert order[49] in two.evaluate("document.activeElement.hash")


def test_tab_goes_through_the_page_as_it_is_read(two: Any) -> None:
    seen = []
    for _ in range(14):
        two.keyboard.press("Tab")
        seen.append(two.evaluate("(e => e.name || e.className || e.dataset.sort || e.type)(document.activeElement)"))
        ring = two.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert ring != "none"
    assert seen == [
        *("skip", "find", "metric", "outcome", "by.0", "by.1", "sort", "down", "empty", "unjudged", "reset"),
        *("scroll queries", "id", "baseline"),
    ]


def test_a_link_opens_its_query_with_its_filters(folder: Path, browser: Any, data: Data) -> None:
    query = by_difference(data)[7]
    address = f"{(folder / 'two.html').as_uri()}#q={query}&metric=rr&by.country=de&outcome=lost"
    with opened(browser, address) as seen:
        page = seen.page
        page.wait_for_selector("#opened h2")
        assert page.locator("#opened .subtitle").inner_text().startswith(query)
        assert page.title().startswith(page.locator("#opened h2").inner_text())
        page.keyboard.press("Escape")
        assert page.locator("[name='by.0']").evaluate("field => field.selectedOptions[0].text") == "de"
        assert page.locator("[name=metric]").evaluate("field => field.selectedOptions[0].text") == "rr"
        lost = [one for one in by_difference(data, "rr") if differences_of(data, "rr", "keyword", "semantic")[one] < 0]
        assert set(listed(page)) <= set(lost)
    with opened(browser, f"{(folder / 'two.html').as_uri()}#q=nothing") as seen:
        assert seen.page.locator("#opened h2").inner_text() == "This page holds no query nothing."
        seen.page.keyboard.press("Escape")
        assert seen.page.locator("#rows tbody tr").count() == 50


def test_two_of_several_systems_are_chosen(folder: Path, browser: Any) -> None:
    data = data_of(folder / "three.html")
    with opened(browser, (folder / "three.html").as_uri()) as seen:
        fields(seen.page, baseline="semantic", candidate="export")
        found = differences_of(data, "ndcg@10", "semantic", "export")
        assert listed(seen.page) == sorted(found, key=lambda query: (found[query], query))
        assert "baseline=semantic&candidate=export" in seen.page.url
        seen.page.reload()
        assert listed(seen.page) == sorted(found, key=lambda query: (found[query], query))
        fields(seen.page, baseline="export")
        assert seen.page.locator("[name=outcome]").evaluate("field => field.options[3].text") == "tied (300)"


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["two", "one"])
def test_the_page_is_whole_and_quiet_in_every_view(name: str, view: str, folder: Path, browser: Any) -> None:
    width, dark = VIEWS[view]
    address = (folder / f"{name}.html").as_uri()
    image = package("PIL.Image", "browser")
    with opened(browser, address, width, dark) as seen:
        page = seen.page
        page.wait_for_selector(READY)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.locator(".subtitle").first.evaluate("element => { element.textContent = 'sqlrank'; }")
        listed_picture = image.open(io.BytesIO(page.screenshot()))
        open_query(page, address, "q0013")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        picture = image.open(io.BytesIO(page.screenshot(full_page=True)))
        assert (seen.messages, set(seen.requests)) == ([], {address})
    compare_picture(f"explorer-{name}-list-{view}", listed_picture)
    compare_picture(f"explorer-{name}-{view}", picture)


def test_an_opened_query_is_printed(folder: Path, browser: Any) -> None:
    pdfium = package("pypdfium2", "browser")
    with opened(browser, f"{(folder / 'two.html').as_uri()}#q=q0013") as seen:
        seen.page.wait_for_selector("#opened h2")
        seen.page.locator("header .subtitle").evaluate("element => { element.textContent = 'sqlrank'; }")
        document = pdfium.PdfDocument(seen.page.pdf(format="A4", prefer_css_page_size=True))
    assert len(document) == 1
    text = document[0].get_textpage().get_text_range()
    assert "clear storage box with lid" in text
    assert "All queries" not in text
    compare_picture("explorer-print", document[0].render(scale=1).to_pil())


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["two", "one", "three"])
def test_axe_finds_nothing(name: str, dark: bool, width: int, folder: Path, browser: Any) -> None:
    axe = package("axe_playwright_python.sync_playwright", "browser").Axe()
    with opened(browser, (folder / f"{name}.html").as_uri(), width, dark) as seen:
        seen.page.wait_for_selector(READY)
        for query in (None, "q0013", "q0005"):
            if query is not None:
                open_query(seen.page, (folder / f"{name}.html").as_uri(), query)
            found = axe.run(seen.page)
            assert found.violations_count == 0, found.generate_report()


def test_hostile_texts_do_nothing_wherever_they_stand(tmp_path: Path, browser: Any) -> None:
    write_hostile(tmp_path)
    files = ["run_a.csv", "run_b.csv", "--qrels", "qrels.csv", "--queries", "queries.csv", "--items", "items.csv"]
    data = write_page(
        tmp_path, "page.html", *files, "--by", "<b>segment\"'</b>", "-m", "ndcg@5", "--title", HOSTILE[-1]
    )
    address = (tmp_path / "page.html").as_uri()
    for width in (360, 1280):
        with opened(browser, address, width) as seen:
            page = seen.page
            page.wait_for_selector(READY)
            assert page.locator("h1").inner_text() == HOSTILE[-1]
            for number, text in enumerate(HOSTILE):
                key = f"{text[:200]}{number}"
                open_query(page, address, key, data["queries"]["ids"][keys_of(data).index(key)])
                assert page.locator("#opened .beside tbody tr").count() == 16
                assert page.evaluate("document.documentElement.scrollWidth") == width
            page.goto(address + "#find=" + quote(HOSTILE[1]))
            assert listed(page) == [f"{HOSTILE[1]}1"]
            assert page.locator("main img, main script, main b").count() == 0
            assert (seen.messages, {request.partition("#")[0] for request in seen.requests}) == ([], {address})


def test_of_thousands_of_queries_few_rows_are_drawn(
    tmp_path: Path, browser: Any, record_property: Callable[[str, object], None]
) -> None:
    data = write_page(tmp_path, "page.html", *write_large(tmp_path, 5_000)[:-1])
    with opened(browser, (tmp_path / "page.html").as_uri()) as seen:
        page = seen.page
        page.wait_for_selector(READY)
        record_property("opened", page.evaluate(OPENED))
        assert page.locator("#count").inner_text() == "5,000 of 5,000 queries"
        assert page.locator("#rows tbody tr").count() == 50
        record_property("filtered", page.evaluate(FILTERED))
        found = sum("linen" in text for text in data["queries"]["texts"])
        assert page.locator("#count").inner_text() == f"{found:,} of 5,000 queries"
        assert page.evaluate("document.querySelectorAll('*').length") < 3_000


OPENED = "performance.getEntriesByName('opened')[0].startTime"
FILTERED = """() => {
  const field = document.forms.filters.elements.find, start = performance.now();
  field.value = "linen";
  field.dispatchEvent(new Event("input", {bubbles: true}));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def test_as_many_queries_as_a_page_holds_take_less_than_fifteen_megabytes(
    tmp_path: Path, browser: Any, record_property: Callable[[str, object], None]
) -> None:
    data = write_page(tmp_path, "page.html", *write_large(tmp_path, 20_000)[:-1])
    assert len(data["queries"]["ids"]) == 20_000
    size = (tmp_path / "page.html").stat().st_size
    record_property("bytes", size)
    assert size < 15_000_000
    with opened(browser, (tmp_path / "page.html").as_uri()) as seen:
        seen.page.wait_for_selector(READY)
        record_property("opened", seen.page.evaluate(OPENED))
        assert seen.page.locator("#count").inner_text() == "20,000 of 20,000 queries"
