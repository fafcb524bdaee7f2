"""The preference that votes show: how far from even they are, how sure that is, and what would decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlrank.statistics.confidence_sequence import sequence_of
from sqlrank.statistics.moments import Moments, moments_of
from sqlrank.statistics.signs import Plan, Signs, of_clusters, too_few

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
