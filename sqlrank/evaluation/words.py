"""Numbers of things and shares, as sentences have them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number of things."""
    return f"{number:,} {noun if number == 1 else several(noun)}"


def several(noun: str) -> str:
    """The plural of a noun."""
    return f"{noun.removesuffix('y')}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def percent(part: float) -> str:
    """A share in percent."""
    return f"{100 * part:.0f} %"
