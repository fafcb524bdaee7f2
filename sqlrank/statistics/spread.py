"""The interval of a standard deviation, whatever the shape of the values.

The variance is taken to follow chi squared with the degrees of freedom that its own relative variance gives it (F. E.
Satterthwaite, An approximate distribution of estimates of variance components, Biometrics Bulletin 2, 1946), whose
quantiles are those of E. B. Wilson and M. M. Hilferty, The distribution of chi-square, PNAS 17, 1931.
"""

from __future__ import annotations

import math
from statistics import NormalDist

FEWEST = 2.0
"""With fewer degrees of freedom there is no upper end."""
MORE = 3
"""How much larger the relative variance is taken than few values show it: by this over their number."""


def degrees_of(fourth: float, units: int, changed: int) -> float:
    """The degrees of freedom of a variance.

    Args:
        fourth: the sum of the fourth powers of the residuals over the square of the sum of their squares.
        units: how many residuals there are.
        changed: how many of the values are not 0.
    """
    relative = (fourth - 1 / units) * units / (units - 1) * (1 + MORE / changed)
    return 2 / relative if relative > 0 else math.inf


def ends_of_spread(degrees: float, alpha: float) -> tuple[float, float | None]:
    """What a standard deviation is multiplied with for the ends of its interval; no upper end with too few degrees."""
    if math.isinf(degrees):
        return 1.0, 1.0
    z, ninth = NormalDist().inv_cdf(1 - alpha / 2), 2 / (9 * degrees)
    low, high = (max(1 - ninth + sign * z * math.sqrt(ninth), 0.0) ** 1.5 for sign in (1, -1))
    return 1 / low, 1 / high if degrees >= FEWEST and high else None
