"""Student's t distribution: quantile, density and tail, without a dependency on scipy.

The distribution function is the regularised incomplete beta function, computed by its continued fraction
(Abramowitz and Stegun 26.5.8, evaluated by Lentz's method) and inverted by Newton's method; with many degrees of
freedom the quantile is that of the expansion around the normal one (26.7.5).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from sqlrank.errors import UsageError
from sqlrank.spelling import spelt

TINY = 1e-300
STEPS = 400
SMALL = 20
MANY = 500
KNOWN = 4096
"""How many quantiles are remembered: segments often have as many queries as others."""
NORMAL = 1.959963984540054
"""The quantile of the normal distribution for an interval of 95 %."""
ALPHA = 0.05
"""What the intervals of an evaluation leave out."""
CONFIDENCE = "95 %"
"""What the intervals of an evaluation are called."""
FEWEST = 1.5
"""The smallest effective number of queries that has an interval: below, one query decides."""
STEADY = 1e-9
"""A standard error of at most this share of its mean is rounding error."""
SKEWED = 5**-0.5
"""The skewness of a mean up to which its interval is Student's.

The coverage of Student's interval falls by about a quarter of the square of that skewness (P. Hall, The Bootstrap and
Edgeworth Expansion, 1992), by 5 of 100 here. Beyond, the interval is that of Hall's transformation (P. Hall, On the
removal of skewness by transformation, Journal of the Royal Statistical Society B 54, 1992).
"""


def check_alpha(alpha: float) -> None:
    """Raise UsageError if alpha is out of range."""
    if not 1e-6 <= alpha <= 0.5:
        raise UsageError(f"{spelt('alpha', alpha)} is not between 0.000001 and 0.5; 0.05 gives an interval of 95 %")


@lru_cache(KNOWN)
def critical_value(degrees: float, confidence: float = 0.95) -> float:
    """The t beyond which half of what is outside a two-sided interval lies; infinity if a double cannot square it."""
    normal = NORMAL if confidence == 0.95 else quantile(confidence)
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


def quantile(confidence: float) -> float:
    """The quantile of the normal distribution for a two-sided interval."""
    from statistics import NormalDist  # a hundredth of a small evaluation

    return NormalDist().inv_cdf((1 + confidence) / 2)


def density(t: float, degrees: float) -> float:
    """The density of Student's t distribution."""
    scale = log_ratio(degrees / 2) - 0.5 * math.log(degrees * math.pi)
    return math.exp(scale - (degrees + 1) / 2 * math.log1p(t * t / degrees))


def effective_in_words(fewest: float, most: float, of: str = "queries") -> str:
    """The effective number of queries, or of what else they are counted in, in words."""
    number = f"{fewest:.0f}" if f"{fewest:.0f}" == f"{most:.0f}" else f"{fewest:.0f} to {most:.0f}"
    return f"by weight as good as {number} {of} of equal weight"


def around_normal(z: float, degrees: float) -> float:
    """The expansion of the quantile in powers of 1 / degrees."""
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * degrees**4)
    )


def one_sided(t: float, degrees: float) -> float:
    """The probability of a t as large as this one, or larger."""
    tail = two_sided(abs(t), degrees) / 2
    return tail if t > 0 else 1 - tail


def two_sided(t: float, degrees: float) -> float:
    """The probability that |T| exceeds t: the incomplete beta function of degrees / 2 and 1 / 2, to ten digits."""
    a, square = degrees / 2, t * t / degrees
    if not 0 < square < math.inf:
        return 0.0 if square else 1.0
    x, rest = 1 / (1 + square), square / (1 + square)
    scale = math.exp(log_ratio(a) - (math.log(math.pi) - math.log(rest)) / 2 - a * math.log1p(square))
    if x < (a + 1) / (a + 2.5):
        return scale * fraction(x, a, 0.5) / a
    return 1 - 2 * scale * fraction(rest, 0.5, a)


def log_ratio(a: float) -> float:
    """The logarithm of gamma(a + 1/2) / gamma(a), by its asymptotic series where the difference would lose digits."""
    if a < SMALL:
        return math.lgamma(a + 0.5) - math.lgamma(a)
    return 0.5 * math.log(a) - 1 / (8 * a) + 1 / (192 * a**3) - 1 / (640 * a**5) + 17 / (14336 * a**7)


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


class Methods(NamedTuple):
    """How the intervals of the means were computed."""

    wilson: bool
    """Whether one is Wilson's."""
    two_values: bool
    """Whether one is the wider of Wilson's and Student's."""
    hall: bool
    """Whether one is Hall's."""
    alike: bool
    """Whether a mean has none because all its values are alike."""
    uneven: bool
    """Whether one has ends that are not equally far from the mean."""
    withheld: int
    """How many means of several queries have none."""
    fewest: float | None
    """The smallest effective number of queries of a mean."""
    most: float | None
    """The largest."""

    def in_words(self, weighted: bool, clusters: tuple[int, str] | None) -> str:
        """The line that says how the intervals are computed; `clusters` are how many, and what they are named by."""
        mean = "mean, weighted" if weighted else "mean"
        text = f"± half-width of the {CONFIDENCE} confidence interval of the {mean} (Student's t)"
        if self.uneven:
            wilson = ["Wilson's interval where every value is 0 or 1"] * self.wilson
            hall = ["Hall's interval where the mean is skewed"] * self.hall
            text += "; ".join([", + and - where its ends are not equally far", *wilson, *hall])
        text += "; the outer ends of Wilson's and Student's where there are two other values" * self.two_values
        text += "; none where all values are alike" * self.alike
        if weighted and self.fewest is not None and self.most is not None:
            text += f"; {effective_in_words(self.fewest, self.most, 'clusters' if clusters else 'queries')}"
        if clusters is not None:
            number, column = clusters
            text += f"; standard errors are robust to {number} clusters of queries ({spelt('cluster', column)})"
        return text
