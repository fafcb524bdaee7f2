"""Writing comparisons under several sets of judgments."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from operator import itemgetter
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.columns import Kind, asked_for, picked
from sqlrank.errors import UsageError
from sqlrank.judgment_sets.columns import ROWS, TABLE
from sqlrank.judgment_sets.compared import JudgmentSets
from sqlrank.output.declared_tables import Reading, declared_table, figure
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Rows, Shown, for_people
from sqlrank.pages.tables import Table
from sqlrank.version import __version__

TONES = {"better": "gain", "worse": "loss"}
"""The tone of a verdict."""


def write_judgment_sets(result: JudgmentSets, destination: Destination) -> None:
    """Write the rows in any format; UsageError for that of trec_eval, which has no place for them."""
    if destination.kind not in RESULT_FORMATS:
        raise UsageError(f"compare takes {', '.join(RESULT_FORMATS)}, not {destination.kind}")

    def shown() -> Shown:
        return [judgment_sets_table(result, destination.digits)], result.remarks()

    people = for_people(shown, destination.screen)
    metadata = {"sqlrank": __version__, "comparison": json.dumps(result.questions.to_dict())}
    write_result(result, result.rows, destination, metadata, people, partial(document_of, result))


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


def document_of(result: JudgmentSets) -> dict[str, Any]:
    """What a JSON document holds beside the rows."""
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
