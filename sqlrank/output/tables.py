"""The wide formats, for people: a row per system and segment, a column per metric."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, TextIO

from sqlrank.dialects import visible
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.evaluation.result import Result

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
    """A value with half the width of its interval, or with both parts of it where they differ."""
    if row["value"] is None:
        return "-"
    if counted:
        return f"{row['value']:.0f}"
    value = f"{row['value']:.{digits}f}"
    if row["ci_low"] is None:
        return value
    above, below = (f"{row['ci_high'] - row['value']:.{digits}f}", f"{row['value'] - row['ci_low']:.{digits}f}")
    return f"{value} ±{above}" if above == below else f"{value} +{above} -{below}"


def wide_table(result: MetricResult, file: TextIO, digits: int) -> None:
    """The summary as a table for people, whatever the width of the terminal."""
    header, rows, left = wide(result, digits)
    write_aligned([header, *rows], range(left), file)
    file.write("\n" + "".join(f"{visible(line)}\n" for line in result.remarks()))


def write_aligned(lines: Iterable[Sequence[str]], words: Container[int], file: TextIO) -> None:
    """Lines of cells in columns: words to the left, numbers to the right."""
    shown = [[visible(text) for text in line] for line in lines]
    widths = [max(map(cells, column)) for column in zip(*shown, strict=True)]
    for line in shown:
        padded = [
            text + " " * (width - cells(text)) if number in words else " " * (width - cells(text)) + text
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ]
        file.write("  ".join(padded).rstrip() + "\n")


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def write_explanation(result: Result, query: str, system: str, rows: int, file: TextIO, digits: int) -> None:
    """One ranking beside the best one, and the value of each metric, for people."""
    relation = result.explain(query, system, rows)
    names = relation.columns
    body = [
        [explained(name, value, digits) for name, value in zip(names, row, strict=True)] for row in relation.fetchall()
    ]
    words = {names.index("doc_id"), names.index("ideal_doc_id")}
    header = [name.removeprefix("ideal_") if name.startswith("ideal_") else name for name in names]
    header[names.index("ideal_doc_id")] = "| best"
    lines = [
        [f"| {text}" if number == names.index("ideal_doc_id") else text for number, text in enumerate(line)]
        for line in body
    ]
    write_aligned([header, *lines], words, file)
    values = result.of_query(query, system)
    width = max(map(len, values))
    file.write(
        "\n" + "".join(f"{text:<{width}}  {explained('value', value, digits)}\n" for text, value in values.items())
    )
    file.write(f"\n{visible(result.conventions.describe())}\n")


def explained(name: str, value: Any, digits: int) -> str:
    """A cell of an explanation: what was given in full, what was computed rounded, what is not there as -."""
    if value is None:
        return "-"
    if isinstance(value, float):
        given = name in ("score", "relevance", "ideal_relevance", "gain", "ideal_gain")
        return f"{value:.12g}" if given else f"{value:.{digits}f}"
    return str(value)


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
