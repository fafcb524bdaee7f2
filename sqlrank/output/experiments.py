"""Writing A/B tests of logs: for people, and as tidy rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlrank.columns import asked_for, picked
from sqlrank.comparison.notes import legend, stars
from sqlrank.evaluation.metric_result import dicts
from sqlrank.experiments.columns import DAYS, ROWS, TABLE, TRENDS
from sqlrank.experiments.result import ArmComparison, spoken_of
from sqlrank.output.comparison import tone_of
from sqlrank.output.tables import DIGITS, Reading, Rows, declared_table
from sqlrank.output.writing import Destination, Place, Writing, of_rows
from sqlrank.pages.html import Verdict
from sqlrank.pages.tables import Table
from sqlrank.pages.words import Words
from sqlrank.statistics.verdict import WITHHELD

SAID = {WITHHELD: "none: sample ratio mismatch"}
"""What verdicts are called for people, where that is not their name."""


def tables_of(result: ArmComparison, to: Destination) -> list[Table]:
    """The comparison; with its days, where they are asked for, the difference of each."""
    days = "days" in to.additions and result.by_day.days
    return [arms_table(result, to.digits), *([days_table(result, to.digits), trends_table(result)] if days else [])]


def arms_table(result: ArmComparison, digits: int) -> Table:
    """Both values of each row, their difference with its interval, and the verdict."""
    reading = replace(reading_of(result, digits), tone=tone_of, stars=stars)
    kept = [] if len(result.systems) == 2 else ["system"]
    rows = Rows(spoken_of(row) for row in result.all_rows)
    shown = asked_for(picked(ROWS, TABLE), result.given)
    return declared_table(shown, rows, reading, result.by, without_baseline(result), kept)


def days_table(result: ArmComparison, digits: int) -> Table:
    """The difference of each day."""
    caption = "by day, not adjusted for earlier behaviour or several tests"
    rows, reading = Rows(result.by_day.days), reading_of(result, digits)
    return declared_table(DAYS, rows, reading, without=without_baseline(result), caption=caption)


def trends_table(result: ArmComparison) -> Table:
    """How each difference changes from day to day."""
    caption = "trend of the difference over the days, p not adjusted"
    rows, reading = Rows(result.by_day.trends), reading_of(result)
    return declared_table(TRENDS, rows, reading, without=without_baseline(result), caption=caption)


def reading_of(result: ArmComparison, digits: int = DIGITS) -> Reading:
    """How the rows of an experiment read."""
    nouns, before = result.questions.nouns, "baseline value" if result.all_pairs else result.baseline
    return Reading(
        digits,
        said={"verdict": lambda row: SAID.get(row["verdict"], row["verdict"] or "-")},
        confidence=result.questions.confidence,
        headings={"system": "arm", "units": nouns, "baseline": before, "value": "value"},
        names=[] if result.all_pairs else ["baseline_value"],
    )


def without_baseline(result: ArmComparison) -> list[str]:
    """The column of the baseline, which only pairs of all arms need."""
    return [] if result.all_pairs else ["baseline"]


def document_of(result: ArmComparison, _: Destination) -> dict[str, Any]:
    """What a JSON document holds besides the rows."""
    units = result.units
    found: dict[str, Any] = {
        "comparison": {"baseline": None if result.all_pairs else result.baseline, "families": result.families}
        | result.questions.to_dict()
        | {"unit": units.noun, "sequential": result.sequential},
        "split": {
            "p_value": result.split.p_value,
            "mismatch": result.is_mismatch,
            "shares": list(dicts(result.shares)),
        },
        "arms": [row | {"impressions": int(row["impressions"])} for row in units.arms],
        "days": list(dicts(result.days)),
        "trends": list(dicts(result.trends)),
        "behaviour": units.session.origin(),
    }
    found |= {"before": str(units.asked.before)} if units.asked.before else {}
    found |= {"gates": result.gates} if result.gates else {}
    return found | {"answer": ARMS.answers(result), "notes": result.notes, "remarks": result.remarks()}


def answer_of(result: ArmComparison, words: Words) -> list[Verdict]:
    """What the test found, in sentences; that there is no verdict where units were not split as planned."""
    from sqlrank.output.answers import Answers

    if result.is_mismatch:
        return [Verdict(words("withheld-split"), "loss")]
    said = Answers(result, words, DIGITS)
    return said.sentences() if len(result.systems) == 2 or result.all_pairs else said.grouped()


ARMS = Writing(
    tables=tables_of,
    answer=answer_of,
    remarks=lambda result, _: [*result.remarks(), legend(result.questions)],
    document=document_of,
    places=of_rows("log arms takes {takes}, not {kind}")
    | {"days": Place("{option} has no place in {kind}; choose table, markdown or json")},
)
