"""The picture of the trials: coverage by number of queries, a line for each kind of data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import vl_convert

from tests.pages.blocks import DOCS
from tests.trials.cells import LEAST, MOST, Cell, cells_of

PICTURE = DOCS / "explanation" / "trials.svg"
LOWEST = 80
"""Where the axis begins; what is lower is drawn there."""
Panel = tuple[str, str, Callable[[Cell], str | None]]
"""A title, a table, and the name of the line that a cell is on, or None."""


def first_where(column: int, wanted: str) -> Callable[[Cell], str | None]:
    """Lines by the first words of rows whose words in a column are the wanted ones."""
    return lambda cell: cell.words[0] if cell.words[column] == wanted else None


PANELS: list[Panel] = [
    ("Means, equal weights", "means", first_where(1, "equal")),
    ("Means as of ap, by weights", "means", lambda c: c.words[1] if c.words[0].startswith("skewed, as ap") else None),
    (
        "Differences, randomization test",
        "differences",
        lambda c: c.words[1] if (c.words[0], c.words[2]) == ("`randomization`", "equal") else None,
    ),
    (
        "Losses of queries of which many tie",
        "ties",
        lambda c: f"{c.words[2]} tie" if c.words[1] == "all that differ lose" else None,
    ),
    ("Clusters of 1 to 10 queries", "clusters", lambda c: ", ".join(c.words).replace("`", "")),
    (
        "Agreement of 0.9, by items",
        "agreement",
        lambda c: f"{c.words[0]}: {c.words[1]}" if c.words[2] == "0.9" and "items" not in c.words[1] else None,
    ),
    ("Ranges of detectable differences", "plans", lambda c: c.words[0]),
]


def panel(title: str, table: str, line: Callable[[Cell], str | None]) -> dict[str, Any]:
    """One panel as Vega-Lite."""
    rows: list[dict[str, Any]] = [
        {"line": name, "size": cell.size, "coverage": max(cell.coverage, LOWEST)}
        for cell in cells_of(table)
        if cell.coverage is not None and (name := line(cell)) is not None
    ]
    sizes = sorted({row["size"] for row in rows})
    reach = {"type": "log", "domain": [sizes[0] * 0.9, sizes[-1] * 1.1], "nice": False}
    x = {"field": "size", "type": "quantitative", "scale": reach, "axis": {"values": sizes, "title": None}}
    y = {"type": "quantitative", "scale": {"domain": [LOWEST, 100], "zero": False}, "axis": {"title": None}}
    lines = list(dict.fromkeys(row["line"] for row in rows))
    legend = {"title": None, "orient": "bottom", "columns": 1, "labelLimit": 420, "values": lines}
    colour = {"field": "line", "type": "nominal", "legend": legend, "sort": lines}
    band: dict[str, Any] = {"data": {"values": [{"low": LEAST, "high": MOST}]}}
    nominal: dict[str, Any] = {"data": {"values": [{"promised": 95}]}}
    ends = {"y": y | {"field": "low"}, "y2": {"field": "high"}}
    return {
        "title": title,
        "width": 380,
        "height": 190,
        "layer": [
            band | {"mark": {"type": "rect", "color": "#999", "opacity": 0.2}, "encoding": ends},
            nominal
            | {
                "mark": {"type": "rule", "color": "#333", "strokeDash": [4, 3]},
                "encoding": {"y": y | {"field": "promised"}},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "line", "point": True},
                "encoding": {"x": x, "y": y | {"field": "coverage"}, "color": colour},
            },
        ],
    }


def draw() -> None:
    """Write the picture."""
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": "white",
        "config": {"font": "sans-serif"},
        "title": {
            "text": "Coverage of 95 % intervals by number of queries, in percent",
            "subtitle": "dashed: what is promised; grey: 92 to 98 %; below 80 % is drawn at 80 %",
        },
        "columns": 2,
        "spacing": 40,
        "concat": [panel(*each) for each in PANELS],
        "resolve": {"scale": {"color": "independent", "x": "independent"}},
    }
    PICTURE.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
