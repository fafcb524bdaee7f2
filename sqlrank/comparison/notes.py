"""Remarks and notes on a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.comparison.answers import answers_of
from sqlrank.comparison.comparison_power import power_remarks
from sqlrank.comparison.paired import TOLERANCE
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.randomization import FEW
from sqlrank.presentation import Usual
from sqlrank.spelling import spelt
from sqlrank.statistics.corrections import CORRECTIONS
from sqlrank.statistics.student import effective_in_words

Row = dict[str, Any]

STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""Up to which adjusted p value a difference has so many stars."""

SIDES = {0: "", 1: ", one-sided: the candidate is better", -1: ", one-sided: the candidate is worse"}
"""What the test looks for, in the remark on it."""
APART = "p and the interval come from different procedures, and a difference is significant where both find it"
"""What is said of a test that does not bring its own interval."""
SIDES_OF_ROWS = ("baseline_queries", "queries", "shared_queries")
"""The columns of how many queries a side has, and both have."""


def families_of(rows: Sequence[Row]) -> dict[str, int]:
    """How many p values are corrected together, those of the total and those of all segments."""
    tested = [row for row in rows if row["p_value"] is not None]
    found = {"total": sum(row["is_total"] for row in tested)}
    return found | ({} if all(row["is_total"] for row in rows) else {"segments": len(tested) - found["total"]})


def p_values(number: int) -> str:
    """So many p values, in words."""
    return "1 p value" if number == 1 else f"{number} p values"


def families_in_words(rows: Sequence[Row]) -> str:
    """Which p values are corrected together."""
    families = families_of(rows)
    if "segments" not in families:
        return p_values(families["total"])
    return f"{p_values(families['total'])} of the total together, {families['segments']} of segments together"


def size_of(rows: Sequence[Row], column: str = "queries") -> str:
    """How many queries the rows are over."""
    queries = [row[column] for row in rows]
    return f"{min(queries)} to {max(queries)}" if min(queries) < max(queries) else str(max(queries))


def effective_of(rows: Sequence[Row]) -> str:
    """How many queries of equal weight the rows come down to, where weights differ."""
    known = [row["sqlrank_effective"] for row in rows if row["queries"]]
    if all(math.isclose(row["sqlrank_effective"], row["sqlrank_units"]) for row in rows):
        return ""
    of = "clusters" if any(row["sqlrank_units"] < row["queries"] for row in rows) else "queries"
    return f", {effective_in_words(min(known), max(known), of)}"


def remarks_of(rows: Sequence[Row], questions: Questions) -> list[str]:
    """How the numbers were made: test, correction, interval and number of queries."""
    drawn = f", {questions.replicates} replicates, seed {questions.seed}" if questions.draws else ""
    test = f"p: {questions.name_of_test}{SIDES[questions.side]}{drawn}"
    if any(row["test"] == "randomization-exact" for row in rows):
        few = f"all signs are tried where at most {FEW} queries differ"
        test += f"; {few if questions.paired else f'all labels are tried where there are few {questions.nouns}'}"
    if questions.correction == "none":
        adjusted = f"{p_values(sum(families_of(rows).values()))}, not adjusted"
    elif questions.correction == "max-t":
        adjusted = f"adjusted p: {families_in_words(rows)}, by the largest t of each replicate"
    else:
        together = "" if "segments" in families_of(rows) else " together"
        adjusted = f"adjusted p: {families_in_words(rows)}{together}, by {CORRECTIONS[questions.correction][0]}"
    if len({row["baseline"] for row in rows}) > 1:
        adjusted += "; systems that share a letter do not differ significantly"
    clusters = [clusters_in_words(rows, questions)] if questions.cluster or questions.crossing else []
    method, same = questions.interval(rows)
    same = same and not any(row["label_stderr"] for row in rows)
    apart = "" if same else f"{APART}; "
    over = f"n = {size_of(rows)} queries{effective_of(rows)}" if questions.paired else sides_in_words(rows, questions)
    intervals = f"{questions.confidence} confidence intervals of the mean difference ({method}), not adjusted; {over}"
    briefly = as_usual(questions, "correction", "all_pairs")
    return [
        Usual(test) if as_usual(questions, "test", "alternative", "replicates", "seed") else test,
        Usual(adjusted) if briefly else adjusted,
        Usual(intervals, f"{over}; {adjusted}" if briefly else over),
        *clusters,
        *(f"{metric}: lower is better" for metric in dict.fromkeys(row["metric"] for row in rows if is_lower(row))),
        *neither_in_words(rows, questions),
        Usual(f"{apart}effect: mean difference / {questions.effect}", apart.removesuffix("; ")),
        *([Usual(f"ties: queries whose values differ by at most {TOLERANCE:g} of the larger one")] * questions.paired),
        *map(Usual, power_remarks(rows, questions)),
    ]


def as_usual(questions: Questions, *names: str) -> bool:
    """Whether these questions are asked as they are where nothing is said."""
    usual = Questions()
    return all(getattr(questions, name) == getattr(usual, name) for name in names)


def neither_in_words(rows: Sequence[Row], questions: Questions) -> list[str]:
    """What a one-sided test looks for in metrics of which neither more nor less is better."""
    metrics = dict.fromkeys(row["metric"] for row in rows if row["sqlrank_better"] == "neither")
    if not questions.side or not metrics:
        return []
    value = "larger" if questions.side > 0 else "smaller"
    return [f"{', '.join(metrics)}: neither direction is better; the one-sided p is for a {value} value"]


def is_lower(row: Row) -> bool:
    """Whether a row is of a metric of which less is better; the definitions of those of units say it by themselves."""
    return row["sqlrank_better"] == "lower" and "better" not in row


def sides_in_words(rows: Sequence[Row], questions: Questions) -> str:
    """How many queries either side has, of its own and in common; a unit of an experiment is of one side."""
    baseline, candidate, both = (size_of(rows, name) for name in SIDES_OF_ROWS)
    shared = f", {both} in both" if questions.noun == "query" else ""
    return f"n = {baseline} {questions.nouns} of the baseline, {candidate} of the candidate{shared}"


def clusters_in_words(rows: Sequence[Row], questions: Questions) -> str:
    """How many clusters there are, and what they are for."""
    number = max(row["sqlrank_units"] for row in rows)
    change = "change signs" if questions.paired else "take labels"
    ways = ""
    if questions.crossing:
        ways = f" both ways, by {questions.cluster or 'query'} and by {questions.crossing}; p values and intervals are"
        ways += " never more certain than Student's t with them"
    if questions.cluster is None:
        return f"standard errors are cluster-robust{ways}"
    return (
        f"{number} clusters of queries ({spelt('cluster', questions.cluster)}) {change} and are drawn whole; standard"
        f" errors are cluster-robust{ways}"
    )


def opposed(rows: Sequence[Row]) -> list[str]:
    """Notes on totals that go against most of their segments (Simpson's paradox)."""
    notes = []
    for answer in answers_of(rows):
        if answer.opposite is not None:
            total, (against, parts) = answer.total, answer.opposite
            whole, other = ("up", "down") if total["difference"] > 0 else ("down", "up")
            count = "every segment" if against == parts else f"{against} of {parts} segments"
            notes.append(f"{total['metric']} of {total['system']} goes {whole} in total and {other} in {count}")
    return notes


def stars(row: Mapping[str, Any]) -> str:
    """The stars of a row: none where its difference is not significant."""
    if not row["significant"]:
        return ""
    return next((marks for most, marks in STARS if row["p_adjusted"] <= most), "*")


def legend(questions: Questions) -> str:
    """What the stars mean."""
    least = 0.0
    levels: list[str] = []
    for usual, marks in STARS:
        most = questions.alpha if marks == "*" else min(usual, questions.alpha)
        if most > least:
            levels.insert(0, f"{marks} {most:g}")
            least = most
    name = "p" if questions.correction == "none" else "adjusted p"
    return f"{name} at most: {', '.join(levels)}"
