"""Confidence sequences: intervals that hold together however often one looks.

That of delta_gsb: each query brings the verdicts x with weights w, and for a delta that is put to the test the residual
r = sum(w (x - delta)), which is at least -c with c = (1 + abs(delta)) times the weight of the heaviest query. For
0 <= l < 1

    exp(l r / c + (l + log(1 - l)) (r / c)^2) <= 1 + l r / c

(X. Fan, I. Grama and Q. Liu, Exponential inequalities for martingales with applications, Electronic Journal of
Probability 20, 2015). So, where the queries before say nothing of the next residual, the product over queries is a
supermartingale, and so is a mixture of such products with several l, of r and of -r. By Ville's inequality it ever
reaches 1 / alpha with a probability of at most alpha. The sequence holds each delta whose mixture is below that (S. R.
Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Time-uniform, nonparametric, nonasymptotic confidence sequences, Annals
of Statistics 49, 2021).

That of a mean whose units are many: with n units, of which the mean has the standard error s, it is

    mean +- s sqrt(2 (n r^2 + 1) / (n r^2) log(sqrt(n r^2 + 1) / alpha))

where r is chosen for the number of units at which it is to be narrowest (I. Waudby-Smith, D. Arbour, R. Sinha, E. H.
Kennedy and A. Ramdas, Time-uniform central limit theory and asymptotic confidence sequences, The Annals of Statistics
52, 2024). The p value is the smallest alpha whose interval leaves out 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from sqlrank.statistics.moments import Moments

RATES = tuple(0.5 * 0.5 ** (step / 2) for step in range(16))
"""The l of the mixture, each with the same weight: the smallest ones serve millions of queries."""
DRAG = tuple(-rate - math.log1p(-rate) for rate in RATES)
"""What each l takes off for the squares."""
POINTS = 200
"""Where the ends of an interval are looked for first, on either side of the estimate."""
HALVINGS = 40


def evidence(sums: Moments, delta: float) -> float:
    """The logarithm of the mixture, which speaks against a delta."""
    most = (1 + abs(delta)) * sums.heaviest
    total = (sums.difference - delta * sums.weight) / most
    squares = sums.squared_differences - 2 * delta * sums.weighted_differences + delta**2 * sums.squared_weights
    squares = max(0.0, squares) / most**2
    logs: list[float] = [
        sign * rate * total - drag * squares for rate, drag in zip(RATES, DRAG, strict=True) for sign in (1, -1)
    ]
    largest = max(logs)
    return largest + math.log(math.fsum(math.exp(log - largest) for log in logs) / len(logs))


def sequence_of(sums: Moments, alpha: float) -> tuple[float, float, float]:
    """The ends of the interval of delta_gsb, and the p value of no difference, both valid whenever one looks.

    The p value is the smallest alpha whose interval leaves out 0. The ends are the outermost values that are not left
    out.
    """
    level = -math.log(alpha)
    centre = sums.difference / sums.weight

    def holds(delta: float) -> bool:
        return evidence(sums, delta) < level

    low, high = end_of(holds, centre, -1.0), end_of(holds, centre, 1.0)
    p_value = min(1.0, math.exp(-evidence(sums, 0.0)))
    if p_value > alpha:
        low, high = min(low, 0.0), max(high, 0.0)
    return low, high, p_value


def end_of(holds: Callable[[float], bool], centre: float, edge: float) -> float:
    """The value farthest from the centre that still holds, looked for from the edge inwards."""
    outer = edge
    for step in range(POINTS + 1):
        inner = edge + (centre - edge) * step / POINTS
        if holds(inner):
            break
        outer = inner
    if outer == inner or inner == edge:
        return inner
    for _ in range(HALVINGS):
        middle = (outer + inner) / 2
        outer, inner = (outer, middle) if holds(middle) else (middle, inner)
    return inner


def mixture(alpha: float, planned: float) -> float:
    """The r of a mean that is best at so many units."""
    return math.sqrt((-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / planned)


def radius(units: float, alpha: float, r: float) -> float:
    """Half of the width of the interval of a mean, in standard errors."""
    spread = units * r * r
    return math.sqrt(2 * (spread + 1) / spread * math.log(math.sqrt(spread + 1) / alpha))


def p_value(distance: float, units: float, r: float) -> float:
    """The p value, which holds however often one looks, of a mean that lies so many standard errors off."""
    spread = units * r * r
    log = 0.5 * math.log(spread + 1) - distance**2 * spread / (2 * (spread + 1))
    return math.exp(min(0.0, log))
