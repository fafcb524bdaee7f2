"""Charts as figures of a page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from sqlrank.pages.html import Figure, Figures
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.page_pictures import being_drawn

ZOOM = {"name": "zoom", "select": {"type": "interval", "encodings": ["x"]}, "bind": "scales"}
"""What lets a reader move and enlarge a chart."""


def figures(charts: Iterable[Chart], interactive: bool, wide: bool = False) -> Figures:
    """Charts side by side, or each over the whole width; with `interactive` their specifications stand next to them."""
    return Figures([figure(chart, interactive, wide) for chart in charts])


def figure(chart: Chart, interactive: bool, wide: bool = False) -> Figure:
    """A chart without its title, which the page has."""
    bare = {name: value for name, value in chart.specification.items() if name != "title"}
    drawn = being_drawn(bare)
    text = json.dumps(zoomed(bare), ensure_ascii=False) if interactive else None
    # The library escapes every text of the data.
    alternative = f"{chart.alternative} {chart.below}"
    return Figure(chart.title, alternative, lambda: Markup(drawn()), chart.numbers, text, wide)  # noqa: S704


def zoomed(specification: dict[str, Any], inherited: bool = False) -> dict[str, Any]:
    """A specification that can be moved along x, if it is of views that share it; `inherited`: so do its layers."""
    if "vconcat" in specification:
        names = [name for view in specification["vconcat"] for name in names_in(view)]
        return specification | {"params": [ZOOM | {"views": names}]}
    if "layer" not in specification:
        return specification
    inherited = inherited or reads_x(specification)
    for place, layer in enumerate(specification["layer"]):
        found = zoomed(layer, inherited) if "layer" in layer else layer
        if found is layer and (inherited or reads_x(layer)):
            found = layer | {"params": [ZOOM]}
        if found is not layer:
            return specification | {
                "layer": [*specification["layer"][:place], found, *specification["layer"][place + 1 :]]
            }
    return specification


def names_in(view: dict[str, Any]) -> list[str]:
    """The names of a view and of its layers."""
    own = [view["name"]] if "name" in view else []
    return own + [name for layer in view.get("layer", ()) for name in names_in(layer)]


def reads_x(view: dict[str, Any]) -> bool:
    """Whether a field of the data is on the x axis of a view."""
    return "field" in view.get("encoding", {}).get("x", {})
