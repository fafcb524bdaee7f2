"""A table as data, which a terminal, Markdown, LaTeX and HTML each draw in their own way, and intervals in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

SIGNS = {"gain": "▲", "loss": "▼", "": "●"}
"""What says to those who see no colours whether a difference is a gain."""
Row = Mapping[str, Any]
MARGIN = 6.0
"""Percent of the width of a drawing that is left free at either end."""
UNICODE, ASCII = "├─●┤┊", "|-o|:"
"""The marks of the lower end, the line, the value, the upper end and 0."""


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    tone: str = ""
    """`gain`, `loss`, `relevant`, `not-relevant`, `unjudged`, or nothing: colour that a sign or a mark repeats."""
    interval: Drawn | None = None
    detail: str = ""
    """A second, smaller line of a page."""
    sign: str = ""
    """A sign of a page before the text, for those who do not see colours."""
    mark: str = ""
    """What stands behind a number, such as stars."""

    @property
    def said(self) -> str:
        """The text with its mark."""
        return f"{self.text} {self.mark}" if self.mark else self.text

    @property
    def plain(self) -> bool:
        """Whether it is a text and nothing else."""
        return self[1:] == PLAIN


PLAIN = Cell("")[1:]
"""What a cell that is a text has besides."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    """What it is called in the program; no other column of a table that is chosen from has this name."""
    cells: Sequence[Cell]
    title: str
    """What it is called where it is shown."""
    number: bool = False
    """Whether it holds numbers, which stand to the right."""
    bar: bool = False
    """Whether it holds intervals that are drawn: on a page, and on a terminal if that is asked for, as the last one."""
    marks: int = 0
    """How long the marks behind its numbers may be, so that numbers stay in line."""
    longest: int | None = None
    """To how many characters a terminal cuts its texts; None for whole ones where there is room."""
    named: bool = False
    """Whether its title is a name, which a terminal cuts where there is no room."""
    colored: bool = True
    """Whether a terminal shows its tones too."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, which knows nothing of what it is drawn on."""

    columns: Sequence[Column]
    caption: str = ""
    spare: Sequence[str] = ()
    """The names of columns that are left out where a terminal has no room, the first one first."""
    whole_in: str = "csv"
    """The format that has these columns whatever the terminal."""
    folded: bool = False
    """Whether a page hides it behind its caption."""
    dense: bool = False
    """Whether a page writes it small, as it has very many columns."""
    kind = "table"

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The cells row by row."""
        return list(zip(*(column.cells for column in self.columns), strict=True))

    def only(self, *names: str) -> Table:
        """These columns, in this order; KeyError where there is no such column."""
        known = {column.name: column for column in self.columns}
        return replace(self, columns=[known[name] for name in names])

    def without(self, *names: str) -> Table:
        """The other columns."""
        return replace(self, columns=[column for column in self.columns if column.name not in names])

    def titled(self, **titles: str) -> Table:
        """The same with other titles of some columns."""
        columns = [replace(column, title=titles.get(column.name, column.title)) for column in self.columns]
        return replace(self, columns=columns)

    def toneless(self) -> Table:
        """The same without tones."""
        columns = [replace(one, cells=[cell._replace(tone="") for cell in one.cells]) for one in self.columns]
        return replace(self, columns=columns)

    def turned(self) -> Table:
        """The rows as columns: the first column is the head of the others."""
        lines = [[column.title, *(cell.said for cell in column.cells)] for column in self.columns]
        columns = enumerate(zip(*lines, strict=True))
        return Table([column(title, texts, number=place > 0) for place, (title, *texts) in columns])


def shortened(name: str, longest: int = 40) -> str:
    """A name that is cut in the middle where it is long: names of a kind often begin alike."""
    half = (longest - 1) // 2
    return name if len(name) <= longest else f"{name[: longest - 1 - half]}…{name[-half:]}"


def column(name: str, values: Iterable[Any], title: str | None = None, **how: Any) -> Column:
    """A column of cells, or of values that are shown as they are; called by its name unless it has a title.

    Args:
        name: what it is called in the program.
        values: a `Cell` for each row, or what is its text.
        title: what it is called where it is shown; None for the name.
        **how: the other fields of a `Column`.
    """
    cells = [value if isinstance(value, Cell) else Cell(str(value)) for value in values]
    return Column(name, cells, name if title is None else title, **how)


def listed(
    names: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Collection[str] = (), caption: str = ""
) -> Table:
    """Rows of cells or of texts as a table; the columns `numbers` stand to the right."""
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    pairs = zip(names, columns, strict=True)
    return Table([column(name, values, number=name in numbers) for name, values in pairs], caption)


class Drawn(NamedTuple):
    """An interval in percent of the width of its drawing."""

    low: float
    value: float
    high: float
    zero: float | None = None
    """Where 0 is, if it is drawn."""

    def text(self, width: int, marks: str = UNICODE) -> str:
        """The drawing in characters."""
        at = [round(share * (width - 1) / 100) for share in (self.low, self.value, self.high)]
        line = [" "] * width
        line[at[0] : at[2] + 1] = marks[1] * (at[2] - at[0] + 1)
        if self.zero is not None:
            line[round(self.zero * (width - 1) / 100)] = marks[4]
        line[at[0]], line[at[2]] = marks[0], marks[3]
        line[at[1]] = marks[2]
        return "".join(line)


def ends(row: Row, digits: int, sign: str = "", form: str = "{low} to {high}") -> str:
    """The ends of an interval in words, as `form` has them; a `sign` of + is shown too, as differences have it."""
    low, high = (f"{row[end]:{sign}.{digits}f}" for end in ("ci_low", "ci_high"))
    return form.format(low=low, high=high)


def drawings(rows: Iterable[Row], names: Sequence[str], group: Callable[[Row], Any], zero: bool) -> list[Drawn | None]:
    """The interval of each row, drawn on one scale with those of its group; `names` are value and ends.

    None where a row has no interval. With `zero` the scale has 0 in it, which is drawn. An interval alone is drawn
    between 0 and 1, if it lies there.
    """
    rows = list(rows)
    scales: dict[Any, list[float]] = {}
    for row in rows:
        found = [row[name] for name in names if row[name] is not None]
        scales.setdefault(group(row), [0.0] if zero else []).extend(found)
    for scale in scales.values():
        if not zero and len(scale) == len(names) and min(scale) >= 0 and max(scale) <= 1:
            scale += [0.0, 1.0]
    limits = {key: (min(scale), max(scale)) for key, scale in scales.items() if scale}
    drawn: list[Drawn | None] = []
    for row in rows:
        if any(row[name] is None for name in names):
            drawn.append(None)
            continue
        least, most = limits[group(row)]
        value, low, high = (place(row[name], least, most) for name in names)
        drawn.append(Drawn(low, value, high, place(0.0, least, most) if zero else None))
    return drawn


def place(value: float, low: float, high: float) -> float:
    """Where a value lies between two others, in percent of the width of a drawing."""
    share = 0.5 if low == high else (value - low) / (high - low)
    return round(MARGIN + (100 - 2 * MARGIN) * share, 2)


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
