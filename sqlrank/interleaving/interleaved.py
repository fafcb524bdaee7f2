"""Which ranker people prefer: the result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.behaviour.session import Session
from sqlrank.columns import asked_for, stored_types
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import Outcome
from sqlrank.interleaving.asked import Asked
from sqlrank.interleaving.columns import DAYS, ROWS
from sqlrank.interleaving.estimates import Estimates
from sqlrank.interleaving.experiment import check_draft, draft_lines, trend_lines
from sqlrank.interleaving.voting import Voting
from sqlrank.presentation import Charted
from sqlrank.spelling import spelt
from sqlrank.statistics.confidence_sequence import sequence_of
from sqlrank.statistics.corrections import CORRECTIONS
from sqlrank.statistics.moments import moments_of
from sqlrank.version import __version__

CONTENTS = "preferences"
"""What the metadata of a Parquet file calls them."""


class Interleaved(OpenResult, Charted):
    """The preferred ranker of each pair by votes, in total and by segment.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    offered = "credits days decision held_to metadata plot settings"

    def __init__(self, engine: DuckDBEngine, session: Session, asked: Asked, by: tuple[str, ...]) -> None:
        super().__init__(engine)
        self.session, self.asked, self.by, self.notes = session, asked, by, session.notes
        self.voting = Voting(engine, session, asked)
        self.facts = self.voting.facts()
        check_draft(session.log.label, self.facts, self.voting.teams.names)
        self.estimates = Estimates(self.voting, asked)
        self._rows = self.estimates.rows()
        kinds = stored_types(asked_for(ROWS, by=by))
        named = dict(zip(by, self.voting.segments, strict=True))
        rows = [row | {name: row.get(alias) for name, alias in named.items()} for row in self._rows]
        self._table = self.stored("preferences", kinds, rows)
        self._days, self._trends = self.by_day()
        self._day_table = self.stored("preference_days", stored_types(DAYS), self._days)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each segment and pair, and for each pair in total.

        by and is_total (with segments), a, b, unit, wins_a, wins_b, ties, without_clicks, delta_ab with its stderr and
        interval, p_value, p_adjusted, decision, units_needed.
        """
        return self._relation(self._table)

    @property
    def days(self) -> duckdb.DuckDBPyRelation:
        """A row for each day and pair: votes and delta_ab of the day, and of all until then with a confidence sequence.

        Who comes on several days has a vote on each. Empty where the log has no times.
        """
        return self._relation(self._day_table)

    def by_day(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The rows of days, and how preferences change over them."""
        if "time" not in self.session.log.columns:
            return [], []
        sql = self.voting.sql
        votes = self.voting.votes("of_days", ["day"])
        found = [self.day(row) for row in sql.rows("days", votes=votes)]
        return found, sql.rows("trend", votes=votes)

    def day(self, row: dict[str, Any]) -> dict[str, Any]:
        """A day with the votes until then."""
        a, b = self.pair(row["pair"])
        total = row["wins_a"] + row["wins_b"] + row["ties"]
        low, high, _ = sequence_of(moments_of(row), self.asked.alpha) if row["weight"] else (None, None, None)
        return {
            **{"a": a, "b": b, "day": row["day"]},
            **{name: row[name] for name in ("wins_a", "wins_b", "ties")},
            "delta_ab": (row["wins_a"] - row["wins_b"]) / (2 * total) if total else None,
            "running": row["difference"] / row["weight"] / 2 if row["weight"] else None,
            "running_low": None if low is None else low / 2,
            "running_high": None if high is None else high / 2,
        }

    def pair(self, number: int) -> tuple[str, str]:
        """The names of a pair."""
        a, b = (self.voting.teams.names[each - 1] for each in self.voting.pairs[number - 1])
        return a, b

    @property
    def decision(self) -> str:
        """What all votes decide; of several pairs that of the first."""
        return str(next(row["decision"] for row in self._rows if row["is_total"]))

    @property
    def credits(self) -> duckdb.DuckDBPyRelation:
        """A row for each impression: what its clicks give each ranker, `credit_1` the first of the names sorted."""
        return self._relation(self.voting.credits)

    def _relation(self, table: Markup) -> duckdb.DuckDBPyRelation:
        return self._every_row(table)

    @property
    def metadata(self) -> dict[str, str]:
        """What a Parquet file says of where the votes come from."""
        found = self.settings() | self.session.origin()
        return {"sqlrank": __version__, "contents": CONTENTS, "behaviour": json.dumps(found)}

    @property
    def confidence(self) -> str:
        """The confidence of the intervals, in words."""
        return f"{100 * (1 - self.asked.alpha):g} %"

    def held_to(self, not_worse_than: float | None = None, fail_on_drop: float | None = None) -> list[Outcome]:
        """What comes of gates, of every ranker in total against the baseline: a margin, and a drop that is allowed."""
        outcomes = []
        for row in (row for row in self._rows if row["is_total"]):
            what, delta = f"{row['a']} against {row['b']}", row["delta_ab"]
            if fail_on_drop is not None:
                dropped = delta is None or delta < -fail_on_drop
                seen = "has no vote" if delta is None else f"has delta_ab {delta:+.12g}, below {-fail_on_drop:g}"
                outcomes.append(
                    Outcome(f"{what}: delta_ab is at least {-fail_on_drop:g}", f"{what} {seen}" if dropped else None)
                )
            if not_worse_than is not None:
                shown = row["ci_low"] is not None and row["ci_low"] > -not_worse_than
                seen = row["withheld"] or f"its interval begins at {row['ci_low']:+.12g}"
                why = f"{what} is not shown to be less than {not_worse_than:g} worse: {seen}; wait for more votes"
                outcomes.append(
                    Outcome(f"{what} is shown to be less than {not_worse_than:g} worse", None if shown else why)
                )
        return outcomes

    def settings(self) -> dict[str, Any]:
        """The conventions and their values."""
        asked = self.asked
        return {
            "design": asked.design.title,
            "credit": asked.credit.text,
            "unit": self.voting.unit,
            "clustering": self.voting.cluster.removesuffix("_id"),
            "test": "confidence sequence" if asked.sequential else self.estimates.test,
            "alpha": asked.alpha,
            "correction": asked.correction,
        }

    def remarks(self) -> list[str]:
        """The lines below the rows: what was settled, how votes were made, and what they rest on."""
        names = self.voting.teams.names
        called = {number: " and ".join(self.pair(number)) for number, _ in enumerate(self.voting.pairs, 1)}
        lines = [*self.session.settled.lines, *self.voting.teams.lines(), *draft_lines(self.facts, names), *self.how()]
        lines += trend_lines(self._trends, called)
        reasons = dict.fromkeys(row["withheld"] for row in self._rows if row["withheld"])
        return lines + [f"no interval: {reason}" for reason in reasons]

    def how(self) -> Iterator[str]:
        """How votes are made of clicks, and tested."""
        asked, unit = self.asked, self.voting.unit
        yield f"{asked.design.title} ({asked.design.citation}); credit: {asked.credit.text}"
        if self.voting.drafted and not self.voting.neutral and len(self.voting.teams.names) == 2:
            yield (
                "picks that both rankers would have made cannot be recognized, and count: give the ranks in both lists"
                " (rank_a, rank_b, of teams A and B) to leave them out"
            )
        yield (
            f"a vote for each {unit}; delta_ab = (wins of a + ties / 2) / votes - 1/2;"
            f" {unit}s without a click have no vote"
        )
        yield self.tested()
        if len(self._rows) > 1:
            yield f"adjusted p: {CORRECTIONS[asked.correction][0]}, of all segments together, and of all pairs in total"

    def tested(self) -> str:
        """How the interval and p came about."""
        cluster = self.voting.cluster.removesuffix("_id")
        if self.asked.sequential:
            sequence = f"{self.confidence} confidence sequence over {cluster}s (Howard et al. 2021)"
            return f"{sequence}: it holds whenever one looks"
        once = f"; for one look at the end ({spelt('sequential')} for looking while it runs)"
        interval = f"{self.confidence} confidence interval: one vote for each is added (Bonett and Price), Student's t"
        clustered = "" if self.voting.alone else f", clustered by {cluster}"
        return f"{interval}{clustered}; p {self.estimates.how}{once}"
