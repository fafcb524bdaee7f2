"""Writing elements as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sqlrank.dialects import visible
from sqlrank.pages.elements import Page
from sqlrank.pages.tables import Table

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
    made.filters["shown"] = shown
    return made


def shown(text: str) -> str:
    """Text of the data: control characters visible, and cut where it is long."""
    return visible(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


@cache
def style() -> Markup:
    """The style sheet."""
    return Markup(environment().get_template("style.css").render())  # noqa: S704 a file of ours


def page_html(page: Page) -> str:
    """A page that stands alone: no request, and no script unless the page has some."""
    return render("page.html", page=page)


def fragment_html(tables: list[Table], notes: Sequence[str] = (), method: str = "", remarks: Sequence[str] = ()) -> str:
    """Tables for a cell of a notebook, with notes below them, and remarks folded behind the words `method`."""
    return render("fragment.html", tables=tables, notes=notes, method=method, remarks=remarks)


def render(template: str, **context: Any) -> str:
    """The text of a template."""
    return environment().get_template(template).render(style=style(), **context)
