"""Planning: how many judgments would decide, and the range of that number."""

from __future__ import annotations

from sqlrank.statistics.delta_gsb import Preference, Sums
from sqlrank.statistics.signs import Plan


def judgments_needed(sums: Sums, found: Preference, alpha: float) -> dict[str, int | None]:
    """The number of judgments that would decide, by column: of the difference found, and of the ends of its interval.

    The low one is for the end of the interval that is farther from 0 on its side, the high one for the nearer end,
    which is None, for no limit, where the interval contains 0.
    """
    delta, low, high = found.delta_gsb, found.ci_low, found.ci_high
    numbers: dict[str, int | None] = dict.fromkeys(
        ("judgments_needed", "judgments_needed_low", "judgments_needed_high")
    )
    if delta is None or low is None or high is None:
        return numbers
    far, near = (low, high) if delta < 0 or (delta == 0 and -low > high) else (high, low)
    for name, value in zip(numbers, (delta, far, near if near * far > 0 else 0.0), strict=True):
        least = sums.total if name == "judgments_needed" else 1
        numbers[name] = Plan(sums.signs, sums.total, value).number(alpha, least)
    return numbers
