"""The ideal rankings of a statement: what each is made of, and how deep it is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlrank.metrics.measure import ITEM, Value
from sqlrank.statement.columns import physical
from sqlrank.statement.gains import discount_value, gain_value, ideal_rank, ideal_rows


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
