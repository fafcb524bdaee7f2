"""The lines that are printed below the rows of side-by-side verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlrank.spelling import spelt
from sqlrank.statistics.corrections import CORRECTIONS
from sqlrank.statistics.paired_power import POWER

FEW = 10
"""Below so many raters it is they who make the interval wide."""


def how(weight: str | None, confidence: str, raters: bool, sequential: bool) -> Iterator[str]:
    """How the estimates are defined; `confidence` names the interval, with `raters` verdicts of one belong together."""
    weighed = "" if weight is None else f"; delta_gsb and its interval weight verdicts by {weight}, the counts do not"
    yield f"good: the candidate is better; delta_gsb = (good - bad) / (good + same + bad){weighed}"
    if sequential:
        if not raters:
            yield (
                f"{confidence} confidence sequence (Howard et al. 2021) over queries, judged one after the other and"
                " not related to each other: interval and p hold whenever one looks, and judging may stop when they"
                " decide"
            )
        yield "p (sign test) is for one look at the end, and the reading is by the sign of delta_gsb alone"
        return
    of = "one query, and of one rater," if raters else "one query"
    yield (
        f"{confidence} confidence interval: verdicts of {of} are one cluster; one good and one bad judgment are added"
        " (Bonett and Price), Student's t"
    )
    yield (
        "p tests delta_gsb and belongs to its interval, for a number of judgments fixed beforehand (to look while"
        f" judging: {spelt('sequential')}); p (sign test) is the exact sign test, and p at least as large where each"
        " query has one verdict; the reading is by the sign of delta_gsb alone"
    )


def why(segments: Sequence[Mapping[str, Any]], correction: str) -> Iterator[str]:
    """How the decisions are made."""
    yield (
        "decision: better where the whole interval is above 0, worse where it is below 0, else not enough evidence"
        + ("; in a segment the adjusted p must be at most alpha too" if segments else "")
    )
    if not segments:
        return
    family = sum(row["p_value"] is not None for row in segments)
    adjusted = "not corrected" if correction == "none" else f"by {CORRECTIONS[correction][0]}"
    yield (
        f"adjusted p: the segments are one family ({family} p value{'' if family == 1 else 's'}, {adjusted}), the total"
        " is another; the intervals are not adjusted"
    )


def planning(total: Mapping[str, Any]) -> Iterator[str]:
    """What would decide, and how to go about it."""
    if total["judgments_needed"] is None:
        return
    low, high = total["judgments_needed_low"], total["judgments_needed_high"]
    of = "queries and raters" if (total["raters"] or 0) > 1 else "queries"
    yield (
        f"{total['judgments_needed']} judgments would decide with a power of {POWER:g} if delta_gsb is"
        f" {total['delta_gsb']:.12g}, with {of}"
        " in proportion; by its interval, "
        + (f"{low} or more, with no upper limit" if high is None else f"{low} to {high}")
    )


def advice(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """How to use the number of judgments."""
    if any(row["judgments_needed"] is not None for row in rows):
        yield (
            "judgments needed is for planning: fix the number in advance, judge that many on new queries, and decide"
            " once at the end; do not stop early when the result turns significant"
        )


def limits(rows: Sequence[Mapping[str, Any]], sequential: bool) -> Iterator[str]:
    """Notes on rows without an interval, or with one that a few raters make wide."""
    for reason, number in Counter(row["withheld"] for row in rows if row["withheld"]).items():
        yield f"no interval: {reason}" + (f" ({number} of {len(rows)} rows)" if len(rows) > 1 else "")
    raters = rows[-1]["raters"] or 0
    if not sequential and 1 < raters < FEW and rows[-1]["ci_low"] is not None:
        yield f"the interval is wide because there are only {raters} raters; more raters narrow it"
    single = sum(row["raters"] == 1 and row["ci_low"] is not None for row in rows)
    if single:
        rest = f" ({single} of {len(rows)} rows)" if len(rows) > 1 else ""
        yield f"one rater: the interval says nothing about other raters{rest}"
