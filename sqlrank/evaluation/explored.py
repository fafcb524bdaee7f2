"""All queries of an evaluation, or a sample of them: their values, and their rankings place by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.evaluation.explanation import BothValues, check_sums
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.shown_rankings import titles_of
from sqlrank.inputs.table import Table
from sqlrank.metrics.measure import Measure
from sqlrank.statement.relations import Relations
from sqlrank.statement.templates import render, sql_text
from sqlrank.statement.two_rankings import best_orders, every_ranking

Line = tuple[Any, ...]


class Explored:
    """The queries, which are read as rows of columns; each statement is one pass over all of them.

    Args:
        engine: the engine of the evaluation.
        relations: the inputs of the evaluation.
        request: what the evaluation asked for.
        per_query: the table of the values.
        systems: the systems whose rankings are read.
        measures: the metrics whose values are read.
        rows: how many places of a ranking are read.
        runs: the tables of the runs.
    """

    def __init__(
        self,
        engine: DuckDBEngine,
        relations: Relations,
        request: Request,
        per_query: Markup,
        systems: Sequence[str],
        measures: Sequence[Measure],
        rows: int,
        runs: Sequence[Table] = (),
    ) -> None:
        self.engine, self.request, self.relations, self.runs = engine, request, relations, runs
        self.systems, self.measures, self.rows = list(systems), list(measures), rows
        self.names = {"per_query": per_query}
        self.added = next((each for each in measures if each.metric.parts is not None), None)
        """The metric whose parts the documents have: the first that is split by document."""
        self.made: list[str] = []
        whole = every_ranking(engine.dialect, relations, self.added, request.conventions, self.systems[0])
        self.keep("documents", whole)
        self.check_parts()

    def keep(self, base: str, statement: str) -> None:
        """Keep the rows of a statement, in place of those that were kept before."""
        name = self.engine.name(f"explored_{base}")
        if name in self.made:
            self.drop(name)
        self.engine.keep(name, statement, doing="collecting")
        self.made.append(name)
        self.names[base] = sql_text(self.engine.dialect.ident(name))

    def drop(self, name: str) -> None:
        """Drop a table of this."""
        self.engine.drop("table", name)
        self.made.remove(name)

    def close(self) -> None:
        """Drop what was made."""
        for name in list(self.made):
            self.drop(name)

    def check_parts(self) -> None:
        """Raise an error if what the documents of a ranking add is not its value; see `check_sums`."""
        measure, empty = self.added, self.request.conventions.empty
        if measure is None:
            return
        may_be_one = empty == "one" and bool(measure.metric.empty)
        for value, contribution in self.read("unequal", column=measure.column, may_be_one=may_be_one):
            moves = [{"baseline_contribution": 0.0, "contribution": contribution}]
            check_sums(measure, BothValues(None, value), moves, empty)

    def choose(self, most: int) -> list[Line]:
        """Choose the queries: a row for each, with its id and its segments; of more, those of the smallest hashes."""
        self.keep("queries", self.statement("queries", segments=self.relations.segments, most=most))
        return self.read("chosen", segments=self.relations.segments)

    def number(self) -> int:
        """How many queries there are."""
        return int(self.read("number")[0][0])

    def values(self) -> list[Line]:
        """Number of the query, system, documents returned, the unjudged ones of the first, and the values."""
        return self.read("values", measures=[{"column": measure.column} for measure in self.measures], rows=self.rows)

    def places(self) -> list[Line]:
        """Number of the query, document and relevance, then rank, score and part in each system, by best rank."""
        self.keep("places", self.statement("places", systems=self.systems, rows=self.rows))
        return self.read("kept_places")

    def best_order(self) -> list[Line]:
        """Number of the query, document and relevance of the best order of what was judged, place by place."""
        conventions, measures = self.request.conventions, self.request.measures
        made = best_orders(self.engine.dialect, self.relations, measures, conventions, self.rows)
        self.keep("best", made)
        return self.read("best_places")

    def titles(self, kind: str, tables: Iterable[str], key: str) -> dict[str, str]:
        """What queries (`kind` is `queries`) or documents (`items`) are called: those that some of the tables have."""
        known = titles_of(self.engine, self.request.reading, kind, self.runs)
        if known is None:
            return {}
        statements = [known.statement(self.engine, among=self.names[each], key=sql_text(key)) for each in tables]
        found = [row for rows in self.engine.gather(statements) for row in rows]
        return {row["id"]: row["title"] for row in found if row["title"]}

    def read(self, template: str, **variables: Any) -> list[Line]:
        """The rows of a statement of `sql/explorer`."""
        return self.engine.execute(self.statement(template, **variables))

    def statement(self, template: str, **variables: Any) -> str:
        """A statement of `sql/explorer` over what was kept."""
        return render(f"explorer/{template}.sql", self.engine.dialect, **self.names, **variables)
