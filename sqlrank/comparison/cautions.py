"""Notes on what a test cannot tell from the data at hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from sqlrank.comparison.bootstrap import FEWEST
from sqlrank.comparison.interval import TOO_SKEWED
from sqlrank.comparison.notes import families_of
from sqlrank.comparison.questions import Questions
from sqlrank.spelling import spelt
from sqlrank.statistics.student import FEWEST as ALONE

Row = dict[str, Any]

FEW_FOR_BOOTSTRAP = 100
"""Below this many queries of equal weight the bootstrap's percentiles of a skewed metric lie where they should not."""


def cautions(rows: Sequence[Row], questions: Questions) -> list[str]:
    """Notes on what the test cannot tell from these data."""
    notes = []
    most = max(families_of(rows).values())
    steps = most if questions.correction in ("holm", "bonferroni") else 1
    drawn = any(row["test"] in ("randomization", "bootstrap") for row in rows)
    if drawn and steps / (1 + questions.replicates) > questions.alpha:
        notes.append(
            f"with {questions.replicates} replicates none of {most} p values can be significant after correction;"
            f" {spelt('replicates', math.ceil(steps / questions.alpha))} or more"
        )
    fewest = min((row["sqlrank_effective"] for row in rows if row["test"] == "bootstrap"), default=FEW_FOR_BOOTSTRAP)
    if fewest < FEW_FOR_BOOTSTRAP:
        withheld = f", and has none in fewer than {FEWEST}" if fewest < FEWEST else ""
        notes.append(
            f"the bootstrap's interval of a skewed metric may miss in fewer than {FEW_FOR_BOOTSTRAP} {questions.nouns}"
            f" of equal weight{withheld}; {spelt('test', 'randomization')} keeps its false-positive rate with any"
            " number"
        )
    notes += cautions_on_ends(rows, questions)
    if lone := sum(row["ci_low"] is None and row["queries"] > 1 and row["sqlrank_effective"] < ALONE for row in rows):
        of, side = questions.noun, "" if questions.paired else " of a side"
        clusters = " or ".join(filter(None, [questions.cluster, questions.crossing]))
        of = f"cluster ({clusters})" if clusters else of
        notes.append(f"{differences_have(lone)} no interval, as one {of} has nearly all of the weight{side}")
    return notes


def cautions_on_ends(rows: Sequence[Row], questions: Questions) -> list[str]:
    """Notes on differences without an interval, but for those that one query decides."""
    least = FEWEST if questions.test == "bootstrap" else ALONE
    lacking = [
        row
        for row in rows
        if row["ci_low"] is None and row["difference"] is not None and row["sqlrank_effective"] >= least
    ]
    without = [row for row in lacking if not row["sqlrank_alike"]]
    skewed = [] if questions.test == "randomization" else too_skewed_of(without)
    signs = questions.test == "randomization"
    few = sum(signs and row["sqlrank_choices"] * questions.alpha < 1 for row in without)
    notes = skewness_in_words(skewed, questions)
    if alike := len(lacking) - len(without):
        notes.append(
            f"{differences_have(alike)} no interval, as it is the same for all {questions.nouns}: that is no evidence"
        )
    if few:
        of = "clusters" if questions.cluster else questions.nouns
        choices = "all signs" if questions.paired else "all labels"
        rare = f"with so few {of} the test over {choices} has no p value up to {questions.alpha:g}"
        notes.append(f"{differences_have(few)} no interval: {rare}")
    if questions.draws and (others := len(without) - len(skewed) - few):
        notes.append(
            f"{differences_have(others)} no interval, as none of {questions.replicates} replicates is beyond its ends:"
            f" give more {spelt('replicates')}, or a larger {spelt('alpha')}"
        )
    return notes


def too_skewed_of(rows: Iterable[Row]) -> list[Row]:
    """The rows without an interval whose smaller side has too few of the rare values."""
    return [row for row in rows if row["ci_low"] is None and abs(row["sqlrank_skewness"]) > TOO_SKEWED]


def skewness_in_words(rows: Sequence[Row], questions: Questions, sequential: bool = False) -> list[str]:
    """A note on such rows, with the ways on: where one looks as often as one likes, no test is among them."""
    if not rows:
        return []
    least = min(rows, key=lambda row: abs(row["sqlrank_skewness"]))
    ways = "or give sides of equal size"
    ways = ways if sequential else f"{ways.removeprefix('or ')}, or choose {spelt('test', 'randomization')}"
    return [
        f"{differences_have(len(rows))} no interval and no verdict: the smaller side has too few of the rare values of"
        f" {least['metric']} to show how far its mean may be off (the difference has a skewness of"
        f" {abs(least['sqlrank_skewness']):.1f}, above {TOO_SKEWED:g}); wait for more {questions.nouns}, {ways}"
    ]


def differences_have(number: int) -> str:
    """So many differences, as the subject of what they lack."""
    return "1 difference has" if number == 1 else f"{number} differences have"
