"""The generated parts of pages, between `<!-- name -->` and `<!-- /name -->`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.pages.blocks import pages


def with_part(text: str, name: str, lines: str) -> str:
    """A page with one of its parts as it should be; ValueError if it has no such part."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, found, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"no part {name!r}")
    return f"{before}{start}{lines}\n{end}{after}"


def page_with(name: str) -> Path:
    """The one page that has a part; ValueError if there is none or more."""
    (page,) = [path for path in pages() if f"<!-- {name} -->\n" in path.read_text(encoding="utf-8")]
    return page


def write_parts(parts: Mapping[str, Iterable[str]]) -> None:
    """Renew parts, each a list of lines, wherever they stand."""
    for name, lines in parts.items():
        page = page_with(name)
        page.write_text(with_part(page.read_text(encoding="utf-8"), name, "\n".join(lines)), encoding="utf-8")


def part(name: str) -> str:
    """The lines of a part, wherever it stands."""
    text = page_with(name).read_text(encoding="utf-8")
    return text.partition(f"<!-- {name} -->\n")[2].partition(f"<!-- /{name} -->")[0]
