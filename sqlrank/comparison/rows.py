"""The rows of a comparison: means, difference and interval, p value, power and margin of each pair and segment."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.comparison.comparison_power import DETECTABLE, NEEDED, deviation_of, power_of
from sqlrank.comparison.interval import all_alike, cut, has_interval, interval_of, mostly_tied, skewness_of
from sqlrank.comparison.margins import Bound, p_values
from sqlrank.comparison.paired import Pair
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.test_results import Finding
from sqlrank.comparison.uncertain_differences import widened
from sqlrank.metrics.measure import SIGNS
from sqlrank.statistics.corrections import correct
from sqlrank.statistics.estimate import agreeing
from sqlrank.statistics.hedges import hedges_g
from sqlrank.statistics.student import STEADY
from sqlrank.statistics.verdict import is_significant

MOST_UNCERTAIN = 2.5
"""Up to this effective number of queries the correction of Hedges' g is mostly of itself."""

Row = dict[str, Any]


def row_of(row: Row, pair: Pair, by: Sequence[str], finding: Finding, questions: Questions, bound: Bound | None) -> Row:
    """One row, of the sums over its queries, the finding of the test and the margin of its metric."""
    queries, deviation, difference = row["queries"], row["deviation"], row["difference"]
    factor = queries if pair.counts and questions.paired else 1
    low, high = finding.low, finding.high
    if not questions.draws and difference is not None:
        ends = interval_of(row, questions.alpha_two_sided)
        if row["apart"] and finding.p_value is not None:
            side = questions.side_of(pair.measure.metric.better)
            ends = agreeing(ends, difference, finding.p_value <= questions.alpha, side)
        low, high = cut(ends, pair.measure)
    half = None if low is None or high is None else (high - low) / 2
    low, high = cut(widened((low, high), row, questions.alpha_two_sided), pair.measure)
    drawn = None if difference is None else difference + row.get("label_shift", 0.0)
    effect = difference / deviation if deviation and deviation > STEADY * abs(difference) else None
    hedges = (None, None, None) if effect is None else hedges_of(row, effect, questions.alpha_two_sided)
    deviations = deviation_of(row, questions.alpha_two_sided)
    detectable, needed = power_of(row, deviations, (low, high), questions.alpha_two_sided)
    margin, not_worse, equivalent = None, None, None
    if bound is not None and queries:
        margin = bound.of(row["baseline_value"]) / (1 if bound.relative else factor)
        not_worse, equivalent = p_values(row, margin)
    scaled = {"baseline_value": row["baseline_value"], "value": row["value"], "difference": difference}
    scaled |= {"label_stderr": row.get("label_stderr"), "sqlrank_half": half, "sqlrank_drawn": drawn}
    scaled |= {"ci_low": low, "ci_high": high, "margin": margin, **dict(zip(DETECTABLE, detectable, strict=True))}
    return {
        "system": pair.system,
        "baseline": pair.baseline,
        "metric": pair.metric,
        "is_total": row["scope"] == 0,
        "relative_difference": relative(difference, row["baseline_value"]),
        "p_value": finding.p_value,
        "effect_size": effect,
        **dict(zip(("hedges_g", "hedges_low", "hedges_high"), hedges, strict=True)),
        **votes_of(row, pair.measure.metric.better),
        "queries": queries,
        "shared_queries": row["shared_queries"],
        "baseline_queries": row.get("baseline_queries", queries),
        **dict(zip(NEEDED, needed, strict=True)),
        "test": finding.test,
        "p_not_worse": not_worse,
        "p_equivalent": equivalent,
        "sqlrank_better": pair.measure.metric.better,
        "sqlrank_units": row["units"],
        "sqlrank_choices": choices_of(row),
        "sqlrank_key": (row["pair"], row["scope"]),
        "sqlrank_sums": row,
        "sqlrank_together": finding.p_together,
        "sqlrank_counts": pair.counts and questions.paired,
        "sqlrank_effective": row["effective"] or 0.0,
        "sqlrank_two_valued": bool(row["apart"]),
        "sqlrank_tied": has_interval(row) and mostly_tied(row),
        "sqlrank_skewness": skewness_of(row),
        "sqlrank_alike": row["stderr"] is not None and all_alike(row),
        "sqlrank_deviation": deviations[0],
        "sqlrank_deviations": deviations,
        **{name: row[f"segment_{number}"] for number, name in enumerate(by, 1)},
        **{name: None if value is None else value * factor for name, value in scaled.items()},
    }


def votes_of(row: Row, better: str) -> Row:
    """For how many queries the candidate is better, alike and worse."""
    wins, losses, delta = row["wins"], row["losses"], row["delta_gsb"]
    if better == "lower":
        wins, losses, delta = losses, wins, None if delta is None else -delta
    return {"wins": wins, "ties": row["shared_queries"] - wins - losses, "losses": losses, "delta_gsb": delta}


def gain_of(row: Mapping[str, Any]) -> float:
    """The difference of a row, below 0 where the candidate is worse, and 0 where neither is better."""
    return SIGNS[row["sqlrank_better"]] * (row["difference"] or 0.0)


def mirrored(row: Row) -> Row:
    """The row of a metric of which less is better as that of one of which more is, which gates hold to a drop."""
    low, high = row["ci_low"], row["ci_high"]
    found = row | {"sqlrank_mirrored": True, "sqlrank_sums": dict(row["sqlrank_sums"])}
    found |= {"ci_low": None if high is None else -high, "ci_high": None if low is None else -low}
    for each, names in ((found, ("difference", "relative_difference")), (found["sqlrank_sums"], ("difference",))):
        each |= {name: None if each[name] is None else -each[name] for name in names}
    if found["sqlrank_sums"].get("skewness"):
        found["sqlrank_sums"]["skewness"] *= -1
    sums, shares = found["sqlrank_sums"], ("baseline_share", "candidate_share")
    sums |= {name: None if sums[name] is None else 1 - sums[name] for name in shares}
    return found


def relative(difference: float | None, value: float | None) -> float | None:
    """A difference as a share of the value of the baseline; None where that is 0, or where a side has no queries."""
    return None if difference is None or not value else difference / abs(value)


def choices_of(row: Row) -> float:
    """In how many ways signs, or labels, could be chosen, that tell a difference from its opposite."""
    if "baseline_units" not in row:
        return float(2 ** (min(row["units"], 1000) - 1))
    shared = row["shared_units"]
    lone = [row["baseline_units"] - shared, row["candidate_units"] - shared]
    return float(min(math.comb(sum(lone), lone[0]) * 2**shared, 2**1000))


def hedges_of(row: Row, effect: float, alpha: float) -> tuple[float | None, float | None, float | None]:
    """Hedges' g and its interval, or None three times where one query, or cluster, has nearly all of the weight."""
    if not has_interval(row) or row["effective"] <= MOST_UNCERTAIN:
        return None, None, None
    return hedges_g(effect, row["effective"] - 1, row["stderr"] / row["deviation"], alpha)


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
