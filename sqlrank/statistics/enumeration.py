"""The exact randomization test: all choices of signs of a few differences."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence


def share_as_far(differences: Sequence[int], slack: int | None = None, side: int = 0) -> float:
    """The share of all choices of signs whose sum is as far from 0 as that of the differences as they are.

    The sums of either half are listed, and those of one looked up among those of the other. Sums that differ by at most
    `slack`, for what was rounded, are as far: by default one for each difference. With `side` 1 or -1 only those above,
    or below, count.
    """
    if side:
        return share_above([side * value for value in differences], len(differences) if slack is None else slack)
    observed, slack = abs(sum(differences)), len(differences) if slack is None else slack
    half = len(differences) // 2
    left, right = sums_of(differences[:half]), sorted(sums_of(differences[half:]))
    far = 0
    for sum_of_left in left:
        least = observed - slack
        above = len(right) - bisect.bisect_left(right, least - sum_of_left)
        below = bisect.bisect_right(right, -least - sum_of_left)
        far += above + below if least > 0 else len(right)
    return far / float(2 ** len(differences))


def share_above(differences: Sequence[int], slack: int) -> float:
    """The share of all choices of signs whose sum is at least that of the differences as they are."""
    half = len(differences) // 2
    left, right = sums_of(differences[:half]), sorted(sums_of(differences[half:]))
    least = sum(differences) - slack
    above = sum(len(right) - bisect.bisect_left(right, least - sum_of_left) for sum_of_left in left)
    return above / float(2 ** len(differences))


def ends_of_signs(units: Sequence[tuple[int, int]], alpha: float) -> tuple[float, float] | tuple[None, None]:
    """The least and the largest mean that taken off all units leaves a sum that is not significant at alpha.

    Each unit is the sum of its weighted differences and its weight, which is above 0. With a mean m taken off, a choice
    of signs is as far from 0 as the sums are where m is not below the smaller of two means: of the units that keep, and
    of those that change their sign (J. A. Hartigan, Using subsample values as typical values, Journal of the American
    Statistical Association 64, 1969). None twice where no choice of signs is as rare as alpha.
    """
    whole, weight = sum(total for total, _ in units), sum(each for _, each in units)
    sums = [(0, 0)]
    for total, each in units[1:]:  # the first keeps its sign: the other choices are the same two sets, exchanged
        sums += [(flipped + total, heavy + each) for flipped, heavy in sums]
    changed = [flipped / heavy for flipped, heavy in sums[1:]]
    kept = [(whole - flipped) / (weight - heavy) for flipped, heavy in sums[1:]]
    smaller, larger = [-math.inf, *map(min, changed, kept)], [math.inf, *map(max, changed, kept)]
    place = math.floor(alpha * len(sums))
    low, high = sorted(smaller)[place], sorted(larger)[-1 - place]
    return (None, None) if math.isinf(low) or math.isinf(high) else (low, high)


def sums_of(values: Sequence[int]) -> list[int]:
    """The sums under all choices of signs."""
    sums = [0]
    for value in values:
        sums = [total + signed for total in sums for signed in (value, -value)]
    return sums
