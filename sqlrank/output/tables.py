"""The wide formats, for people: a row per system and segment, a column per metric."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, TextIO

from sqlrank.dialects import visible
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.pages.drawn_intervals import drawings
from sqlrank.pages.terminal_tables import PLAIN, Grid, Screen, write_grid, write_lines

LINKS = re.compile(r"@(?=[\w.-]*\.\w)|www\.|[a-z]:(?=\S)", re.IGNORECASE)
"""Where Markdown would begin a link that nobody wrote as one: an address, a host or a scheme."""
DIGITS = 4
"""Decimals, unless told."""

MOST_COLUMNS = 10
"""The number of metrics above which each has a row of its own instead of a column."""


def wide(result: MetricResult, digits: int) -> tuple[list[str], list[list[str]], int]:
    """The header, the rows (per system and segment, or turned, per metric), and how many left columns are words."""
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
    if len(header) - 2 - len(result.by) <= MOST_COLUMNS:
        return header, list(lines.values()), 1 + len(result.by)
    turned = [list(row) for row in zip(header, *lines.values(), strict=True)]
    return turned[0], turned[1:], 1


def cell(row: dict[str, Any], digits: int, counted: bool) -> str:
    """A value with half the width of its interval, or both parts of it where they differ, and with its upper bound."""
    if row["value"] is None:
        return "-"
    digits, bound = 0 if counted else digits, row.get("bound_high")
    value, most = f"{row['value']:.{digits}f}", "" if bound is None else f" (to {bound:.{digits}f})"
    if row["ci_low"] is None:
        return value + most
    above, below = (f"{row['ci_high'] - row['value']:.{digits}f}", f"{row['value'] - row['ci_low']:.{digits}f}")
    return (f"{value} ±{above}" if above == below else f"{value} +{above} -{below}") + most


def wide_table(result: MetricResult, file: TextIO, digits: int, screen: Screen = PLAIN) -> None:
    """The summary as a table for people: on a terminal the first of three forms of it that fits."""
    header, rows, left = wide(result, digits)
    grid = Grid(header, rows, frozenset(range(left)))
    if screen.plot:
        grid = long_grid(result, digits, screen)
    elif screen.width is not None and grid.width > screen.width:
        turned = [list(line) for line in zip(header, *rows, strict=True)]
        grid = Grid(turned[0], turned[1:], frozenset([0]))
        if grid.width > screen.width:
            grid = long_grid(result, digits, screen)
    write_grid(grid, file, screen)
    file.write("\n")
    write_lines(result.remarks(), file, screen)


def long_grid(result: MetricResult, digits: int, screen: Screen) -> Grid:
    """The summary with a row for each system, segment and metric, and its interval drawn if that is asked for."""
    counted = {measure.text for measure in result.measures if measure.counts}
    relation = result.rows
    rows = [dict(zip(relation.columns, values, strict=True)) for values in relation.fetchall()]
    drawn = drawings(rows, ("value", "ci_low", "ci_high"), lambda row: row["metric"], zero=False)
    lines = []
    for row, interval in zip(rows, drawn, strict=True):
        labels = ["(all)" if row["is_total"] else str(row[name]) for name in result.by]
        line = [row["system"], *labels, row["metric"], str(row["queries"]), cell(row, digits, row["metric"] in counted)]
        lines.append([*line, screen.drawing(interval)] if screen.plot else line)
    header = ["system", *result.by, "metric", "queries", "value", *(["interval"] if screen.plot else [])]
    words = frozenset(range(2 + len(result.by))) | ({len(header) - 1} if screen.plot else frozenset())
    spare = [header.index("queries", 2 + len(result.by)), *([0] if len(result.systems) == 1 else [])]
    return Grid(header, lines, words, spare)


def wide_markdown(result: MetricResult, file: TextIO, digits: int) -> None:
    """The summary as a Markdown table."""
    header, rows, left = wide(result, digits)
    write_markdown([header, *rows], range(left), result.remarks(), file)


def write_markdown(lines: Sequence[Sequence[str]], words: Container[int], remarks: Iterable[str], file: TextIO) -> None:
    """Lines of cells, of which the first is the header, as a Markdown table with remarks below it."""
    header, *rows = lines
    rule = [":--" if number in words else "--:" for number in range(len(header))]
    escaped = [[markdown_text(text) for text in line] for line in (header, rule, *rows)]
    file.write("".join(f"| {' | '.join(line)} |\n" for line in escaped))
    file.write("\n" + "".join(f"{markdown_text(line)}  \n" for line in remarks))


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    shown = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    shown = "".join(f"\\{mark}" if mark in "\\`*_|[]~$" else mark for mark in shown)
    return LINKS.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", shown)


def wide_latex(result: MetricResult, file: TextIO, digits: int) -> None:
    """The summary as a LaTeX table in the style of booktabs."""
    header, rows, left = wide(result, digits)
    write_latex([header, *rows], range(left), result.remarks(), file)


def write_latex(lines: Sequence[Sequence[str]], words: Container[int], remarks: Iterable[str], file: TextIO) -> None:
    """Lines of cells, of which the first is the header, as a LaTeX table with remarks above it."""
    header, *body = [" & ".join(latex_text(text) for text in line) + r" \\" for line in lines]
    columns = "".join("l" if number in words else "r" for number in range(len(lines[0])))
    written = [
        *(f"% {visible(line)}" for line in remarks),
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        header,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    file.write("\n".join(written) + "\n")


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


WIDE: dict[str, Callable[..., None]] = {
    "table": wide_table,
    "markdown": wide_markdown,
    "latex": wide_latex,
}
