"""Many comparisons as one, of which each is a segment: what a segment has is what it has alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlrank
from tests.support.comparisons import METRIC, experiments

Pair = tuple[Sequence[float], Sequence[float]]


def together(cases: Sequence[Pair], **options: Any) -> list[dict[str, Any]]:
    """The rows of comparisons of two systems with these values, without a correction."""
    runs, qrels = experiments({"a": [first for first, _ in cases], "b": [second for _, second in cases]})
    asked = {"by": "experiment", "correction": "none"} | options
    with sqlrank.compare(systems=runs, qrels=qrels, metrics=METRIC, **asked) as found:
        return [found.row_of(METRIC, experiment=f"e{number}") for number in range(len(cases))]
