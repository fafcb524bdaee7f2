"""One query of an evaluation: its values, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, overload

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Rows
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.evaluation.extreme_queries import ExtremeQueries
from sqlrank.evaluation.metric_result import dicts
from sqlrank.metrics.measure import Measure, of_queries
from sqlrank.options.kinds import Kind
from sqlrank.options.values import texts
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.evaluation.explanation import BothValues, ExplainedDifference, Explanation
    from sqlrank.evaluation.explored import Explored
    from sqlrank.evaluation.shown_rankings import ShownRankings

TWO_NAMES = Kind("the names of two systems", lambda value: list(texts(value)))


class ExplainedResult(ExtremeQueries):
    """A result whose queries are looked at one by one."""

    _explained = 0
    """How many tables of explanations there are: a relation reads its own."""

    @overload
    def explain(self, query: str, system: str | None = None, rows: int = 10) -> Explanation: ...

    @overload
    def explain(self, query: str, *, rows: int = 10, systems: Sequence[str]) -> ExplainedDifference: ...

    @public(systems=TWO_NAMES)
    def explain(
        self, query: str, system: str | None = None, rows: int = 10, systems: Sequence[str] | None = None
    ) -> Explanation | ExplainedDifference:
        """One ranking next to the ideal one, or two rankings side by side: where to look when a value surprises.

        Args:
            query: the id of the query.
            system: which system, where there are several.
            rows: how many places; of two rankings, documents that stand in so many places of either.
            systems: two systems in place of one, the baseline first.

        Returns:
        A relation. For one system, a row for each place: rank, doc_id, title (where a table has titles), score,
            relevance, gain, discount, contribution (their product), hits so far, and ideal_doc_id, ideal_title,
            ideal_relevance, ideal_gain, ideal_contribution of the best ranking. Gain, discount and ideal are those of
            the first metric that has them.

            For two, a row for each document, those that stand highest in either ranking first: baseline_rank, rank,
            moved (up, down, same, new or gone), doc_id, title, relevance, gain, baseline_score, score,
            baseline_contribution and contribution (its part of the value of each system), difference (of these two),
            documents (1). All others are one last row. The differences add up to that of the first metric that is a sum
            over documents.

        Raises:
            UsageError: there are several systems and none was named, one is not known, or no place is to be shown.
            DataError: the query was not evaluated.
        """
        if self.unjudged:
            raise UsageError(f"explain shows what each document is worth; give the judgments with {spelt('qrels')}")
        if not isinstance(self._engine, DuckDBEngine):
            raise UsageError("explain runs in DuckDB; give it the rows of this query there, with engine=None")
        if rows < 1:
            raise UsageError("an explanation has at least one row")
        if systems is not None:
            if system is not None:
                raise UsageError("name one system, or two with systems=, not both")
            return self._explain_two(self._engine, query, self._two_of(systems), rows)
        if system is None and len(self.systems) > 1:
            first, second, *_ = self.systems
            raise UsageError(
                f"there are {len(self.systems)} systems; say which: system={first!r}, or both of"
                f" systems=({first!r}, {second!r})"
            )
        from sqlrank.evaluation.explanation import Explanation
        from sqlrank.statement.render import explanation

        named = self._known(system or self.systems[0])
        values = self.of_query(query, named)
        made = explanation(self._engine.dialect, self._relations, self.measures, self.conventions, query, named, rows)
        notes: list[str] = []
        made = self._with_titles(self._engine, made, notes)
        text = self._text_of_query(self._engine, query, notes)
        return Explanation(self._local.relation(made), query, text, self.grades, named, values, notes)

    def of_query(self, query: str, system: str) -> dict[str, float | None]:
        """The values of one query by metric.

        Raises:
            DataError: the query was not evaluated.
        """
        rows = list(dicts(self._by_query(query, system)))
        if not rows:
            known = [row["query_id"] for row in dicts(self._by_query())]
            hint = nearest(query, known) or f" (such as {next(iter(known), None)!r})"
            raise DataError(f"the query {query!r} of {system} was not evaluated{hint}")
        return {measure.text: rows[0][measure.column] for measure in of_queries(self.measures)}

    def by_query(self) -> Iterator[tuple[str, float, dict[str, float | None]]]:
        """Each query of a single system, by the bytes of its id: documents returned, and values by column."""
        for row in dicts(self._by_query()):
            yield row["query_id"], row["sqlrank_retrieved"], row

    def shown_rankings(self, queries: Sequence[str]) -> ShownRankings:
        """The rankings of a few queries, to be read place by place; UsageError if Spark evaluated."""
        if not isinstance(self._engine, DuckDBEngine):
            raise UsageError("rankings are shown from DuckDB: give it the rows there, with engine=None")
        from sqlrank.evaluation.shown_rankings import ShownRankings

        return ShownRankings(self._engine, self._relations, self._request, queries, self._inputs.runs)

    def explored(self, measures: Sequence[Measure], systems: Sequence[str], rows: int) -> Explored:
        """All queries with the rankings of some systems, to be read at once; UsageError if Spark evaluated."""
        if not isinstance(self._engine, DuckDBEngine):
            raise UsageError("rankings are shown from DuckDB: give it the rows there, with engine=None")
        from sqlrank.evaluation.explored import Explored

        asked = (self.per_query_table, systems, of_queries(measures), rows)
        return Explored(self._engine, self._relations, self._request, *asked, self._inputs.runs)

    def _explain_two(
        self, engine: DuckDBEngine, query: str, systems: tuple[str, str], rows: int
    ) -> ExplainedDifference:
        from sqlrank.evaluation.explanation import BothValues, ExplainedDifference, check_sums
        from sqlrank.evaluation.shown_rankings import sought_titles
        from sqlrank.statement.two_rankings import two_rankings

        before, after = (self.of_query(query, system) for system in systems)
        values = {text: BothValues(before[text], after[text]) for text in before}
        measures = of_queries(self.measures)
        measure = next((each for each in measures if no_parts(each, values) is None), None)
        self._explained += 1
        name = engine.name(f"explained_{self._explained}")
        engine.keep(name, two_rankings(engine.dialect, self._relations, measure, self.conventions, query, systems))
        context = {"documents": sql_text(engine.dialect.ident(name)), "rows": rows, "titles": None}
        moves = engine.gather([render("explain/moves.sql", engine.dialect, **context)])[0]
        if measure is not None:
            check_sums(measure, values[measure.text], moves, self.conventions.empty)
        notes = which_metric(measures, measure, values)
        titles = sought_titles(engine, self._request.reading, "items", notes, self._inputs.runs)
        if titles is not None:
            named = engine.name(f"titles_{self._explained}")
            engine.keep(named, titles.statement(engine, among=context["documents"], key=sql_text("doc_id")))
            context["titles"] = sql_text(engine.dialect.ident(named))
        return ExplainedDifference(
            engine.relation(render("explain/shown.sql", engine.dialect, **context)),
            query,
            self._text_of_query(engine, query, notes),
            self.grades,
            systems,
            None if measure is None else measure.text,
            values,
            moves,
            notes,
        )

    def _with_titles(self, engine: DuckDBEngine, places: str, notes: list[str]) -> str:
        """The statement of the places of a ranking, with the titles of its documents where a table has them."""
        from sqlrank.evaluation.shown_rankings import sought_titles

        known = sought_titles(engine, self._request.reading, "items", notes, self._inputs.runs)
        if known is None:
            return places
        self._explained += 1
        kept, named = (engine.name(f"{base}_{self._explained}") for base in ("explained", "titles"))
        tables = {base: sql_text(engine.dialect.ident(name)) for base, name in (("places", kept), ("titles", named))}
        engine.keep(kept, places)
        both = sql_text("unnest([doc_id, ideal_doc_id])")
        engine.keep(named, known.statement(engine, among=tables["places"], key=both))
        return render("explain/titled.sql", engine.dialect, **tables)

    def _text_of_query(self, engine: DuckDBEngine, query: str, notes: list[str]) -> str | None:
        from sqlrank.evaluation.shown_rankings import sought_titles

        known = sought_titles(engine, self._request.reading, "queries", notes, self._inputs.runs)
        found = [] if known is None else engine.gather([known.statement(engine, ids=[query])])[0]
        return next((row["title"] for row in found if row["title"]), None)

    def _known(self, system: str) -> str:
        if system not in self.systems:
            known = ", ".join(self.systems)
            raise UsageError(f"there is no system {system!r}{nearest(system, self.systems)} (the systems are {known})")
        return system

    def _two_of(self, systems: Sequence[str]) -> tuple[str, str]:
        if len(systems) != 2 or systems[0] == systems[1]:
            raise UsageError(f"two different systems are shown side by side, not {', '.join(systems) or 'none'}")
        return self._known(systems[0]), self._known(systems[1])

    def _by_query(self, query: str | None = None, system: str | None = None) -> Rows:
        return self._engine.rows(self._render("sources/by_query.sql", query=query, shown_system=system))


def no_parts(measure: Measure, values: Mapping[str, BothValues]) -> str | None:
    """Why documents add nothing to the difference of a metric; None if they do."""
    if measure.metric.parts is None:
        return "is not split by document"
    return "has no value there for both systems" if values[measure.text].difference is None else None


def which_metric(measures: Sequence[Measure], measure: Measure | None, values: Mapping[str, BothValues]) -> list[str]:
    """What is to be said of the metric whose parts are shown, where it is not the first one."""
    if measure is None:
        lacking: dict[str | None, list[str]] = {}
        for each in measures:
            lacking.setdefault(no_parts(each, values), []).append(each.text)
        said = "; ".join(f"{', '.join(texts)} {why}" for why, texts in lacking.items())
        return [
            f"no parts are shown: {said or 'there is no metric of queries'}; add a metric that is split by document,"
            f" such as {spelt('metrics', 'ndcg@10')}"
        ]
    if measure is not measures[0]:
        return [f"the parts are those of {measure.text}: {measures[0].text} {no_parts(measures[0], values)}"]
    return []
