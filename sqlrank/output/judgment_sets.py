"""Writing comparisons under several sets of judgments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from sqlrank.choices import RESULT_FORMATS
from sqlrank.errors import UsageError
from sqlrank.judgment_sets.compared import JudgmentSets
from sqlrank.output.comparison import chance, interval, number
from sqlrank.output.formats import write_result
from sqlrank.output.tables import Destination, Rows, Shown, for_people
from sqlrank.pages.tables import SIGNS, Cell, Table
from sqlrank.version import __version__

Row = Mapping[str, Any]
SPARE = ("p_value", "baseline_value", "value", "worth", "queries", "p_adjusted", "interval")
"""The columns that are left out where a terminal has no room, the first one first."""


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
    rows = Rows(result.all_rows)

    def difference(row: Row) -> Cell:
        tone = {"better": "gain", "worse": "loss"}.get(row["verdict"], "")
        sign = "" if row["difference"] is None else SIGNS[tone]
        return Cell(number(row["difference"], digits, "+"), tone, sign=sign)

    return Table(
        [
            rows.words("system"),
            *([rows.words("baseline")] if len({row["baseline"] for row in result.all_rows}) > 1 else []),
            *rows.segments(result.by),
            rows.words("metric"),
            rows.words("judgments"),
            rows.numbers("queries"),
            rows.numbers("baseline_value", lambda row: number(row["baseline_value"], digits), result.baseline),
            rows.numbers("value", lambda row: number(row["value"], digits)),
            rows.numbers("difference", difference),
            rows.numbers("interval", lambda row: interval(row, digits), f"{result.questions.confidence} interval"),
            rows.numbers("p_value", lambda row: chance(row["p_value"], digits), "p"),
            rows.numbers("p_adjusted", lambda row: chance(row["p_adjusted"], digits), "adjusted p"),
            rows.words("verdict"),
            rows.words("beside", lambda row: row["beside"] or "-"),
            *([rows.numbers("worth", lambda row: number(row["worth"], 0))] if any(result.corrected.values()) else []),
        ],
        spare=SPARE,
    )


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
