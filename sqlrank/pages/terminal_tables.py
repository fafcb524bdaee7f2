"""Tables on a terminal: no line is wider than it, significant differences are coloured, intervals may be drawn."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TextIO

from sqlrank.choices import COLORS as WHEN
from sqlrank.dialects import visible
from sqlrank.errors import not_known
from sqlrank.pages.tables import ASCII, UNICODE, Cell, Column, Table

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
    verbose: bool = True
    """Whether remarks on what is as usual are shown."""
    elsewhere: str = ""
    """What has the columns for which there is no room; nothing for a format of the command line."""
    more: str = "--verbose has more"
    """What shows all remarks."""

    def text(self, cell: Cell, column: Column) -> str:
        """A cell in characters, with room for the marks or the drawing of its column."""
        if column.bar:
            marks = UNICODE if self.unicode else ASCII
            return " " * BAR if cell.interval is None else cell.interval.text(BAR, marks)
        text = cell.text if column.longest is None else shortened(cell.text, column.longest)
        return f"{text} {cell.mark:<{column.marks}}" if column.marks else text


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


@dataclass(frozen=True)
class Texts:
    """A column as lines of a terminal: its title, and a text for each row."""

    name: str
    lines: Sequence[str]
    number: bool
    colors: Sequence[str]
    """What begins the colour of each line; nothing where it has none."""
    named: bool = False
    """Whether the title is a name."""

    @cached_property
    def width(self) -> int:
        """How many columns of a terminal it takes."""
        return max(map(cells, self.lines))

    def cut(self, width: int) -> Texts:
        """The same with longer texts cut."""
        return replace(self, lines=[shortened(line, width) for line in self.lines])

    def with_title_cut(self) -> Texts:
        """The same with a title that is a name no longer than what stands below it, or than `SHORTEST`."""
        title, *lines = self.lines
        return replace(self, lines=[shortened(title, max(SHORTEST, *map(cells, lines))), *lines])

    def padded(self, line: int) -> str:
        """A line filled up with blanks: words stand to the left, numbers to the right."""
        text = self.lines[line]
        blanks = " " * (self.width - cells(text))
        return blanks + text if self.number else text + blanks


def write_table(table: Table, file: TextIO, screen: Screen) -> None:
    """Write a table so that it fits: without columns that can be spared, with names cut, or a line for each cell."""
    columns = whole = texts_of(table, screen)
    left_out: list[str] = []
    if screen.width is not None:
        if width_of(whole) > screen.width:
            columns = [one.with_title_cut() if one.named else one for one in whole]
        columns = within(columns, table.spare, screen.width)
        kept = {one.name for one in columns}
        left_out = [one.lines[0].strip() for name in table.spare for one in whole if one.name == name not in kept]
        columns = with_names_cut(columns, width_of(columns) - screen.width)
        if width_of(columns) > screen.width:
            write_cells(whole, file, screen)
            return
    write_aligned(columns, file)
    if left_out:
        elsewhere = screen.elsewhere or f"--format {table.whole_in} has every column"
        hint = f"no room for: {', '.join(left_out)}; {elsewhere}"
        write_lines([hint], file, screen)


def fits(table: Table, screen: Screen) -> bool:
    """Whether a table has room as it is."""
    return screen.width is None or width_of(texts_of(table, screen)) <= screen.width


def texts_of(table: Table, screen: Screen) -> list[Texts]:
    """The columns as they are on a screen; drawings stand last, and only where they are asked for."""
    found = []
    for column in sorted(table.columns, key=lambda column: column.bar):
        if column.bar and not screen.plot:
            continue
        title = column.title + " " * (column.marks + 1 if column.marks else 0)
        lines = [title, *(screen.text(cell, column) for cell in column.cells)]
        colored = screen.color and column.colored and not column.bar
        colors = ["", *(COLORS.get(cell.tone, "") if colored else "" for cell in column.cells)]
        found.append(Texts(column.name, list(map(visible, lines)), column.number, colors, column.named))
    return found


def width_of(columns: Sequence[Texts]) -> int:
    """How wide the lines of some columns are."""
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def within(columns: Sequence[Texts], spare: Iterable[str], width: int) -> list[Texts]:
    """The columns without those that can be spared, as far as it has to be."""
    kept = list(columns)
    for name in spare:
        if width_of(kept) <= width:
            break
        kept = [column for column in kept if column.name != name]
    return kept


def with_names_cut(columns: Sequence[Texts], excess: int) -> list[Texts]:
    """The columns with names cut, the longest first, until they are so much narrower or no name is long."""
    found = list(columns)
    while excess > 0:
        words = [place for place, column in enumerate(found) if not column.number]
        widest = max(words, key=lambda place: found[place].width, default=None)
        if widest is None or found[widest].width <= SHORTEST:
            break
        before = found[widest].width
        found[widest] = found[widest].cut(max(before - excess, SHORTEST))
        excess -= before - max(before - excess, SHORTEST)
    return found


def write_aligned(columns: Sequence[Texts], file: TextIO) -> None:
    """Write lines of cells in columns of one width; colours take no room, and no line ends with blanks."""
    for line in range(len(columns[0].lines)):
        padded = [column.padded(line) for column in columns]
        padded[-1] = padded[-1].rstrip()
        colors = [column.colors[line] for column in columns]
        painted = [f"{color}{text}{PLAIN_AGAIN}" if color else text for color, text in zip(colors, padded, strict=True)]
        file.write((" " * GAP).join(painted).rstrip() + "\n")


def write_cells(columns: Sequence[Texts], file: TextIO, screen: Screen) -> None:
    """Write each row as lines of a name and a value, for a terminal that is too narrow for columns."""
    for line in range(1, len(columns[0].lines)):
        for column in columns:
            write_lines([f"{column.lines[0].strip()}: {column.lines[line].strip()}"], file, screen)
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


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
