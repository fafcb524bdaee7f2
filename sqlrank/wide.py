"""The wide formats, for people: a row per system and segment, a column per metric."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TextIO

from sqlrank.dialects import visible
from sqlrank.results import Result

DIGITS = 4
"""Decimals, unless told."""


def wide(result: Result, digits: int) -> tuple[list[str], list[list[str]]]:
    """The summary with a row per system and segment and a column per metric, as text."""
    header = ["system", *result.by, "queries", *(measure.text for measure in result.measures)]
    counted = {measure.text for measure in result.measures if measure.counts}
    lines: dict[tuple[Any, ...], list[str]] = {}
    sizes: dict[tuple[Any, ...], set[int]] = {}
    relation = result.rows
    for values in relation.fetchall():
        row = dict(zip(relation.columns, values, strict=True))
        total = bool(row.get("is_total"))
        key = (row["system"], total, *(row[name] for name in result.by))
        labels = ["(all)" if total else str(row[name]) for name in result.by]
        line = lines.setdefault(key, [row["system"], *labels])
        sizes.setdefault(key, set()).add(row["queries"])
        line.append(cell(row, digits, row["metric"] in counted))
    for key, line in lines.items():
        sizes_here = sorted(sizes[key])
        shown = str(sizes_here[0]) if len(sizes_here) == 1 else f"{sizes_here[0]}-{sizes_here[-1]}"
        line.insert(1 + len(result.by), shown)
    return header, list(lines.values())


def cell(row: dict[str, Any], digits: int, counted: bool) -> str:
    """A value with half the width of its interval."""
    if row["value"] is None:
        return "-"
    if counted:
        return f"{row['value']:.0f}"
    margin = "" if row["stderr"] is None else f" ±{row['ci_high'] - row['value']:.{digits}f}"
    return f"{row['value']:.{digits}f}{margin}"


def wide_table(result: Result, file: TextIO, digits: int) -> None:
    """The summary as a table for people, whatever the width of the terminal."""
    from rich.cells import cell_len

    header, rows = wide(result, digits)
    shown = [[visible(text) for text in line] for line in [header, *rows]]
    widths = [max(cell_len(line[number]) for line in shown) for number in range(len(header))]
    left = 1 + len(result.by)
    for line in shown:
        padded = [
            text + " " * (width - cell_len(text)) if number < left else " " * (width - cell_len(text)) + text
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        file.write("  ".join(padded).rstrip() + "\n")
    file.write("\n" + "".join(f"{visible(line)}\n" for line in result.remarks()))


def wide_markdown(result: Result, file: TextIO, digits: int) -> None:
    """The summary as a Markdown table."""
    header, rows = wide(result, digits)
    left = 1 + len(result.by)
    lines = [header, [":--" if number < left else "--:" for number in range(len(header))], *rows]
    escaped = [[markdown_text(text) for text in line] for line in lines]
    file.write("".join(f"| {' | '.join(line)} |\n" for line in escaped))
    file.write("\n" + "".join(f"{markdown_text(line)}  \n" for line in result.remarks()))


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{mark}" if mark in "\\`*_|[]" else mark for mark in shown)


def wide_latex(result: Result, file: TextIO, digits: int) -> None:
    """The summary as a LaTeX table in the style of booktabs."""
    header, rows = wide(result, digits)
    left = 1 + len(result.by)
    body = [" & ".join(latex_text(text) for text in line) + r" \\" for line in rows]
    lines = [
        *(f"% {visible(line)}" for line in result.remarks()),
        rf"\begin{{tabular}}{{{'l' * left}{'r' * (len(header) - left)}}}",
        r"\toprule",
        " & ".join(latex_text(text) for text in header) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    file.write("\n".join(lines) + "\n")


LATEX = {mark: f"\\{mark}" for mark in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
}


def latex_text(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return "".join(LATEX.get(mark, mark) for mark in visible(text))


WIDE: dict[str, Callable[[Result, TextIO, int], None]] = {
    "table": wide_table,
    "markdown": wide_markdown,
    "latex": wide_latex,
}
