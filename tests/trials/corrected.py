"""Differences by a model's labels, corrected by people's on some queries: how often the interval holds the truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sqlrank.judgment_sets.corrected import corrected
from tests.trials.experiments import row
from tests.trials.interleaving import head

TRIALS = 1500
"""Of each row: a share of 95 % has a standard error of 0.6 points."""
SIZES = [(30, 270), (100, 900), (60, 60)]
"""How many queries people judged, and how many the model alone."""
Labels = Callable[[np.random.Generator, Any], Any]
ERRORS: dict[str, Labels] = {
    "noise": lambda rng, true: true + rng.normal(0, 0.1, len(true)),
    "favour for the candidate": lambda rng, true: 0.6 * true + 0.08 + rng.normal(0, 0.05, len(true)),
    "chance alone": lambda rng, true: rng.normal(0.2, 0.3, len(true)),
}
"""Differences under a model's labels of three kinds of error."""


def differences(rng: np.random.Generator, number: int) -> Any:
    """Differences of queries as metrics have them: many ties, skewed, between -1 and 1."""
    moved = np.clip(rng.gamma(1.5, 0.12, number) * rng.choice([-1, 1, 1], number), -1, 1)
    return np.where(rng.random(number) < 0.4, 0, moved)


def moments(people: Any, model: Any, others: Any) -> dict[str, Any]:
    """What the statement counts of the labelled queries under both, and of the others under the model."""
    together = np.cov(people, model)
    return {
        "labelled": len(people), "others": len(others),
        "people_mean": people.mean(), "model_mean": model.mean(), "others_mean": others.mean(),
        "people_variance": together[0, 0], "model_variance": together[1, 1], "covariance": together[0, 1],
        "others_variance": others.var(ddof=1),
        "changed": int((people != 0).sum()), "largest": abs(people).max(),
    }  # fmt: skip


def shares(kind: str, labelled: int, others: int) -> tuple[float, float]:
    """How often the interval of 95 % holds the truth, and how wide it is beside that of people's labels alone."""
    rng = np.random.default_rng(8)
    truth = differences(np.random.default_rng(1), 4_000_000).mean()
    covered, widths, alone = 0, [], []
    for _ in range(TRIALS):
        true = differences(rng, labelled + others)
        model = ERRORS[kind](rng, true)
        found = corrected(moments(true[:labelled], model[:labelled], model[labelled:]))
        if found is None:
            continue
        low, high = found.estimate.ends(0.05)
        covered += low is not None and high is not None and low <= truth <= high
        widths.append(found.estimate.stderr or 0.0)
        alone.append(true[:labelled].std(ddof=1) / math.sqrt(labelled))
    return covered / TRIALS, float(np.mean(widths) / np.mean(alone))


def of_corrected() -> Iterator[str]:
    """The table."""
    words = ["errors of the model", "queries of people", "of all"]
    yield from head(words, ["holds the truth", "width beside people's alone"])
    for kind in ERRORS:
        for labelled, others in SIZES:
            share, width = shares(kind, labelled, others)
            yield row([kind, str(labelled), str(labelled + others)], [f"{100 * share:.1f} %", f"{width:.2f}"])
