"""The cells of the tables of trials as they stand in the documentation, and those of them that are in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.pages.parts import part

TABLES = {
    "means": "mean",
    "limits": "mean",
    "draws": "labels from clicks",
    "clusters": "clusters",
    "differences": "difference",
    "ties": "difference",
    "arms": "different queries",
    "agreement": "agreement",
    "plans": "plan",
    "votes": "interleaved lists",
    "value": "log value",
}
"""What the tables of coverage are of, by name."""
OF_BOTH = {"plans": "queries needed", "value": "difference"}
"""Those in which the second figure is a coverage too, and of what."""
TESTED = ("differences", "ties", "clusters", "draws", "arms", "votes", "gsb")
"""Those in which the second figure is of errors."""
NAMES = {"gsb": "verdicts", "pairs": "all pairs"} | TABLES
LEAST, MOST, ERRORS = 92.0, 98.0, 6.0
"""Between which coverages a cell is as it should be, and up to which share of errors."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a table."""

    table: str
    words: tuple[str, ...]
    """The words of its row."""
    size: int
    """How many queries, clusters, items or impressions its column is of."""
    coverage: float | None
    """In percent; None where the interval is withheld."""
    second: float | None
    """The figure after the slash, in percent."""


def cells_of(table: str) -> Iterator[Cell]:
    """The cells of a table."""
    first, _, *lines = part(f"trials {table}").splitlines()
    names = split(first)
    for line in lines:
        found = split(line)
        words = tuple(text for name, text in zip(names, found, strict=True) if not re.match(r"\d", name))
        for name, text in zip(names, found, strict=True):
            if re.match(r"\d", name) and text:
                one, _, other = text.partition(" / ")
                shown = None if one == "withheld" else float(one)
                second = None if other in ("", "withheld") else float(other)
                yield Cell(table, words, int(name.split()[0]), shown, second)


def split(line: str) -> list[str]:
    """The texts of a line of a table."""
    return [text.strip() for text in line.strip("|").split("|")]


def of_verdicts() -> Iterator[Cell]:
    """The cells of the table of verdicts, which has a row for each number of queries."""
    for line in part("trials gsb").splitlines()[2:]:
        words, queries, coverage, errors = split(line)
        yield Cell("gsb", (words,), int(queries), float(coverage), float(errors))


def in_words() -> list[str]:
    """The cells below 92 %, above 98 %, and with more than 6 % of errors, each row in a line."""
    every = [*of_verdicts(), *(cell for table in TABLES for cell in cells_of(table) if not is_again(cell))]
    tested = [cell for cell in every if cell.table in TESTED and cell.second is not None]
    tested += [Cell(cell.table, cell.words, cell.size, None, cell.coverage) for cell in cells_of("pairs")]
    below = [cell for cell in every if cell.coverage is not None and cell.coverage < LEAST]
    above = [cell for cell in every if cell.coverage is not None and cell.coverage > MOST]
    wrong = [cell for cell in tested if cell.second is not None and cell.second > ERRORS]
    seconds = [
        Cell(cell.table, (*cell.words, words), cell.size, cell.second, None)
        for table, words in OF_BOTH.items()
        for cell in cells_of(table)
    ]
    below += [cell for cell in seconds if cell.coverage is not None and cell.coverage < LEAST]
    above += [cell for cell in seconds if cell.table == "value" and cell.coverage is not None and cell.coverage > MOST]
    return [
        "Coverage below 92 %:",
        "",
        *listed(below, "coverage"),
        "",
        "A difference, or a margin, found too often (more than 6 %):",
        "",
        *listed(wrong, "second"),
        "",
        "Coverage above 98 %, wider than need be, if all that may come is to be allowed for:",
        "",
        *ranged(above),
    ]


def is_again(cell: Cell) -> bool:
    """Whether a cell of the table of limits stands in that of means too."""
    return cell.table == "limits" and cell.words[1] == "equal"


def listed(cells: list[Cell], name: str) -> list[str]:
    """A line for each row that has such cells, with their figures by size."""
    return [
        f"- {'; '.join(words)}: {', '.join(f'{getattr(cell, name):g} ({cell.size})' for cell in found)}"
        for words, found in by_row(cells).items()
    ] or ["- none"]


def ranged(cells: list[Cell]) -> list[str]:
    """A line for each row that has such cells, with their sizes and the largest coverage."""
    return [
        f"- {'; '.join(words)}: up to {max(cell.coverage or 0 for cell in found):g}"
        f" ({', '.join(str(cell.size) for cell in found)})"
        for words, found in by_row(cells).items()
    ] or ["- none"]


def by_row(cells: list[Cell]) -> dict[tuple[str, ...], list[Cell]]:
    """Cells by the words of their row, in the order of these."""
    rows: dict[tuple[str, ...], list[Cell]] = {}
    for cell in dict.fromkeys(cells):
        rows.setdefault((NAMES[cell.table], *cell.words), []).append(cell)
    return dict(sorted(rows.items()))
