"""What a call asks of values, checked as far as no input is needed."""

from __future__ import annotations

from dataclasses import dataclass

from sqlrank.choices import VALUE_INTERVALS
from sqlrank.counterfactual.estimators import CLIPPED, Estimator
from sqlrank.errors import UsageError, not_known

LEAST_ESS = 100
"""Below so many effective impressions a value is refused."""
DEVIATIONS = 3
"""How many standard errors the mean weight may be off 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How values are estimated, and what is refused."""

    estimators: list[Estimator]
    """Those asked for; none for the default ones."""
    clip: float | None = None
    fewest: int = 5
    """How many impressions a cell has at least."""
    support: float = 0.8
    """The least share of its places that is supported, by what their positions earn."""
    anyway: bool = False
    """Whether values are given that the log cannot bear."""
    interval: str = "delta"
    iterations: int = 1000
    seed: int = 0
    alpha: float = 0.05
    top: int = 1
    """What a document earns at most."""

    def __post_init__(self) -> None:
        if self.interval not in VALUE_INTERVALS:
            raise not_known("--interval", self.interval, VALUE_INTERVALS)
        if self.clip is not None and not 0 < self.clip < float("inf"):
            raise UsageError(f"--clip {self.clip:g}: give a number above 0")
        if not 0 <= self.support <= 1:
            raise UsageError(f"--min-support {self.support:g}: give a share from 0 to 1")
        if self.fewest < 1:
            raise UsageError(f"--min-impressions {self.fewest}: give a whole number, 1 or more")
        if self.iterations < 1:
            raise UsageError(f"--iterations {self.iterations}: give a whole number, 1 or more")
        if self.clip is None and (found := [one.name for one in self.estimators if one.name in CLIPPED]):
            raise UsageError(f"{found[0]} needs --clip N: the largest weight that counts, or by which weights shrink")
