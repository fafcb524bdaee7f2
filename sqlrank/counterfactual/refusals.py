"""Why a log does not support a value."""

from __future__ import annotations

from sqlrank.behaviour.settled import percent
from sqlrank.counterfactual.asking import DEVIATIONS, LEAST_ESS, Asked
from sqlrank.counterfactual.logged import Logged
from sqlrank.counterfactual.measures import Measure
from sqlrank.counterfactual.randomness import WAYS_ON
from sqlrank.counterfactual.supported import Support
from sqlrank.counterfactual.unit_sums import Weights
from sqlrank.counterfactual.valuing import Estimated, Valuing
from sqlrank.errors import counted, shortened
from sqlrank.spelling import spelt

ANY_MODEL = ("groups",)
"""What speaks against a log whatever is assumed of how people look: others saw other rankings."""
FIRST_POSITIONS = 10
"""How many positions a message lists."""


def refusals(
    valuing: Valuing, each: Estimated, measure: Measure, weights: Weights, support: Support, value: float
) -> list[str]:
    """Why the log does not support a value: the first is what matters most."""
    asked, found = valuing.asked, []
    logged = isinstance(each.source, Logged)
    if not logged:
        binding = valuing.randomness.refusals if measure.estimator.model == "item-position" else ANY_MODEL
        found += [text for why, text in valuing.randomness.refusals.items() if why in binding]
    if support.share < asked.min_support:
        found.append(unsupported(asked, each, measure, support, value))
    if isinstance(each.source, Logged) and each.source.examined and measure.estimator.model == "item-position":
        found.append(
            "the propensity in the log depends on the position alone: is it how likely the position is looked at? Give"
            f" that with {spelt('propensities', 'FILE')} in place of the column, and let the column be how likely the"
            " ranker was to show the document there"
        )
    if logged and off_balance(weights):
        found.append(
            f"the mean weight is {weights.mean:.3f}, more than {DEVIATIONS} standard errors off 1 ({weights.error:.3f}"
            " each): the propensities of the log are not those that decided what was shown, or the candidate shows what"
            " the log never shows"
        )
    if weights.ess < LEAST_ESS:
        found.append(
            f"{counted(each.sums.impressions, 'impression', 'has', 'have')} an effective number of {weights.ess:.1f}"
            f" under its weights, and {LEAST_ESS} are needed"
        )
    return [*found, WAYS_ON] if found else []


def unsupported(asked: Asked, each: Estimated, measure: Measure, support: Support, value: float) -> str:
    """That the log has shown too little of what a candidate shows."""
    places = list(support.by_position.items())
    listed = ", ".join(f"{position}: {percent(share)}" for position, share in places[:FIRST_POSITIONS])
    between = (
        ""
        if support.at_most is None
        else f"; the value lies between {value:.4f} and {value + support.at_most:.4f} under its model"
    )
    things = "positions" if measure.estimator.model == "item-position" else "documents"
    often = "once" if asked.min_impressions == 1 else f"{asked.min_impressions} times"
    what, least = f"{percent(support.share)} of its {things} (shown {often} or more), {support.counted_by}", ""
    if isinstance(each.source, Logged):
        what = f"{percent(support.share)} of what it would show, as its weights say, {support.counted_by}"
    else:
        found = each.source.least(measure.estimator, measure.system)
        query, share = shortened(found["query_id"]), percent(found["supported"])
        least = f"; most is missing for query {query!r}, with {share} supported"
    shown = f"the log supports {what} (by position {listed}{least})"
    return f"{shown}, and {percent(asked.min_support)} are needed{between}"


def off_balance(weights: Weights) -> bool:
    """Whether the mean weight is further off 1 than chance would have it."""
    return (
        weights.mean is not None
        and weights.error is not None
        and (abs(weights.mean - 1) > max(DEVIATIONS * weights.error, 1e-9))
    )
