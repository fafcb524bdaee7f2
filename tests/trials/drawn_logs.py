"""Logs of a ranker that draws, with the chance of what it showed, and candidates whose true value is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from tests.trials.experiments import Array

QUERIES, PLACES, CHOICES = 5, 3, 3
"""Each place of each query shows one of some documents of its own."""
SHOWN, LIKED = (0.5, 0.3, 0.2), (0.65, 0.25, 0.1)
"""How likely the ranker of the log, and the policy that is valued, show their first, second and third choice."""
LOOKS = np.array([1.0, 0.6, 0.4])
TRAFFIC = (1 / np.arange(1, QUERIES + 1)) / (1 / np.arange(1, QUERIES + 1)).sum()
WILLING = (0.4, 1.6)
"""Between what the clicks of users are multiplied: evenly, so that 1 is the mean."""
PEOPLE = ("look by position", "look for one answer")
CANDIDATES = ("policy", "ranking")
EACH_EXPERIMENT = 100_000
"""By how much the numbers of users and queries of one experiment are beyond those of the one before."""


@dataclass(frozen=True, slots=True)
class World:
    """By query, place and document: how attractive it is, and how likely it is shown."""

    attraction: Array
    logged: Array
    policy: Array
    ranking: Array

    def earned(self, shown: Array, people: str) -> float:
        """The clicks of an impression of a ranker that shows documents with these chances."""
        attracts = (self.attraction * shown).sum(axis=2)
        if people == "look by position":
            return float(TRAFFIC @ (attracts * LOOKS).sum(axis=1))
        willing = np.linspace(*WILLING, 2001)[:, None, None] * attracts
        none_above = np.cumprod(1 - willing, axis=2)
        clicks = 1 - none_above[:, :, -1]
        return float(TRAFFIC @ ((clicks[:-1] + clicks[1:]) / 2).mean(axis=0))


@cache
def world() -> World:
    """The world of all experiments."""
    random = np.random.default_rng(12)
    attraction = random.uniform(0.05, 0.5, (QUERIES, PLACES, CHOICES))

    def chances(of: Any, noise: float) -> Array:
        order = np.argsort(-(attraction + random.normal(0, noise, attraction.shape)), axis=2)
        return np.asarray(np.array(of)[np.argsort(order, axis=2)])

    return World(attraction, chances(SHOWN, 0.15), chances(LIKED, 0.05), chances((1.0, 0, 0), 0.05))


def searches(users: int, random: np.random.Generator) -> Any:
    """How often users search: most of them once or twice, some often."""
    return 1 + np.minimum(50, random.pareto(1.5, users)).astype(int)


def drawn(people: str, users: int, first: int, number: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The log of some experiments, and the candidates: each experiment has users, queries and positions of its own.

    So what is learned by query or position in one statement over all of them is learned of each experiment alone.
    """
    logs, policies, start = [], [], 0
    for experiment in range(first, first + number):
        log, candidates = drawn_once(people, users, experiment)
        for frame in (log, candidates):
            frame["impression_id"] += start
        start = int(log["impression_id"].max()) + 1
        logs.append(log)
        policies.append(candidates)
    return pd.concat(logs, ignore_index=True), pd.concat(policies, ignore_index=True)


def drawn_once(people: str, users: int, experiment: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One experiment."""
    random, known = np.random.default_rng([users, experiment]), world()
    user = np.repeat(np.arange(users), searches(users, random))
    query = random.choice(QUERIES, len(user), p=TRAFFIC)
    choice = (random.random((len(user), PLACES, 1)) > known.logged[query].cumsum(axis=2)[:, :, :-1]).sum(axis=2)
    at = (query[:, None], np.arange(PLACES)[None, :], choice)
    likely = known.attraction[at] * random.uniform(*WILLING, users)[user][:, None]
    clicks = random.random(likely.shape) < likely * (LOOKS if people == "look by position" else 1)
    if people != "look by position":
        clicks &= np.cumsum(clicks, axis=1) == 1
    chance = known.logged[at]
    log = placed(user, query, experiment, 1)
    log["user_id"] = np.repeat(user, PLACES) + EACH_EXPERIMENT * experiment
    log["doc_id"] = documents(np.arange(PLACES)[None, :], choice).ravel()
    log["clicked"] = clicks.astype(int).ravel()
    log["propensity"] = chance.ravel()
    log["propensity_prefix"] = np.cumprod(chance, axis=1).ravel()
    log["propensity_list"] = np.repeat(np.prod(chance, axis=1), PLACES)
    return log, pd.concat([candidate(name, known, user, query, choice, experiment) for name in CANDIDATES])


def candidate(name: str, known: World, user: Any, query: Any, choice: Any, experiment: int) -> pd.DataFrame:
    """How likely a candidate shows each document at each place of each impression, after those that were shown."""
    share = getattr(known, name)[query]
    taken = np.take_along_axis(share, choice[:, :, None], 2)[:, :, 0]
    above = np.hstack([np.ones((len(user), 1)), np.cumprod(taken, axis=1)[:, :-1]])
    below = np.cumprod(taken[:, ::-1], axis=1)[:, ::-1]
    after = np.hstack([below[:, 1:], np.ones((len(user), 1))])
    frame = placed(user, query, experiment, CHOICES)
    frame["system"] = name
    frame["doc_id"] = np.tile(documents(np.arange(PLACES)[:, None], np.arange(CHOICES)[None, :]).ravel(), len(user))
    frame["propensity"] = share.ravel()
    frame["propensity_prefix"] = (share * above[:, :, None]).ravel()
    frame["propensity_list"] = (share * (above * after)[:, :, None]).ravel()
    return frame[frame["propensity"] > 0]


def documents(place: Any, choice: Any) -> Any:
    """The numbers of documents."""
    return CHOICES * place + choice


def placed(user: Any, query: Any, experiment: int, each: int) -> pd.DataFrame:
    """So many rows for each place of each impression."""
    position = np.repeat(np.arange(PLACES), each) + 1 + PLACES * experiment
    return pd.DataFrame(
        {
            "impression_id": np.repeat(np.arange(len(user)), PLACES * each),
            "query_id": np.repeat(query, PLACES * each) + EACH_EXPERIMENT * experiment,
            "position": np.tile(position, len(user)),
        }
    )
