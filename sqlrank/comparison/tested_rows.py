"""The rows of a comparison, each with what its test finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlrank.comparison.arm_tests import ArmTests
from sqlrank.comparison.arms import Arms
from sqlrank.comparison.margins import Bound
from sqlrank.comparison.paired import Paired
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.rows import Row, row_of
from sqlrank.comparison.significance import Significance
from sqlrank.comparison.test_results import Finding, key


def tested_rows(paired: Paired, questions: Questions, margins: Mapping[str, Bound]) -> list[Row]:
    """A row for each pair, metric and segment, with its margin by the text of the metric; p values are not adjusted."""
    summary = paired.summary()
    tests = ArmTests(paired, questions) if isinstance(paired, Arms) else Significance(paired, questions)
    found = tests.findings([row for row in summary if row["difference"] is not None])
    nothing = Finding(None, questions.test)
    rows = []
    for row in summary:
        pair, finding = paired.pairs[row["pair"] - 1], found.get(key(row), nothing)
        rows.append(row_of(row, pair, paired.by, finding, questions, margins.get(pair.metric)))
    return rows


def ordered(rows: Iterable[Row], paired: Paired) -> list[Row]:
    """The rows by system, total last, segment and metric, as those of an evaluation are."""
    texts = [measure.text for measure in paired.measures]

    def place(row: Row) -> tuple[Any, ...]:
        segments = tuple((row[name] is None, row[name] or "") for name in paired.by)
        sides = [paired.systems.index(row[name]) for name in ("baseline", "system")]
        return sides, row["is_total"], segments, texts.index(row["metric"])

    return sorted(rows, key=place)
