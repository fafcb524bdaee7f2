"""Logs of three rankers by lot, of people who look by position or at everything, with what candidates earn known."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from tests.trials.drawn_logs import EACH_EXPERIMENT, QUERIES, TRAFFIC, WILLING, searches
from tests.trials.experiments import Array

DOCUMENTS, PLACES, RANKERS = 6, 4, 3
"""Each ranker shows some of the documents of a query."""
LOOKS = {"look by position": np.arange(1, PLACES + 1) ** -0.8, "look everywhere": np.ones(PLACES)}
DISCOUNTS = 1 / np.log2(np.arange(2, PLACES + 2))
CANDIDATES = ("ranker", "best", "new at the top")
"""One of the rankers of the log; the best ranking; and it with a document on top of a query that was never shown."""
OF_NEW = 2
"""The query of that."""


@cache
def world() -> tuple[Array, Any]:
    """How attractive each document of each query is, and the orders of the rankers and of the other candidates."""
    random = np.random.default_rng(12)
    attraction = random.uniform(0.05, 0.6, (QUERIES, DOCUMENTS))
    noise = random.normal(0, 0.2, (RANKERS, *attraction.shape))
    orders = np.argsort(-np.concatenate([attraction + noise, attraction[None]]), axis=2)[:, :, :PLACES]
    new = orders[-1].copy()
    never = np.setdiff1d(np.arange(DOCUMENTS), orders[:RANKERS, OF_NEW])[0]
    new[OF_NEW] = [never, *new[OF_NEW, :-1]]
    return attraction, np.concatenate([orders, new[None]])


def earned(people: str, estimator: str) -> tuple[float, dict[str, float]]:
    """What an impression earns by what the log shows, and by each candidate: clicks, or gains."""
    attraction, orders = world()
    at_place = np.take_along_axis(attraction[None], orders, 2)
    counts = DISCOUNTS if "dcg" in estimator else LOOKS[people]
    each = (at_place * counts).sum(axis=2) @ TRAFFIC
    if estimator.startswith("snips"):
        known = np.zeros(attraction.shape, bool)
        for order in orders[:RANKERS]:
            np.put_along_axis(known, order, True, 1)
        each /= TRAFFIC @ (attraction * known).sum(axis=1)
    return float(each[:RANKERS].mean()), dict(zip(CANDIDATES, each[[0, RANKERS, RANKERS + 1]].tolist(), strict=True))


def by_lot(people: str, users: int, first: int, number: int) -> pd.DataFrame:
    """The log of some experiments, each of users and queries of its own."""
    logs = [shown(people, users, experiment) for experiment in range(first, first + number)]
    log = pd.concat(logs, ignore_index=True)
    log["impression_id"] = np.arange(len(log)) // PLACES
    return log


def shown(people: str, users: int, experiment: int) -> pd.DataFrame:
    """One experiment."""
    random = np.random.default_rng([users, experiment, 1])
    attraction, orders = world()
    user = np.repeat(np.arange(users), searches(users, random))
    query = random.choice(QUERIES, len(user), p=TRAFFIC)
    ranker = random.integers(0, RANKERS, len(user))
    documents = orders[ranker, query]
    likely = attraction[query[:, None], documents] * random.uniform(*WILLING, users)[user][:, None] * LOOKS[people]
    each = {"user_id": user, "query_id": query}
    columns: dict[str, Any] = {
        name: np.repeat(numbers, PLACES) + EACH_EXPERIMENT * experiment for name, numbers in each.items()
    }
    columns |= {"system": np.repeat(ranker, PLACES), "doc_id": documents.ravel()}
    columns |= {"position": np.tile(np.arange(1, PLACES + 1), len(user))}
    return pd.DataFrame(columns | {"clicked": (random.random(likely.shape) < likely).astype(int).ravel()})


def run(candidate: str, first: int, number: int) -> pd.DataFrame:
    """The ranking of a candidate, for the queries of some experiments."""
    order = world()[1][dict(zip(CANDIDATES, (0, RANKERS, RANKERS + 1), strict=True))[candidate]]
    query = np.repeat(np.arange(QUERIES), PLACES)
    one = pd.DataFrame({"query_id": query, "doc_id": order.ravel(), "score": -np.tile(np.arange(PLACES), QUERIES)})
    return pd.concat(
        [one.assign(query_id=query + EACH_EXPERIMENT * experiment) for experiment in range(first, first + number)]
    )
