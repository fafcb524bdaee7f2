"""What estimates read: the impressions of a log that count, and their cells, each made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.asked import Counting
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.opened_log import MARKS, Log
from sqlrank.behaviour.settled import Settled
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.inputs.column_names import OF_POLICIES

READ = (
    *("user_id", "session_id", "system", "application", "time", "sort", "seen", "is_ad", "is_bot", "page"),
    *OF_POLICIES,
)
"""The columns that decide which rows count, or that are carried along."""


class Cells:
    """The impressions of a log as they count, and what is made of them; each is made when first asked for."""

    def __init__(self, engine: DuckDBEngine, log: Log, settled: Settled, counting: Counting) -> None:
        self.engine, self.log, self.settled, self.counting = engine, log, settled, counting

    def impressions(self, carried: Sequence[str] = (), plain: bool = False) -> Markup:
        """A row for each document shown: impression_id, query_id, doc_id, position, clicked, and what is carried.

        With `plain` also was_clicked, where something else is taken for a click.
        """
        context = context_of(self.settled, self.counting, self.log, carried, plain)
        name, folder = "_".join(["impressions", *carried]), Folder(self.engine, doing="reading")
        return (folder.keep if self.settled.copies else folder.view)(name, "impressions", **context)

    def counted(self, sequence: bool = False, no_click: str = "examined", graded: bool = False) -> Markup:
        """A row for each query, document and position, with impressions and clicks, and what their order says."""
        context: dict[str, Any] = {"impressions": self.impressions(), "sequence": sequence, "no_click": no_click}
        context |= {"graded": graded, "day": None}
        return Folder(self.engine, doing="counting").keep("cells", **context)


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
