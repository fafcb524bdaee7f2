"""The estimate of verdicts: delta_gsb with its standard error, interval and p value.

The verdicts x of 1, 0 and -1 have weights w, and those of one query belong together; so do those of one rater, where
raters are known. delta = sum(w x) / sum(w), and its variance is that of the jackknife, which leaves out one query after
the other: (G - 1) / G * sum((r / (1 - W / sum(w)))^2) / sum(w)^2, with the residual r = sum(w (x - delta)) and the
weight W of each of G queries. Where these are alike, that is G / (G - 1) * sum(r^2) / sum(w)^2. With raters it is
clustered both ways (A. C. Cameron, J. B. Gelbach and D. L. Miller, Robust inference with multiway clustering, 2011):
what the queries and the raters come to, less the sum of r^2 over what one rater says of one query. That may be too
small, even negative, where the clusters are few: the variance is the largest of the three.

Verdicts that all agree would have an interval of no width. So, after D. G. Bonett and R. M. Price (Adjusted Wald
confidence interval for a difference of binomial proportions based on paired data, 2012), the interval is that of the
same verdicts and two judgments more, one good and one bad, each of a query and a rater of its own. Each of the two has
the weight of one independent judgment: sum(w^2) / sum(w), times the design effect, which is how much larger the
variance is than that of verdicts that hang together in no way. It lies between 1 and what it would be were all verdicts
of a query, or of a rater, one. Student's t has the degrees of freedom of the fewest effective clusters less 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqlrank.statistics.estimate import Estimate

NOTHING = 1e-12
"""Smaller numbers are rounding error and count as 0."""
FEWEST = 1.01
"""Below so many effective clusters one has nearly all the weight, and there is no interval."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """Verdicts that belong together, summed up over the queries or over the raters."""

    number: int
    """Those with a weight above 0."""
    squares: float
    """Their squared weights."""
    residual_squares: float
    """Their squared residuals, each divided by the share of the weight that the others have."""
    residual_products: float
    """Residuals times weights, both divided alike."""
    weight_squares: float
    """Squared weights, divided alike."""

    def variance(self, moved: float = 0, added: float = 0, more: int = 0) -> float:
        """The variance of the sum: residuals `moved` lower, and `more` judgments with `added` squared residuals."""
        squares = self.residual_squares + 2 * moved * self.residual_products + moved**2 * self.weight_squares
        number = self.number + more
        return number / (number - 1) * (((self.number - 1) / self.number) ** 2 * squares + added)


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
    """Squared weights: of each verdict, or where raters are known of what one rater says of one query."""
    products: float
    """The weights times what they add to the difference, for the same."""
    differences: float
    """Squares of what they add to the difference."""
    queries: Clusters
    raters: Clusters | None = None
    """None where raters are not known."""

    @property
    def total(self) -> int:
        """The number of verdicts."""
        return self.good + self.same + self.bad

    @property
    def clusters(self) -> tuple[Clusters, ...]:
        """The clusters: queries, and raters if there are several."""
        if self.raters is None or self.raters.number < 2:
            return (self.queries,)
        return self.queries, self.raters

    @property
    def effective(self) -> float:
        """The effective number of clusters: the fewer of queries and raters."""
        return min(self.weight**2 / clusters.squares for clusters in self.clusters)

    def single(self, moved: float = 0) -> float:
        """Squared residuals of single verdicts, or of what one rater says of one query."""
        delta = (self.delta_gsb or 0.0) - moved
        return max(0.0, self.differences - 2 * delta * self.products + delta**2 * self.squares)

    def variance(self, moved: float = 0, added: float = 0, more: int = 0) -> float:
        """The variance of the sum of all verdicts, clustered by query and by rater; the arguments are as above."""
        alone = [clusters.variance(moved, added, more) for clusters in self.clusters]
        both = sum(alone) - (self.single(moved) + added) * (len(alone) - 1)
        return max(both, *alone)


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
    extra: float = 0.0
    """The weight of each judgment that was added."""

    @property
    def side(self) -> int:
        """1 where the whole interval is above 0, -1 where it is below, else 0."""
        if self.ci_low is None or self.ci_high is None:
            return 0
        return int(self.ci_low > NOTHING) - int(self.ci_high < -NOTHING)


def preference_of(sums: Sums, alpha: float = 0.05) -> Preference:
    """The estimate from the sums of verdicts; of one t statistic, so its interval excludes 0 exactly if p <= alpha."""
    delta = sums.delta_gsb
    if delta is None:
        return Preference(None, withheld="no verdict has a weight")
    if (reason := too_few(sums)) is not None:
        return Preference(delta, withheld=reason)
    extra = sums.squares / sums.weight * design_effect(sums)
    weight = sums.weight + 2 * extra
    centre = delta * sums.weight / weight
    added = extra**2 * ((1 - centre) ** 2 + (1 + centre) ** 2)
    spread = math.sqrt(sums.variance(delta - centre, added, 2)) / weight
    interval = tested(centre, spread, sums.effective - 1, alpha)
    return Preference(delta, math.sqrt(sums.variance()) / sums.weight, *interval, extra=extra)


def too_few(sums: Sums) -> str | None:
    """Why there can be no interval: one query, or one query or rater with nearly all the weight."""
    if sums.queries.number < 2:
        return "one query tells nothing of others"
    if sums.weight**2 / sums.queries.squares < FEWEST:
        return "one query has nearly all the weight"
    return "one rater has nearly all the weight" if sums.effective < FEWEST else None


def design_effect(sums: Sums) -> float:
    """How many verdicts, or cells of a rater and a query, count as one independent judgment."""
    single = sums.single()
    most = max(1.0, *(clusters.squares / sums.squares for clusters in sums.clusters))
    if single <= NOTHING * sums.squares:
        return most
    return min(max(sums.variance() / single, 1.0), most)


def tested(centre: float, spread: float, degrees: float, alpha: float) -> tuple[float, float, float]:
    """The interval and the p value; where rounding has them contradict, neither finds a difference."""
    estimate = Estimate(centre, spread, degrees)
    low, high = (centre if end is None else max(-1.0, min(end, 1.0)) for end in estimate.ends(alpha))
    p = estimate.p_value() or 0.0
    if p <= alpha and (low > NOTHING or high < -NOTHING):
        return low, high, p
    return min(low, 0.0), max(high, 0.0), max(p, math.nextafter(alpha, 1))
