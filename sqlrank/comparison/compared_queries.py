"""The queries of a comparison: both values of each, which moved most, and why."""

from __future__ import annotations

import duckdb

from sqlrank.arguments import public
from sqlrank.comparison.notes import Row
from sqlrank.comparison.paired import Pair, Paired
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.evaluation.explanation import ExplainedDifference
from sqlrank.evaluation.result import Result


class ComparedQueries(OpenResult):
    """A comparison whose queries are looked at one by one."""

    evaluation: Result | None
    _paired: Paired
    baseline: str
    systems: list[str]

    @property
    def per_query(self) -> duckdb.DuckDBPyRelation:
        """Both values of every query: system, baseline, metric, query_id, segments, weight, values and difference.

        Of systems over queries of their own, the queries of either: with `baseline_weight`, the sum of the weights and
        the mean of the values where a query has several rows, and the segments that the candidate has, if it has it.
        """
        columns = () if self.evaluation is None else self.evaluation.id_columns
        return self._local.relation(self._paired.by_query(id_columns=columns))

    @public()
    def movers(self, most: int | None = None) -> duckdb.DuckDBPyRelation:
        """The queries that moved most, for each candidate and metric, the largest difference first.

        Args:
            most: how many of each; None for all that differ.

        Raises:
            UsageError: none are asked for.
        """
        if most is not None and most < 1:
            raise UsageError(f"--movers {most}: ask for 1 or more")
        return self._local.relation(self._paired.over("movers", most=most, apart=False))

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
        return self._engine.gather([self._paired.over("movers", self.candidates_in(metric), most=most, apart=True)])[0]

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
