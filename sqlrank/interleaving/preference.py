"""The preference that votes show: how far from even they are, how sure that is, and what would decide."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlrank.statistics.confidence_sequence import QuerySums, sequence_of
from sqlrank.statistics.delta_gsb import FEWEST, NOTHING
from sqlrank.statistics.estimate import Estimate, agreeing
from sqlrank.statistics.exact_tests import sign_test
from sqlrank.statistics.proportions import exact_interval
from sqlrank.statistics.student import quantile

ALIKE = "all votes are alike, which shows no spread; a vote for each user (leave out --unit) is tested exactly"


@dataclass(frozen=True, slots=True)
class Votes:
    """The votes of a pair of rankers, summed up."""

    wins_a: int
    wins_b: int
    ties: int
    without_clicks: int
    clusters: int
    """How many units that are independent have votes."""
    squared_votes: float
    """Their numbers of votes, squared."""
    residual_squares: float
    """How far the sum of the votes of each lies from what its number lets expect, squared."""
    squared_differences: float
    products: float
    heaviest: float
    """The most votes that one has."""

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
        if self.clusters < 2:
            return None
        return math.sqrt((self.clusters - 1) / self.clusters * self.residual_squares) / (2 * self.total)

    @property
    def effective(self) -> float:
        """The effective number of independent units."""
        return self.total**2 / self.squared_votes if self.squared_votes else 0.0

    @property
    def single(self) -> bool:
        """Whether each independent unit has one vote at most."""
        return self.squared_votes == self.total


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
    counts = (int(row[name]) for name in ("wins_a", "wins_b", "ties", "without_clicks", "clusters"))
    names = ("squared_votes", "residual_squares", "squared_differences", "products", "heaviest")
    return Votes(*counts, *(float(row[name] or 0) for name in names))


def by_t(votes: Votes, alpha: float) -> Preference:
    """Student's t of the mean vote, clustered by what is independent, with the effective number less 1 of degrees."""
    delta, stderr = votes.delta, votes.stderr
    if delta is None or stderr is None or votes.effective < FEWEST:
        return Preference(delta, stderr, withheld=too_few(votes))
    if stderr <= NOTHING:
        return Preference(delta, stderr, withheld=ALIKE)
    estimate = Estimate(delta, stderr, votes.effective - 1)
    return with_ends(votes, *estimate.ends(alpha), estimate.p_value() or 0.0, alpha)


def by_signs(votes: Votes, alpha: float) -> Preference:
    """The exact sign test of wins against losses, and the interval of what it would not find (Clopper and Pearson)."""
    decided = votes.wins_a + votes.wins_b
    if not decided:
        return Preference(votes.delta, votes.stderr, withheld=too_few(votes))
    low, high = exact_interval(votes.wins_a, decided, alpha)
    share = decided / votes.total
    p_value = sign_test(votes.wins_a, votes.wins_b)
    return with_ends(votes, (low - 0.5) * share, (high - 0.5) * share, p_value, alpha)


def by_sequence(votes: Votes, alpha: float) -> Preference:
    """An interval and a p value that hold whenever one looks."""
    if votes.delta is None:
        return Preference(None, withheld=too_few(votes))
    difference = votes.wins_a - votes.wins_b
    sums = QuerySums(
        difference, votes.total, votes.squared_differences, votes.products, votes.squared_votes, votes.heaviest
    )
    low, high, p_value = sequence_of(sums, alpha)
    return Preference(votes.delta, votes.stderr, low / 2, high / 2, p_value)


def with_ends(votes: Votes, low: float | None, high: float | None, p_value: float, alpha: float) -> Preference:
    """A preference with ends between -1/2 and 1/2, and with 0 between them exactly where p is above alpha."""
    ends = agreeing((low, high), votes.delta or 0.0, p_value <= alpha)
    cut_low, cut_high = (None if end is None else min(max(end, -0.5), 0.5) for end in ends)
    return Preference(votes.delta, votes.stderr, cut_low, cut_high, p_value)


def too_few(votes: Votes) -> str:
    """Why nothing is said of others."""
    if not votes.total:
        return "no unit has a click"
    return "all votes are ties" if votes.wins_a + votes.wins_b == 0 else "one unit has nearly all votes"


def units_needed(votes: Votes, alpha: float, power: float = 0.8) -> int | None:
    """How many units with clicks a next test needs for the difference found, if it is the true one; None without one.

    (z of the test + z of the power)^2 (1 - t - 4 delta^2) / (4 delta^2) with the share t of ties, times how much
    larger the variance is than that of votes that are all independent.
    """
    delta, stderr = votes.delta, votes.stderr
    if not delta or stderr is None:
        return None
    decided = (votes.wins_a + votes.wins_b) / votes.total
    variance = decided - 4 * delta**2
    if variance <= NOTHING:
        return None
    alone = math.sqrt(variance / votes.total) / 2
    effect = 1.0 if votes.single else max(1.0, (stderr / alone) ** 2)
    z = quantile(1 - alpha) + quantile(2 * power - 1)
    return math.ceil(z**2 * variance / (4 * delta**2) * effect)
