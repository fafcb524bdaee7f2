"""Numbers, as sentences have them."""

from __future__ import annotations


def percent(part: float) -> str:
    """A share in percent."""
    return f"{100 * part:.0f} %"


def digits_apart(value: float, bound: float) -> str:
    """A value with four digits, or as many as distinguish it from the bound that it is compared with."""
    texts = (f"{value:.{digits}g}" for digits in range(4, 13))
    return next((text for text in texts if float(text) != bound), f"{value:.12g}")
