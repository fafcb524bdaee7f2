"""Hall's transformation, which removes the skewness of a mean from its t.

P. Hall, On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54, 1992.
"""

from __future__ import annotations

import math


def removed(t: float, skewness: float) -> float:
    """The t of a mean without its skewness: t + s t^2 / 3 + s^2 t^3 / 27 + s / 6, which grows with t."""
    return t + skewness * t * t / 3 + skewness * skewness * t**3 / 27 + skewness / 6


def restored(t: float, skewness: float) -> float:
    """The t of a mean that comes to this one without its skewness."""
    if not skewness:
        return t
    return 3 / skewness * (math.cbrt(1 + skewness * (t - skewness / 6)) - 1)
