"""Gains of relevances, discounts of ranks, and the ideal rankings that they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlrank.metrics.measure import Value
from sqlrank.metrics.parameters import DISCOUNT_OF_BASE
from sqlrank.statement.columns import physical


def gain_value(gain: Value) -> dict[str, Any]:
    """A gain as the templates read it."""
    if ":" not in str(gain):
        kind, _, least = str(gain).partition("_from_")
        return {"kind": kind, "least": float(least) if least else None, "pairs": [], "worth": [], "most": None}
    pairs = [(float(left), float(right)) for left, right in (pair.split(":") for pair in str(gain).split(","))]
    return {
        "kind": "table",
        "least": None,
        "pairs": pairs,
        "worth": [relevance for relevance, worth in pairs if worth > 0] or [None],
        "most": max(worth for _, worth in pairs),
    }


class Discount(NamedTuple):
    """A discount as the templates read it."""

    kind: str
    """`log`, `ln`, `letor`, `reciprocal`, `none` or `table`."""
    base: float = 2.0
    """The base of its logarithm."""
    pairs: tuple[tuple[float, float], ...] = ()
    """The ranks of a table with their weights."""


def discount_value(discount: Value) -> Discount:
    """A discount as the templates read it."""
    text = str(discount)
    if ":" in text:
        pairs = [pair.split(":") for pair in text.split(",")]
        return Discount("table", pairs=tuple((float(rank), float(weight)) for rank, weight in pairs))
    of_base = DISCOUNT_OF_BASE.match(text)
    return Discount(of_base[1], float(of_base[2] or 2)) if of_base else Discount(text)


def ideal_rows(values: Mapping[str, Value]) -> str:
    """The step of an ideal ranking, which its gain, what it is made of and what its documents weigh tell apart."""
    named = {part: values[part] for part in ("gain", "ideal", "weight") if part in values}
    return physical("ideal_gain", named).replace("ideal_gain", "ideal")


def ideal_rank(values: Mapping[str, Value]) -> str:
    """The column of the ranks in it."""
    return f"{ideal_rows(values)}_rank"
