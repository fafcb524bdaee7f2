"""The queries of a comparison: both values of each, which moved most, and why."""

from __future__ import annotations

from typing import Any

import duckdb

from sqlrank.arguments import public
from sqlrank.comparison.notes import Row
from sqlrank.comparison.paired import Pair, Paired
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.evaluation.explanation import ExplainedDifference
from sqlrank.evaluation.result import Result
from sqlrank.inputs.segments import IDLE
from sqlrank.metrics.language import Language, single_measure
from sqlrank.metrics.measure import Measure

MOVED = ("baseline_value", "value", "difference")
"""The columns of both values of a query."""
EVERY: dict[str, Any] = {"side": "either", "titles": None}
"""What a statement of the queries that moved is told: that it has gains and losses, without the texts of queries."""


class ComparedQueries(OpenResult):
    """A comparison whose queries are looked at one by one."""

    evaluation: Result | None
    _paired: Paired
    baseline: str
    systems: list[str]
    measures: list[Measure]
    notes: list[str]
    language: Language

    def text_of(self, metric: str) -> str:
        """The text of a metric that was compared, however it was written; UsageError if it was not."""
        texts = [measure.text for measure in self.measures]
        text = metric if metric in texts else single_measure(metric, self.language).text
        if text not in texts:
            raise UsageError(f"{text} was not compared; the metrics are {', '.join(texts)}")
        return text

    @property
    def per_query(self) -> duckdb.DuckDBPyRelation:
        """Both values of every query: system, baseline, metric, query_id, segments, weight, values and difference.

        Systems with different queries have the queries of either: with `baseline_weight`, the sum of the weights and
        the mean of the values where a query has several rows, and the segments that the candidate has, if it has it.
        """
        columns = () if self.evaluation is None else self.evaluation.id_columns
        return self._local.relation(self._paired.by_query(id_columns=columns))

    @public()
    def described_queries(self) -> duckdb.DuckDBPyRelation:
        """The rows of `per_query` with every other column of the table `queries`, before the values.

        Raises:
            UsageError: there is no such table, or all systems are stored per-query rows.
        """
        from sqlrank.evaluation.shown_rankings import described_queries

        if self.evaluation is None:
            raise UsageError("stored per-query rows have no table of queries; compare the runs themselves")
        reading = self.evaluation._request.reading
        return described_queries(self._engine, reading, self.per_query, self.systems, MOVED)

    @public()
    def movers(self, most: int | None = None) -> duckdb.DuckDBPyRelation:
        """The queries that moved most, for each candidate and metric, the largest difference first.

        Args:
            most: how many of each; None for all that differ.

        Raises:
            UsageError: none are asked for.
        """
        if most is not None and most < 1:
            raise UsageError(f"most={most}: ask for 1 or more")
        return self._local.relation(self._paired.over("movers", most=most, apart=False, **EVERY))

    @public("metric", "system")
    def worst(self, n: int = 10, metric: str | None = None, system: str | None = None) -> duckdb.DuckDBPyRelation:
        """The queries with the largest losses of a metric, for each candidate, the largest first.

        Args:
            n: how many, of each candidate.
            metric: the text of a metric that was compared; None for the first.
            system: which candidate; None for all.

        Returns:
            System, metric, place, query_id, the segments, query (its text, if `queries` or a run has it),
            baseline_value, value and difference; with all pairs also baseline. Losses are above 0 for a metric of
            which less is better.

        Raises:
            UsageError: there is no such metric or candidate, or none are asked for.
        """
        return self._changed(n, metric, system, gains=False)

    @public("metric", "system")
    def best(self, n: int = 10, metric: str | None = None, system: str | None = None) -> duckdb.DuckDBPyRelation:
        """The queries with the largest gains of a metric, for each candidate, the largest first.

        Args:
            n: how many, of each candidate.
            metric: the text of a metric that was compared; None for the first.
            system: which candidate; None for all.

        Returns:
            The columns of `worst`.

        Raises:
            UsageError: there is no such metric or candidate, or none are asked for.
        """
        return self._changed(n, metric, system, gains=True)

    @public()
    def explain(self, query: str, system: str | None = None, rows: int = 10) -> ExplainedDifference:
        """The rankings of one query by the baseline and a candidate: what made the difference, document by document.

        Args:
            query: the id of the query.
            system: which candidate, where there are several.
            rows: documents are shown that stand in so many places of either.

        Raises:
            UsageError: a system is native rows, which have no rankings, or there are several candidates and none named.
            DataError: the query was not evaluated.
        """
        named = system or self.only_candidate()
        if self.evaluation is None or not {self.baseline, named} <= {*self.evaluation.systems}:
            raise UsageError("stored per-query rows have no rankings to explain; compare the runs themselves")
        return self.evaluation.explain(query, rows=rows, systems=(self.baseline, named))

    def extremes(self, metric: str, most: int) -> list[Row]:
        """The queries with the largest gains and losses of one metric, `most` of each kind for each candidate."""
        pairs = self.candidates_in(metric)
        return self._engine.gather([self._paired.over("movers", pairs, most=most, apart=True, **EVERY)])[0]

    def sorted_differences(self, metric: str, most: int) -> list[Row]:
        """The differences of the queries from the largest gain to the largest loss, as means of at most `most` parts.

        A row for each candidate and part: system, difference, and the shares of queries before it and up to its end.
        """
        pairs = self.candidates_in(metric)
        rows = self._engine.gather([self._paired.over("sorted", pairs, most=most)])[0]
        return [row | {"system": pairs[row["pair"] - 1].system} for row in rows]

    def candidates_in(self, metric: str) -> list[Pair]:
        """The pairs of the baseline and each candidate, in one metric."""
        return [pair for pair in self._paired.pairs if (pair.baseline, pair.metric) == (self.baseline, metric)]

    def only_candidate(self) -> str:
        """The candidate, where there is one; UsageError if there are several."""
        candidates = self.systems[1:]
        if len(candidates) > 1:
            raise UsageError(f"there are {len(candidates)} candidates; say which: system={candidates[0]!r}")
        return candidates[0]

    def _changed(self, n: int, metric: str | None, system: str | None, gains: bool) -> duckdb.DuckDBPyRelation:
        if n < 1:
            raise UsageError(f"n={n}: ask for 1 query or more")
        text = self.measures[0].text if metric is None else self.text_of(metric)
        pairs = [pair for pair in self._paired.pairs if pair.metric == text and system in (None, pair.system)]
        if not pairs:
            raise UsageError(f"there is no candidate {system!r} (the candidates are {', '.join(self.systems[1:])})")
        side = "above" if gains is not (pairs[0].measure.metric.better == "lower") else "below"
        titles = None if self.evaluation is None else self.evaluation.query_texts
        if titles is not None:
            self.notes = [note for note in self.notes if IDLE not in note]
        return self._local.relation(self._paired.over("movers", pairs, most=n, apart=False, side=side, titles=titles))
