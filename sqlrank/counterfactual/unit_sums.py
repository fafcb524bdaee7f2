"""Values and differences with their standard errors, of what each unit counts for in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.counterfactual.measures import Measure
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.statistics.estimate import Estimate
from sqlrank.statistics.student import FEWEST

NOTHING = 1e-12
"""What rounding makes of differences that are none."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the impressions under a candidate."""

    ess: float
    """The effective number of impressions: the square of the sum of their weights over the sum of their squares."""
    largest: float
    """The largest share of one impression."""
    mean: float | None
    """The mean weight of a document shown, before it is clipped; None where it need not be 1."""
    error: float | None
    """Its standard error over units."""
    most: float
    """The largest weight of an impression."""


class UnitSums:
    """Sums by unit, in one pass over the rows of a log."""

    def __init__(
        self, engine: DuckDBEngine, measures: Sequence[Measure], scored: Markup, unit: str | None, prefix: str
    ) -> None:
        self.measures = measures
        self.sql = Folder(engine, room="counterfactual", prefix=prefix, doing="estimating")
        self.units = self.sql.keep("units", measures=measures, scored=scored, unit=unit)
        self.totals = self.sql.row("totals", measures=measures, units=self.units)

    @property
    def number(self) -> int:
        """How many units there are."""
        return int(self.totals["units"])

    @property
    def effective(self) -> float:
        """How many units with equally many impressions they are worth."""
        return float(self.totals["effective"])

    @property
    def impressions(self) -> int:
        """How many impressions there are."""
        return int(self.totals["impressions"])

    def estimate(self, measure: Measure) -> Estimate:
        """A value or a difference; the error is that of leaving out each unit in turn, linear in what it counts for."""
        per = self.totals["impressions"] if measure.per is None else measure.per
        value = measure.offset + self.totals[f"x_{measure.number}"] / per
        error = self.error_of(self.totals[f"spread_{measure.number}"], per)
        if error is not None and max(abs(value), error) < NOTHING:
            value, error = 0.0, 0.0
        return Estimate(value, error, self.effective - 1)

    def weights(self, measure: Measure) -> Weights:
        """The weights of a candidate."""
        found: dict[str, Any] = self.totals
        total, squares = found[f"w_{measure.number}"], found[f"ww_{measure.number}"]
        most, places = found[f"most_{measure.number}"], found["places"]
        mean = found[f"g_{measure.number}"] / places if measure.balances else None
        return Weights(
            ess=total * total / squares if squares else 0.0,
            largest=most / total if total else 1.0,
            mean=mean,
            error=None if mean is None else self.error_of(found[f"weight_spread_{measure.number}"], places),
            most=most,
        )

    def error_of(self, spread: float, per: float) -> float | None:
        """The standard error of a mean whose units are so much apart; None where one unit decides."""
        return None if self.effective < FEWEST else math.sqrt(max(spread, 0.0)) / per
