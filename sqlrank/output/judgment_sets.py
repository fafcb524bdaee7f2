"""Writing comparisons under several sets of judgments."""

from __future__ import annotations

import json
from dataclasses import asdict
from operator import itemgetter
from typing import Any

from sqlrank.columns import Kind, asked_for, picked
from sqlrank.judgment_sets.columns import ROWS, TABLE
from sqlrank.judgment_sets.compared import JudgmentSets
from sqlrank.output.tables import Reading, Rows, declared_table, figure
from sqlrank.output.writing import Destination, Writing, of_rows
from sqlrank.pages.tables import Table

TONES = {"better": "gain", "worse": "loss"}
"""The tone of a verdict."""


def judgment_sets_table(result: JudgmentSets, digits: int) -> Table:
    """Each difference under every set, with its verdict and how that stands beside the first one's."""
    reading = Reading(
        digits,
        tone=lambda row: TONES.get(row["verdict"], ""),
        said={"verdict": itemgetter("verdict"), "worth": lambda row: figure(row["worth"], Kind.NUMBER, 0)},
        confidence=result.questions.confidence,
        headings={"system": "system", "units": "queries", "baseline": result.baseline, "value": "value"},
        names=["baseline_value"],
    )
    one_baseline = len({row["baseline"] for row in result.all_rows}) == 1
    without = ["baseline"] if one_baseline else []
    without += [] if any(result.corrected.values()) else ["worth"]
    shown = asked_for(picked(ROWS, TABLE), ["by"] if result.by else [])
    return declared_table(shown, Rows(result.all_rows), reading, result.by, without, kept=["system"]).without("drawn")


def document_of(result: JudgmentSets, _: Destination) -> dict[str, Any]:
    """What a JSON document holds besides the rows."""
    return {
        "judgments": result.names,
        "baseline": result.baseline,
        "comparison": result.questions.to_dict(),
        "order": [{"judgments": name, **asdict(order)} for name, found in result.orders.items() for order in found],
        "corrected": [
            {"judgments": name, "system": system, "baseline": baseline, "metric": metric, **asdict(each)}
            for name, found in result.corrected.items()
            for (system, baseline, metric), each in found.items()
        ],
        "remarks": result.remarks(),
        "notes": result.notes,
    }


SETS = Writing(
    tables=lambda result, to: [judgment_sets_table(result, to.digits)],
    document=document_of,
    metadata=lambda result: {"comparison": json.dumps(result.questions.to_dict())},
    places=of_rows("compare takes {takes}, not {kind}"),
)
