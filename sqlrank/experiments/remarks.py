"""Remarks and notes on an A/B test of a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Protocol

from sqlrank.behaviour.settled import percent
from sqlrank.comparison.cautions import cautions, skewness_in_words, too_skewed_of
from sqlrank.comparison.margins import Bound, margin_remarks
from sqlrank.comparison.notes import families_in_words, opposed, sides_in_words
from sqlrank.comparison.notes import remarks_of as comparison_remarks
from sqlrank.comparison.questions import Questions
from sqlrank.errors import several, shortened
from sqlrank.experiments.covariates import Adjusted
from sqlrank.experiments.metrics import ArmMetric
from sqlrank.experiments.split import Split
from sqlrank.experiments.trends import ByDay
from sqlrank.experiments.units import Units
from sqlrank.experiments.verdicts import ENOUGH_TO_LOOK
from sqlrank.spelling import spelt
from sqlrank.statistics.corrections import CORRECTIONS

ABANDONED = 0.02
"""The difference of the shares of impressions without a click from which on it is said."""
OF_CLICKS = ("ctr", "clicks", "success", "rr_click", "click_at_1", "first_click", "time_to_click")
"""The metrics with which abandonment is reported."""


class Tested(Protocol):
    """What is said of: the result of a test."""

    units: Units
    questions: Questions
    split: Split
    adjusted: Adjusted | None
    by_day: ByDay
    margins: Mapping[str, Bound]
    metrics: list[ArmMetric]
    systems: list[str]
    baseline: str
    all_rows: list[dict[str, Any]]
    all_pairs: bool
    sequential: bool

    @property
    def is_mismatch(self) -> bool:
        """Whether units were not split as was planned."""

    @property
    def against_baseline(self) -> list[dict[str, Any]]:
        """The rows that margins are of."""


def remarks_of(result: Tested) -> list[str]:
    """What was settled, the split, what came before, and how differences were tested."""
    units = result.units
    return [
        *(line for line in units.session.settled.lines if line != units.session.settled.unit),
        *units.lines,
        *result.split.lines,
        *([] if result.adjusted is None else [*result.adjusted.lines, *reduced(result)]),
        *definitions(result),
        *(sequence_remarks(result) if result.sequential else comparison_remarks(result.all_rows, result.questions)),
        *margin_lines(result),
        *(["verdict: none, because of the sample ratio mismatch"] if result.is_mismatch else []),
    ]


def margin_lines(result: Tested) -> list[str]:
    """What is shown by margins, where the split is as planned."""
    return [] if result.is_mismatch else margin_remarks(result.against_baseline, result.margins, result.questions.alpha)


def definitions(result: Tested) -> Iterator[str]:
    """What each metric is of a unit."""
    noun = result.units.noun
    for metric in result.metrics:
        of = "" if metric.summed else f"; the mean over the impressions of a {noun}, then over {several(noun)}"
        better = "neither more nor less is better" if metric.better == "neither" else f"{metric.better} is better"
        yield f"{metric.text}: {metric.measure.metric.formula}{of}; {better}"


def reduced(result: Tested) -> Iterator[str]:
    """By what share the variance fell, and the plain differences."""
    for row in result.all_rows:
        if row["is_total"] and row["variance_reduction"] is not None:
            share = 100 * row["variance_reduction"]
            change = f"fell by {share:.1f} %" if share >= 0 else f"rose by {-share:.1f} %"
            plain = f"{row['plain_difference']:+.4g}"
            if row["plain_ci_low"] is not None:
                plain += f" ({row['plain_ci_low']:+.4g} to {row['plain_ci_high']:+.4g})"
            what = f"{row['metric']} of {shortened(row['system'])}"
            yield f"{what}: the variance {change}; without what came before {plain}"


def sequence_remarks(result: Tested) -> list[str]:
    """How differences were tested where they hold however often one looks."""
    questions, rows = result.questions, result.all_rows
    adjusted = "not adjusted" if questions.correction == "none" else f"by {CORRECTIONS[questions.correction][0]}"
    return [
        f"p and {questions.confidence} intervals hold however often one looks (asymptotic confidence sequence,"
        f" narrowest at {result.units.asked.narrowest:,} {questions.nouns}: {spelt('planned')}), from {ENOUGH_TO_LOOK}"
        f" {questions.nouns} of an arm on",
        f"adjusted p: {families_in_words(rows)}, {adjusted}; {sides_in_words(rows, questions)}",
    ]


def notes_of(result: Tested, log_notes: Sequence[str]) -> list[str]:
    """What a reader has to know of the split, of abandonment, of days, and of what the test cannot tell."""
    adjusted = [] if result.adjusted is None else result.adjusted.notes
    rows, questions = result.all_rows, result.questions
    tested = skewness_in_words(too_skewed_of(rows), questions, True) if result.sequential else cautions(rows, questions)
    found = [*result.split.notes, *log_notes, *adjusted, *abandonment(result), *selected(result), *tested]
    return [*found, *opposed(result.all_rows), *result.by_day.notes]


def abandonment(result: Tested) -> Iterator[str]:
    """A note on pairs of arms that differ in impressions without a click, where metrics of clicks are asked for."""
    asked = [metric.text for metric in result.metrics if metric.text in OF_CLICKS]
    shares = {row["arm"]: row["abandonment"] for row in result.units.arms}
    pairs = [pair for pair in combinations(result.systems, 2) if result.all_pairs or pair[0] == result.baseline]
    for one, other in pairs:
        if asked and abs(shares[one] - shares[other]) > ABANDONED:
            yield (
                f"abandonment is {percent(shares[one])} in {shortened(one)} and {percent(shares[other])} in"
                f" {shortened(other)}: an answer on the page needs no click, an unwanted page gets none, and clicks"
                f" ({', '.join(asked)}) do not tell which it was"
            )


def selected(result: Tested) -> Iterator[str]:
    """A note on metrics of impressions with a click alone, which the arm itself selects."""
    if names := [metric.text for metric in result.metrics if metric.clicked_only]:
        yield (
            f"{' and '.join(names)}: only of impressions with a click, which the arm itself selects; read it"
            " together with success"
        )
