"""Judgments from clicks favour the system whose results were clicked: for whom they are no evidence, and what is.

What another system shows and nobody clicked, as nobody saw it, has no judgment and counts as not relevant. A difference
in favour of the system that was clicked may be that alone; one against it is there in spite of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from markupsafe import Markup

from sqlrank.comparison.compared_systems import Sides
from sqlrank.comparison.rows import gain_of
from sqlrank.dialects import visible
from sqlrank.errors import percent
from sqlrank.evaluation.behaviour_labels import names_in_words, systems_of
from sqlrank.evaluation.judged_share import pool_measure
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.shared_queries import RETRIEVED
from sqlrank.metrics.measure import Measure
from sqlrank.spelling import spelt
from sqlrank.statement.columns import reads_judgments
from sqlrank.statement.templates import render
from sqlrank.statistics.verdict import WITHHELD, verdict_of

APART = 0.05
"""The difference between two shares of judged documents beyond which judgments favour the system with more of them."""
FAR_APART = 0.15
"""The one beyond which they are no evidence for it."""
NOISE = 1e-9
BY_RANK = ("ctr", "coec")
"""The methods whose labels depend on the ranks at which documents were shown."""
SHARES = ("judged", "unj")
"""Metrics that say what was judged, which is as it is."""
AS_RETURNED = "nonrelevant"
"""The convention under which unjudged documents are not counted."""
WAYS = "interleave, randomise 1 to 5 % of the traffic, or judge the pool (sqlrank pool)"
"""How to find out what judgments from clicks do not tell."""

Row = dict[str, Any]
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Favour:
    """One side of a pair that judgments favour."""

    system: str
    other: str
    withheld: bool
    """Whether the judgments are no evidence for it."""


class Circularity:
    """Whom the judgments of a comparison favour."""

    def __init__(self, sides: Sides, systems: Sequence[str], rows: Sequence[Row]) -> None:
        self.sides, self.behaviours = sides, sides.behaviours
        self.clicked = systems_of(self.behaviours)
        self.pool = pool_measure(sides.measures) if self.behaviours else None
        self.shares = {} if self.pool is None else shares_of(sides, self.pool)
        """The share of the first documents that was judged, by system, where it is known."""
        self.systems = list(systems)
        self.telling = {
            each.text for each in sides.measures if reads_judgments(each) and each.metric.name not in SHARES
        }
        """The metrics of which judgments may be no evidence."""
        self.notes = self.judge(rows) if self.behaviours else []

    def favours(self, one: str, other: str) -> list[Favour]:
        """The sides of a pair that the judgments favour: both where the one that was clicked is judged less."""
        pair = (one, other)
        clicked = [system for system in pair if system in self.clicked]
        known = [self.shares[system] for system in pair if self.shares.get(system) is not None]
        lead = known[0] - known[1] if len(known) == len(pair) else None
        ahead = [] if lead is None or abs(lead) <= APART + NOISE else [one if lead > 0 else other]
        found = dict.fromkeys([*ahead, *(clicked if len(clicked) == 1 else [])])
        by_rank = any((each.method or "").lower() in BY_RANK for each in self.behaviours)

        def is_withheld(system: str) -> bool:
            far = lead is None or (system in ahead and abs(lead) > FAR_APART + NOISE)
            return len(clicked) < len(pair) and (by_rank or far)

        return [Favour(each, other if each == one else one, is_withheld(each)) for each in found]

    def judge(self, rows: Sequence[Row]) -> list[str]:
        """Say of each row whom the judgments favour, and take back what they are no evidence for; returns notes."""
        favours = {
            pair: self.favours(*pair) for pair in dict.fromkeys((row["baseline"], row["system"]) for row in rows)
        }
        for row in rows:
            judge_row(row, favours[row["baseline"], row["system"]] if row["metric"] in self.telling else [])
        notes = [self.note(each, rows) for found in favours.values() for each in found]
        return [*notes, *self.strangers()] if self.telling else []

    def note(self, favour: Favour, rows: Sequence[Row]) -> str:
        """The note on a side that is favoured."""
        system, other = visible(favour.system), visible(favour.other)
        mine, others = (self.shares.get(name) for name in (favour.system, favour.other))
        alone = favour.system in self.clicked and favour.other not in self.clicked
        said = f"judgments come from clicks{self.on}"
        if mine is None or others is None or self.pool is None:
            said += f", and the judged share of the documents of {other} is unknown"
        else:
            first = f"first {self.pool.k} documents"
            whose = f"its {first}" if alone and len(self.clicked) == 1 else f"the {first} of {system}"
            said += f": {percent(mine)} of {whose} are judged, {percent(others)} of {other}'s"
        said += "; labels of one system's clicks favour it" if alone else f", which favours {system}"
        pair = {favour.system, favour.other}
        if any(favour.system in row["sqlrank_withheld"] and {row["baseline"], row["system"]} == pair for row in rows):
            said += ", so a difference in its favour is no verdict"
        elif favour.withheld:
            said += f"; its lead holds however the rest is judged ({spelt('bounds')})"
        return f"{said}. Fair ways: {WAYS}"

    def strangers(self) -> list[str]:
        """A note where none of the systems is one of those that the judgments come from, or nobody knows any."""
        if not self.clicked and len(self.shares) < len(self.systems):
            return [
                "judgments come from clicks, and it is unknown which system they favour: neither the clicked systems"
                f" ({spelt('judged_by', 'NAME')}) nor the judged share of the documents of each is known"
            ]
        if self.clicked and self.sides.periods is None and not set(self.clicked) & set(self.systems):
            return [f"judgments come from clicks{self.on}: none of the compared systems is among them"]
        return []

    @property
    def on(self) -> str:
        """On whose results the clicks were."""
        return f" on {names_in_words(self.clicked)}" if self.clicked else ""


def withheld_remarks(rows: Sequence[Row]) -> list[str]:
    """What a row without a verdict is, where there is one."""
    favoured = dict.fromkeys(visible(row["favoured"]) for row in rows if is_withheld(row))
    return [f"verdict: none where judgments from clicks favour the leader ({', '.join(favoured)}); {WAYS}"] * bool(
        favoured
    )


def judge_row(row: Row, favours: Sequence[Favour]) -> None:
    """Say whom the judgments favour in a row, and take back what they are no evidence for."""
    survives = row.get("sign_survives") is True
    withheld = frozenset(each.system for each in favours if each.withheld and not survives)
    winner = winner_of(row)
    row["sqlrank_withheld"] = withheld
    row["favoured"] = winner if winner in withheld else next((each.system for each in favours), None)
    if winner in withheld:
        row["significant"], row["verdict"] = None, WITHHELD
    else:
        row["verdict"] = verdict_of(row["significant"], gain_of(row))
    if withheld and "p_equivalent" in row:
        row["p_equivalent"] = None
        row["p_not_worse"] = None if row["system"] in withheld or winner in withheld else row["p_not_worse"]


def winner_of(row: Mapping[str, Any]) -> str | None:
    """The system that a difference is in favour of."""
    gain = gain_of(row)
    return str(row["system"] if gain > 0 else row["baseline"]) if gain else None


def is_withheld(row: Mapping[str, Any]) -> bool:
    """Whether a row has no verdict, as the judgments favour the system that it is in favour of."""
    return row.get("verdict") == WITHHELD


def refusal(what: str, row: Mapping[str, Any], failure: str | None, evidence: bool = False) -> str | None:
    """The failure of a gate, or why it can neither hold nor fail; None where it holds.

    A gate that holds is a verdict for the candidate, and one that fails a verdict for the baseline, unless it asks for
    `evidence` that the candidate is not worse.
    """
    withheld, winner = row.get("sqlrank_withheld", NOBODY), winner_of(row)
    claimed = {winner, row["system"] if failure is None or evidence else row["baseline"]} & withheld
    if row["difference"] is None or not claimed:
        return failure
    favoured = visible(next(iter(sorted(claimed))))
    return f"{what} has no verdict: the judgments come from clicks, which favour {favoured}. Fair ways: {WAYS}"


def shares_of(sides: Sides, pool: Measure) -> dict[str, float]:
    """The share of the first documents that was judged, by system, where it is known."""
    found: dict[str, float] = {}

    def add(relation: Markup, column: str, name: str | None, retrieved: str | None) -> None:
        context = {"relation": relation, "column": column, "name": name, "retrieved": retrieved}
        rows = sides.engine.execute(render("comparison/judged_shares.sql", sides.engine.dialect, **context))
        # Sums of threads differ in their last digits, on which the words would turn.
        found.update({system: round(share, 9) for system, share in rows if share is not None})

    def evaluate(result: Result, name: str | None) -> None:
        with result.further([pool.text], as_returned=True) as evaluated:
            add(evaluated.per_query_table, pool.column, name, RETRIEVED)

    periods = [] if sides.periods is None else sides.periods.results
    for file, period in zip_longest(sides.stored, periods):
        if pool.text in file.metrics and file.conventions["unjudged"] == AS_RETURNED:
            add(file.reader, file.metrics[pool.text], file.system, file.retrieved)
        elif period is not None:
            evaluate(period, file.system)
    result = sides.result
    if result is not None and pool in result.measures and result.conventions.unjudged == AS_RETURNED:
        add(result.per_query_table, pool.column, None, RETRIEVED)
    elif result is not None:
        evaluate(result, None)
    return found
