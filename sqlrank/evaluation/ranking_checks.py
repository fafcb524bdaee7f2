"""The checks of runs, whatever they are evaluated or compared for, and the systems that they hold."""

from __future__ import annotations

from typing import Any

from sqlrank.engines.protocol import Engine, count_rows
from sqlrank.errors import DataError, counted
from sqlrank.evaluation.request import Request
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.columns import inputs_of
from sqlrank.statement.templates import render

MOST_RANKED = 50_000
"""How many rows are looked at for ranks that contradict the scores: they do so in most rankings or in none."""


class RankingChecks:
    """The checks of runs, whatever they are evaluated or compared for."""

    def __init__(self, engine: Engine, inputs: Inputs, request: Request) -> None:
        self.engine, self.inputs, self.request = engine, inputs, request
        self.relations, self.conventions = inputs.relations, request.conventions
        self.measures, self.reading = request.measures, request.reading
        self.subtopics = "subtopic" in inputs_of(self.measures)
        context = {
            "run": self.relations.run.relation,
            "judged": self.relations.judged,
            "asked": self.relations.queries.relation,
            "unfiltered": inputs.unfiltered,
            "several": self.relations.several,
            "subtopics": self.subtopics,
        }
        main = "queries" if self.relations.queries else "run"
        self.runner = CheckRunner(engine, inputs, context, main, compared=not self.relations.labelled)
        self.find = self.runner.find
        self.looked_at_all = False

    def scan(self, kind: str) -> None:
        """Check the conditions on the rows of one input, where there is such an input."""
        relation = getattr(self.relations, kind).relation
        if relation is not None:
            also = "qrels" if self.relations.labelled and kind == "run" else None
            self.runner.scan(kind, relation, self.variables(kind), also)

    def variables(self, kind: str) -> dict[str, Any]:
        """What the conditions on the rows of one input may need."""
        relation = getattr(self.relations, kind)
        return {
            "documents": kind != "queries",
            "queries": kind != "items",
            "weight": relation.weight,
            "top_relevance": self.conventions.top_relevance,
            "subtopic": self.subtopics or None,
            "systems": (self.relations.several and self.inputs.by_column) or None,
            **{role: role in inputs_of(self.measures) or None for role in ("length", "vector", "item_weight")},
            "ends": relation.low,
            "mapped": bool(self.reading.relevance_map),
            "labelled": self.relations.labelled or None,
            "given_ranks": self.conventions.order == "rank" or None,
            "number_ids": self.conventions.ties == "number-desc" or None,
            "single": self.conventions.score_type == "float" or None,
            "in_lists": any(table.unlisted for table in self.tables(kind)) or None,
            "from_text": self.from_text(kind) or None,
            "marked": (relation.stated_doc_id or "doc_id") if self.engine.narrows and self.copied(kind) else None,
        }

    def tables(self, kind: str) -> list[Table]:
        """The tables of an input."""
        one = self.inputs.tables.get(kind)
        several = {"run": self.inputs.runs, "qrels": self.inputs.judgments}
        return several.get(kind, [] if one is None else [one])

    def from_text(self, kind: str) -> bool:
        """Whether an input is of text files, where a separator may bring spaces with it."""
        return kind in ("run", "qrels") and any(table.text for table in self.tables(kind))

    def rows_of_lists(self) -> None:
        """Check that no ranking stands in two rows where the order in a list is the rank."""
        placed = [table.in_order for table in self.inputs.runs]
        if any(placed):
            among = None if all(placed) or self.inputs.by_column else self.inputs.lists_in_order
            self.find("query_in_rows", relation=self.relations.run.relation, among=among)
        if any(table.in_order for table in self.tables("baseline")):
            relation = self.relations.baseline.relation
            self.find("query_in_rows", "baseline", relation=relation, among=None, several=False)

    def copied(self, kind: str) -> bool:
        """Whether an input is looked through for documents that appear twice."""
        return kind == "run" and self.conventions.copies == "error" and not self.distinct(kind)

    def distinct(self, kind: str) -> bool:
        """Whether no document of an input can stand in a query twice."""
        return all(table.distinct for table in self.tables(kind))

    def queries(self) -> None:
        """Check the table of queries."""
        if self.relations.queries:
            self.scan("queries")
            self.find("queries_duplicates")

    def described(self, per_query: Any) -> None:
        """Check that the table of queries has the queries that are evaluated: an error where it has none of them."""
        if not self.relations.queries:
            return
        asked, evaluated = self.relations.queries.relation, per_query
        sides = ((asked, "the table of queries"), (evaluated, "the queries evaluated"))
        self.find("no_query_described", per_query=per_query, sides=lambda _: sides)
        self.find("queries_not_described", per_query=per_query)
        self.runner.near("query_id", "evaluated query", asked, evaluated, kind="queries", called="the table of queries")

    def ranks(self) -> None:
        """Check whether ranks leave places open, and whether ranks that break ties are those of the scores."""
        ascending, breaking_ties = self.conventions.order == "asc", self.conventions.ties == "rank"
        if breaking_ties and not self.relations.by_rank:
            self.find("rank_disagrees", ascending=ascending)
        elif self.relations.by_rank and self.conventions.order != "rank":
            self.find("ranks_begin_late")
        elif self.inputs.unused_ranks:
            self.find("rank_contradicts", ascending=ascending, most=MOST_RANKED)
            self.find("rank_no_number", most=MOST_RANKED)

    def duplicates(self, documents: Any = None, length: int = 0) -> None:
        """Raise DataError if one of the documents that can change a number (None for all) stands in a ranking twice.

        All are looked at once, whatever part of the queries is evaluated. `length` is how many documents the ranking of
        one has on average, 0 where nobody counted them.
        """
        if not self.copied("run") or self.looked_at_all:
            return
        self.looked_at_all = documents is None
        relation, several = self.relations.run.relation if documents is None else documents, self.relations.several
        self.runner.find_copies("run_duplicates", "run", relation, self.variables("run"), several, length=length)

    def segments(self, kind: str) -> None:
        """Check that each segment and the weight is the same in every row of a query."""
        source, run = getattr(self.relations, kind), self.relations.run
        if not source:
            return
        columns = [extra.name for extra in source.extra] + ([source.weight] if source.weight else [])
        for column in columns:
            self.find("segment_varies", kind, relation=source.relation, column=column, number=column == source.weight)
        if kind == "qrels":
            for column in (extra.name for extra in source.extra if extra.found):
                self.find("segment_disagrees", column=column, number=None)
            if source.weight and run.weight:
                self.find("segment_disagrees", column=source.weight, number=True)

    def weights(self, per_query: Any) -> None:
        """Check that every query has a weight."""
        if self.relations.weighted:
            self.find("weight_missing", per_query=per_query, weight=self.reading.weight)


def rows_by_system(engine: Engine, inputs: Inputs) -> dict[str, int]:
    """The number of rows by system, in the order given, then by name; DataError for a row or a system without."""
    names, label, relation = inputs.systems, inputs.labels["run"], inputs.relations.run.relation
    assert relation is not None  # noqa: S101 there is a run
    if not inputs.relations.several:
        return {names[0]: count_rows(engine, relation)}
    rows = engine.execute(render("sources/systems.sql", engine.dialect, relation=relation, column="system"))
    found, after = dict(rows), f" after {spelt('where')}" if inputs.where else ""
    if None in found:
        raise DataError(
            f"{label}: {counted(found[None], 'row', 'has', 'have')} no system; name the system in every row"
        )
    for name in names:
        if name not in found:
            raise DataError(f"{name}: the system has no rows{after}")
    if not found:
        raise DataError(f"{label}: there are no rows{after}")
    return {name: int(found[name]) for name in dict.fromkeys([*names, *found])}
