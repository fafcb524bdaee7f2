"""What is estimated of the rows of a log: values of candidates, and differences between them and what was shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup

from sqlrank.counterfactual.estimators import Estimator

SHOWN = "logged"
"""What the rankings that the log shows are called."""


@dataclass(frozen=True, slots=True)
class Term:
    """What one candidate, or what was shown, adds to a measure."""

    kind: str
    """How its rows count: the model of an estimator, `dm`, or `shown` and `shown-dcg`."""
    number: int = 0
    """Its number among the terms that have tables."""
    places: Markup | None = None
    """The expected reward at each place, and how far it is known."""
    documents: Markup | None = None
    """How much a reward of each document counts."""
    system: str = ""
    other: str | None = None
    """The candidate whose places are the only ones that count; None for its own."""
    rated: Markup | None = None
    """What the log says of the places of the candidates."""
    held: Markup | None = None
    """How far each of these is known."""
    scale: float = 1
    """How often it counts: -1 where it is held against the others."""
    totals: bool = False
    """Whether it is of all documents, which the others are divided by."""
    cutoff: int = 0
    weighting: int = 0
    """The number of its weights, where they are of propensities of the log."""
    normalised: bool = False
    """Whether it is divided by the sum of those."""
    expects: bool = False
    """Whether it also expects a reward of each document."""


@dataclass(slots=True)
class Measure:
    """A value, or a difference of two."""

    number: int
    estimator: Estimator
    system: str
    other: str | None = None
    """What it is held against; None for a value."""
    terms: list[Term] = field(default_factory=list)
    """What it is the sum of, each by its scale."""
    offset: float = 0
    """What is added to the mean of what its rows count for."""
    per: float | None = None
    """What that is divided by; None for the impressions."""

    @property
    def weighs(self) -> bool:
        """Whether its weights are looked at."""
        return self.other is None

    @property
    def balances(self) -> bool:
        """Whether its weights have a mean of 1 where everything is supported."""
        return self.weighs and self.estimator.model in ("item-position", "cascade", "list", "expected")
