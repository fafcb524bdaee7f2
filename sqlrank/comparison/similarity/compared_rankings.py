"""The rankings that are compared without judgments: their systems, which one is the baseline, and their checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError, nearest
from sqlrank.evaluation.ranking_checks import RankingChecks, rows_by_system
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.shared_queries import SharedQueries, check_parts
from sqlrank.inputs.check_runner import Row
from sqlrank.inputs.near_ids import MOST_IDS, Sides
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text


def systems_of(engine: Engine, inputs: Inputs) -> dict[str, int]:
    """The number of rows by system, in the order given, then by name; UsageError for one system, DataError for none."""
    label = inputs.labels["run"]
    if not inputs.relations.several:
        only = inputs.systems[0]
        raise UsageError(f"{label} is one system ({only}); give a second run to compare with, or a system column")
    found = rows_by_system(engine, inputs)
    if len(found) < 2:
        only = ", ".join(found)
        raise UsageError(f"{label}: there are fewer than two systems ({only}); give a second run to compare with")
    return found


def baseline_of(engine: Engine, inputs: Inputs, systems: list[str], asked: str | None) -> str:
    """The baseline asked for, or the first run; UsageError if there is no such system, or that run holds several."""
    listed = ", ".join(systems)
    chosen = asked if asked is not None else first_system(engine, inputs)
    if chosen is None:
        raise UsageError(
            f"{inputs.labels['run']} holds several systems: name one with {spelt('baseline')} (one of {listed})"
        )
    if chosen not in systems:
        raise UsageError(
            f"{spelt('baseline', chosen)}: there is no such system{nearest(chosen, systems)} (one of {listed})"
        )
    return chosen


def first_system(engine: Engine, inputs: Inputs) -> str | None:
    """The system of the first run; None where it holds several."""
    first = inputs.first_run
    if first.column is None:
        return first.name
    named = {"relation": first.table.reader, "column": first.column}
    found = [row[0] for row in engine.execute(render("sources/systems.sql", engine.dialect, **named))]
    return str(found[0]) if len(found) == 1 else None


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
            else:
                (ours, _), (others, called) = self.sides({"system": system})
                most = MOST_IDS if self.runner.rows_read["run"] > MOST_IDS else None
                self.runner.near("doc_id", "document", others, ours, kind="run", called=called, scoped=True, most=most)
        self.described(per_query)
        self.weights(per_query)
