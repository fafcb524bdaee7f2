"""Formulas of the site as MathML, which browsers show without a script."""

from __future__ import annotations

from typing import Any

from latex2mathml.converter import convert


def fence(source: str, *_: Any, **__: Any) -> str:
    """A fenced block of LaTeX, as the Markdown extension asks for it."""
    return f'<div class="formula">{convert(source.strip(), display="block")}</div>'
