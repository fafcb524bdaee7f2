"""Differences of systems by labels that have an interval: what the labels add to that of a difference.

Both systems have the same draws of the labels, so that what they share cancels. A difference is significant only where
its interval with both parts, of the queries and of the labels, is apart from 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.comparison.paired import Paired
from sqlrank.errors import UsageError
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.uncertain_labels import as_exact, without_part
from sqlrank.evaluation.uncertain_result import CERTAIN
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import NONE, Ends, Estimate

MOST_LINES = 10
"""Up to how many differences a line is said of labels."""


def check_compared(result: Result | None, stored: bool, paired: bool, periods: Sequence[Result] = ()) -> bool:
    """Whether labels are uncertain; UsageError where it is not known what they do to a difference."""
    if not any(one.uncertain for one in [*periods, *([] if result is None else [result])]):
        return False
    if stored and not periods:
        raise UsageError(
            "labels are uncertain, and stored per-query rows do not say how much: give the runs instead, or"
            f" {as_exact()}"
        )
    if not paired:
        raise UsageError(
            "labels are uncertain, and their part is known only for systems with the same queries, not with"
            f" {spelt('paired', False)} and {spelt('periods')}: {as_exact()}"
        )
    return True


def find_parts(result: Result, paired: Paired, seed: int) -> None:
    """Tell the pairs what labels add to each mean difference."""
    sides = list(dict.fromkeys((pair.baseline, pair.system) for pair in paired.pairs))
    draws = result.label_spreads(sides, "compared", seed, paired.measures)
    spreads = draws.spreads()
    numbers = [(number, sides.index((pair.baseline, pair.system)) + 1) for number, pair in enumerate(paired.pairs, 1)]
    kinds = {"pair": "integer", "contrast": "integer"}
    draws.engine.load(draws.name("numbers"), kinds, list(map(list, zip(*numbers, strict=True))))
    certain = CERTAIN / draws.request.reading.label_draws**0.5
    context = {"numbers": draws.table("numbers"), "spreads": spreads, "certain": certain}
    known = [number for number, pair in enumerate(paired.pairs, 1) if pair.metric not in without_part(paired.measures)]
    paired.uncertain = True
    for row in draws.engine.named(paired.over("label_parts", **context)):
        if row["pair"] in known:
            paired.labels[row["pair"], row["scope"]] = {name: row[name] for name in ("label_stderr", "label_shift")}


def widened(ends: Ends, row: Mapping[str, Any], alpha: float) -> Ends:
    """The interval of a difference that queries give, with the part of the labels: none where that is not known."""
    low, high = ends
    if low is None or high is None or not row.get("label_stderr", 0.0):
        return NONE if row.get("label_stderr", 0.0) is None else ends
    half = labels_alone(row, alpha)
    difference, middles = row["difference"], (row["difference"], row["difference"] + row["label_shift"])
    return min(middles) - math.hypot(difference - low, half), max(middles) + math.hypot(high - difference, half)


def labels_alone(row: Mapping[str, Any], alpha: float) -> float:
    """Half of the interval that labels alone give a difference."""
    return Estimate(0.0, row["label_stderr"]).ends(alpha)[1] or 0.0


def with_labels(estimate: Estimate, row: Mapping[str, Any]) -> list[Estimate]:
    """What an interval is made of, with the part of the labels: as they are, and on average over their draws."""
    if not row.get("label_stderr"):
        return [estimate]
    stderr = math.hypot(estimate.stderr or 0.0, row["label_stderr"])
    shifts = dict.fromkeys([0.0, row["label_shift"]])
    return [replace(estimate, value=estimate.value + shift, stderr=stderr) for shift in shifts]


def label_remarks(rows: Sequence[Mapping[str, Any]], alpha: float, draws: int) -> list[str]:
    """What labels do to the differences in total, and to the verdict."""
    totals = [row for row in rows if row["is_total"] and row["label_stderr"]]
    lines = [f"labels are uncertain: {in_words(row, alpha, draws)}" for row in totals[:MOST_LINES]]
    if len(totals) > MOST_LINES:
        lines.append(f"and so are {len(totals) - MOST_LINES} further differences, by their label_stderr")
    unknown = dict.fromkeys(row["metric"] for row in rows if row["label_stderr"] is None)
    withheld = f"no interval and no verdict of {', '.join(unknown)}: labels change how its queries count"
    return [*lines, *([withheld] * bool(unknown))]


def in_words(row: Mapping[str, Any], alpha: float, draws: int) -> str:
    """What labels do to a difference: to its value, and to its interval."""
    half = labels_alone(row, alpha)
    said = f"{row['metric']} of {row['system']} differs from {row['baseline']} by {row['difference']:+.4f}"
    if row["sqlrank_drawn"] != row["difference"]:
        said += f" with the labels as they are, by {row['sqlrank_drawn']:+.4f} on average over {draws} draws of them"
    if row["sqlrank_half"] is None:
        return f"{said}, and labels alone leave it ±{half:.4f}"
    return f"{said}; its interval has ±{row['sqlrank_half']:.4f} from the queries and ±{half:.4f} from the labels"
