"""Tables in LaTeX, in the style of booktabs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from sqlrank.dialects import visible
from sqlrank.pages.tables import Table

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
    written = [
        *(f"% {visible(line)}" for line in remarks),
        rf"\begin{{tabular}}{{{''.join('r' if column.number else 'l' for column in columns)}}}",
        r"\toprule",
        latex_row(header),
        r"\midrule",
        *map(latex_row, body),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    file.write("\n".join(written) + "\n")


def latex_row(texts: Iterable[str]) -> str:
    """A row of texts."""
    return " & ".join(map(latex_text, texts)) + r" \\"


def latex_text(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(MARKS.get(mark, mark) for mark in visible(text))
