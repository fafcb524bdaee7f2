"""The rows of values and differences, with what each rests on, and what the log cannot bear."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlrank.behaviour.settled import percent
from sqlrank.counterfactual.asking import DEVIATIONS, LEAST_ESS, Asked
from sqlrank.counterfactual.empirical import Empirical
from sqlrank.counterfactual.estimators import Estimator
from sqlrank.counterfactual.intervals import LOWER, Interval, around, below, p_value
from sqlrank.counterfactual.logged import Logged
from sqlrank.counterfactual.measures import SHOWN, Measure
from sqlrank.counterfactual.randomness import WAYS_ON
from sqlrank.counterfactual.resampled import Resampled
from sqlrank.counterfactual.unit_sums import Estimate, Weights
from sqlrank.counterfactual.valuing import Estimated, Valuing
from sqlrank.errors import DataError
from sqlrank.evaluation.words import counted

MODELS = {
    "item-position": "item-position",
    "pbm": "position-based",
    "document": "document",
    "cascade": "cascade",
    "list": "whole lists",
    "expected": "cascade, doubly robust",
    "dcg": "position-based",
}
"""The user model of each way of weighting, as the rows name it."""
FIRST_POSITIONS = 10
"""How many positions a message lists."""


@dataclass(slots=True)
class Support:
    """How much of what a candidate shows the log has shown."""

    share: float
    at_most: float | None = None
    """What is earned at most where it has not, for each impression; None where that is not known."""
    by_position: dict[int, float] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ValueRows:
    """What the result shows."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)
    support: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def value_rows(valuing: Valuing, estimated: Sequence[Estimated]) -> ValueRows:
    """The rows of all estimates.

    Raises:
        DataError: the log bears none of the values.
    """
    made, refused = ValueRows(), []
    for each in estimated:
        resampled = Resampled(valuing, each) if valuing.asked.interval == "bootstrap" else None
        borne: dict[tuple[str, str], float] = {}
        for measure in each.measures:
            if measure.other is None:
                refused += add_value(made, valuing, each, measure, resampled, borne)
            elif {(measure.estimator.name, name) for name in (measure.system, measure.other) if name != SHOWN} <= {
                *borne
            }:
                made.differences.append(difference_row(valuing.asked, each, measure, resampled))
    if refused and len(refused) == len(made.rows) and not valuing.asked.anyway:
        more = f" ({len(refused) - 1} more are refused)" if len(refused) > 1 else ""
        raise DataError(f"{valuing.session.log.label}: {refused[0]}{more}")
    made.notes += [f"{text}{' (given anyway)' if valuing.asked.anyway else ''}" for text in refused]
    made.lines = list(dict.fromkeys(made.lines))
    return made


def add_value(
    made: ValueRows,
    valuing: Valuing,
    each: Estimated,
    measure: Measure,
    resampled: Resampled | None,
    borne: dict[tuple[str, str], float],
) -> list[str]:
    """Add the row of a value; returns why it is refused, if it is."""
    asked, estimate, weights = valuing.asked, each.sums.estimate(measure), each.sums.weights(measure)
    support = support_of(each, measure, weights)
    name = f"{measure.system} by {measure.estimator.name}"
    reasons = refusals(valuing, each, measure, weights, support, estimate.value)
    given = not reasons or asked.anyway
    interval = interval_of(asked, each, measure, estimate, resampled) if given else Interval()
    clipped = clipped_of(each, measure)
    made.rows.append(
        {
            "system": measure.system,
            "estimator": measure.estimator.name,
            "model": MODELS[measure.estimator.model],
            "value": estimate.value if given else None,
            "ci_low": interval.low,
            "ci_high": interval.high,
            "at_most": None if support.at_most is None else estimate.value + support.at_most,
            "supported": support.share,
            "ess": weights.ess,
            "largest_weight": weights.largest,
            "mean_weight": weights.mean,
            "clipped": clipped.get("rows"),
            "clipped_mass": clipped.get("mass"),
            "impressions": each.sums.impressions,
            "units": each.sums.number,
        }
    )
    made.support += [
        {"system": measure.system, "estimator": measure.estimator.name, "position": position, "supported": share}
        for position, share in support.by_position.items()
    ]
    made.lines += [f"{measure.system}: {line}" for line in support.lines]
    if given and support.at_most:
        made.lines.append(
            f"{name}: {percent(1 - support.share)} of it is beyond the log, and no part of the value and its interval"
        )
    if given:
        borne[measure.estimator.name, measure.system] = estimate.value
    return [f"{name}: {'; '.join(reasons)}"] if reasons else []


def interval_of(
    asked: Asked, each: Estimated, measure: Measure, estimate: Estimate, resampled: Resampled | None
) -> Interval:
    """The interval of a value or a difference; none where what is expected is taken as it is."""
    if measure.estimator.name == "dm":
        return Interval()
    if resampled is not None:
        return resampled.interval(measure)
    if asked.interval in LOWER and measure.other is None:
        return below(asked, each.sums, measure, estimate)
    return around(asked, each.sums, estimate)


def difference_row(asked: Asked, each: Estimated, measure: Measure, resampled: Resampled | None) -> dict[str, Any]:
    """The row of a difference."""
    estimate = each.sums.estimate(measure)
    interval = interval_of(asked, each, measure, estimate, resampled)
    return {
        "system": measure.system,
        "other": measure.other,
        "estimator": measure.estimator.name,
        "difference": estimate.value,
        "ci_low": interval.low,
        "ci_high": interval.high,
        "p_value": None if measure.estimator.name == "dm" else p_value(each.sums, estimate),
    }


def support_of(each: Estimated, measure: Measure, weights: Weights) -> Support:
    """How much of what a candidate shows the log has shown: counted, or by the weights of logged propensities."""
    if isinstance(each.source, Logged):
        number = measure.terms[0].weighting
        by_position = {row["position"]: min(1.0, row[f"raw_{number}"] / row["places"]) for row in each.source.positions}
        return Support(min(1.0, weights.mean or 0.0), None, by_position)
    return counted_support(each.source, measure.estimator, measure.system, each.sums.impressions)


def counted_support(source: Empirical, estimator: Estimator, system: str, impressions: int) -> Support:
    """The share of the traffic of its places that the log has shown enough of."""
    found = of_system(source.support(estimator), system)[0]
    at_most = None if estimator.cutoff else found["possible"] / impressions
    by_position = {
        row["position"]: row["supported"] / row["traffic"]
        for row in of_system(source.support(estimator, "position"), system)
        if row["traffic"]
    }
    lines = []
    if found["unanswered_queries"]:
        lines.append(f"{counted(found['unanswered_queries'], 'query')} of the log have no results, which is no support")
    if found["short_queries"]:
        lines.append(
            f"{counted(found['short_queries'], 'query')} have fewer results than were shown: places without one earn"
            " nothing (--shown-depth N compares the first N)"
        )
    return Support(found["supported"] / found["traffic"] if found["traffic"] else 0.0, at_most, by_position, lines)


def of_system(rows: Sequence[Mapping[str, Any]], system: str) -> list[Mapping[str, Any]]:
    """The rows of a system."""
    return [row for row in rows if row["system"] == system]


def clipped_of(each: Estimated, measure: Measure) -> dict[str, float]:
    """Which share of the rows is clipped, and of the sum of their weights; nothing where none can be."""
    if not isinstance(each.source, Logged) or each.source.asked.clip is None:
        return {}
    number, positions = measure.terms[0].weighting, each.source.positions
    raw, kept = (sum(row[f"{name}_{number}"] for row in positions) for name in ("raw", "w"))
    rows = sum(row[f"clipped_{number}"] for row in positions) / sum(row["places"] for row in positions)
    return {"rows": rows, "mass": (raw - kept) / raw if raw else 0.0}


def refusals(
    valuing: Valuing, each: Estimated, measure: Measure, weights: Weights, support: Support, value: float
) -> list[str]:
    """Why the log cannot bear a value: the first is what matters most."""
    asked, found = valuing.asked, []
    logged = isinstance(each.source, Logged)
    if measure.estimator.model == "item-position" and not logged:
        found += [f"{text}; {WAYS_ON}" for text in valuing.randomness.refusals.values()]
    if support.share < asked.support:
        found.append(unsupported(asked, each, measure, support, value))
    if logged and off_balance(weights):
        found.append(
            f"the mean weight is {weights.mean:.3f}, more than {DEVIATIONS} standard errors off 1 ({weights.error:.3f}"
            " each): the propensities of the log are not those it was shown by, or the candidate shows what the log"
            " never does"
        )
    if weights.ess < LEAST_ESS:
        found.append(
            f"{counted(each.sums.impressions, 'impression')} are worth {weights.ess:.1f} under it, and {LEAST_ESS} are"
            f" needed; {WAYS_ON}"
        )
    return found


def unsupported(asked: Asked, each: Estimated, measure: Measure, support: Support, value: float) -> str:
    """That the log has shown too little of what a candidate shows."""
    places = list(support.by_position.items())
    listed = ", ".join(f"{position}: {percent(share)}" for position, share in places[:FIRST_POSITIONS])
    between = (
        ""
        if support.at_most is None
        else f"; the value lies between {value:.4f} and {value + support.at_most:.4f} under its model"
    )
    things = "places" if measure.estimator.model == "item-position" else "documents"
    what = f"{percent(support.share)} of its {things} {asked.fewest} times or more"
    if isinstance(each.source, Logged):
        what = f"{percent(support.share)} of what it would show, as its weights say"
    return (
        f"the log has shown {what} (by position {listed}), and {percent(asked.support)} are needed{between}; {WAYS_ON}"
    )


def off_balance(weights: Weights) -> bool:
    """Whether the mean weight is further off 1 than chance would have it."""
    return (
        weights.mean is not None
        and weights.error is not None
        and (abs(weights.mean - 1) > max(DEVIATIONS * weights.error, 1e-9))
    )
