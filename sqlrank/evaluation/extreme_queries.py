"""The queries of an evaluation with the lowest and the highest values, with their texts where a table has them."""

from __future__ import annotations

from functools import cached_property

import duckdb
from markupsafe import Markup

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.inputs.segments import IDLE
from sqlrank.metrics.measure import Measure, of_queries
from sqlrank.statement.templates import sql_text

TEXT = "query"
"""The column of the texts of queries, next to query_id."""


class ExtremeQueries(MetricResult):
    """A result whose worst and best queries are found."""

    unjudged: bool

    @public("metric", "system")
    def worst(self, n: int = 10, metric: str | None = None, system: str | None = None) -> duckdb.DuckDBPyRelation:
        """The queries with the lowest values of a metric, or with the highest where less of it is better.

        Args:
            n: how many, of each system.
            metric: the text of a metric of this evaluation; None for the first.
            system: which system; None for all.

        Returns:
            System, query_id, the segments, query (its text, if `queries` or a run has it) and the value, the worst
            first; of equal values those with more relevant documents first.

        Raises:
            UsageError: there is no such metric or system, it has no value for each query, or none are asked for.
        """
        return self._extreme(n, metric, system, best=False)

    @public("metric", "system")
    def best(self, n: int = 10, metric: str | None = None, system: str | None = None) -> duckdb.DuckDBPyRelation:
        """The queries with the highest values of a metric, or with the lowest where less of it is better.

        Args:
            n: how many, of each system.
            metric: the text of a metric of this evaluation; None for the first.
            system: which system; None for all.

        Returns:
            The columns of `worst`, the best first.

        Raises:
            UsageError: there is no such metric or system, it has no value for each query, or none are asked for.
        """
        return self._extreme(n, metric, system, best=True)

    @public()
    def described_queries(self) -> duckdb.DuckDBPyRelation:
        """The per-query rows with every other column of the table `queries`: the text of each query, and what it is.

        Returns:
            The columns of `per_query`, with those of the table before the metrics; null for a query that it lacks.

        Raises:
            UsageError: there is no such table, or Spark evaluated.
        """
        from sqlrank.evaluation.shown_rankings import described_queries

        numbers = {measure.column for measure in of_queries(self.measures)}
        return described_queries(self._engine, self._request.reading, self.per_query, self.systems, numbers)

    def ranked_measure(self, metric: str | None = None) -> Measure:
        """The metric by which queries are the worst and the best; the first unless one is named."""
        measures = {each.text: each for each in of_queries(self.measures)}
        text = next(iter(measures), "") if metric is None else self.text_of(metric)
        if text not in measures:
            raise UsageError(f"{text or 'every metric here'} is of a whole system, and has no value for a query")
        return measures[text]

    @cached_property
    def query_texts(self) -> Markup | None:
        """A table of the texts of queries, with `id` and `title`; None where neither `queries` nor a run has any."""
        from sqlrank.evaluation.shown_rankings import titles_of

        if not isinstance(self._engine, DuckDBEngine):
            return None
        known = titles_of(self._engine, self._request.reading, "queries", self._inputs.runs)
        if known is None or TEXT in self.by:
            return None
        name = self._engine.name("query_texts")
        among = {"among": self.per_query_table, "key": sql_text("query_id")}
        self._engine.keep(name, known.statement(self._engine, **among))
        self.notes = [note for note in self.notes if IDLE not in note]
        return sql_text(self._engine.dialect.ident(name))

    def _extreme(self, n: int, metric: str | None, system: str | None, best: bool) -> duckdb.DuckDBPyRelation:
        if n < 1:
            raise UsageError(f"n={n}: ask for 1 query or more")
        if self._engine is not self._local:
            raise UsageError("single queries are found in DuckDB: write the per-query rows, and sort them")
        measure = self.ranked_measure(metric)
        if system is not None and system not in self.systems:
            raise UsageError(f"there is no system {system!r} (the systems are {', '.join(self.systems)})")
        chosen = {"column": measure.column, "text": measure.text, "most": n, "only": system}
        chosen |= {"largest": best is not (measure.metric.better == "lower"), "titles": self.query_texts}
        chosen |= {"judged": not self.unjudged, "systems": self.systems}
        return self._local.relation(self._render("sources/worst.sql", self._local.dialect, **chosen))
