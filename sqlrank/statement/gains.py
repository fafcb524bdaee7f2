"""Gains of relevances, discounts of ranks, and the ideal rankings that they make."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlrank.metrics.measure import ITEM, Value
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


def ideal_rankings(wanted: Mapping[str, tuple[str, dict[str, Value]]]) -> list[dict[str, Any]]:
    """Those of the columns that are wanted, by their names; each is summed for each query, or given as rows."""
    found: dict[str, dict[str, Any]] = {}
    for name, (kind, values) in wanted.items():
        if kind in ("best_dcg", "ideal_gain"):
            rows = ideal_rows(values) + ("_rows" if kind == "ideal_gain" else "")
            made = {"rows": rows, "kind": values["ideal"], "gain": gain_value(values["gain"])}
            made |= {"rank": ideal_rank(values), "weighed": values["weight"] == ITEM}
            ideal = found.setdefault(rows, made | {"totals": [], "names": [], "name": None, "step": None})
            ideal["names"].append(name)
            if kind == "best_dcg":
                discount = discount_value(values["discount"])
                ideal["totals"].append({"name": name, "k": values["k"] or None, "discount": discount})
            else:
                step = physical("ideal_step", values)
                ideal |= {"name": name, "step": step if step in wanted else None}
                ideal["names"] += [step] if ideal["step"] else []
    return [ideal | read_of(ideal["totals"]) for ideal in found.values()]


def read_of(totals: Collection[Mapping[str, Any]]) -> dict[str, Any]:
    """How deep an ideal ranking is read, and the discount that several totals of it have in common."""
    discounts = {total["discount"] for total in totals}
    shared = discounts.pop() if len(totals) > 1 and len(discounts) == 1 else None
    return {"k": deepest_of(total["k"] for total in totals), "discount": shared}


def deepest_of(cutoffs: Iterable[int | None]) -> int | None:
    """The largest cutoff, 0 for none at all, None where one is unlimited."""
    known = list(cutoffs)
    return None if None in known else max((k for k in known if k), default=0)
