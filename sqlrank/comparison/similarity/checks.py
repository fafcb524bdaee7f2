"""The checks of rankings that are compared without judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.engines.protocol import Engine
from sqlrank.evaluation.ranking_checks import RankingChecks
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.shared_queries import SharedQueries, check_parts
from sqlrank.inputs.check_runner import Row
from sqlrank.inputs.near_ids import Sides
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.statement.templates import render, sql_text


class SimilarityChecks(RankingChecks):
    """The checks of rankings that are compared with those of a baseline, without judgments."""

    def __init__(self, engine: Engine, inputs: Inputs, request: Request, baseline: str) -> None:
        super().__init__(engine, inputs, request)
        self.baseline = baseline

    def before(self) -> None:
        """Check the rows of the inputs; DataError for the first finding."""
        self.scan("run")
        self.rows_of_lists()
        self.queries()
        self.find("no_query_in_both", baseline=self.baseline, sides=self.sides)
        self.segments("run")
        self.ranks()

    def sides(self, row: Row) -> Sides:
        """The rows of the system that a check found, and those of the baseline."""
        left, right = [
            (
                sql_text(
                    render("sources/of_system.sql", self.engine.dialect, run=self.relations.run.relation, system=name)
                ),
                name,
            )
            for name in (str(row["system"]), self.baseline)
        ]
        return left, right

    def after(self, per_query: Any, shared: Mapping[str, float], queries: Sequence[SharedQueries]) -> None:
        """Check the per-query rows; `shared` counts by system the documents that it shares with the baseline."""
        if self.inputs.named_by_path:
            check_parts(queries)
        for system, documents in shared.items():
            if documents == 0:
                self.find("no_document_in_both", system=system, baseline=self.baseline, sides=self.sides)
        self.weights(per_query)
