"""Whether a difference changes from day to day: novelty that wears off, or people who learn.

By day each unit has one value, and the slope of these over days, with a variance that is robust to the days of one unit
being related, is compared between arms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlrank.comparison.paired import Pair
from sqlrank.errors import shortened
from sqlrank.experiments.units import Units
from sqlrank.statistics.estimate import NONE, Estimate

FEWEST_DAYS = 3
"""Fewer days have no trend."""
TREND = 0.05
"""From which p value on a trend is worth a note."""

Row = dict[str, Any]


@dataclass(slots=True)
class ByDay:
    """The differences of every day, and how they change."""

    days: list[Row] = field(default_factory=list)
    trends: list[Row] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """A note on each trend that is hardly chance."""
        return [
            f"{row['metric']} of {shortened(row['system'])}: the difference from {shortened(row['baseline'])} changes"
            f" by {row['change_per_day']:+.3g} a day (p {row['p_value']:.2g}, not adjusted): novelty may wear off, or"
            " people learn; look at it by day (--days), and run longer"
            for row in self.trends
            if row["p_value"] is not None and row["p_value"] < TREND
        ]


def by_day(units: Units, pairs: Sequence[Pair], alpha: float) -> ByDay:
    """The differences of pairs by day, and their trends; nothing of a log without times, or of few days."""
    if not units.timed:
        return ByDay()
    first_day = str(units.asked.before or units.facts["first_day"])
    rows = units.sql.keep("days_of_units", unit_days=units.unit_days, units=units.table, first_day=first_day)
    means = {(row["metric"], row["arm"], row["day"]): row for row in units.sql.rows("days", days_of_units=rows)}
    days = sorted({day for *_, day in means})
    if len(days) < FEWEST_DAYS:
        units.sql.drop("days_of_units")
        return ByDay()
    slopes = {(row["metric"], row["arm"]): row for row in units.sql.rows("trends", days_of_units=rows)}
    units.sql.drop("days_of_units")
    found = ByDay()
    for pair in pairs:
        for day in days:
            one, other = (means.get((pair.metric, arm, day)) for arm in (pair.baseline, pair.system))
            if one is not None and other is not None:
                found.days.append({"day": day} | named(pair) | day_row(one, other, alpha))
        one, other = (slopes.get((pair.metric, arm)) for arm in (pair.baseline, pair.system))
        if one is not None and other is not None:
            found.trends.append(named(pair) | trend_row(one, other))
    return found


def named(pair: Pair) -> Row:
    """What a row is of."""
    return {"system": pair.system, "baseline": pair.baseline, "metric": pair.metric}


def day_row(one: Mapping[str, Any], other: Mapping[str, Any], alpha: float) -> Row:
    """The difference of one day, with Student's interval of its smaller side."""
    difference = None if one["mean"] is None or other["mean"] is None else other["mean"] - one["mean"]
    low, high = NONE if difference is None else between(one, other, difference).ends(alpha)
    sides = {"baseline_units": one["units"], "units": other["units"]}
    sides |= {"baseline_value": one["mean"], "value": other["mean"]}
    return sides | {"difference": difference, "ci_low": low, "ci_high": high}


def trend_row(one: Mapping[str, Any], other: Mapping[str, Any]) -> Row:
    """By how much the difference rises a day, and whether chance gives that."""
    if any(row["slope"] is None or row["variance"] is None for row in (one, other)):
        return dict.fromkeys(("change_per_day", "stderr", "p_value"))
    change = between(one, other, other["slope"] - one["slope"])
    return {"change_per_day": change.value, "stderr": change.stderr, "p_value": change.p_value()}


def between(one: Mapping[str, Any], other: Mapping[str, Any], difference: float) -> Estimate:
    """A difference of two arms, with the degrees of freedom of the smaller one."""
    known = one["variance"] is not None and other["variance"] is not None
    stderr = math.sqrt(one["variance"] + other["variance"]) if known else None
    return Estimate(difference, stderr, min(one["units"], other["units"]) - 1)
