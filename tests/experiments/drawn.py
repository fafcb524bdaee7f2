"""Logs of A/B tests: by hand, and of people drawn at random whose taste is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

FIRST_DAY = pd.Timestamp("2026-10-01")
COLUMNS = "impression_id query_id doc_id position clicked user_id arm time click_time"


def rows_of(*impressions: tuple[str, str, str, str, int, Sequence[int]]) -> pd.DataFrame:
    """Impressions of (id, user, arm, time, documents, positions clicked); a click at p comes after 10 p seconds."""
    rows = []
    for name, user, arm, time, documents, clicked in impressions:
        for position in range(1, documents + 1):
            when = pd.Timestamp(time)
            happened = position in clicked
            then = when + pd.Timedelta(seconds=10 * position) if happened else pd.NaT
            rows.append((name, "q", f"d{position}", position, int(happened), user, arm, when, then))
    return pd.DataFrame(rows, columns=COLUMNS.split())


def log_of(
    users: int = 200,
    effect: float = 0.0,
    seed: int = 0,
    days: int = 6,
    before: int = 0,
    spread: float = 1.0,
    often: float = 3.0,
    shares: Sequence[float] = (0.5, 0.5),
) -> pd.DataFrame:
    """A log of users who click by taste: how often they search, `often` in the mean, is gamma of shape 1 / `spread`.

    `effect` is what the second arm adds to the chance of a click from the first day on; `before` days have no arm.
    """
    random = np.random.default_rng(seed)
    arm = random.choice([*"ABCDE"[: len(shares)]], users, p=shares)
    taste = random.beta(2, 4, users)
    searches = 1 + random.poisson(often * random.gamma(1 / spread, spread, users))
    user = np.repeat(np.arange(users), searches)
    day = random.integers(-before, days, len(user))
    chance = taste[user] + effect * (arm[user] == "B") * (day >= 0)
    places = np.arange(1, 6)
    clicks = random.random((len(user), len(places))) < np.clip(chance, 0, 1)[:, None] / places
    time = FIRST_DAY + pd.to_timedelta(day, "D") + pd.to_timedelta(random.integers(0, 80_000, len(user)), "s")
    device = np.where(random.random(users) < 0.4, "phone", "desk")
    each = np.repeat(np.arange(len(user)), len(places))
    return pd.DataFrame(
        {
            "impression_id": each,
            "query_id": each % 7,
            "doc_id": np.tile(places, len(user)),
            "position": np.tile(places, len(user)),
            "clicked": clicks.ravel().astype(int),
            "user_id": [f"u{number}" for number in user[each]],
            "arm": [None if early else name for early, name in zip(day[each] < 0, arm[user[each]], strict=True)],
            "time": time[each],
            "device": device[user[each]],
        }
    )


def of_units(log: pd.DataFrame, since: Any = FIRST_DAY, unit: str = "user_id") -> pd.DataFrame:
    """What each unit did from a day on, by pandas: the mean over its impressions of each metric."""
    kept = log[log["time"] >= since]
    first = kept[kept["clicked"] == 1].groupby("impression_id")["position"].min()
    of = kept.groupby("impression_id").agg(
        unit=(unit, "first"), arm=("arm", "first"), shown=("clicked", "size"), clicks=("clicked", "sum")
    )
    of["ctr"] = of["clicks"] / of["shown"]
    of["success"] = (of["clicks"] > 0).astype(float)
    of["first"] = first.reindex(of.index)
    of["rr_click"] = (1 / of["first"]).fillna(0)
    of["impressions"] = 1
    found = of.groupby("unit").agg(
        arm=("arm", "first"),
        ctr=("ctr", "mean"),
        clicks=("clicks", "mean"),
        success=("success", "mean"),
        rr_click=("rr_click", "mean"),
        first_click=("first", "mean"),
        impressions=("impressions", "sum"),
    )
    return found.assign(abandonment=1 - found["success"])
