"""The textbook reading of verdicts, and the decision that the evidence supports."""

from __future__ import annotations

from collections.abc import Sequence

from sqlrank.statistics.corrections import correct
from sqlrank.statistics.delta_gsb import Preference
from sqlrank.statistics.verdict import BETTER, WORSE, is_significant, verdict_of

SHIP, REFUSE, UNDECIDED = "better: ship", "worse: do not ship", "not enough evidence"
DECISIONS: dict[str | None, str] = {BETTER: SHIP, WORSE: REFUSE}
"""The decision on the verdicts that lead to one."""
SO_FAR, NOT_BETTER = "better so far", "not better: do not ship"


def reading(delta: float | None) -> str | None:
    """The textbook reading of the sign of the difference; None where there is none."""
    if delta is None:
        return None
    return SO_FAR if delta > 0 else NOT_BETTER


def decide(found: Preference, p_adjusted: float | None, alpha: float) -> str:
    """The decision by the interval and the corrected p value."""
    significant = is_significant(p_adjusted, (found.ci_low, found.ci_high), alpha)
    return DECISIONS.get(verdict_of(significant, found.delta_gsb or 0.0), UNDECIDED)


def adjusted(total: Preference, segments: Sequence[Preference], correction: str) -> list[float | None]:
    """The p values of the segments, corrected as one family, and last that of the total, a family of its own."""
    return correct([found.p_value for found in segments], correction) + correct([total.p_value], correction)
