"""Logs of people who behave as a model says, with the truth known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

QUERIES, PLACES, GOING_ON = 30, 8, 0.9
EXAMINATION = np.arange(1, PLACES + 1) ** -0.8
"""How likely each position is looked at, by people of the position-based model."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Impressions, and how attractive and satisfying documents are."""

    query: Any
    ranker: Any
    documents: Any
    clicks: Any
    attraction: Any
    satisfaction: Any

    def frame(self) -> Any:
        """A row for each document shown."""
        import pandas as pd

        impressions, places = self.documents.shape
        return pd.DataFrame(
            {
                "impression_id": np.repeat(np.arange(impressions), places),
                "query_id": np.repeat(self.query, places),
                "doc_id": self.documents.ravel(),
                "position": np.tile(np.arange(1, places + 1), impressions),
                "clicked": self.clicks.ravel(),
                "system": np.repeat(self.ranker, places),
            }
        )


def logged(
    model: str, rankers: Sequence[int] = (0, 1, 2), impressions: int = 20000, seed: int = 7, noise: float = 0.25
) -> Shown:
    """A log of people of a `model`.

    `pbm`; `trust`, who click at the top without cause; `cascade`; `dbn`; `sdbn`, who go on until something satisfies
    them, as the last document does; `shuffled`, who look at everything in an order of chance.
    """
    random = np.random.default_rng(seed)
    attraction = random.beta(1.2, 2.5, (QUERIES, PLACES))
    satisfaction = random.uniform(0.2, 0.9, (QUERIES, PLACES))
    orders = np.stack(
        [
            np.argsort(-(attraction + random.normal(0, noise, attraction.shape)), axis=1)
            for _ in range(max(3, max(rankers) + 1))
        ]
    )
    weights = 1 / np.arange(1, QUERIES + 1)
    query = random.choice(QUERIES, impressions, p=weights / weights.sum())
    ranker = random.choice(rankers, impressions)
    documents = orders[ranker, query]
    if model == "sdbn":
        # The last document attracts and satisfies everybody, so that the last click is the one that satisfied.
        attraction[:, -1] = satisfaction[:, -1] = 1
        documents = np.hstack([documents[documents != PLACES - 1].reshape(impressions, PLACES - 1),
                               np.full((impressions, 1), PLACES - 1)])  # fmt: skip
    attracts = np.take_along_axis(attraction[query], documents, 1)
    satisfies = np.take_along_axis(satisfaction[query], documents, 1)
    first, second, third = (random.random((impressions, PLACES)) for _ in range(3))
    if model == "shuffled":
        clicks = first < attracts
    elif model == "pbm":
        clicks = first < attracts * EXAMINATION
    elif model == "trust":
        places = np.arange(PLACES)
        clicks = first < EXAMINATION * (attracts * (0.98 - 0.02 * places) + (1 - attracts) * 0.35 / (places + 1))
    else:
        looks, clicks = np.ones(impressions, bool), np.zeros((impressions, PLACES), int)
        for place in range(PLACES):
            clicked = looks & (first[:, place] < attracts[:, place])
            clicks[:, place] = clicked
            stops = clicked if model == "cascade" else clicked & (second[:, place] < satisfies[:, place])
            looks = looks & ~stops & (third[:, place] < (GOING_ON if model == "dbn" else 1))
    return Shown(query, ranker, documents, clicks.astype(int), attraction, satisfaction)
