"""Trials of interleaved lists: how often the better ranker is found, and how often one where none is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from sqlrank.log import interleave
from tests.trials.experiments import Trial, outcome, row
from tests.trials.experiments import head as head_of_sizes

PEOPLE = {
    "look by position": (0.8, 0.25, 0.0, 0.0),
    "look for one answer": (0.9, 0.1, 0.9, 0.2),
    "look for many": (0.9, 0.3, 0.4, 0.1),
}
"""How likely people click what is relevant and what is not, and stop after either."""
DESIGNS = ("team-draft", "balanced", "probabilistic")
CREDITS = {"team-draft": ("count", "first"), "balanced": ("count",), "probabilistic": ("count",)}
WORLDS = [(design, credit, people) for design in DESIGNS for credit in CREDITS[design] for people in PEOPLE]
EXPERIMENTS, USERS = 200, 250
QUERIES, DOCUMENTS, PLACES, POOL = 40, 20, 8, 200
NOISE = (0.5, 0.9)
"""How far the better and the worse ranker are off the relevance."""
TAU = 3
USERS_OF_VOTES = {50: 8, 1_000: 150}
"""About how many impressions an experiment has, and of how many users."""
EXPERIMENTS_OF_VOTES = {50: 1_000, 1_000: 400}
CREDITS_OF_VOTES = {"balanced": ("count",), "probabilistic": ("count", "win")}
UNITS = ("user", "impression")
OF_VOTES = [
    (design, credit, unit, people)
    for design, ways in CREDITS_OF_VOTES.items()
    for credit, unit, people in product(ways, UNITS, PEOPLE)
]
ALL = 20_000
"""How many users tell the true preference."""
COLUMNS = ("found", "wrong", "error, users", "error, impressions", "error, as if alone")
UNDECIDED = "not enough evidence"


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists that may be shown for each query: documents, and whose picks they are, 0 for the first ranker."""

    documents: Any
    teams: Any


@cache
def rankings() -> tuple[Any, Any]:
    """The relevance of each document, and what the better and the worse ranker return."""
    random = np.random.default_rng(2)
    relevance = random.random((QUERIES, DOCUMENTS)) < 0.25
    orders = [np.argsort(-(relevance + random.normal(0, noise, relevance.shape)), axis=1) for noise in NOISE]
    return relevance, np.stack(orders)


@cache
def lists_of(design: str, turned: bool) -> Lists:
    """The lists of a design; `turned` where the first ranker is the worse one."""
    random = np.random.default_rng(3)
    _, orders = rankings()
    made = {"team-draft": drafted, "balanced": balanced, "probabilistic": drawn}[design]
    found = [made(orders[::-1, query] if turned else orders[:, query], random) for query in range(QUERIES)]
    return Lists(np.stack([documents for documents, _ in found]), np.stack([teams for _, teams in found]))


def drafted(both: Any, _: np.random.Generator) -> tuple[Any, Any]:
    """All team drafts of two rankings: a list for each outcome of the coins."""
    found = []
    for coins in product((0, 1), repeat=PLACES // 2):
        shown, teams = [], []
        for team in (side for coin in coins for side in (coin, 1 - coin)):
            shown.append(next(document for document in both[team] if document not in shown))
            teams.append(team)
        found.append((shown, teams))
    return np.array([shown for shown, _ in found]), np.array([teams for _, teams in found])


def balanced(both: Any, _: np.random.Generator) -> tuple[Any, Any]:
    """Both balanced lists of two rankings."""
    found = []
    for coin in (0, 1):
        shown: list[int] = []
        at = [0, 0]
        while len(shown) < PLACES:
            team = coin if at[coin] == at[1 - coin] else int(at[1] < at[0])
            document = both[team][at[team]]
            at[team] += 1
            shown += [] if document in shown else [document]
        found.append(shown)
    return np.array(found), np.zeros((2, PLACES), int)


def drawn(both: Any, random: np.random.Generator) -> tuple[Any, Any]:
    """Lists whose picks are drawn by their ranks, of a coin's ranking each."""
    weights = np.arange(1, DOCUMENTS + 1.0) ** -TAU
    found = []
    for _ in range(POOL):
        shown: list[int] = []
        while len(shown) < PLACES:
            ranking = both[random.integers(2)]
            left = ~np.isin(ranking, shown)
            shown.append(random.choice(ranking[left], p=weights[left] / weights[left].sum()))
        found.append(shown)
    return np.array(found), np.zeros((POOL, PLACES), int)


def experiments(design: str, people: str, better: bool, number: int, each_of: int = USERS) -> pd.DataFrame:
    """The logs of some experiments of so many users each, one below the other.

    Some users search often. Where neither ranker is `better`, each user has them in either order.
    """
    random = np.random.default_rng(7 if better else 8)
    users = each_of * number
    searches = np.maximum(1, np.minimum(150, random.pareto(1.5, users) * 4)).astype(int)
    user = np.repeat(np.arange(users), searches)
    turned = np.zeros(len(user), bool) if better else (random.random(users) < 0.5)[user]
    query = random.integers(0, QUERIES, len(user))
    chosen = random.integers(0, lists_of(design, False).documents.shape[1], len(user))
    parts = [lists_of(design, way) for way in (False, True)]
    documents = np.where(turned[:, None], parts[1].documents[query, chosen], parts[0].documents[query, chosen])
    teams = np.where(turned[:, None], parts[1].teams[query, chosen], parts[0].teams[query, chosen])
    relevance, orders = rankings()
    clicked = clicks(relevance[query[:, None], documents], PEOPLE[people], random)
    ranks = np.argsort(orders, axis=2)[:, query] + 1
    own = [np.take_along_axis(each, documents, 1) for each in ranks]
    rank_a, rank_b = (np.where(turned[:, None], own[1 - side], own[side]) for side in (0, 1))
    each = {"impression_id": np.arange(len(user)), "user_id": user, "query_id": query, "trial": user // each_of}
    frame = pd.DataFrame({name: np.repeat(values, PLACES) for name, values in each.items()})
    frame["doc_id"], frame["position"] = documents.ravel(), np.tile(np.arange(1, PLACES + 1), len(user))
    frame["team"] = np.array(["A", "B"])[teams.ravel()]
    frame["rank_a"], frame["rank_b"], frame["clicked"] = rank_a.ravel(), rank_b.ravel(), clicked.ravel().astype(int)
    frame["length_a"] = frame["length_b"] = DOCUMENTS
    return frame


def clicks(relevant: Any, habits: tuple[float, ...], random: np.random.Generator) -> Any:
    """What people click: those who stop look from the top until they do, the others by position."""
    likely = np.where(relevant, habits[0], habits[1])
    if not habits[2]:
        return random.random(relevant.shape) < likely * np.arange(1, PLACES + 1) ** -0.8
    looking, clicked = np.ones(len(relevant), bool), np.zeros(relevant.shape, bool)
    for place in range(PLACES):
        clicked[:, place] = looking & (random.random(len(relevant)) < likely[:, place])
        stop = random.random(len(relevant)) < np.where(relevant[:, place], habits[2], habits[3])
        looking &= ~(clicked[:, place] & stop)
    return clicked


def rows_of(frame: pd.DataFrame, design: str, credit: str, **options: Any) -> list[dict[str, Any]]:
    """The row of each experiment."""
    with interleave(frame, design=design, credit=credit, by="trial", correction="none", **options) as result:
        return [row for row in result.to_dicts() if not row["is_total"]]


def found(frame: pd.DataFrame, design: str, credit: str, **options: Any) -> list[str]:
    """Who is preferred in each experiment."""
    return [row["decision"] for row in rows_of(frame, design, credit, **options)]


def shares(design: str, credit: str, people: str, number: int = EXPERIMENTS) -> list[float]:
    """How often the better ranker is found, and the worse one; and how often any where none is better.

    The last by a vote for each user, by votes for impressions clustered by user, and as if impressions were alone.
    """
    better = found(experiments(design, people, True, number), design, credit)
    counts = [sum(decision.startswith(name) for decision in better) for name in "AB"]
    frame = experiments(design, people, False, number)
    for data, unit in ((frame, "user"), (frame, "impression"), (frame.drop(columns="user_id"), "impression")):
        none = found(data, design, credit, unit=unit)
        counts.append(sum(decision != UNDECIDED for decision in none))
    return [count / number for count in counts]


def of_interleaving() -> Iterator[str]:
    """The table."""
    yield from head(["lists", "credit", "people"], COLUMNS)
    for world in WORLDS:
        yield row(world, [f"{100 * share:.1f} %" for share in shares(*world)])


Votes = dict[tuple[str, str], list[dict[str, Any]]]
"""The rows of experiments by credit and unit."""


@cache
def votes(design: str, people: str, better: bool, number: int, each_of: int) -> Votes:
    """What the votes of some experiments of so many users each give."""
    frame = experiments(design, people, better, number, each_of)
    asked = product(CREDITS_OF_VOTES[design], UNITS)
    return {(credit, unit): rows_of(frame, design, credit, unit=unit) for credit, unit in asked}


def votes_of(cell: tuple[str, str, str, str], impressions: int, experiments: int | None = None) -> Trial:
    """The coverage where the first ranker is better, and the errors where neither is."""
    design, credit, unit, people = cell
    number, users = experiments or EXPERIMENTS_OF_VOTES[impressions], USERS_OF_VOTES[impressions]
    asked = (True, 1, ALL), (True, number, users), (False, number, users)
    (whole,), better, none = (votes(design, people, *each)[credit, unit] for each in asked)
    ends = {name: [row[name] for row in better] for name in ("ci_low", "ci_high")}
    errors = sum(row["decision"] != UNDECIDED for row in none) / number
    return replace(outcome(ends, whole["delta_ab"]), errors=errors)


def of_votes() -> Iterator[str]:
    """The table of coverage and errors by impressions."""
    yield from head_of_sizes(["lists", "credit", "votes of", "people"], tuple(USERS_OF_VOTES), "impressions")
    for cell in OF_VOTES:
        yield row(cell, [votes_of(cell, size) for size in USERS_OF_VOTES])


def head(words: Sequence[str], columns: Sequence[str]) -> Iterator[str]:
    """The first two lines of the table."""
    yield row(words, columns)
    yield row(["--"] * len(words), ["--:"] * len(columns))
