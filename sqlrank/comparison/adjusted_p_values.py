"""Corrected p values of a comparison: by a test of all pairs, or of two families, the totals and the segments."""

from __future__ import annotations

from collections.abc import Sequence

from sqlrank.comparison.paired import Paired
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.rows import Row
from sqlrank.comparison.tukey import honest_differences
from sqlrank.statistics.corrections import correct


def adjust(rows: Sequence[Row], paired: Paired, questions: Questions) -> dict[str, float]:
    """Give every row its adjusted p value, and say whether it is significant.

    Returns:
        By metric, the mean difference from which on one is significant in total, by Tukey's test; nothing without it.
    """
    least: dict[str, float] = {}
    if questions.correction == "tukey":
        found = honest_differences(paired, questions)
        for row in rows:
            honest = found[row["sqlrank_key"]]
            row["p_adjusted"] = None if row["p_value"] is None else honest.p_adjusted
            if row["is_total"] and honest.least is not None:
                least[row["metric"]] = honest.least * (row["queries"] if row["sqlrank_counts"] else 1)
    elif questions.correction == "max-t":
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
        row["significant"] = None if row["p_adjusted"] is None else row["p_adjusted"] <= questions.alpha
    return least
