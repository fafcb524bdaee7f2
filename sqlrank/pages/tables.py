"""A table as data: columns of cells, which a terminal, Markdown, LaTeX and HTML each draw in their own way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlrank.pages.drawn_intervals import Drawn

SIGNS = {"gain": "▲", "loss": "▼", "": "●"}
"""What says to those who see no colours whether a difference is a gain."""


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
