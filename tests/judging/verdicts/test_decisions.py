"""What follows from verdicts: the reading, the decision, and segments that decide together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import sqlrank
from sqlrank.judging.verdicts.decisions import NOT_BETTER, REFUSE, SHIP, SO_FAR, UNDECIDED, decide, reading
from sqlrank.statistics.corrections import correct
from sqlrank.statistics.delta_gsb import Preference
from tests.support.verdict_data import arrow


@pytest.mark.parametrize(("delta", "text"), [(None, None), (-0.1, NOT_BETTER), (0.0, NOT_BETTER), (0.1, SO_FAR)])
def test_the_reading_is_that_of_the_difference_alone(delta: float | None, text: str | None) -> None:
    assert reading(delta) == text


@pytest.mark.parametrize(
    ("low", "high", "p", "decision"),
    [
        (-0.2, -0.1, 0.05, REFUSE),
        (-0.2, -0.1, 0.06, UNDECIDED),
        (-0.2, 0.0, 0.01, REFUSE),
        (-0.2, 0.001, 0.01, UNDECIDED),
        (-0.1, 0.1, 0.9, UNDECIDED),
        (0.0, 0.2, 0.01, SHIP),
        (1e-9, 0.2, 0.05, SHIP),
        (0.1, 0.2, 0.06, UNDECIDED),
        (None, None, None, UNDECIDED),
    ],
)
def test_a_decision_needs_the_whole_interval_and_the_corrected_p_value(
    low: float | None, high: float | None, p: float | None, decision: str
) -> None:
    delta = 0.1 if low is None or high is None else (low + high) / 2
    assert decide(Preference(delta, 0.1, low, high, p), p, 0.05) == decision


def segmented(correction: str, good: Sequence[int]) -> Any:
    """Segments of 20 queries with so many good verdicts, the rest bad."""
    rows = [
        (f"{segment}/{query}", 1 if query < count else -1, f"s{segment:02}")
        for segment, count in enumerate(good)
        for query in range(20)
    ]
    return sqlrank.gsb(arrow(rows, "query_id", "verdict", "part"), by="part", correction=correction)


@pytest.mark.parametrize(("correction", "shipped"), [("none", 3), ("bh", 1), ("holm", 1), ("bonferroni", 1)])
def test_segments_decide_together(correction: str, shipped: int) -> None:
    with segmented(correction, [19, 15, 15] + [10] * 17) as result:
        *segments, total = [dict(zip(result.rows.columns, row, strict=True)) for row in result.rows.fetchall()]
        remarks = result.remarks()

    assert sum(row["decision"] == SHIP for row in segments) == shipped
    assert segments[1]["ci_low"] > 0
    assert [row["p_adjusted"] for row in segments] == correct([row["p_value"] for row in segments], correction)
    assert total["p_adjusted"] == total["p_value"]
    assert sum("the segments are one family" in remark for remark in remarks) == 1
    for row in segments:
        assert (row["decision"] == SHIP) <= (row["p_adjusted"] <= 0.05 and row["ci_low"] > 0)


def test_a_correction_that_is_unknown_is_refused() -> None:
    with pytest.raises(sqlrank.UsageError, match="correction"):
        segmented("holms", [10])
