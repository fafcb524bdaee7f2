"""The rows of side-by-side verdicts: counts, the estimate, p values corrected by family, the decision, and planning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.judging.verdicts.decisions import UNDECIDED, adjusted, decide, reading
from sqlrank.spelling import spelt
from sqlrank.statistics.confidence_sequence import sequence_of
from sqlrank.statistics.delta_gsb import Preference, Sums, preference_of
from sqlrank.statistics.exact_tests import sign_test
from sqlrank.statistics.moments import moments_of
from sqlrank.statistics.signs import Plan


def judgments_needed(sums: Sums, found: Preference, alpha: float) -> dict[str, int | None]:
    """The number of judgments that would decide, by column: of the difference found, and of the ends of its interval.

    The low one is for the end of the interval that is farther from 0 on its side, the high one for the nearer end,
    which is None, for no limit, where the interval contains 0.
    """
    delta, low, high = found.delta_gsb, found.ci_low, found.ci_high
    numbers: dict[str, int | None] = dict.fromkeys(
        ("judgments_needed", "judgments_needed_low", "judgments_needed_high")
    )
    if delta is None or low is None or high is None:
        return numbers
    far, near = (low, high) if delta < 0 or (delta == 0 and -low > high) else (high, low)
    for name, value in zip(numbers, (delta, far, near if near * far > 0 else 0.0), strict=True):
        least = sums.total if name == "judgments_needed" else 1
        numbers[name] = Plan(sums.signs, sums.total, value).number(alpha, least)
    return numbers


ONE_RATER = "rater = 'NAME'"


def several_raters() -> str:
    """Why verdicts of several raters have no confidence sequence."""
    return (
        f"{spelt('sequential')} takes each query for itself, and verdicts of one rater belong together; fix the number"
        f" of judgments and leave out {spelt('sequential')}, or look at one rater ({spelt('where', ONE_RATER)})"
    )


def rows_of(
    groups: Sequence[Mapping[str, Any]],
    items: Sequence[Mapping[str, Any]],
    alpha: float,
    correction: str,
    sequential: bool = False,
) -> list[dict[str, Any]]:
    """A row for each group of verdicts (segments, and last the total, a family of its own), segment columns aside.

    Where it is `sequential`, intervals and p values hold whenever one looks, and there is nothing to plan.
    """
    sums = [sums_of(group) for group in groups]
    if sequential:
        found = [sequential_preference(one, alpha) for one in sums]
    else:
        found = [preference_of(one, alpha) for one in sums]
    chances = adjusted(found[-1], found[:-1], correction)
    family = 1 if correction == "none" else sum(one.p_value is not None for one in found[:-1])
    strict = [alpha / max(1, family)] * (len(found) - 1) + [alpha]
    planned: Sequence[float | None] = [None] * len(found) if sequential else strict
    parts = zip(sums, found, chances, planned, items, strict=True)
    return [row_of(one, each, p, alpha, most) | disagreement(item) for one, each, p, most, item in parts]


def row_of(
    sums: Sums, found: Preference, p_adjusted: float | None, alpha: float, planned: float | None
) -> dict[str, Any]:
    """One row; planning is for p values of at most `planned`, and left out where that is None."""
    decision = decide(found, p_adjusted, alpha)
    numbers = judgments_needed(sums, found, planned) if decision == UNDECIDED and planned is not None else {}
    return {
        **{"good": sums.good, "same": sums.same, "bad": sums.bad, "total": sums.total},
        **{name: getattr(found, name) for name in ("delta_gsb", "stderr", "ci_low", "ci_high", "p_value", "withheld")},
        **{"p_adjusted": p_adjusted, "p_sign": sign_test(sums.good, sums.bad)},
        **{"reading": reading(found.delta_gsb), "decision": decision},
        **dict.fromkeys(("judgments_needed", "judgments_needed_low", "judgments_needed_high")),
        **numbers,
        "queries": sums.queries.units,
        "raters": None if sums.raters is None else sums.raters.units,
    }


def sequential_preference(sums: Sums, alpha: float) -> Preference:
    """The estimate with an interval and a p value that hold whenever one looks."""
    delta = sums.delta_gsb
    if delta is None:
        return Preference(None, withheld="no verdict has a weight")
    if sums.raters is not None and sums.raters.units > 1:
        return Preference(delta, withheld=several_raters())
    return Preference(delta, None, *sequence_of(sums.queries, alpha))


def disagreement(item: Mapping[str, Any]) -> dict[str, Any]:
    """The items with several raters, and the share of those that were judged differently."""
    judged, conflicting = int(item.get("items", 0)), int(item.get("conflicting", 0))
    return {"items": judged, "conflicting": conflicting, "disagreement": conflicting / judged if judged else None}


def sums_of(row: Mapping[str, Any]) -> Sums:
    """The sums of a group as the statement has them."""
    names = ("good", "same", "bad", "weight", "undecided", "delta_gsb", "squares")
    rated = "units_raters" in row
    single, raters = (single_of(row), moments_of(row, "_raters")) if rated else (0.0, None)
    known = {name: row[name] for name in names}
    return Sums(**known, single=single, queries=moments_of(row, "_queries"), raters=raters)


def single_of(row: Mapping[str, Any]) -> float:
    """The squared residuals of what one rater says of one query."""
    delta: float = row["delta_gsb"] or 0.0
    return float(max(0.0, row["differences"] - 2 * delta * row["products"] + delta**2 * row["squared_cells"]))
