"""The votes of a log: the picks of each list, the credit that clicks give, and whom each unit gave more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.session import Session
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError
from sqlrank.interleaving.asked import Asked
from sqlrank.interleaving.teams import LETTERS, check_columns, check_ranks, teams_of
from sqlrank.spelling import spelt
from sqlrank.statement.templates import sql_text

NARROW = 62
"""So many places fit into the bits of a bigint."""
RANKS = ("rank_a", "rank_b")
LENGTHS = ("length_a", "length_b")


class Voting:
    """Makes votes of a log: the credits of its impressions at once, votes of them when they are asked for."""

    def __init__(self, engine: DuckDBEngine, session: Session, asked: Asked) -> None:
        self.session, self.asked, self.log = session, asked, session.log
        self.sql = Folder(engine, room="interleaving", prefix="votes_")
        check_columns(self.log, asked.design, asked.credit.weights)
        self.unit = self.unit_of(asked.unit)
        self.segments = list(self.log.segments)
        self.carried = [self.cluster] if self.cluster != "impression_id" else []
        self.carried += ["session_id"] if self.unit == "session" and self.cluster != "session_id" else []
        self.carried += [name for name in ("time",) if name in self.log.columns] + self.segments
        self.rows = session.cells.impressions([*self.carried, *self.read])
        ranks = self.ranks()
        systems = "system" in self.log.columns
        found = self.sql.rows("teams", rows=self.rows, systems=systems) if self.drafted else [ranks]
        self.teams = teams_of(self.log, asked.design, found, asked.baseline)
        self.pairs = self.teams.pairs(asked.baseline)
        self.credits = self.credited(ranks.get("longest", 0))

    @property
    def drafted(self) -> bool:
        """Whether each document is the pick of one ranker."""
        return self.asked.design.drafted

    @property
    def cluster(self) -> str:
        """What is independent of each other: the column of users, else sessions, else impressions."""
        return self.log.unit

    @property
    def ranked(self) -> bool:
        """Whether the ranks of both lists are known, by which picks that both would have made are told."""
        return set(RANKS) <= self.log.columns

    @property
    def read(self) -> list[str]:
        """The columns of a row that credits read, in addition to the clicks."""
        roles = ["team"] if self.drafted else []
        roles += RANKS if self.ranked else []
        roles += [role for role in LENGTHS if role in self.asked.design.needs]
        roles += ["system"] if self.drafted and "system" in self.log.columns else []
        return roles + [action for action in self.asked.credit.weights if action != "clicked"]

    def unit_of(self, told: str | None) -> str:
        """What votes; UsageError for what the log does not know."""
        known = self.log.unit.removesuffix("_id")
        if told is None:
            return known
        if told != "impression" and f"{told}_id" not in self.log.columns:
            raise UsageError(
                f"{spelt('unit', told)}: {self.log.label} has no column of {told}s; name it with"
                f" {spelt('columns', {f'{told}_id': 'NAME'})}, or leave out {spelt('unit')}, which is {known} then"
            )
        return told

    @property
    def alone(self) -> bool:
        """Whether each unit stands for itself, and is not one of several of a user."""
        return f"{self.unit}_id" == self.cluster

    def ranks(self) -> dict[str, Any]:
        """How deep and how long lists are, where ranks in both are known; DataError for ranks that no list has."""
        if not self.ranked:
            return {}
        lengths = [role for role in LENGTHS if role in self.read]
        found = self.sql.row("ranks", rows=self.rows, ranks=RANKS, lengths=lengths)
        check_ranks(self.log.label, found)
        return found

    def credited(self, longest: float) -> Markup:
        """A row for each impression: what its clicks give each ranker, whose lists have so many documents at most."""
        names, neutral = self.teams.names, self.drafted and self.neutral
        context: dict[str, Any] = {"teams": names, "carried": self.carried, "weights": self.asked.credit.weights}
        width = NARROW if self.teams.deepest <= NARROW else 2 * NARROW + 2
        context |= {"bits": sql_text("bigint" if width == NARROW else "hugeint"), "neutral": neutral}
        context |= {"odd": sum(1 << place for place in range(0, width, 2)), "tau": self.asked.tau}
        context |= {"credit": self.asked.credit.kind, "longest": int(longest)}
        picks = self.picked(self.placed() if self.teams.without else self.rows, context)
        if self.drafted and self.sql.number("gaps", picks=picks):
            picks = self.picked(self.placed(), context)
        made = self.sql.keep("credits", f"designs/{self.asked.design.name}", rows=self.rows, picks=picks, **context)
        self.sql.drop("picks")
        return made

    @property
    def neutral(self) -> bool:
        """Whether it is known of a pick that the other ranker would have made it too."""
        return self.ranked and self.teams.names == LETTERS

    def placed(self) -> Markup:
        """The rows that some team picked, with their places among them."""
        return self.sql.view("places", rows=self.rows)

    def picked(self, rows: Markup, context: Mapping[str, Any]) -> Markup:
        """A row for each impression, with the places of picks and of what happened."""
        if context["neutral"]:
            rows = self.sql.view("competitive", rows=rows, teams=self.teams.names)
        teams = self.teams.names if self.drafted else ()
        return self.sql.keep("picks", rows=rows, **dict(context) | {"teams": teams})

    def facts(self) -> dict[str, Any]:
        """What the lists and their clicks look like."""
        return self.sql.row("facts", credits=self.credits, drafted=self.drafted and len(self.teams.names) == 2)

    def votes(self, base: str, segments: Sequence[str]) -> Markup:
        """The votes of what is independent, by pair and segment."""
        context = {"credits": self.credits, "segments": segments, "teams": self.teams.names, "pairs": self.pairs}
        return self.sql.keep(base, "votes", unit=self.unit, cluster=self.cluster, **context)
