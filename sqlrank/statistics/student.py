"""Student's t distribution: quantile, density and tail, without a dependency on scipy.

The distribution function is the regularised incomplete beta function, computed by its continued fraction
(Abramowitz and Stegun 26.5.8, evaluated by Lentz's method) and inverted by Newton's method. With many degrees of
freedom that loses digits, and the expansion around the normal quantile (26.7.5) is exact.
"""

from __future__ import annotations

import math

from sqlrank.errors import UsageError

TINY = 1e-300
STEPS = 400
MANY = 500
NORMAL = 1.959963984540054
"""The quantile of the normal distribution for an interval of 95 %."""
CONFIDENCE = "95 %"
"""What the intervals of an evaluation are called."""
FEWEST = 1.5
"""The smallest effective number of queries that has an interval: below, one query decides."""
SKEWED = 5**-0.5
"""The skewness of a mean up to which its interval is Student's.

The coverage of Student's interval falls by about a quarter of the square of that skewness (P. Hall, The Bootstrap and
Edgeworth Expansion, 1992), by 5 of 100 here. Beyond, the interval is that of Hall's transformation (P. Hall, On the
removal of skewness by transformation, Journal of the Royal Statistical Society B 54, 1992).
"""


def check_alpha(alpha: float) -> None:
    """Raise UsageError if alpha is out of range."""
    if not 1e-6 <= alpha <= 0.5:
        raise UsageError(f"--alpha {alpha:g} is not between 0.000001 and 0.5; 0.05 gives an interval of 95 %")


def critical_value(degrees: float, confidence: float = 0.95) -> float:
    """The t beyond which half of what is outside a two-sided interval lies; infinity if a double cannot square it."""
    from statistics import NormalDist

    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    if degrees >= MANY:
        return around_normal(normal, degrees)
    # Newton's method from below: the tail is convex there, so that no step goes too far.
    t, outside = normal, 1 - confidence
    while slope := 2 * density(t, degrees):
        further = t + (two_sided(t, degrees) - outside) / slope
        if further <= t * (1 + 1e-15):
            return t
        t = further
    return math.inf


def density(t: float, degrees: float) -> float:
    """The density of Student's t distribution."""
    scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - 0.5 * math.log(degrees * math.pi)
    return math.exp(scale - (degrees + 1) / 2 * math.log1p(t * t / degrees))


def effective_in_words(fewest: float, most: float) -> str:
    """The effective number of queries, in words."""
    number = f"{fewest:.0f}" if f"{fewest:.0f}" == f"{most:.0f}" else f"{fewest:.0f} to {most:.0f}"
    return f"by weight as good as {number} queries of equal weight"


def around_normal(z: float, degrees: float) -> float:
    """The expansion of the quantile in powers of 1 / degrees."""
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * degrees**4)
    )


def two_sided(t: float, degrees: float) -> float:
    """The probability that |T| exceeds t."""
    return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    scale = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return scale * fraction(x, a, b) / a
    return 1 - scale * fraction(1 - x, b, a) / b


def fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function."""
    c, d = 1.0, 1 / off_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, STEPS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / off_zero(1 + term * d)
            c = off_zero(1 + term / c)
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def off_zero(value: float) -> float:
    """The value, or something tiny where it is 0."""
    return value if abs(value) > TINY else TINY
