"""What the site gets after it is built: the same page in the other language, its source, and the version.

`python -m tests.pages.finish FOLDER`. All links are relative, so that the site may stand in a folder of a server or be
opened as files.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from sqlrank.version import __version__
from tests.pages.blocks import DOCS
from tests.pages.command_line import spoken

LANGUAGE_LINK = re.compile(r'<a href="/(?:zh/)?" hreflang="(en|zh)"')
LANGUAGE_HEAD = re.compile(r' *<link rel="alternate" href="/(?:zh/)?" hreflang="(?:en|zh)">\n')
MADE_WITH = re.compile(r'<div class="md-copyright">.*?</div>', re.DOTALL)
WIDE = "[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef\u201c\u201d\u2014\u2026]"
POINTS = "[\u3000-\u303f\uff00-\uffef]"
TAGS = "(?:<[^<>]*>)*"
BROKEN = re.compile(f"({WIDE}{TAGS})[ \\n](?={TAGS}{WIDE})|({POINTS}{TAGS})[ \\n]|[ \\n](?={TAGS}{POINTS})")
"""Where a line of Chinese was broken: a browser would show a space."""
PREFORMATTED = re.compile(r"(<pre.*?</pre>)", re.DOTALL)
PRINTED = re.compile(r'(<div class="language-(?:console|text) highlight">.*?<code>)(.*?)(</code>)', re.DOTALL)
LONG = 90
"""From how many characters on a line of a terminal that is no row of a table is broken where there is no room."""
ENGLISH_LINK = re.compile(r'href="((?:\.\./)+[\w/.-]+)\.md((?:#[^"]*)?)"')
"""A link of a page in Chinese to one that is in English alone."""
FOOT = ("what is new", "source of this page", "made with")


def finish(site: Path) -> None:
    """Finish each page of a site, and put the Markdown that it was made of beside it."""
    for path in sorted(site.rglob("*.html")):
        if path.name == "404.html":
            continue  # a server shows it at any address
        path.write_text(finished(site, path), encoding="utf-8")
        if source_of(site, path).exists():
            shutil.copyfile(source_of(site, path), path.with_suffix(".md"))
    for path in site.glob("zh/search.js*"):
        path.write_text(unbroken(path.read_text(encoding="utf-8")), encoding="utf-8")


def finished(site: Path, path: Path) -> str:
    """The text of a page; ValueError if it has not what is to be changed."""
    text = LANGUAGE_HEAD.sub("", path.read_text(encoding="utf-8"))
    text, switches = LANGUAGE_LINK.subn(lambda found: switch(site, path, found[1]), text)
    text, feet = MADE_WITH.subn(lambda _: foot(site, path), text)
    if (switches, feet) != (2, 1):
        raise ValueError(f"{path}: {switches} links to languages and {feet} feet, where 2 and 1 are expected")
    text = outside_of_code(text, lambda part: part.replace(r"\|", "|"))  # as a table of Markdown needs it
    text = PRINTED.sub(lambda found: found[1] + "\n".join(map(breakable, found[2].split("\n"))) + found[3], text)
    if language_of(site, path) == "en":
        return text
    return outside_of_code(ENGLISH_LINK.sub(r'href="\1.html\2"', text), unbroken)


def language_of(site: Path, path: Path) -> str:
    """The language of a page."""
    return "zh" if path.is_relative_to(site / "zh") else "en"


def source_of(site: Path, path: Path) -> Path:
    """The Markdown of a page."""
    return (DOCS / path.relative_to(site)).with_suffix(".md")


def outside_of_code(text: str, change: Callable[[str], str]) -> str:
    """A page whose text is changed, but for its blocks of code."""
    parts = PREFORMATTED.split(text)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


def breakable(line: str) -> str:
    """A line of what a terminal shows, which may be broken if it is a command or a sentence and long."""
    bare = re.sub("<[^>]*>", "", line)
    whole = line.count("<span") == line.count("</span>")
    if len(bare) < LONG or "  " in bare.strip() or not whole:
        return line
    return f'<span class="breakable">{line}</span>'


def unbroken(text: str) -> str:
    """A text in Chinese whose sentences have no spaces where their lines were broken."""
    return BROKEN.sub(r"\1\2", text)


def switch(site: Path, path: Path, language: str) -> str:
    """The link of a page to the same page in a language, or to the first one where there is none."""
    bare = Path(*[part for part in path.relative_to(site).parts if part != "zh"])
    root = site / "zh" if language == "zh" else site
    other = root / bare if (root / bare).exists() else root / "index.html"
    return f'<a href="{relative(other, path)}" hreflang="{language}"'


def foot(site: Path, path: Path) -> str:
    """The foot of a page."""
    new, of_page, made = (spoken(language_of(site, path), "foot", words) for words in FOOT)
    links = [f'<a href="{relative(site / "changelog.html", path)}">{new}</a>']
    if source_of(site, path).exists():
        links.append(f'<a href="{path.with_suffix(".md").name}">{of_page}</a>')
    links.append(f'{made} <a href="https://zensical.org/">Zensical</a>')
    return f'<div class="md-copyright">sqlrank {__version__} · {" · ".join(links)}</div>'


def relative(other: Path, path: Path) -> str:
    """The way from a page to another file."""
    return Path(os.path.relpath(other, path.parent)).as_posix()


if __name__ == "__main__":
    finish(Path(sys.argv[1]))
