"""Differences by a model's judgments everywhere, corrected by people's on some of the queries.

Prediction-powered inference (Angelopoulos, Duchi and Zrnic, PPI++, 2023, arXiv:2311.01453), with the weight of the
model's labels chosen so that the interval is shortest: 0 where they say nothing, so that it is people's alone. Where
most queries that people judged tie, two are added to these, as in the intervals of a comparison.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.interval import added_for_ties
from sqlrank.statistics.estimate import Estimate, welch

FEWEST = 10
"""The least number of queries that people judged."""
UNLIKE = 0.001
"""The p value below which the queries that people judged are not like the others."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected difference."""

    estimate: Estimate
    labelled: int
    """Queries that people judged."""
    others: int
    """Queries that the model alone judged."""
    weight: float
    """How much the model's labels count: 0 for not at all, less than 1."""
    worth: float
    """The number of queries with which people's labels alone would tell as much."""


def corrected(row: Mapping[str, Any], span: float | None = None) -> Corrected | None:
    """The corrected difference of a row of sql/judgment_sets/moments.sql; None where there is none.

    With n queries of both and m of the model alone it is the mean over the n of y - w f, plus w times the mean of f
    over the m: y and f are a query's difference under people's and under the model's labels. Where y is 0 in most of
    the n, further queries are among them: y is there the largest difference, for one system and for the other, and f
    its mean.

    Args:
        row: the counts and moments.
        span: the largest difference that there can be; None where the metric has no range.
    """
    labelled, others = row["labelled"], row["others"]
    if labelled < FEWEST or others < FEWEST or not row["changed"]:
        return None
    people, model, together = row["people_variance"], row["model_variance"], row["covariance"]
    slope = together / model if model > 0 else 0.0
    weight = max(0.0, slope * others / (labelled + others))
    left = max(people - 2 * weight * together + weight**2 * model, 0.0)
    if left <= 0 and not weight:
        return None
    added, size = added_for_ties(row["changed"], labelled, row["largest"], span)
    number = labelled + added
    mean = labelled * row["people_mean"] / number
    more = added * size + labelled * row["people_mean"] ** 2 - number * mean**2
    variance = (left * (labelled - 1) + more) / (number - 2) / number + weight**2 * row["others_variance"] / others
    if variance <= 0:
        return None
    return Corrected(
        estimate=Estimate(mean + weight * (row["others_mean"] - row["model_mean"]), math.sqrt(variance), number - 2),
        labelled=labelled,
        others=others,
        weight=weight,
        worth=(people * (labelled - 1) + more) / (number - 1) / variance,
    )


def is_unlike(row: Mapping[str, Any]) -> bool:
    """Whether the model's differences on the queries that people judged are unlike the others (Welch's test)."""
    labelled, others = row["labelled"], row["others"]
    if labelled < FEWEST or others < FEWEST:
        return False
    sides = (row["model_variance"] / labelled, labelled), (row["others_variance"] / others, others)
    p_value = welch(row["model_mean"] - row["others_mean"], *sides).p_value()
    return p_value is not None and p_value < UNLIKE
