"""How likely each position is looked at, of impressions in which a coin exchanged it with the first one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.behaviour.examination import Examination
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.session import Session
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, counted
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import ends_of_ratio


def swapped(engine: DuckDBEngine, session: Session, alpha: float) -> Examination:
    """The click rate at each position relative to that of the first (Joachims, Swaminathan and Schnabel, WSDM 2017).

    Raises:
        DataError: no column says what was exchanged, or nothing was clicked at a position.
    """
    log = session.log
    if "swap" not in log.columns:
        raise DataError(
            f"{log.label} has no column that says which position was exchanged with the first by a coin; name it with"
            f" {spelt('columns', {'swap': 'NAME'})} (empty where no coin was tossed)"
        )
    found = Folder(engine, "examined").rows("swap", impressions=session.cells.impressions(["swap"]))
    if not found:
        raise DataError(f"{log.label}: no impression has a position in {log.roles['swap']}: nothing was exchanged")
    rows = [first_place(found), *(beside_first(log.label, one, alpha) for one in found)]
    return Examination(rows, [], ["only impressions in which a coin exchanged two positions count"])


def first_place(found: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    """The first position, which the others are held against."""
    counts = {name: sum(one[f"first_{name}"] for one in found) for name in ("impressions", "clicks")}
    return {"position": 1, "propensity": 1.0, "low": 1.0, "high": 1.0} | counts


def beside_first(label: str, one: Mapping[str, int], alpha: float) -> dict[str, Any]:
    """A position with its propensity and the interval of its logarithm; DataError where nothing was clicked."""
    if not (one["clicks"] and one["first_clicks"]):
        raise DataError(
            f"{label}: nothing was clicked at position {one['position']}, or at the first, in the"
            f" {counted(one['impressions'], 'impression')} that exchanged them: wait for more of the log"
        )
    ratio = one["clicks"] / one["impressions"] * one["first_impressions"] / one["first_clicks"]
    parts = (1 / one["clicks"], -1 / one["impressions"], 1 / one["first_clicks"], -1 / one["first_impressions"])
    low, high = ends_of_ratio(ratio, math.sqrt(max(sum(parts), 0)), alpha)
    counts = {name: one[name] for name in ("impressions", "clicks")}
    return {"position": one["position"], "propensity": ratio, "low": low, "high": high} | counts
