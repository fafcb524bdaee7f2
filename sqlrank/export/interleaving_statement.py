"""The statement of votes over a log of another session, from the arguments of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.behaviour.asked import signal_of, split
from sqlrank.behaviour.opened_log import MARKS
from sqlrank.behaviour.statement import impressions_of, known_columns
from sqlrank.dialects import DIALECTS, Dialect
from sqlrank.errors import UsageError
from sqlrank.export.log_relation import log_relation
from sqlrank.export.statement import with_settings
from sqlrank.inputs.reading import check_distinct
from sqlrank.interleaving.asked import Credit, credit_of
from sqlrank.interleaving.designs import design_of
from sqlrank.interleaving.options import VoteStatement
from sqlrank.options.kinds import WORD
from sqlrank.spelling import spelt
from sqlrank.statement.templates import comment, render, sql_text
from sqlrank.statistics.student import quantile
from sqlrank.version import __version__

CREDITS = ("count", "any", "weights")
"""How clicks are credited by a statement."""


@public(record=VoteStatement, log=WORD)
def interleave_sql(log: str, **options: Unpack[VoteStatement]) -> str:
    """The statement of the votes of `interleave`, of team drafts, over a relation of another session.

    Counts, delta_ab and its standard error are those of `interleave`; the interval is of the normal distribution.

    Args:
        log: name of the relation: a row for each document shown, with `team`, and with `user_id` or `session_id` where
            these vote.
        **options: `columns` by role, where they have other names; `rank_a` and `rank_b` among them leave out picks
            that both rankers would have made; `where`, `shown_depth`, `position_base`, `exclude_bots`, `sorted_too`.

    Returns:
        A statement with a row for each segment, or one.

    Raises:
        UsageError: a name is no relation, or the credit or an option is not one of a statement.
    """
    teams, unit, by = options["teams"], options["unit"] or "user", options["by"]
    if len(set(teams)) != 2:
        raise UsageError(f"{spelt('teams', ('A', 'B'))}: a statement is of two rankers")
    segments = (by,) if isinstance(by, str) else tuple(by or ())
    check_distinct(segments)
    asked = credit_of(design_of("team-draft"), options["credit"])
    if asked.kind not in CREDITS:
        raise UsageError(
            f"--sql: {spelt('credit', asked.kind)} is not in a statement; take count, any or ACTION=WORTH,..."
        )
    engine = DIALECTS[options["dialect"]]
    reading, counting = split(options, signal_of(options["signal"]))
    relation, columns, where = log_relation(engine, log, reading)
    columns |= {role: columns.get(role, role) for role in roles_of(unit, columns, asked)}
    known = known_columns(counting.signal, columns, None) | columns
    aliases = {f"segment_{number}": name for number, name in enumerate(segments, 1)}
    text = Votes(engine, tuple(teams), unit, asked, columns, aliases).text(
        (relation, where),
        impressions_of(engine, counting, known, None, carried(columns, aliases)),
        known | aliases,
        options["alpha"],
    )
    return with_settings(text, engine)


def roles_of(unit: str, columns: Mapping[str, str], credit: Credit) -> list[str]:
    """The columns that votes need in addition to those of every log."""
    of_unit = [] if unit == "impression" else [f"{unit}_id"]
    ranks = ["rank_a", "rank_b"] if {"rank_a", "rank_b"} & set(columns) else []
    return ["team", *of_unit, *ranks, *(action for action in credit.weights if action != "clicked")]


def carried(columns: Mapping[str, str], aliases: Mapping[str, str]) -> list[str]:
    """What rows of impressions carry along."""
    roles = ("team", "user_id", "session_id", "rank_a", "rank_b", "cart", "purchase")
    return [*(role for role in roles if role in columns), *aliases]


class Votes:
    """The statement of votes of two rankers in a dialect."""

    def __init__(
        self,
        dialect: Dialect,
        teams: tuple[str, ...],
        unit: str,
        credit: Credit,
        columns: Mapping[str, str],
        aliases: Mapping[str, str],
    ) -> None:
        self.dialect, self.teams, self.unit, self.credit = dialect, teams, unit, credit
        self.columns, self.aliases = columns, aliases

    @property
    def cluster(self) -> str:
        """What is independent: users where they are known, else what votes."""
        return "user_id" if "user_id" in self.columns else f"{self.unit}_id"

    def text(self, log: tuple[Any, Any], impressions: str, known: Mapping[str, str], alpha: float) -> str:
        """The statement over a relation, with the condition on its rows."""
        relation, where = log
        own = f"{self.unit}_id"
        units = [name for name in dict.fromkeys((self.cluster, own)) if name != "impression_id"]
        weights = self.credit.weights
        return render(
            "interleaving/statement.sql",
            self.dialect,
            version=comment(__version__),
            title=comment(relation),
            header=[comment(line) for line in self.header(alpha)],
            columns=list(known.items()),
            marks=MARKS,
            day=None,
            where=where,
            relation=sql_text(relation),
            impressions=sql_text(impressions.strip()),
            carried=[*units, *self.aliases],
            segments=list(self.aliases),
            names=[(name, alias) for alias, name in self.aliases.items()],
            ranked="rank_a" in self.columns,
            teams=self.teams,
            unit=sql_text(self.unit),
            unit_name=self.unit,
            cluster=self.cluster,
            keys=[self.cluster, *(["alone"] if self.cluster != "impression_id" else [])],
            unit_keys=[] if own == self.cluster else [own],
            credit=self.credit.kind,
            value=sql_text(render("interleaving/value.sql", self.dialect, weights=weights).strip()),
            z=quantile(1 - alpha),
        )

    def header(self, alpha: float) -> list[str]:
        """What the numbers are."""
        cluster = self.cluster.removesuffix("_id")
        return [
            f"team draft; credit: {self.credit.text}; a vote for each {self.unit} with a click",
            "delta_ab = (wins_a + ties / 2) / votes - 1/2",
            f"stderr: jackknife over {cluster}s; interval of {100 * (1 - alpha):g} %: one vote for each is added",
            "(Bonett and Price), Student's t by its expansion, which has four digits from 10 degrees of freedom on",
        ]
