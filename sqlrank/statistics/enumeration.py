"""The exact randomization test: all choices of signs of a few differences."""

from __future__ import annotations

import bisect
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


def sums_of(values: Sequence[int]) -> list[int]:
    """The sums under all choices of signs."""
    sums = [0]
    for value in values:
        sums = [total + signed for total in sums for signed in (value, -value)]
    return sums
