"""Tables on a terminal: no line is wider than it, significant differences are coloured, intervals may be drawn."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from sqlrank.choices import COLORS as WHEN
from sqlrank.dialects import visible
from sqlrank.errors import not_known
from sqlrank.pages.aligned_text import cells, write_aligned
from sqlrank.pages.drawn_intervals import ASCII, UNICODE, Drawn

GAP = 2
"""The blanks between two columns."""
SHORTEST = 8
"""To how many characters a name is cut, at least."""
BAR = 24
"""The characters of a drawing."""
COLORS = {"gain": "\x1b[32m", "loss": "\x1b[31m"}
"""What begins the colour of a tone; signs and stars say the same to those who do not see it."""
PLAIN_AGAIN = "\x1b[0m"


@dataclass(frozen=True)
class Screen:
    """What a table is written onto."""

    width: int | None = None
    """The columns of a terminal; None where lines may be as wide as they are."""
    color: bool = False
    plot: bool = False
    """Whether intervals are drawn."""
    unicode: bool = True
    """Whether it can show the marks of drawings that are not ASCII."""

    def drawing(self, interval: Drawn | None) -> str:
        """An interval in characters."""
        return " " * BAR if interval is None else interval.text(BAR, UNICODE if self.unicode else ASCII)


PLAIN = Screen()
"""A file or a pipe."""


def screen_of(for_people: bool, color: str, plot: bool) -> Screen:
    """How a table is to be written; UsageError for a colour that is none.

    Args:
        for_people: whether it is a table, and goes to standard output.
        color: `always`, `never`, or `auto` for a terminal that has colours, unless NO_COLOR is set.
        plot: whether intervals are drawn.
    """
    if color not in WHEN:
        raise not_known("--color", color, WHEN)
    terminal = for_people and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    colored = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Screen(width, color == "always" or (color == "auto" and colored), plot, not for_people or shows_marks())


def shows_marks() -> bool:
    """Whether standard output can hold the marks of drawings that are not ASCII."""
    try:
        UNICODE.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


@dataclass
class Grid:
    """A table of texts."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int]
    """The columns that hold words, which stand to the left."""
    spare: Sequence[int] = ()
    """The columns that are left out where there is no room, the first one first."""
    toned: int | None = None
    """The column that is coloured."""
    tones: Sequence[str] = field(default=())
    """`gain`, `loss` or nothing for each row."""

    @property
    def lines(self) -> list[Sequence[str]]:
        """The header and the rows."""
        return [self.header, *self.rows]

    @property
    def widths(self) -> list[int]:
        """How wide each column is."""
        return [max(cells(visible(text)) for text in column) for column in zip(*self.lines, strict=True)]

    @property
    def width(self) -> int:
        """How wide its lines are."""
        return sum(self.widths) + GAP * (len(self.header) - 1)

    def within(self, width: int) -> tuple[Grid, list[str]]:
        """The same without columns that can be spared, as far as it has to be; and the names of those."""
        widths, kept = self.widths, list(range(len(self.header)))
        left_out = []
        for place in self.spare:
            if sum(widths[number] for number in kept) + GAP * (len(kept) - 1) <= width:
                break
            kept.remove(place)
            left_out.append(self.header[place].strip())
        toned = kept.index(self.toned) if self.toned in kept else None
        words = frozenset(kept.index(number) for number in self.words if number in kept)
        lines = [[line[number] for number in kept] for line in self.lines]
        return Grid(lines[0], lines[1:], words, (), toned, self.tones), left_out

    def cut(self, excess: int) -> Grid:
        """The same with names cut, the longest first, until the lines are so much narrower or no name is long."""
        lines = [[visible(text) for text in line] for line in self.lines]
        while excess > 0:
            widths = {number: max(cells(line[number]) for line in lines) for number in self.words}
            widest = max(widths, key=lambda number: widths[number], default=None)
            if widest is None or widths[widest] <= SHORTEST:
                break
            target = max(widths[widest] - excess, SHORTEST)
            for line in lines:
                line[widest] = shortened(line[widest], target)
            excess -= widths[widest] - target
        return Grid(lines[0], lines[1:], self.words, self.spare, self.toned, self.tones)


def write_grid(grid: Grid, file: TextIO, screen: Screen) -> None:
    """Write a table so that it fits: without columns that can be spared, with names cut, or a line for each cell."""
    left_out: list[str] = []
    if screen.width is not None:
        whole = grid
        grid, left_out = grid.within(screen.width)
        if grid.width > screen.width:
            grid = grid.cut(grid.width - screen.width)
        if grid.width > screen.width:
            write_cells(whole, file, screen.width)
            return
    paint = painter(grid) if screen.color else None
    write_aligned(grid.lines, grid.words, file, paint)
    if left_out:
        write_lines([f"no room for: {', '.join(left_out)}; --format csv has every column"], file, screen)


def painter(grid: Grid) -> dict[tuple[int, int], tuple[str, str]]:
    """What stands before and after the cells that are coloured, by line and column."""
    column = grid.toned
    if column is None:
        return {}
    return {(line, column): (COLORS[tone], PLAIN_AGAIN) for line, tone in enumerate(grid.tones, 1) if tone}


def write_cells(grid: Grid, file: TextIO, width: int) -> None:
    """Write each row as lines of a name and a value, for a terminal that is too narrow for columns."""
    for row in grid.rows:
        for name, text in zip(grid.header, row, strict=True):
            file.write(shortened(f"{visible(name).strip()}: {visible(text).strip()}", width) + "\n")
        file.write("\n")


def write_lines(lines: Iterable[str], file: TextIO, screen: Screen) -> None:
    """Write remarks, broken between words where a terminal ends."""
    for line in lines:
        shown = visible(line)
        if screen.width is None or cells(shown) <= screen.width:
            file.write(f"{shown}\n")
            continue
        from rich.cells import chop_cells

        rest: list[str] = []
        for word in shown.split(" "):
            if rest and cells(" ".join([*rest, word])) > screen.width:
                file.write(" ".join(rest) + "\n")
                rest = []
            *whole, last = chop_cells(word, screen.width) or [""]
            file.write("".join(f"{part}\n" for part in whole))
            rest.append(last)
        file.write(" ".join(rest) + "\n")


def shortened(text: str, width: int) -> str:
    """A text that takes no more columns, with a mark where it was cut."""
    if cells(text) <= width:
        return text
    from rich.cells import set_cell_size

    return set_cell_size(text, width - 1).rstrip() + "…"
