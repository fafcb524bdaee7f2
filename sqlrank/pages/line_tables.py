"""Lines for people as tables."""

from __future__ import annotations

from collections.abc import Iterable

from sqlrank.pages.tables import Table, listed


def lines_table(lines: Iterable[str]) -> Table:
    """Lines as a table: the first one is its caption, of the others what stands before a colon or a gap is the head."""
    caption, *rest = lines
    return listed(["what", "found"], map(parts, map(str.strip, rest)), caption=caption.removesuffix(":"))


def parts(line: str) -> tuple[str, str]:
    """The head of a line and what is said."""
    head, gap, said = line.partition("  ")
    if not gap:
        head, gap, said = line.partition(": ")
    if not gap:
        head, gap, said = line.partition(" ")
    return head, said.strip()
