"""The rows of a result: the votes of each pair of rankers, in total and by segment, with intervals and decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.errors import UsageError, counted
from sqlrank.interleaving.asked import Asked
from sqlrank.interleaving.voting import Voting
from sqlrank.spelling import spelt
from sqlrank.statistics.confidence_sequence import sequence_of
from sqlrank.statistics.corrections import correct
from sqlrank.statistics.moments import Moments, moments_of
from sqlrank.statistics.signs import Plan, Signs, of_clusters, too_few
from sqlrank.statistics.verdict import BETTER, WORSE, is_significant, verdict_of

NO_CLICK = "no unit has a click"


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes of a pair of rankers, summed up."""

    wins_a: int
    wins_b: int
    ties: int
    without_clicks: int
    moments: Moments
    """Those of the sums of the votes of each unit that is independent, by its number of votes."""

    @property
    def total(self) -> int:
        """All votes, ties too."""
        return self.wins_a + self.wins_b + self.ties

    @property
    def delta(self) -> float | None:
        """(wins of A + ties / 2) / votes - 1/2 (Chapelle et al. 2012): half of the mean vote."""
        return (self.wins_a - self.wins_b) / (2 * self.total) if self.total else None

    @property
    def stderr(self) -> float | None:
        """The standard error of delta by the jackknife, which leaves out one independent unit after the other."""
        stderr = self.moments.stderr
        return None if stderr is None else stderr / 2

    @property
    def signs(self) -> Signs:
        """The votes as signs; `too_few` finds nothing against them."""
        won, lost, of = self.wins_a / self.total, self.wins_b / self.total, self.moments
        return of_clusters(won, lost, of.variance, self.total, of.effective, of.units)


@dataclass(frozen=True, slots=True)
class Preference:
    """How far votes are from even."""

    delta: float | None
    stderr: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    p_value: float | None = None
    withheld: str | None = None
    """Why there is no interval."""


def votes_of(row: Mapping[str, Any]) -> Votes:
    """The votes of a row of the summary."""
    counts = {name: int(row[name]) for name in ("wins_a", "wins_b", "ties", "without_clicks")}
    return Votes(**counts, moments=moments_of(row))


def by_test(votes: Votes, test: str, alpha: float, drawn: float | None = None, of: str = "unit") -> Preference:
    """What a test of `Signs.finding` says of votes that were each given by one that is called `of`."""
    if (reason := withheld(votes, of)) is not None:
        return Preference(votes.delta, votes.stderr, withheld=reason)
    low, high, p_value = votes.signs.finding(test, alpha, drawn)
    return Preference(votes.delta, votes.stderr, low / 2, high / 2, p_value)


def by_sequence(votes: Votes, alpha: float) -> Preference:
    """An interval and a p value that hold whenever one looks."""
    if votes.delta is None:
        return Preference(None, withheld=NO_CLICK)
    low, high, p_value = sequence_of(votes.moments, alpha)
    return Preference(votes.delta, votes.stderr, low / 2, high / 2, p_value)


def withheld(votes: Votes, of: str) -> str | None:
    """Why nothing is said of others; None where something is."""
    return too_few(votes.moments.units, votes.moments.effective, of) if votes.total else NO_CLICK


def units_needed(votes: Votes, alpha: float) -> int | None:
    """How many units with clicks would decide, if the difference found is the true one; None where there is none."""
    return Plan(votes.signs, votes.total, 2 * (votes.delta or 0.0)).number(alpha)


UNDECIDED = "not enough evidence"


class Estimates:
    """Estimates preferences of votes."""

    def __init__(self, voting: Voting, asked: Asked) -> None:
        self.voting, self.asked = voting, asked
        self.test = asked.test or ("randomization" if voting.alone else "t")
        if self.test == "sign" and not voting.alone and not asked.sequential:
            cluster = voting.cluster.removesuffix("_id")
            raise UsageError(
                f"{spelt('test', 'sign')} takes {voting.unit}s for independent, and those of one {cluster} are not: it"
                f" finds differences where there are none; leave out {spelt('unit')}, for a vote of each {cluster}, or"
                f" take {spelt('test', 't')}"
            )

    @property
    def how(self) -> str:
        """Where the p value comes from, in words."""
        exact = f"the exact sign test of {self.voting.unit}s"
        other = f"{counted(self.asked.replicates, 'draw')} of signs" if self.draws else exact
        larger = f"of that t or of {other}, whichever is larger"
        return {"sign": f"of {exact}", "t": "of that t", "randomization": larger}[self.test]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each segment and pair, and last for each pair in total; the total is a family of its own."""
        segments = self.voting.segments
        parts = self.estimated("segments", segments) if segments else []
        return [*self.decided(parts), *self.decided(self.estimated("total", []))]

    def estimated(self, base: str, segments: Sequence[str]) -> list[tuple[dict[str, Any], Votes, Preference]]:
        """The votes of pairs and segments, with what they say."""
        sql, alpha = self.voting.sql, self.asked.alpha
        kept = self.voting.votes(base, segments)
        chances = self.drawn(kept, segments) if self.draws else {}
        found = []
        for row in sql.rows("summary", votes=kept, segments=segments):
            votes = votes_of(row)
            preference = self.preference(votes, alpha, chances.get(key(row, segments)))
            found.append(({"is_total": not segments} | row, votes, preference))
        return found

    @property
    def draws(self) -> bool:
        """Whether signs are drawn: where each unit stands for itself all choices of them are known."""
        return self.test == "randomization" and not self.voting.alone and not self.asked.sequential

    def drawn(self, kept: Any, segments: Sequence[str]) -> dict[tuple[Any, ...], float]:
        """The p values of the randomization test, by pair and segment."""
        draws = self.asked.replicates
        rows = self.voting.sql.rows("signs", votes=kept, segments=segments, seed=self.asked.seed, draws=draws)
        return {key(row, segments): (1 + row["as_far"]) / (1 + draws) for row in rows}

    def preference(self, votes: Votes, alpha: float, drawn: float | None) -> Preference:
        """What votes say."""
        if self.asked.sequential:
            return by_sequence(votes, alpha)
        return by_test(votes, self.test, alpha, drawn, self.voting.cluster.removesuffix("_id"))

    def decided(self, found: Sequence[tuple[dict[str, Any], Votes, Preference]]) -> list[dict[str, Any]]:
        """The rows of one family of p values, corrected together."""
        adjusted = correct([preference.p_value for _, _, preference in found], self.asked.correction)
        return [self.row(*one, p) for one, p in zip(found, adjusted, strict=True)]

    def row(self, of: Mapping[str, Any], votes: Votes, found: Preference, adjusted: float | None) -> dict[str, Any]:
        """One row."""
        a, b = (self.voting.teams.names[number - 1] for number in self.voting.pairs[of["pair"] - 1])
        significant = is_significant(adjusted, (found.ci_low, found.ci_high), self.asked.alpha)
        verdict, decision = verdict_of(significant, found.delta or 0.0), UNDECIDED
        if verdict in (BETTER, WORSE):
            decision = f"{a if verdict == BETTER else b} is preferred"
        is_open = decision == UNDECIDED and found.withheld is None and not self.asked.sequential
        needed = units_needed(votes, self.asked.alpha) if is_open else None
        labels = {name: of[name] for name in ("is_total", *self.voting.segments) if name in of}
        counts = {name: getattr(votes, name) for name in ("wins_a", "wins_b", "ties", "without_clicks")}
        return labels | {
            **{"a": a, "b": b, "unit": self.voting.unit},
            **counts,
            **{"delta_ab": found.delta, "stderr": found.stderr, "ci_low": found.ci_low, "ci_high": found.ci_high},
            **{"p_value": found.p_value, "p_adjusted": adjusted, "decision": decision, "units_needed": needed},
            "withheld": found.withheld,
        }


def key(row: Mapping[str, Any], segments: Sequence[str]) -> tuple[Any, ...]:
    """The pair and the segment of a row."""
    return row["pair"], *(row[segment] for segment in segments)
