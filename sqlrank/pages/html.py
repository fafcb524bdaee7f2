"""What a page is made of, sections of tables, figures, lists and texts, and how HTML writes it: all text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from sqlrank.dialects import visible
from sqlrank.pages.tables import SIGNS, Cell, Column, Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, what it shows in words, and its numbers."""

    title: str
    alternative: str
    """What somebody who does not see it is told."""
    picture: Callable[[], Markup]
    """Its picture as SVG, which may still be being drawn."""
    numbers: Table
    specification: str | None = None
    """Its Vega-Lite specification, where the page draws it anew with tooltips."""
    wide: bool = False
    """Whether it has the whole width of the page."""
    kind = "figure"


@dataclass(frozen=True, slots=True)
class Figures:
    """Charts that stand side by side where there is room."""

    figures: Sequence[Figure]
    kind = "figures"


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str
    kind = "text"


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a part of a section."""

    text: str
    kind = "heading"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A statement in large print."""

    text: str
    tone: str = ""
    """As that of a `Cell`."""
    detail: str = ""
    """What it rests on, in a second line."""
    lines: Sequence[Cell] = ()
    """What is to be said besides, each with its sign and tone."""
    sign: str | None = None
    """The sign before it; None for that of its tone."""

    @property
    def mark(self) -> str:
        """The sign that stands before it."""
        return SIGNS[self.tone] if self.sign is None else self.sign


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Statements, the first one first."""

    items: Sequence[Verdict]
    kind = "verdicts"


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of texts."""

    items: Sequence[str]
    kind = "bullets"


@dataclass(frozen=True, slots=True)
class Terms:
    """Names with the lines that are to be said of each; a `code` text is of a fixed width."""

    items: Sequence[tuple[str, Sequence[str]]]
    code: bool = False
    kind = "terms"


@dataclass(frozen=True, slots=True)
class Code:
    """Text of a fixed width behind its title."""

    title: str
    text: str
    kind = "code"


@dataclass(frozen=True, slots=True)
class Rankings:
    """Rankings of one query next to one another."""

    key: str
    title: str
    detail: str
    tables: Sequence[Table]
    kind = "rankings"


Block = Table | Figure | Figures | Text | Heading | Verdicts | Bullets | Terms | Code | Rankings


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page."""

    key: str
    """What a link to it names."""
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """A page that stands alone."""

    title: str
    language: str
    subtitle: str
    sections: Sequence[Section]
    contents: str
    """The heading of the list of contents."""
    skip: str
    """The link over it, for those who use a keyboard."""
    numbers: str
    """What opens the numbers of a chart."""
    folder: str = ""
    """The folder whose files are called without it, as it says where somebody works; nothing for none."""
    scripts: Sequence[Markup] = field(default=())
    """Scripts that draw the charts anew, with tooltips."""


FOLDER = Path(__file__).parent / "templates"
LONGEST = 300
"""How many characters of a text from the data are shown; no more would be read."""


@cache
def environment() -> Environment:
    """The environment of the templates, in which every text is escaped."""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"shown": shown_there, "placed": placed, "relative": relative}
    return made


def shown(text: str) -> str:
    """Text of the data: control characters visible, and cut where it is long."""
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


@pass_context
def shown_there(context: Context, text: str) -> str:
    """The same, with the files of the folder of its page called without it."""
    return shown(relative(context, text))


@pass_context
def relative(context: Context, text: str) -> str:
    """A text with the files of the folder of its page called without it."""
    page = context.get("page")
    return text.replace(page.folder, "") if page and page.folder else text


def placed(table: Table) -> Iterator[list[tuple[Cell, Column, bool]]]:
    """The rows of a table: each cell with its column, and whether it is the head of its row."""
    heads = [place == 0 and not column.number for place, column in enumerate(table.columns)]
    return (list(zip(row, table.columns, heads, strict=True)) for row in table.rows)


@cache
def style() -> Markup:
    """The style sheet."""
    return Markup(environment().get_template("style.css").render())  # noqa: S704 a file of ours


def page_html(page: Page) -> str:
    """A page that stands alone: no request, and no script unless the page has some."""
    return render("page.html", page=page)


def fragment_html(
    tables: list[Table],
    notes: Sequence[str] = (),
    method: str = "",
    remarks: Sequence[str] = (),
    answer: Sequence[str] = (),
) -> str:
    """Tables for a cell of a notebook, with the `answer` and notes below them.

    Remarks are folded behind the words `method`.
    """
    return render("fragment.html", tables=tables, answer=answer, notes=notes, method=method, remarks=remarks)


def render(template: str, **context: Any) -> str:
    """The text of a template."""
    return environment().get_template(template).render(style=style(), **context)
