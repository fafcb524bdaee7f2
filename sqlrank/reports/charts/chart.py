"""A chart: its Vega-Lite specification, the picture of it, and its numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.sax.saxutils import escape

from sqlrank.dialects import visible
from sqlrank.errors import ResourceError, UsageError
from sqlrank.pages.tables import Table
from sqlrank.process.output_files import Target, target_of
from sqlrank.process.remote import path_of

PIXELS = 2.0
"""How many pixels of a PNG one of the specification takes, for screens with small ones."""


@dataclass(frozen=True)
class Chart:
    """A chart of aggregates, which a notebook shows.

    Drawing it takes the extra `report` (vl-convert-python); the specification and the numbers need nothing.
    """

    name: str
    """What the command line calls it, such as `by-cutoff`."""
    title: str
    specification: dict[str, Any]
    """The specification in Vega-Lite, with its data, as any tool for Vega-Lite takes it."""
    numbers: Table
    """What it shows, as a table."""
    below: str = ""
    """What a page, which has the numbers below it, says besides in its words."""

    @property
    def alternative(self) -> str:
        """What it shows, in words."""
        return str(self.specification["description"])

    def svg(self) -> str:
        """The picture as SVG; UsageError without the extra `report`."""
        return svg_of(self.specification)

    def save(self, path: str | Path | Target) -> None:
        """Write the chart as SVG, PNG, PDF or its specification, whole or not at all.

        Args:
            path: a file whose suffix says which: `.svg`, `.png`, `.pdf` or `.json`.

        Raises:
            UsageError: the suffix is none of these, or the extra `report` is not installed.
            ResourceError: the file cannot be written.
        """
        target = target_of(path if isinstance(path, Target) else str(path))
        content = self.content(Path(path_of(target.path)).suffix.lower(), target.path)
        with target.whole() as temporary, open(temporary, "wb") as file:
            file.write(content)

    def content(self, suffix: str, path: str) -> bytes:
        """The bytes of a file with this suffix; UsageError if it says nothing."""
        if suffix == ".json":
            return (json.dumps(self.specification, ensure_ascii=False, indent=2) + "\n").encode()
        if suffix == ".svg":
            return self.svg().encode()
        white = self.specification | {"background": "#ffffff"}
        if suffix == ".png":
            return bytes(drawn(converter().vegalite_to_png, white, scale=PIXELS))
        if suffix == ".pdf":
            return bytes(drawn(converter().vegalite_to_pdf, white))
        raise UsageError(f"{path}: a chart is written as .svg, .png, .pdf or .json")

    def to_altair(self) -> Any:
        """The chart as one of Altair, to be changed there; UsageError where Altair is not installed."""
        try:
            import altair
        except ImportError as error:
            raise UsageError(f"to_altair needs altair: pip install altair ({error})") from error
        return altair.Chart.from_dict(self.specification)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """The specification and, where the extra is installed, the picture, for a notebook."""
        bundle: dict[str, Any] = {"text/plain": repr(self)}
        try:
            bundle["image/svg+xml"] = for_notebook(self.svg(), self.alternative)
        except UsageError as error:
            bundle["text/plain"] += f"\n{error}"
        return bundle | {"application/vnd.vegalite.v6+json": self.specification}

    def __repr__(self) -> str:
        return f"<Chart {self.name}: {self.title}, {len(self.numbers.rows)} rows>"


def for_notebook(svg: str, alternative: str) -> str:
    """A picture that is no wider than the cell of a notebook, with words for those who do not see it."""
    words = escape(visible(alternative), {'"': "&quot;"})
    attributes = f'role="img" aria-label="{words}" style="max-width: 100%; height: auto"'
    return svg.replace("<svg ", f"<svg {attributes} ", 1).replace(">", f"><title>{words}</title>", 1)


def converter() -> ModuleType:
    """The library that draws; UsageError with the extra that brings it."""
    try:
        import vl_convert
    except ImportError as error:
        raise UsageError(
            f"drawing a chart needs vl-convert-python: pip install 'sqlrank[report]' ({error}); tables work without it"
        ) from error
    return vl_convert


def svg_of(specification: dict[str, Any]) -> str:
    """The picture of a specification as SVG."""
    return str(drawn(converter().vegalite_to_svg, specification))


def drawn(draw: Callable[..., Any], specification: dict[str, Any], **options: Any) -> Any:
    """What the library draws, without any request; ResourceError if it fails."""
    try:
        return draw(specification, allowed_base_urls=[], **options)
    except ValueError as error:
        raise ResourceError(f"the chart cannot be drawn: {str(error)[:300]}") from error


def scripts() -> str:
    """The scripts that draw charts in a browser: Vega, Vega-Lite and Vega-Embed, as one text."""
    return str(converter().javascript_bundle())
