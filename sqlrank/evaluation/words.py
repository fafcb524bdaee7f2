"""Numbers of things and shares, as sentences have them."""

from __future__ import annotations

from sqlrank.errors import counted as counted
from sqlrank.errors import several as several


def percent(part: float) -> str:
    """A share in percent."""
    return f"{100 * part:.0f} %"
