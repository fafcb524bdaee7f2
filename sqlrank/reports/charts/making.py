"""Making charts: rows and words to a specification, a file of Vega-Lite filled in, and the same rows to a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlrank.output.formats import SIGNIFICANT
from sqlrank.pages.labels import distinct
from sqlrank.pages.tables import Column, Table, column
from sqlrank.pages.words import Words
from sqlrank.reports.charts.chart import Chart

FOLDER = Path(__file__).parent / "specifications"
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
"""The version of Vega-Lite. It is a name; nothing is fetched from there."""


@cache
def file_text(name: str) -> str:
    """The text of a specification."""
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def specification(name: str, title: str, alternative: str, rows: list[dict[str, Any]], **values: Any) -> dict[str, Any]:
    """A whole specification: that of a file, with the values of its `$names`, its rows and the theme of all charts."""
    filled: dict[str, Any] = fill(json.loads(file_text(name)), values)
    head = {"$schema": SCHEMA, "description": alternative, "title": title, "data": {"values": rows}}
    return head | filled | {"config": json.loads(file_text("theme"))}


def fill(node: Any, values: Mapping[str, Any]) -> Any:
    """A specification with the value of every `$name`: JSON for JSON, so that no text can become part of it."""
    if isinstance(node, dict):
        return {key: fill(value, values) for key, value in node.items()}
    if isinstance(node, list):
        return [fill(value, values) for value in node]
    if isinstance(node, str) and node.startswith("$"):
        return values[node[1:]]
    return node


WIDTH, WHOLE_WIDTH = 260, 480
"""How wide the intervals of a chart are drawn, next to others and where a chart has the whole width of a page."""
GREY = "#9aa3ad"
"""The colour of systems that have none of their own."""
WITHOUT_HEADER = {"labelExpr": "''"}
"""What leaves a part of a chart without its name."""
MOST_LISTED = 8
"""How many names an alternative text lists."""
DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


class Field(NamedTuple):
    """A column of the numbers of a chart."""

    name: str
    """The field of its rows."""
    title: str
    form: str = ""
    """How a number is written, such as `.4f`; nothing for a text."""


FORMS = {
    **dict.fromkeys(("value", "low", "high"), ".4f"),
    **dict.fromkeys(("cutoff", "queries"), "d"),
    **{"recall": ".1f", "share": ".1%"},
}
"""How the numbers of a field are written, unless a chart says otherwise."""


def fields(words: Words, *names: str) -> list[Field]:
    """Columns that are called as their fields."""
    return [Field(name, words(name), FORMS.get(name, "")) for name in names]


def make(
    name: str, title: str, words: Words, rows: list[dict[str, Any]], columns: Sequence[Field], **values: Any
) -> Chart:
    """A chart of rows, of which `columns` are its numbers; `values` are for the `$names` of its specification."""
    alternative = words("alternative", title=title, kind=words(f"kind-{name}"))
    systems = values.get("systems") or []
    if len(systems) > 1:
        alternative += f" {words('systems-are', names=listed(systems))}"
    several, rows = len(systems) > 1, [rounded(row) for row in rows]
    looks = {"legend": {} if several else None, "header": {} if several else WITHOUT_HEADER}
    values = looks | {"colors": colors_of(len(systems)), "width": WIDTH} | values
    made = specification(name, title, alternative, rows, **values)
    return Chart(name, title, made, table_of(title, rows, columns), words("numbers-below"))


def colors_of(number: int) -> list[str]:
    """The colours of so many systems: the first ones each have one, and the rest are grey."""
    palette = json.loads(file_text("theme"))["range"]["category"]
    return [*palette[:number], *[GREY] * (number - len(palette))]


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose numbers have the digits that are the same in every run."""
    return {
        name: float(f"{value:.{SIGNIFICANT}g}") if isinstance(value, float) else value for name, value in row.items()
    }


def table_of(caption: str, rows: Iterable[Mapping[str, Any]], columns: Sequence[Field]) -> Table:
    """The rows of a chart as a table."""
    found = list(rows)

    def made(field: Field) -> Column:
        texts = (written(row.get(field.name), field.form) for row in found)
        return column(field.name, texts, field.title, number=bool(field.form))

    return Table([made(field) for field in columns], caption)


def written(value: Any, form: str) -> str:
    """A value as a table has it."""
    if value is None:
        return "-"
    return f"{value:{form}}" if form else str(value)


def with_labels(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with what a chart calls the `segment` of each; one may be called as the total is."""
    keys = [(not row["is_total"], row["segment"]) for row in rows]
    known = distinct(sorted(keys), text=lambda key: str(key[1]))
    return [row | {"label": known[key]} for row, key in zip(rows, keys, strict=True)]


def panels_of(rows: Sequence[Mapping[str, Any]], title: str, width: int) -> dict[str, Any]:
    """What a chart in panels is filled in with: their names in order, what they are of, and how wide each is."""
    names = sorted({row["panel"] for row in rows})
    return {"panels": names, "panel": title, "width": max(width // len(names), WIDTH // 2)}


def listed(names: Sequence[str]) -> str:
    """Names in a sentence, the first of them where there are many."""
    more = len(names) - MOST_LISTED
    return ", ".join(names[:MOST_LISTED]) + (f" +{more}" if more > 0 else "")


def are_dates(values: Iterable[object]) -> bool:
    """Whether all values are dates, of which there are several."""
    found = {str(value) for value in values if value is not None}
    return len(found) > 1 and all(is_date(value) for value in found)


def is_date(text: str) -> bool:
    """Whether a text is a date such as 2026-11-23."""
    if not DATE.match(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
