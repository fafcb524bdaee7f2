"""What estimates read: the cells of a log, made once."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from sqlrank.behaviour.asked import Counting
from sqlrank.behaviour.counted_rows import context_of
from sqlrank.behaviour.opened_log import Log
from sqlrank.behaviour.settled import Settled
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.statement.templates import render, sql_text


class Cells:
    """The impressions of a log as they count, and what is made of them; each is made when first asked for."""

    def __init__(self, engine: DuckDBEngine, log: Log, settled: Settled, counting: Counting) -> None:
        self.engine, self.log, self.settled, self.counting = engine, log, settled, counting

    def impressions(self, carried: Sequence[str] = ()) -> Markup:
        """A row for each document shown: impression_id, query_id, doc_id, position, clicked, and what is carried."""
        context = context_of(self.settled, self.counting, self.log, carried)
        name = self.engine.name("_".join(["impressions", *carried]))
        statement = render("behaviour/impressions.sql", self.engine.dialect, **context)
        if self.settled.copies:
            self.engine.keep(name, statement, doing="reading")
        else:
            self.engine.make(
                "view",
                name,
                render("behaviour/view.sql", self.engine.dialect, name=name, statement=sql_text(statement)),
            )
        return sql_text(self.engine.dialect.ident(name))

    def counted(self, sequence: bool = False, no_click: str = "examined", graded: bool = False) -> Markup:
        """A row for each query, document and position, with impressions and clicks, and what their order says."""
        name = self.engine.name("cells")
        context = {"impressions": self.impressions(), "sequence": sequence, "no_click": no_click}
        context |= {"graded": graded, "day": None}
        self.engine.keep(name, render("behaviour/cells.sql", self.engine.dialect, **context), doing="counting")
        return sql_text(self.engine.dialect.ident(name))
