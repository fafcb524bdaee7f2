"""Variance reduced by what units did before the experiment.

Each value gives up what its past predicts: y - theta (x - mean of x), where x is the same metric before the first
day and theta the slope of y on x, pooled over the arms. The difference is that of the analysis of covariance with one
slope (A. Deng, Y. Xu, R. Kohavi and T. Walker, Improving the sensitivity of online controlled experiments by utilizing
pre-experiment data, WSDM 2013). What came before cannot be influenced by the arm: it is refused where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.settled import percent
from sqlrank.errors import DataError, several, shortened
from sqlrank.experiments.units import Units
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import welch

INFLUENCED = 0.001
"""Below this p value, corrected, the arms differed before the experiment already."""


@dataclass(slots=True)
class Adjusted:
    """The units with values that give up what their past predicts."""

    table: Markup
    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def adjusted(units: Units) -> Adjusted:
    """Make the adjusted values; DataError where what came before was influenced, or tells nothing of any unit."""
    notes = carried_arms(units)
    if units.unit == "impression_id":
        raise DataError(
            f"{units.label}: {spelt('before')} is for users and sessions ({spelt('columns', {'user_id': 'NAME'})}),"
            " not for impressions"
        )
    covariates = units.sql.keep("covariates", unit_days=units.unit_days, units=units.table)
    check_balance(units, covariates)
    slopes = {row["metric"]: row for row in units.sql.rows("slopes", covariates=covariates)}
    most = max(int(row["known"]) for row in slopes.values())
    if not most:
        raise DataError(
            f"{units.label}: no {units.noun} of the test is known from before {units.asked.before}: leave out"
            f" {spelt('before')}"
        )
    theta = [float(slopes[metric.text]["slope"] or 0.0) for metric in units.metrics]
    table = units.sql.keep("adjusted", covariates=covariates, slopes=theta)
    shown = ", ".join(f"{metric.text} {slope:.4g}" for metric, slope in zip(units.metrics, theta, strict=True))
    share = most / max(int(row["units"]) for row in slopes.values())
    lines = [
        f"values are adjusted for what {several(units.noun)} did before {units.asked.before} (CUPED): theta {shown};"
        f" {percent(share)} of the {several(units.noun)} are known from before, and the others count with the mean"
    ]
    return Adjusted(table, lines, notes)


def carried_arms(units: Units) -> list[str]:
    """A note on rows before the experiment that carry arms; DataError where those say who answered."""
    facts, before = units.facts, units.asked.before
    if facts["arms_before"] < 2:
        return []
    names = ", ".join(map(shortened, facts["names_before"][:3]))
    if units.arm == "system":
        raise DataError(
            f"{units.label}: lists before {before} were already made by several arms ({names}), which influenced what"
            f" {several(units.noun)} did then: give the first day of the test, or leave out {spelt('before')}"
        )
    return [
        f"rows before {before} carry arms ({names}), which is taken for a label of the {units.noun} that was joined; if"
        " the arms were served then, the test had begun, and what came before was influenced"
    ]


def check_balance(units: Units, covariates: Markup) -> None:
    """Raise DataError if arms differed before the experiment: it had begun, or units were not randomized."""
    by_metric: dict[str, list[dict[str, Any]]] = {}
    for row in units.sql.rows("balance", covariates=covariates):
        if row["units"]:
            by_metric.setdefault(row["metric"], []).append(row)
    pairs = [(name, *pair) for name, rows in by_metric.items() for pair in combinations(rows, 2)]
    for name, one, other in pairs:
        sides = ((row["variance"] or 0.0, row["units"]) for row in (one, other))
        p_value = welch(one["mean"] - other["mean"], *sides).p_value()
        if p_value is not None and p_value * len(pairs) < INFLUENCED:
            raise DataError(
                f"{units.label}: the arms differed before {units.asked.before} already: {name} was {one['mean']:.4g} in"
                f" {shortened(one['arm'])} and {other['mean']:.4g} in {shortened(other['arm'])} (p {p_value:.2g}): had"
                f" the test begun, or were they not randomized? Give its first day, or leave out {spelt('before')}"
            )
