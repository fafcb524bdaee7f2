"""Logs of many trials as one, so that one call answers for all of them."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

IDS = ("impression_id", "user_id")


def in_one_log(logs: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The rows of all logs, with a column `trial`; a user or an impression belongs to one trial."""
    rows = pd.concat([log.assign(trial=number) for number, log in enumerate(logs)], ignore_index=True)
    return rows.assign(**{name: rows["trial"] * len(rows) + pd.factorize(rows[name])[0] for name in IDS})
