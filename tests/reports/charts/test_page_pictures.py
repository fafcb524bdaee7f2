"""Pictures for pages: shorter, and the same to look at."""

from __future__ import annotations

import json

import pytest

from sqlrank.pages.html import style
from sqlrank.reports.charts.making import file_text
from sqlrank.reports.charts.page_pictures import page_svg, shortened

HIDDEN = '<path class="background" aria-hidden="true" d="M0,0h0v0h0Z" pointer-events="none"/>'
FRAME = '<path class="background" d="M0,0h9v9h0Z" stroke="#ddd"/>'
OTHER = '<path d="M4,5Z" fill="b"/>'
TEXT = '0.12345 d="0.12345" opacity="1"'


@pytest.mark.parametrize(
    ("drawn", "kept"),
    [
        ('<path d="M99,64.612999h1.5000000000000142v-0.001Z" fill="red"/>', '<path d="M99,64.61h1.5v0Z" fill="red"/>'),
        ('<line transform="translate(-2.1e-14,0.5)" x2="9.999"/>', '<line transform="translate(0,0.5)" x2="10"/>'),
        ('<g transform="translate(0,0)" class="mark-rect role-mark marks"></g>', "<g></g>"),
        (f'<g role="graphics-object">{HIDDEN}</g>', "<g></g>"),
        (FRAME, FRAME),
        (f'<path d="M0,1Z" fill="a"/><path d="M2,3Z" fill="a"/>{OTHER}', f'<path d="M0,1ZM2,3Z" fill="a"/>{OTHER}'),
        (f'<text font-family="sans-serif" opacity="1">{TEXT}</text>', f"<text>{TEXT}</text>"),
    ],
)
def test_a_picture_has_few_decimals_and_nothing_that_is_not_seen(drawn: str, kept: str) -> None:
    assert shortened(drawn) == kept


def test_texts_of_data_stay_whole() -> None:
    hostile = '<path d="0.12345" fill="a"/> role="x" 0.123456 <g class="mark-x">'
    data = {"values": [{"a": hostile, "b": 1.5}]}
    encoding = {"y": {"field": "a", "type": "nominal", "axis": {"labelLimit": 0}}, "x": {"field": "b"}}
    svg = page_svg({"data": data, "mark": "bar", "encoding": encoding, "config": {}})
    assert hostile.replace("<", "&lt;").replace(">", "&gt;") in svg
    assert "font-family" not in svg


def test_the_style_sheet_has_the_font_of_the_theme() -> None:
    fonts = json.loads(file_text("theme"))["font"].split(", ")
    assert ", ".join(f'"{font}"' if " " in font else font for font in fonts) in style()
