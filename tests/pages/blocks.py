"""A page of Markdown as the steps that a reader would take: commands, Python, SQL, and files to write."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
READMES = (ROOT / "README.md", ROOT / "README.zh.md")

FENCE = re.compile(
    r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>[\w.-]*).*\n(?P<body>(?:.*\n)*?)(?P=indent)(?P=ticks)\n", re.M
)
COMMENT = re.compile(r"^<!-- (?P<word>files|file): (?P<value>\S+) -->\n", re.M)


@dataclass(slots=True)
class Block:
    """A fenced block: its language, its text, where the text stands in the page, and the file it is written to.

    A block of a tab or a list is indented; its text is not.
    """

    language: str
    body: str
    start: int
    end: int
    file: str | None = None
    indent: str = ""
    printed: Block | None = None
    """The block of text that follows at once, which holds what this one prints."""

    def placed(self, text: str) -> str:
        """A text as it stands in this block's place in the page."""
        return textwrap.indent(text, self.indent)


@dataclass(frozen=True, slots=True)
class Fixtures:
    """A folder of the project that is copied to where the page is run."""

    folder: str


def pages() -> list[Path]:
    """The README in each language and every page of the documentation."""
    return [path for path in READMES if path.exists()] + sorted(DOCS.rglob("*.md"))


def steps(text: str) -> list[Block | Fixtures]:
    """The fenced blocks of a page and the fixtures it asks for, in order; printed text is part of what prints it."""
    return list(paired(text, list(ordered(text))))


def ordered(text: str) -> Iterator[Block | Fixtures]:
    """Every fenced block and every request for fixtures."""
    found: list[tuple[int, re.Match[str]]] = [(match.start(), match) for match in FENCE.finditer(text)]
    inside = [(match.start(), match.end()) for _, match in found]
    comments = [match for match in COMMENT.finditer(text) if not any(a <= match.start() < b for a, b in inside)]
    found += [(match.start(), match) for match in comments if match["word"] == "files"]
    names = {match.end(): match["value"] for match in comments if match["word"] == "file"}
    for _, match in sorted(found, key=lambda pair: pair[0]):
        if match.re is COMMENT:
            yield Fixtures(match["value"])
        else:
            body = "".join(line.removeprefix(match["indent"]) for line in match["body"].splitlines(keepends=True))
            file = names.get(match.start())
            yield Block(match["language"], body, match.start("body"), match.end("body"), file, match["indent"])


def paired(text: str, found: list[Block | Fixtures]) -> Iterator[Block | Fixtures]:
    """The same, with each block of text that follows Python or SQL at once made part of it."""
    last: Block | None = None
    for step in found:
        if isinstance(step, Block) and step.language == "text" and last is not None and last.file is None:
            between = text[last.end : step.start].replace("`", "").replace("text", "").strip()
            if last.language in ("python", "sql") and not between:
                last.printed = step
                continue
        last = step if isinstance(step, Block) else None
        yield step


def commands(block: Block) -> list[str]:
    """The commands of a block of a terminal, each with its continued lines, as they stand after the prompt."""
    found: list[str] = []
    continued = False
    for line in block.body.splitlines():
        if line.startswith("$ "):
            found.append(line.removeprefix("$ "))
        elif continued and (line.startswith("> ") or found[-1].endswith("\\")):
            found[-1] += f"\n{line}"
        else:
            continued = False
            continue
        continued = True
    return found
