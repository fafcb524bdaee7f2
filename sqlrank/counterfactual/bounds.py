"""Differences over all places: what the log does not say may be worth nothing, or as much as the best that it knows.

C. F. Manski, Nonparametric bounds on treatment effects, The American Economic Review 80, 1990.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlrank.counterfactual.empirical import Empirical
from sqlrank.counterfactual.measures import SHOWN, Measure
from sqlrank.counterfactual.randomness import WAYS_ON
from sqlrank.counterfactual.unit_sums import NOTHING
from sqlrank.counterfactual.valuing import Estimated
from sqlrank.statistics.estimate import NONE, Ends

Earned = tuple[float, float]
"""What is earned at least and at most, for each impression."""


def bounds_of(each: Estimated, measure: Measure, difference: float, earned: Mapping[tuple[str, str], Earned]) -> Ends:
    """The least and the largest difference over all places; None twice where the log leaves nothing open, or no bound.

    Args:
        each: the estimates that the difference is of.
        measure: the difference.
        difference: its estimate.
        earned: by estimator and system what is earned.
    """
    if not isinstance(each.source, Empirical):
        return NONE
    least, most = earned[measure.estimator.name, measure.system]
    if measure.estimator.cutoff and measure.other == SHOWN:
        # what was shown gains as much as the candidate, less the difference, which is over all places
        other_least = other_most = least - difference
    elif measure.other is None or measure.other == SHOWN:
        other_least = other_most = each.source.shown / each.sums.impressions
    else:
        other_least, other_most = earned[measure.estimator.name, measure.other]
    low, high = least - other_most, most - other_least
    return (low, high) if high - low > NOTHING else NONE


def left_open(bounds: Ends) -> bool:
    """Whether either may be the better one, or both alike but for rounding."""
    low, high = bounds
    return low is not None and high is not None and low <= NOTHING and high >= -NOTHING


def left_open_in_words(measure: Measure, bounds: Ends) -> str:
    """That the log does not say which is better, with the ways on."""
    low, high = bounds
    return (
        f"{measure.system} less {measure.other} by {measure.estimator.name} lies between {low:+.4f} and {high:+.4f}"
        " over all positions, and the log does not support enough of them to say which earns more: no interval and no p"
        f" value; {WAYS_ON}"
    )
