"""What is to be said of a comparison besides its numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sqlrank.comparison.corrections import CORRECTIONS
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.replicates import TOLERANCE
from sqlrank.comparison.significance import FEW, TESTS, steady

Row = dict[str, Any]

STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""Up to which adjusted p value a difference has so many stars."""

FEWEST_FOR_BOOTSTRAP = 30
"""Below this many queries the bootstrap finds differences too easily."""


def family_of(rows: Sequence[Row]) -> int:
    """How many p values are corrected together."""
    return sum(row["p_value"] is not None for row in rows)


def p_values(number: int) -> str:
    """So many p values, in words."""
    return "1 p value" if number == 1 else f"{number} p values"


def size_of(rows: Sequence[Row]) -> str:
    """How many queries the rows are over."""
    queries = [row["queries"] for row in rows]
    return f"{min(queries)} to {max(queries)}" if min(queries) < max(queries) else str(max(queries))


def remarks_of(rows: Sequence[Row], questions: Questions) -> list[str]:
    """How the numbers were made: test, correction, interval and number of queries."""
    drawn = f", {questions.replicates} replicates, seed {questions.seed}" if questions.draws else ""
    test = f"p: {TESTS[questions.test]}{drawn}"
    if any(row["test"] == "randomization-exact" for row in rows):
        test += f"; all signs are tried where at most {FEW} queries differ"
    family = family_of(rows)
    if questions.correction == "none":
        adjusted = f"{p_values(family)}, not corrected"
    else:
        adjusted = f"adjusted: {p_values(family)} together, by {CORRECTIONS[questions.correction][0]}"
    method = "percentiles of the bootstrap" if questions.test == "bootstrap" else "Student's t"
    return [
        test,
        adjusted,
        f"{questions.confidence} intervals of the mean difference ({method}); n = {size_of(rows)} queries",
        f"queries that differ by at most {TOLERANCE:g} are ties; effect: mean difference over its standard deviation",
    ]


def cautions(rows: Sequence[Row], questions: Questions) -> list[str]:
    """What the choice of the test makes of these numbers."""
    notes = []
    family = family_of(rows)
    steps = family if questions.correction in ("holm", "bonferroni") else 1
    drawn = any(row["test"] in ("randomization", "bootstrap") for row in rows)
    if drawn and steps / (1 + questions.replicates) > questions.alpha:
        notes.append(
            f"with {questions.replicates} replicates no p value of {family} can be significant once corrected;"
            f" --replicates {math.ceil(steps / questions.alpha)} or more"
        )
    if any(row["test"] == "bootstrap" and row["queries"] < FEWEST_FOR_BOOTSTRAP for row in rows):
        notes.append(
            f"the bootstrap finds differences too easily in fewer than {FEWEST_FOR_BOOTSTRAP} queries;"
            " --test randomization does not"
        )
    return notes


def opposed(rows: Sequence[Row]) -> list[str]:
    """Where the total says one thing, and all or most of the segments another."""
    notes = []
    known = [row for row in rows if row["difference"] is not None]
    segments: dict[tuple[str, str], list[Row]] = {}
    for row in known:
        if not row["is_total"]:
            segments.setdefault((row["system"], row["metric"]), []).append(row)
    for total in [row for row in known if row["is_total"] and not steady(row["difference"])]:
        parts = segments.get((total["system"], total["metric"]), [])
        against = [
            row for row in parts if not steady(row["difference"]) and total["difference"] * row["difference"] < 0
        ]
        if 2 * len(against) > len(parts):
            whole, other = ("up", "down") if total["difference"] > 0 else ("down", "up")
            count = "every segment" if len(against) == len(parts) else f"{len(against)} of {len(parts)} segments"
            notes.append(f"{total['metric']} of {total['system']} goes {whole} in total and {other} in {count}")
    return notes


def stars(row: Row) -> str:
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
