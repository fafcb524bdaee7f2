"""What a difference is said to be, by its test and its interval together."""

from __future__ import annotations

from sqlrank.statistics.estimate import Ends

BETTER, WORSE, DIFFERS, UNDECIDED, WITHHELD = "better", "worse", "differs", "undecided", "withheld"
"""The verdicts: `differs` of a metric in which neither direction is better, `withheld` where nothing may be said."""


def is_significant(p_adjusted: float | None, ends: Ends, alpha: float) -> bool | None:
    """Whether a test finds a difference, and its interval supports it; None where that is withheld.

    They may come from different procedures, and disagree: then nothing is found. A test that finds nothing needs no
    interval, and one that finds something without an interval says nothing.

    Args:
        p_adjusted: the p value, corrected for the questions that were asked with it.
        ends: those of the interval of the difference; 0 may be an end of that of a difference which is found.
        alpha: the largest p value that is significant.
    """
    low, high = ends
    if p_adjusted is None or p_adjusted > alpha:
        return None if p_adjusted is None else False
    return None if low is None or high is None else not low < 0 < high


def verdict_of(significant: bool | None, gain: float) -> str | None:
    """The verdict on a difference; None where nothing was tested.

    Args:
        significant: what `is_significant` says of it.
        gain: the difference, above 0 where it is for the better, and 0 where neither direction is.
    """
    if significant is None:
        return None
    if not significant:
        return UNDECIDED
    return BETTER if gain > 0 else WORSE if gain < 0 else DIFFERS
