"""Tables as text of Markdown and of LaTeX."""

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


MARKS = {mark: f"\\{mark}" for mark in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
}


def write_latex(table: Table, remarks: Iterable[str], file: TextIO) -> None:
    """Write a table, without what is drawn, and remarks above it."""
    columns = [column for column in table.columns if not column.bar]
    header, *body = zip(*([column.title, *(cell.said for cell in column.cells)] for column in columns), strict=True)
    alignment = "".join("r" if column.number else "l" for column in columns)
    write_lines([*comments(remarks), *tabular(alignment, header, [map(latex_row, body)])], file)


def write_lines(lines: Iterable[str], file: TextIO) -> None:
    """Write lines of LaTeX."""
    file.writelines(f"{line}\n" for line in lines)


def comments(remarks: Iterable[str]) -> list[str]:
    """Remarks as comments."""
    return [f"% {visible(line)}" for line in remarks]


def tabular(alignment: str, header: Iterable[str], parts: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a table: a header of texts, and parts that are written rows already, each below a rule."""
    body = [line for part in parts for line in (r"\midrule", *part)]
    return [
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        latex_row(header),
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]


def captioned(caption: str, lines: Iterable[str]) -> list[str]:
    """The lines of a table that floats, with its caption above it."""
    head = [r"\begin{table}[t]", r"\centering", rf"\caption{{{latex_text(caption)}}}"]
    return [*head, *lines, r"\end{table}"]


def latex_row(texts: Iterable[str]) -> str:
    """A row of texts."""
    return " & ".join(map(latex_text, texts)) + r" \\"


def latex_text(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(MARKS.get(mark, mark) for mark in visible(text))
