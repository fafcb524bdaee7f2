"""Pictures of charts for a page, quickly drawn, without what the page says and what nobody sees."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from sqlrank.reports.charts.chart import svg_of

FONT = "sans-serif"
"""The font in which texts are measured, which the library has; one of the machine it would read anew for every text."""
DIGITS = 2
"""Decimals of a place in pixels."""
TAG = re.compile(r"<[a-z][^<>]*>")
PLACES = re.compile(r' (?:d|transform|[xy][12]?|c[xy]|r|width|height)="[^"]*"')
NUMBER = re.compile(r"-?\d*\.\d+(?:e-?\d+)?")
UNSAID = re.compile(
    r' (?:aria-(?:hidden|label|roledescription)|role|pointer-events|font-family|xmlns:xlink|version)="[^"]*"'
    r'| class="mark-[^"]*"| (?:opacity="1"|stroke-width="1"|font-weight="normal"|transform="translate\(0,0\)")'
)
"""What the page says of a whole chart, what its style sheet sets, and what is so without being said."""
UNSEEN = re.compile(
    r'<path class="background"(?![^>]*(?:fill|stroke)=)[^>]*/>|<path class="foreground"[^>]* display="none"/>'
)
"""The frames of groups that are not drawn."""
ALIKE = re.compile(r'<path d="[^"]*" fill="([^"]*)"/>(?:<path d="[^"]*" fill="\1"/>)+')
"""Shapes one after another in one colour, such as bars."""
SHAPE = re.compile(r' d="([^"]*)"')


@cache
def drawer() -> ThreadPoolExecutor:
    """What draws during the statements that a page waits for: one picture at a time, as the library does."""
    return ThreadPoolExecutor(1, "sqlrank-charts")


def prepare() -> None:
    """Let the library load its scripts, which takes as long as ten pictures, during what comes before these."""
    drawer().submit(svg_of, {"mark": "point", "data": {"values": []}})


def being_drawn(specification: dict[str, Any]) -> Callable[[], str]:
    """What waits for the picture of a specification for a page, and gives it; it raises what `svg_of` raises."""
    return drawer().submit(page_svg, specification).result


def page_svg(specification: dict[str, Any]) -> str:
    """The picture of a specification for a page, whose style sheet has the font and whose figure says what it shows."""
    config = specification["config"] | {"aria": False, "font": FONT}
    return shortened(svg_of(specification | {"config": config}))


def shortened(svg: str) -> str:
    """A picture that looks the same with fewer characters."""
    tags = TAG.sub(lambda tag: UNSAID.sub("", PLACES.sub(rounded, tag[0])), UNSEEN.sub("", svg))
    return ALIKE.sub(lambda found: f'<path d="{"".join(SHAPE.findall(found[0]))}" fill="{found[1]}"/>', tags)


def rounded(attribute: re.Match[str]) -> str:
    """An attribute whose numbers have few decimals."""
    return NUMBER.sub(lambda number: in_pixels(float(number[0])), attribute[0])


def in_pixels(value: float) -> str:
    """A number of pixels."""
    text = f"{value:.{DIGITS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
