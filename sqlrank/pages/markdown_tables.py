"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO

from sqlrank.dialects import visible
from sqlrank.pages.tables import Table

LINKS = re.compile(r"@(?=[\w.-]*\.\w)|www\.|[a-z]:(?=\S)", re.IGNORECASE)
"""Where Markdown would begin a link that nobody wrote as one: an address, a host or a scheme."""


def write_markdown(table: Table, remarks: Iterable[str], file: TextIO) -> None:
    """Write a table, without what is drawn, and remarks below it."""
    columns = [column for column in table.columns if not column.bar]
    rule = ["--:" if column.number else ":--" for column in columns]
    body = zip(*([cell.said for cell in column.cells] for column in columns), strict=True)
    for line in ([column.title for column in columns], rule, *body):
        file.write(f"| {' | '.join(map(markdown_text, line))} |\n")
    file.write("\n" + "".join(f"{markdown_text(line)}  \n" for line in remarks))


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    shown = "".join(f"\\{mark}" if mark in "\\`*_|[]~$" else mark for mark in shown)
    return LINKS.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", shown)
