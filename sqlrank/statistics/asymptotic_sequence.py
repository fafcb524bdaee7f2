"""A confidence sequence of a mean whose units are many: an interval that holds however often one looks.

With n units, of which the mean has the standard error s, it is

    mean +- s sqrt(2 (n r^2 + 1) / (n r^2) log(sqrt(n r^2 + 1) / alpha))

where r is chosen for the number of units at which it is to be narrowest (I. Waudby-Smith, D. Arbour, R. Sinha, E. H.
Kennedy and A. Ramdas, Time-uniform central limit theory and asymptotic confidence sequences, The Annals of Statistics
52, 2024). The p value is the smallest alpha whose interval leaves out 0.
"""

from __future__ import annotations

import math


def mixture(alpha: float, planned: float) -> float:
    """The r that is best at so many units."""
    return math.sqrt((-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / planned)


def radius(units: float, alpha: float, r: float) -> float:
    """Half of the width of the interval, in standard errors."""
    spread = units * r * r
    return math.sqrt(2 * (spread + 1) / spread * math.log(math.sqrt(spread + 1) / alpha))


def p_value(distance: float, units: float, r: float) -> float:
    """The p value, which holds however often one looks, of a mean that lies so many standard errors off."""
    spread = units * r * r
    log = 0.5 * math.log(spread + 1) - distance**2 * spread / (2 * (spread + 1))
    return math.exp(min(0.0, log))
