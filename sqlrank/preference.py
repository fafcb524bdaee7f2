"""What verdicts come to: delta_gsb with its standard error, its interval, and the decision that follows.

The verdicts x of 1, 0 and -1 have weights w, and those of one query belong together. delta = sum(w x) / sum(w), and its
standard error is that of a linearised ratio over queries: sqrt(Q / (Q - 1) * sum r^2) / sum(w) with the residual
r = sum(w (x - delta)) of each of Q queries.

Verdicts that all agree would have an interval of no width. So, after D. G. Bonett and R. M. Price (Adjusted Wald
confidence interval for a difference of binomial proportions based on paired data, 2012), the interval is that of the
same verdicts and two queries more, one good and one bad, with Student's t of Q - 1 degrees. Each of the two has the
weight of one independent judgment: sum(w^2) / sum(w), times the design effect, which is how much larger the variance
is than that of verdicts without queries. It lies between 1 and what it would be were all verdicts of a query one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from sqlrank.intervals import critical_value

SHIP, REFUSE, UNDECIDED = "ship", "do not ship", "not enough evidence"
POWER = 0.8
"""How likely the number of judgments that is asked for would decide."""
NOTHING = 1e-12
"""What is nearer to 0 is 0: what rounding leaves."""
MOST = 2**62
"""More judgments than this are not counted."""


@dataclass(frozen=True, slots=True)
class Sums:
    """What a group of verdicts comes to: sums over its verdicts and its queries."""

    good: int
    same: int
    bad: int
    queries: int
    """Queries with a weight above 0."""
    weight: float
    delta_gsb: float | None
    """The weighted difference for each unit of weight; None without weight."""
    squares_good: float
    """Squared weights of the good verdicts."""
    squares_same: float
    squares_bad: float
    squares_queries: float
    """Squared weights of the queries."""
    residual_squares: float
    residual_products: float
    """Residuals times the weights of their queries."""

    @property
    def total(self) -> int:
        """The number of verdicts."""
        return self.good + self.same + self.bad

    @property
    def squares(self) -> float:
        """Squared weights of all verdicts."""
        return self.squares_good + self.squares_same + self.squares_bad


@dataclass(frozen=True, slots=True)
class Preference:
    """How much the candidate is preferred, how sure that is, and what follows."""

    delta_gsb: float | None
    stderr: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    decision: str = UNDECIDED
    judgments_needed: int | None = None


def preference_of(sums: Sums, alpha: float = 0.05) -> Preference:
    """The estimate from the sums of a group of verdicts.

    Args:
        sums: what the verdicts come to.
        alpha: what the interval leaves out, on both sides together.
    """
    delta = sums.delta_gsb
    if delta is None:
        return Preference(None)
    if sums.queries < 2:
        return Preference(delta, decision=decide(delta, None))
    stderr = math.sqrt(sums.queries / (sums.queries - 1) * sums.residual_squares) / sums.weight
    centre, spread, extra = adjusted(sums, delta)
    margin = critical(sums.queries - 1, 1 - alpha) * spread
    low, high = max(-1.0, centre - margin), min(1.0, centre + margin)
    decision = decide(delta, low)
    if decision != UNDECIDED:
        return Preference(delta, stderr, low, high, decision)
    return Preference(delta, stderr, low, high, decision, judgments_needed(sums, delta, stderr, extra, alpha))


def decide(delta: float, low: float | None) -> str:
    """What follows from the difference and the lower end of its interval, which is None where there is no interval."""
    if delta <= 0:
        return REFUSE
    return SHIP if low is not None and low > NOTHING else UNDECIDED


def design_effect(sums: Sums, delta: float) -> float:
    """How many verdicts of a query count as one independent judgment."""
    alone = sums.squares_good * (1 - delta) ** 2 + sums.squares_same * delta**2 + sums.squares_bad * (1 + delta) ** 2
    most = max(1.0, sums.squares_queries / sums.squares)
    if alone <= NOTHING * sums.squares:
        return most
    together = sums.queries / (sums.queries - 1) * sums.residual_squares
    return min(max(together / alone, 1.0), most)


def adjusted(sums: Sums, delta: float) -> tuple[float, float, float]:
    """The difference and its standard error with two queries more, and the weight of each of these."""
    extra = sums.squares / sums.weight * design_effect(sums, delta)
    weight = sums.weight + 2 * extra
    centre = delta * sums.weight / weight
    moved = delta - centre
    squares = sums.residual_squares + 2 * moved * sums.residual_products + moved**2 * sums.squares_queries
    squares += extra**2 * ((1 - centre) ** 2 + (1 + centre) ** 2)
    return centre, math.sqrt((sums.queries + 2) / (sums.queries + 1) * squares) / weight, extra


def judgments_needed(sums: Sums, delta: float, stderr: float, extra: float, alpha: float) -> int | None:
    """How many judgments in total would decide, with a power of 0.8, were this difference the true one.

    That is the smallest number n, above that of the judgments there are, for which the difference of n judgments like
    these and the two added ones is at least (t + z) times their standard error, with the quantiles t of the interval
    and z of the power. For large n it is ((z of the interval + z of the power) * stderr / delta)^2 * judgments.

    Args:
        sums: what the verdicts come to.
        delta: the difference, above 0.
        stderr: its standard error.
        extra: the weight of each query that was added.
        alpha: what the interval leaves out.

    Returns:
        The number; None where it is too large to be one of 64 bits.
    """
    each = sums.weight / sums.total
    added = extra / each
    variance = stderr**2 * sums.total * (sums.queries - 1) / sums.queries
    size = sums.squares_queries / sums.weight / each

    def decides(number: int) -> bool:
        centre = delta * number / (number + 2 * added)
        squares = number * (variance + size * (delta - centre) ** 2)
        squares += added**2 * ((1 - centre) ** 2 + (1 + centre) ** 2)
        queries = max(2, number * sums.queries // sums.total)
        spread = math.sqrt((queries + 2) / (queries + 1) * squares) / (number + 2 * added)
        return centre >= (critical(queries - 1, 1 - alpha) + normal(POWER)) * spread

    low, high = sums.total, sums.total + 1
    while not decides(high) and high <= MOST:
        low, high = high, 2 * high
    while low + 1 < high <= MOST:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high if high <= MOST else None


@cache
def critical(degrees: int, confidence: float) -> float:
    """The t beyond which lies half of what is outside the interval."""
    return critical_value(degrees, confidence)


@cache
def normal(probability: float) -> float:
    """The quantile of the normal distribution."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)
