"""Corrected p values of a comparison: of two families, the totals and the segments."""

from __future__ import annotations

from collections.abc import Sequence

from sqlrank.comparison.questions import Questions
from sqlrank.comparison.rows import Row
from sqlrank.statistics.corrections import correct
from sqlrank.statistics.verdict import is_significant


def adjust(rows: Sequence[Row], questions: Questions) -> None:
    """Give every row its adjusted p value, and say whether it is significant."""
    if questions.joint:
        for row in rows:
            together = row["sqlrank_together"]
            row["p_adjusted"] = None if row["p_value"] is None else max(row["p_value"], together or 0.0)
    else:
        for is_total in (True, False):
            family = [row for row in rows if row["is_total"] is is_total]
            adjusted = correct([row["p_value"] for row in family], questions.correction)
            for row, p_adjusted in zip(family, adjusted, strict=True):
                row["p_adjusted"] = p_adjusted
    for row in rows:
        row["significant"] = is_significant(row["p_adjusted"], (row["ci_low"], row["ci_high"]), questions.alpha)
