"""Shares, as sentences have them."""

from __future__ import annotations


def percent(part: float) -> str:
    """A share in percent."""
    return f"{100 * part:.0f} %"
