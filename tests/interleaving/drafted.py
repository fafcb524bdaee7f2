"""Experiments with interleaved lists of people whose taste is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def drafted(
    users: int = 400,
    taste: float = 0.0,
    spread: float = 0.0,
    each: float = 4,
    seed: int = 1,
    length: int = 6,
    days: int = 10,
    teams: tuple[str, ...] = ("A", "B"),
) -> pd.DataFrame:
    """Team drafts of rankers without common documents, a row for each document shown.

    Of two documents of a round people click the one of the first ranker with probability 1/2 + `taste`, each user with
    a taste of its own, `spread` around it; how many lists a user sees has a heavy tail.
    """
    random = np.random.default_rng(seed)
    own = np.clip(random.normal(taste, spread, users) + 0.5, 0.02, 0.98)
    lists = np.maximum(1, np.minimum(200, random.pareto(1.5, users) * each)).astype(int)
    user = np.repeat(np.arange(users), lists)
    number, rounds = len(user), length // len(teams)
    order = np.argsort(random.random((number, rounds, len(teams))), axis=2).reshape(number, -1)
    likely = own[user][:, None]
    chosen = np.where(random.random((number, rounds)) < likely, 0, random.integers(1, len(teams), (number, rounds)))
    looks = random.random((number, rounds)) < 0.35 / np.arange(1, rounds + 1)
    clicked = (order == np.repeat(chosen, len(teams), axis=1)) & np.repeat(looks, len(teams), axis=1)
    width = order.shape[1]
    return pd.DataFrame(
        {
            "impression_id": np.repeat(np.arange(number), width),
            "user_id": np.repeat(user, width),
            "query_id": np.repeat(random.integers(0, 20, number), width),
            "doc_id": np.tile(np.arange(width), number) + 100 * order.ravel(),
            "position": np.tile(np.arange(1, width + 1), number),
            "team": np.array(teams)[order.ravel()],
            "clicked": clicked.ravel().astype(int),
            "time": pd.Timestamp("2026-03-01")
            + pd.to_timedelta(np.repeat(random.integers(0, days, number), width), "D"),
        }
    )


def votes_of(data: pd.DataFrame, unit: str = "user_id") -> Any:
    """The sign of the clicks on picks of A over those of B, of units with a click, by another program."""
    signed = data["clicked"] * np.where(data["team"] == "A", 1, -1)
    sums = pd.DataFrame({"unit": data[unit], "signed": signed, "clicked": data["clicked"]}).groupby("unit").sum()
    return np.sign(sums.loc[sums["clicked"] > 0, "signed"].to_numpy())
