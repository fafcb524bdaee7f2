"""Which rows of a log count, as what was settled and asked for says, for the statement of its impressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.behaviour.asked import Counting
from sqlrank.behaviour.opened_log import MARKS, Log
from sqlrank.behaviour.settled import Settled
from sqlrank.inputs.column_names import OF_POLICIES

READ = (
    *("user_id", "session_id", "system", "application", "time", "sort", "seen", "is_ad", "is_bot", "page"),
    *OF_POLICIES,
)
"""The columns that decide which rows count, or that are carried along."""


def context_of(
    settled: Settled, counting: Counting, log: Log, carried: Sequence[str], plain: bool = False
) -> Mapping[str, Any]:
    """The variables of the statement of impressions; `plain` adds clicks to what is taken for one."""
    return {
        "log": log.relation,
        "columns": log.columns,
        "signal": counting.signal,
        "depth": counting.depth,
        "page_size": settled.bases.page_size,
        "base": settled.bases.base,
        "bases": settled.bases.by_application,
        "without_bots": counting.without_bots,
        "bots": settled.bots,
        "sorted_too": counting.sorted_too,
        "fold": counting.fold,
        "collapse": settled.copies > 0,
        "read": list(dict.fromkeys([*(name for name in READ if name in log.columns), *carried])),
        "marks": MARKS,
        "carried": carried,
        "plain": plain,
    }
