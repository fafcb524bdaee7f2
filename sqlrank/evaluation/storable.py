"""Per-query rows of an evaluation as they are stored: in a file, with what they mean, or in a store of many days."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from datetime import date
from os import PathLike, fspath
from typing import Any, Self

import duckdb
from markupsafe import Markup

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError, shortened
from sqlrank.evaluation.behaviour_labels import Behaviours, check_day
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.inputs.reading import check_output_names
from sqlrank.metrics.measure import Measure, of_queries
from sqlrank.options.kinds import FLAG, PATH
from sqlrank.options.values import day
from sqlrank.version import __version__


class StorableResult(MetricResult):
    """A result whose per-query rows can be stored."""

    labelled: bool
    unjudged: bool
    behaviours: Behaviours = ()
    """Where the judgments come from, of those that come from behaviour."""

    @property
    @abstractmethod
    def tells_judged(self) -> bool:
        """Whether the share that was judged says more than the share that is relevant."""

    @abstractmethod
    def judgments(self) -> str:
        """A fingerprint of the judgments."""

    @property
    @abstractmethod
    def upper_table(self) -> Markup:
        """The per-query rows of the upper bounds, where they were asked for."""

    @abstractmethod
    def further(self, metrics: Iterable[str]) -> Self:
        """The result of other metrics over the same inputs and conventions, in total, which is closed on its own."""

    @property
    def stored_rows(self) -> duckdb.DuckDBPyRelation:
        """The per-query rows with the length of each ranking, by which a later comparison knows who has results."""
        from sqlrank.evaluation.shared_queries import RETRIEVED

        return self._local.relation(self._per_query_sql(RETRIEVED))

    @public("as_of", place=PATH, replace=FLAG)
    def store(self, place: str | PathLike[str], *, as_of: str | date, replace: bool = False) -> list[str]:
        """Add the per-query rows to a store, which holds those of many days and systems.

        Where the judgments are apart from the run, and no tool is followed, `judged@k` is stored with the metrics,
        to the largest of their cutoffs.

        Args:
            place: a folder, made if it is missing, a URL of one, or a DuckDB file `NAME.duckdb`.
            as_of: the day that the rows stand for, such as `2026-11-10`.
            replace: whether they take the place of rows of the same day and system; without, those are an error.

        Returns:
            What was stored, a line for each system.

        Raises:
            UsageError: Spark evaluated, the place can hold no store, or the day is one of the clicks that judge it.
            DataError: the store holds rows of a system and day already, or such as were measured in another way.
            ResourceError: the place cannot be written; it is then as it was.
        """
        from sqlrank.evaluation.store.folders import place_to_write
        from sqlrank.evaluation.store.meaning import DAY, NewRows

        self._check_storable()
        check_output_names([*self.by, *filter(None, [self.cluster])], (DAY,))
        check_day(day(as_of), "as_of", self.behaviours, self._request.reading.same_days)
        found, of_day, local = place_to_write(fspath(place)), day(as_of).isoformat(), self._local
        pool = self._pool_beside()
        self._stage(of_day, pool)
        told = metadata_of(self, True, pool, self._request.bounded) | {DAY: of_day}
        with closing(DuckDBEngine()) as engine:
            replaced = found.add(engine, NewRows(local.staged, of_day, tuple(self.systems), told), replace)
        counted = self._render("sources/systems.sql", local.dialect, relation=self.per_query_table, column="system")
        return [
            f"{'replaced' if system in replaced else 'stored'} {in_words(queries)} of {shortened(system)} for {of_day}"
            f" in {found.label}"
            for system, queries in local.execute(counted)
        ]

    def _check_storable(self) -> None:
        """Raise UsageError without per-query rows in DuckDB."""
        if self._engine is not self._local:
            raise UsageError("a store is written by DuckDB: evaluate there, with engine=None")
        if not of_queries(self.measures):
            raise UsageError("there are no per-query rows to store: all metrics are of whole systems")

    def _pool_beside(self) -> Measure | None:
        """The share that was judged, where the judgments are apart from the run and it is not among the metrics."""
        from sqlrank.evaluation.judged_share import pool_measure

        if self.labelled or self.unjudged or self.language.preset:
            return None
        pool = pool_measure(of_queries(self.measures))
        return None if pool is None or pool.text in {measure.text for measure in self.measures} else pool

    def _stage(self, of_day: str, pool: Measure | None) -> None:
        """Write the rows of all systems to a file of our own, with the share that was judged, and the upper bounds."""
        upper = self.upper_table if self._request.bounded else None
        bounds = bound_columns(self._request.bounded)
        with ExitStack() as stack:
            beside = None
            if pool is not None:
                judged = stack.enter_context(self.further([pool.text]))
                beside = {"column": pool.column, "per_query": judged.per_query_table}
            sql = self._render(
                "store/rows.sql", day=of_day, pool=beside, bounds=bounds, upper=upper, segments=self._relations.carried
            )
            self.copy(sql, self._local.staged, {})


def bound_columns(measures: Sequence[Measure]) -> dict[str, str]:
    """What the column of the upper bound is called, next to each column of values."""
    return {measure.column: f"{measure.column}_bound_high" for measure in measures}


def metadata_of(
    result: MetricResult, per_query: bool, pool: Measure | None = None, bounded: Sequence[Measure] = ()
) -> dict[str, str]:
    """The metadata of a Parquet file of results: of the summary, or of the per-query rows with what is with them."""
    found = {"sqlrank": __version__, "conventions": json.dumps(result.conventions.to_dict())}
    if per_query and isinstance(result, StorableResult):
        from sqlrank.evaluation.store.meaning import PER_QUERY

        measures = [*result.measures, *filter(None, [pool])]
        contents: dict[str, Any] = {
            "metrics": {measure.text: measure.column for measure in measures if measure.metric.grain == "query"},
            "ids": [column.name for column in result.id_columns],
            "by": (*result.by, *filter(None, [result.cluster])),
            "weight": result.weight_column,
            "where": result.where,
            "own_sql": result.own_sql,
            "judgments": result.judgments(),
            "pool": None if pool is None else pool.text,
            "tells_judged": result.tells_judged,
            "bounds": {measure.text: bound_columns(bounded)[measure.column] for measure in bounded},
        }
        if result.behaviours:
            contents["behaviours"] = [one.to_dict() for one in result.behaviours]
        found |= {"rows": PER_QUERY, "contents": json.dumps(contents)}
    return found


def in_words(queries: int) -> str:
    """How many queries there are."""
    return "1 query" if queries == 1 else f"{queries} queries"
