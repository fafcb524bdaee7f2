"""What an evaluation gives: the per-query table, the summary over it, and what was noticed on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import duckdb

from sqlrank.builder import Inputs
from sqlrank.dialects import Dialect
from sqlrank.engines.protocol import Engine, Rows
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.intervals import critical_value
from sqlrank.measures import of_queries
from sqlrank.metrics import columns_of, single_measure
from sqlrank.rank_plans import RankPlan
from sqlrank.settled import Settled
from sqlrank.statements import explanation, summary
from sqlrank.summaries import QueryCounts as QueryCounts
from sqlrank.summaries import add_counts, in_order, load_rows, long_rows
from sqlrank.templates import render, sql_text


class Result:
    """One evaluation: values, per-query rows, and the statement that made them.

    It holds a database connection; use it as a context manager, or call `close()`, when it is not to live as long as
    the program. The relations are read from tables, so reading them twice computes nothing twice.
    """

    def __init__(
        self, engine: Engine, settled: Settled, inputs: Inputs, statements: Callable[[RankPlan], list[str]]
    ) -> None:
        context = inputs.context
        self.measures, self.conventions, self.notes = settled.measures, settled.conventions, list(inputs.notes)
        self.language = settled.language
        """What texts of metrics mean here."""
        self.plan = RankPlan("none", "nothing was ranked")
        """How the documents were ranked, and why so: `name` and `reason`."""
        self._statements, self._inputs = statements, inputs
        self.by: tuple[str, ...] = tuple(segment["alias"] for segment in context["segments"])
        self.weight: bool = context["weighted"]
        self.weight_column = settled.reading.weight
        """The column of the weights."""
        self.where: str | None = context["filter"]
        """The condition that rows of the run had to meet."""
        self.by_column: bool = context["by_column"]
        """Whether a column of a run names its systems."""
        self.labelled: bool = context["labelled"]
        """Whether the judgments are those of the export itself."""
        self.counts: dict[str, QueryCounts] = {}
        """Counts of queries by system."""
        self.judged_documents: dict[str, float] = {}
        self.run_id = context["system"] or ""
        """What the run calls itself: the tag of a TREC file, else the name of the system."""
        self._engine, self._context = engine, context
        self._local = engine.local
        self.per_query_table = sql_text(engine.dialect.ident(engine.name("per_query")))

    @cached_property
    def sql(self) -> str:
        """The statement that ran, over the relations that `sources` make."""
        return ";\n\n".join(self._statements(self.plan))

    @property
    def sources(self) -> list[str]:
        """The statements that make the relations it reads: the inputs, and the tables of the plan."""
        return [*self._inputs.sources, *self.plan.statements]

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in order."""
        return list(self.counts)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """System, segments, is_total (with segments), metric, value, queries, stderr, ci_low, ci_high."""
        return self._local.relation(self._rows_sql())

    @property
    def per_query(self) -> Any:
        """One row per system and query: system, query_id, the segments, the weight, then one column per metric.

        A relation of DuckDB, or a data frame of Spark where Spark evaluated.
        """
        return self._engine.relation(self._per_query_sql())

    @property
    def per_query_rows(self) -> Rows:
        """The same to be read row by row."""
        return self._engine.rows(self._per_query_sql())

    def save_per_query(self, kind: str, path: str) -> bool:
        """Let the engine write the per-query rows, if it does so by itself."""
        return self._engine.save(self._per_query_sql(), kind, path)

    def value(self, metric: str, system: str | None = None, **segment: str | None) -> float | None:
        """The value of one metric over all queries, or over those of a segment.

        Args:
            metric: the text of a metric of this evaluation.
            system: which system, where there are several.
            segment: a value for every segment column; none for the total.

        Raises:
            UsageError: there is no such row, or more than one.
        """
        texts = [known.text for known in self.measures]
        text = metric if metric in texts else single_measure(metric, self.language).text
        if text not in texts:
            raise UsageError(f"{text} was not evaluated; the metrics are {', '.join(texts)}")
        if system is None and len(self.systems) > 1:
            raise UsageError(
                f"there are {len(self.systems)} systems; say which: result.value({text!r}, system={self.systems[0]!r})"
            )
        if segment and set(segment) != set(self.by):
            raise UsageError(f"the segments are {', '.join(self.by) or 'none'}; give a value for each, or for none")
        rows = self._local.rows(self._rows_sql([text], totals=bool(self.by) and not segment))
        for row in list(dicts(rows)):
            same = row["metric"] == text and system in (None, row["system"])
            same = same and (not self.by or row["is_total"] is not bool(segment))
            if same and all(row[name] == wanted for name, wanted in segment.items()):
                return None if row["value"] is None else float(row["value"])
        raise UsageError(f"there is no row for {text}, system {system!r} and {segment}")

    def __getitem__(self, metric: str) -> float | None:
        return self.value(metric)

    def to_dict(self) -> dict[str, Any]:
        """Values by query and metric, in the shape of pytrec_eval; with several systems, by system first."""
        found: dict[str, dict[str, dict[str, float | None]]] = {system: {} for system in self.systems}
        columns = {measure.text: measure.column for measure in self.measures if measure.metric.grain == "query"}
        for row in dicts(self.per_query_rows):
            found[row["system"]][row["query_id"]] = {text: row[column] for text, column in columns.items()}
        return found if len(found) > 1 else next(iter(found.values()), {})

    def explain(self, query: str, system: str | None = None, rows: int = 10) -> duckdb.DuckDBPyRelation:
        """One ranking beside the best one possible: what people look at when numbers disagree.

        Args:
            query: the id of the query.
            system: which system, where there are several.
            rows: how many places.

        Returns:
            A row for each place: rank, doc_id, score, relevance, gain, discount, contribution (their product), hits
            so far, and ideal_doc_id, ideal_relevance, ideal_gain, ideal_contribution of the best ranking. Gain,
            discount and ideal are those of the first metric that has them.

        Raises:
            UsageError: there are several systems and none was named, it is not known, or no place is to be shown.
            DataError: the query was not evaluated.
        """
        if self._engine is not self._local:
            raise UsageError("explain runs in DuckDB; give it the rows of this query there, with engine=None")
        if system is None and len(self.systems) > 1:
            raise UsageError(f"there are {len(self.systems)} systems; say which: system={self.systems[0]!r}")
        if rows < 1:
            raise UsageError("an explanation has at least one row")
        named = system or self.systems[0]
        if named not in self.systems:
            known = ", ".join(self.systems)
            raise UsageError(f"there is no system {named!r}{nearest(named, self.systems)} (the systems are {known})")
        self.of_query(query, named)
        return self._local.relation(
            explanation(self._engine.dialect, self._context, self.measures, self.conventions, query, named, rows)
        )

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

    def copy(self, sql: str, path: str, metadata: dict[str, str]) -> None:
        """Write the rows of a statement as Parquet, with metadata by key."""
        context = {"statement": sql_text(sql), "path": path, "metadata": metadata}
        self._local.execute(render("sources/copy.sql", self._local.dialect, **context))

    def judgments(self) -> str:
        """A fingerprint of the judgments: how many there are, and a hash that their order does not change."""
        judged = self._context["run" if self.labelled else "qrels"]
        sql = render("sources/judged_pool.sql", self._local.dialect, judged=judged, labelled=self.labelled)
        judged_documents, number = self._local.execute(sql)[0]
        return f"{judged_documents} {int(number):032x}"

    def remarks(self) -> list[str]:
        """What is printed beside the numbers: conventions, and how many queries were what."""
        preset = self.language.preset
        lines = [] if preset is None else [f"like {preset.title}: {preset.sets}"]
        lines.append(self.conventions.describe())
        for system, found in self.counts.items():
            name = f"{system}: " if len(self.counts) > 1 else ""
            text = f"{name}{found.judged} judged queries, {found.missing} without results"
            text += f", {found.no_relevant} with nothing relevant, {found.tied} that depend on ties"
            text += f" ({found.tied_documents} relevant documents)" if found.tied else ""
            lines.append(text + (f"; {found.unjudged} more with results and no judgment" if found.unjudged else ""))
        if self.where is not None:
            lines.append(f"only rows where {self.where}")
        if self.labelled:
            lines.append("judgments are the labels of the export: nobody judged what nobody showed")
        weighted = ", weighted" if self.weight else ""
        return [*lines, f"± half of the 95 % interval of the mean{weighted} (Student's t)"]

    def close(self) -> None:
        """Close the connection, or drop what was made on the one that was passed."""
        self._engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "\n".join([str(self.rows), *self.remarks()[:-1], *self.notes])

    def add(self, ranking: RankPlan, statement: str) -> None:
        """Run the statement that gives the per-query rows, or those of one part of the queries.

        Args:
            ranking: how it ranks, for which part.
            statement: the statement.
        """
        if ranking.part["part"] == 0:
            self.plan = ranking
        self._create("per_query", statement, "created" if ranking.part["part"] == 0 else "inserted")

    def finish(self, overall: str | None) -> None:
        """Compute the counts and the summary.

        Args:
            overall: the statement that gives the metrics of whole systems, if any was asked for.

        Raises:
            DataError: a system has no rows.
        """
        self.has_overall = overall is not None
        engine, context, local = self._engine, self._context, self._local
        measures = columns_of(self.measures)
        summarised = summary(engine.dialect, measures, context, self.per_query_table, wide=engine.together)
        tables = {"summary": summarised}
        tables |= {} if overall is None else {"overall": overall}
        counts = self._count_statements(1 if context["several"] else self.plan.part["parts"])
        if engine.together:
            counted, *found = engine.gather([*counts, *tables.values()])
            add_counts(self.counts, self.judged_documents, counted)
            found[0] = [row for rows in found[0] for row in long_rows(rows, self.by, measures)]
            for base, rows in zip(tables, found, strict=True):
                load_rows(local, base, rows, self.by)
        else:
            for sql in counts:
                add_counts(self.counts, self.judged_documents, engine.gather([sql])[0])
            for base, text in tables.items():
                self._create(base, text)
        self.counts = in_order(self.counts, context["systems"])
        absent = [name for name in context["systems"] if name not in self.counts]
        if absent:
            raise DataError(f"{absent[0]}: the system has no rows")
        sizes = [row[0] for row in local.execute(self._render("sources/sizes.sql", local.dialect))]
        critical = render("sources/critical.sql", local.dialect, name=local.name("critical"))
        local.make("table", local.name("critical"), critical, [sizes, [critical_value(size - 1) for size in sizes]])

    def _count_statements(self, parts: int) -> list[str]:
        run = self._context["run"]["relation"]
        judged = run if self._context["labelled"] else self._context["qrels"]["relation"]
        relations = {"run": run, "judged": judged, "parts": parts}
        relations["alone"] = self._context["labelled"] and not self._context["several"]
        return [self._render("sources/counts.sql", **relations, part=part) for part in range(parts)]

    def _by_query(self, query: str | None = None, system: str | None = None) -> Rows:
        return self._engine.rows(self._render("sources/by_query.sql", query=query, shown_system=system))

    def _create(self, base: str, statement: str, how: str = "created") -> None:
        name = self._engine.name(base)
        if how == "created":
            self._engine.keep(name, statement, doing="evaluating")
        else:
            sql = render(f"sources/{how}.sql", self._engine.dialect, name=name, statement=sql_text(statement))
            self._engine.execute(sql, doing="evaluating")

    def _render(self, template: str, dialect: Dialect | None = None, **variables: Any) -> str:
        names = {
            base: sql_text(self._local.dialect.ident(self._local.name(base)))
            for base in ("summary", "critical", "overall")
        }
        measures = [{"column": measure.column} for measure in columns_of(self.measures)]
        context = (
            self._context
            | names
            | {"has_overall": self.has_overall, "per_query": self.per_query_table, "measures": measures}
            | variables
        )
        return render(template, dialect or self._engine.dialect, **context)

    def _rows_sql(self, metrics: list[str] | None = None, totals: bool = False) -> str:
        asked = metrics or [measure.text for measure in self.measures]
        return self._render("sources/rows.sql", self._local.dialect, systems=self.systems, metrics=asked, totals=totals)

    def _per_query_sql(self) -> str:
        return self._render("sources/per_query.sql", systems=self.systems)


def dicts(rows: Rows) -> Iterator[dict[str, Any]]:
    """Rows as dictionaries."""
    names = rows.columns
    return (dict(zip(names, row, strict=True)) for row in rows.iter_rows())
