"""The rows of values and differences, with what each rests on, and what the log does not support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlrank.behaviour.settled import percent
from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.bounds import Earned, bounds_of, left_open, left_open_in_words
from sqlrank.counterfactual.lower_bounds import LOWER, below
from sqlrank.counterfactual.measures import SHOWN, Measure
from sqlrank.counterfactual.refusals import refusals
from sqlrank.counterfactual.resampled import Resampled
from sqlrank.counterfactual.supported import clipped_of, is_tamed, support_of
from sqlrank.counterfactual.unit_sums import NOTHING
from sqlrank.counterfactual.valuing import Estimated, Valuing
from sqlrank.errors import DataError
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import NONE, Ends, Estimate
from sqlrank.statistics.student import FEWEST

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


UNITS = {"user_id": "users", "session_id": "sessions", "impression_id": "impressions"}
"""What is independent of each other, in words."""


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
        DataError: the log supports none of the values.
    """
    made, refused = ValueRows(), []
    for each in estimated:
        if each.sums.effective < FEWEST:
            noun = (valuing.unit or "impression_id").removesuffix("_id")
            made.notes.append(f"no interval: one {noun} has nearly all of the impressions")
        resampled = Resampled(valuing, each) if valuing.asked.interval == "bootstrap" else None
        borne: dict[tuple[str, str], Earned] = {}
        for measure in each.measures:
            if measure.other is None:
                refused += add_value(made, valuing, each, measure, resampled, borne)
            elif {(measure.estimator.name, name) for name in (measure.system, measure.other) if name != SHOWN} <= {
                *borne
            }:
                add_difference(made, valuing.asked, each, measure, resampled, borne)
    if refused and len(refused) == len(made.rows) and not valuing.asked.anyway:
        more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
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
    borne: dict[tuple[str, str], Earned],
) -> list[str]:
    """Add the row of a value; returns why it is refused, if it is."""
    asked, estimate, weights = valuing.asked, each.sums.estimate(measure), each.sums.weights(measure)
    support = support_of(each, measure, weights)
    name = f"{measure.system} by {measure.estimator.name}"
    reasons = refusals(valuing, each, measure, weights, support, estimate.value)
    given = (not reasons or asked.anyway) and (weights.ess > 0 or not measure.estimator.normalised)
    low, high = interval_of(asked, each, measure, estimate, resampled) if given else NONE
    if low is not None and is_point(low, estimate.value if high is None else high):
        low = high = None
        unit = UNITS[valuing.session.log.unit]
        made.notes.append(f"{name}: no interval, as all {unit} add the same to it, which says nothing about its error")
    clipped = clipped_of(each, measure)
    made.rows.append(
        {
            "system": measure.system,
            "estimator": measure.estimator.name,
            "model": MODELS[measure.estimator.model],
            "value": estimate.value if given else None,
            "ci_low": low,
            "ci_high": high,
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
            f"{name}: {percent(1 - support.share)} of its positions, {support.counted_by}, are unsupported and excluded"
            " from the value and its interval"
        )
    if given and is_tamed(each, measure):
        made.notes.append(
            f"{name}: {spelt('clip', asked.clip)} takes {percent(clipped['mass'])} of the weights, which should correct"
            f" the expected rewards: no interval and no p value; give a larger {spelt('clip')}, or take dr"
        )
    if given:
        borne[measure.estimator.name, measure.system] = estimate.value, estimate.value + (support.at_most or 0.0)
    return [f"{name}: {'; '.join(reasons)}"] if reasons else []


def interval_of(
    asked: Asked, each: Estimated, measure: Measure, estimate: Estimate, resampled: Resampled | None
) -> Ends:
    """The interval of a value or a difference; none where what is expected is taken as it is."""
    if not is_tested(each, measure):
        return NONE
    if resampled is not None:
        return resampled.interval(measure)
    if asked.interval in LOWER and measure.other is None:
        return below(asked, each.sums, measure, estimate)
    return estimate.ends(asked.alpha)


def is_point(low: float, high: float) -> bool:
    """Whether an interval has no width, but for rounding: 0 clicks of 200 are not certainly none of the next."""
    return high - low <= NOTHING * max(1.0, abs(low))


def is_tested(each: Estimated, measure: Measure) -> bool:
    """Whether an estimate has an interval and a p value: not where it is, for the most part, what was expected."""
    return measure.estimator.name != "dm" and not is_tamed(each, measure)


def add_difference(
    made: ValueRows,
    asked: Asked,
    each: Estimated,
    measure: Measure,
    resampled: Resampled | None,
    borne: dict[tuple[str, str], Earned],
) -> None:
    """Add the row of a difference: without an interval where what the log has not shown may turn it round."""
    estimate = each.sums.estimate(measure)
    bounds = bounds_of(each, measure, estimate.value, borne)
    known = not left_open(bounds)
    if not known:
        made.notes.append(left_open_in_words(measure, bounds))
    low, high = interval_of(asked, each, measure, estimate, resampled) if known else NONE
    made.differences.append(
        {
            "system": measure.system,
            "other": measure.other,
            "estimator": measure.estimator.name,
            "difference": estimate.value,
            "ci_low": low,
            "ci_high": high,
            "p_value": estimate.p_value() if known and is_tested(each, measure) else None,
            "bound_low": bounds[0],
            "bound_high": bounds[1],
        }
    )
