"""What estimates read: the cells of a log, made once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.asked import Counting
from sqlrank.behaviour.counted_rows import context_of
from sqlrank.behaviour.folder import Folder
from sqlrank.behaviour.opened_log import Log
from sqlrank.behaviour.settled import Settled
from sqlrank.engines.duckdb import DuckDBEngine


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
