"""The estimate of verdicts: delta_gsb with its standard error, interval and p value.

The verdicts x of 1, 0 and -1 have weights w, and those of one query belong together; so do those of one rater, where
raters are known: delta = sum(w x) / sum(w) is a mean over queries, and over raters (`moments`), clustered both ways.

The interval and the p value are those of signs (`signs.of_clusters`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqlrank.statistics.moments import Moments, clustered
from sqlrank.statistics.signs import Signs, of_clusters, too_few

NOTHING = 1e-12
"""Smaller numbers are rounding error and count as 0."""


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of a group of verdicts, over its verdicts, queries and raters, in any unit of weight."""

    good: int
    same: int
    bad: int
    weight: float
    undecided: float
    """The weight of the verdicts that are the same."""
    delta_gsb: float | None
    """The weighted difference for each unit of weight; None without weight."""
    squares: float
    """Squared weights of the verdicts."""
    single: float
    """Squared residuals of what one rater says of one query; 0 where raters are not known."""
    queries: Moments
    raters: Moments | None = None
    """None where raters are not known."""

    @property
    def total(self) -> int:
        """The number of verdicts."""
        return self.good + self.same + self.bad

    @property
    def clusters(self) -> tuple[Moments, ...]:
        """The clusters: queries, and raters if there are several."""
        if self.raters is None or self.raters.units < 2:
            return (self.queries,)
        return self.queries, self.raters

    @property
    def effective(self) -> float:
        """The effective number of clusters: the fewer of queries and raters."""
        return min(clusters.effective for clusters in self.clusters)

    @property
    def variance(self) -> float:
        """The variance of the difference, clustered by query and by rater."""
        alone = [clusters.variance for clusters in self.clusters]
        return clustered(*alone, *[self.single / self.weight**2] * (len(alone) - 1))

    @property
    def signs(self) -> Signs:
        """The verdicts as signs."""
        decided, delta = 1 - self.undecided / self.weight, self.delta_gsb or 0.0
        won, lost = (max(0.0, decided + side * delta) / 2 for side in (1, -1))
        fewest = min(clusters.units for clusters in self.clusters)
        return of_clusters(won, lost, self.variance, self.weight**2 / self.squares, self.effective, fewest)


@dataclass(frozen=True, slots=True)
class Preference:
    """How much the candidate is preferred, and how sure that is."""

    delta_gsb: float | None
    stderr: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    p_value: float | None = None
    withheld: str | None = None
    """Why there is no interval."""


def preference_of(sums: Sums, alpha: float = 0.05) -> Preference:
    """The estimate from the sums of verdicts; its interval excludes 0 exactly if p <= alpha."""
    delta = sums.delta_gsb
    if delta is None:
        return Preference(None, withheld="no verdict has a weight")
    if (reason := too_few_verdicts(sums)) is not None:
        return Preference(delta, withheld=reason)
    return Preference(delta, math.sqrt(sums.variance), *sums.signs.finding("randomization", alpha))


def too_few_verdicts(sums: Sums) -> str | None:
    """Why there can be no interval: one query, or one query or rater with nearly all the weight."""
    names = zip(sums.clusters, ("query", "rater"), strict=False)
    reasons = (too_few(each.units, each.effective, of) for each, of in names)
    return next((reason for reason in reasons if reason), None)
