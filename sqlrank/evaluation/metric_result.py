"""Results of metrics: the summary and the per-query rows, of an evaluation or of a comparison of rankings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.arguments import public
from sqlrank.dialects import Dialect
from sqlrank.engines.open_result import OpenResult
from sqlrank.engines.protocol import Engine, Rows
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.metrics.language import column_measures, columns_by_text, judged_only, parts_of, single_measure
from sqlrank.metrics.measure import of_queries
from sqlrank.options.kinds import WORD
from sqlrank.presentation import Presented
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.student import FEWEST, NORMAL, SKEWED, STEADY, Methods, critical_value

Row = dict[str, Any]


class MetricResult(OpenResult, Presented, ABC):
    """Values of measures over queries, in the tables `per_query` and `summary` of a connection.

    It holds a database connection; use it as a context manager, or call `close()`, when it is not to live as long as
    the program. The relations are read from tables, so reading them twice computes nothing twice.
    """

    offered = "by columns conventions per_query sources sql systems to_dict value"

    baseline: str | None = None
    """The system that the others are compared with, where there is one."""
    has_overall = False
    """Whether there are metrics of whole systems."""
    uncertain = False
    """Whether labels have intervals, of which those of the means take account."""

    def __init__(self, engine: Engine, request: Request, inputs: Inputs) -> None:
        relations = inputs.relations
        self.measures, self.conventions, self.notes = request.measures, request.conventions, list(inputs.notes)
        self.language = request.language
        """What texts of metrics mean here."""
        self.texts = request.texts
        """The metrics as they were asked for."""
        self.by: tuple[str, ...] = tuple(segment.alias for segment in relations.segments)
        self.id_columns = relations.id_columns
        """The columns that the id of a query is made of, besides segments."""
        self.cluster = None if relations.cluster is None else relations.cluster.alias
        """The column whose value related queries share."""
        self.clusters = 0
        """How many clusters of related queries there are."""
        self.weight = relations.weighted
        self.weight_column = request.reading.weight
        """The column of the weights."""
        self.timezone = inputs.timezone
        """The time zone in which times that have one were read, where some take part."""
        self.where = inputs.where
        """The condition that rows of the run had to meet."""
        self.own_sql = list(request.reading.sql_in_words())
        """What SQL of the user decided: which rows count, and what segments and the weight are."""
        self.grades = request.reading.grades
        """The texts of the grades that a map of labels made."""
        self.of_means: list[str] = []
        """Those of the notes that are about means alone, and not about their differences."""
        super().__init__(engine)
        self._bounds: Markup | None = None
        """The table of the upper bounds, where they were asked for."""
        self.top = ""
        """How relevant those take a document without a judgment to be, in words."""
        self._request, self._relations, self._inputs = request, relations, inputs
        self.per_query_table = sql_text(engine.dialect.ident(engine.name("per_query")))

    @property
    @abstractmethod
    def systems(self) -> list[str]:
        """The names of the systems, in order."""

    @property
    def interval_remark(self) -> str:
        """The line that says how the intervals are computed."""
        clusters = None if self.cluster is None else (self.clusters, self.cluster)
        return self._methods.in_words(self.weight, clusters)

    @property
    @abstractmethod
    def context_remarks(self) -> list[str]:
        """The lines that say under which conventions, and over which queries, the values hold."""

    def remarks(self) -> list[str]:
        """What is printed below the numbers: conventions, how many queries were what, how intervals are computed."""
        remarks = [*self.context_remarks, self.interval_remark, *self._label_remarks()]
        if self._bounds is not None:
            from sqlrank.evaluation.bounds import BOUNDED

            remarks.append(BOUNDED.format(top=self.top))
        return remarks

    @property
    def _label_parts(self) -> Markup | None:
        """The table of what uncertain labels add to each mean."""
        return None

    @property
    def _without_label_part(self) -> list[str]:
        """The metrics whose uncertainty is not known then."""
        return []

    def _label_remarks(self) -> Iterator[str]:
        """Yield what uncertain labels do to the means."""
        return iter(())

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """System, segments, is_total (with segments), metric, value, queries, stderr, ci_low, ci_high.

        With uncertain labels also label_stderr, after stderr; with bounds also bound_low and bound_high, which are null
        for a metric without.
        """
        return self._local.relation(self._rows_sql())

    @property
    def columns(self) -> dict[str, str]:
        """The column of the per-query rows that holds each metric, by the text that asked for it; see `columns_of`."""
        return columns_by_text(self.texts or [measure.text for measure in self.measures], self.language)

    @property
    def per_query(self) -> Any:
        """One row per system and query: system, query_id, segments and cluster, weight, then one column per metric.

        Where an id was made of several columns, those stand after query_id.

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

    @public("metric", "system")
    def value(self, metric: str, system: str | None = None, **segment: str | None) -> float | None:
        """The value of one metric over all queries, or over those of a segment.

        Args:
            metric: the text of a metric of this evaluation.
            system: which system, where there are several.
            segment: a value for every segment column; none for the total.

        Raises:
            UsageError: there is no such row, or more than one.
        """
        text = self.text_of(metric)
        if system is None and len(self.systems) > 1:
            raise UsageError(
                f"there are {len(self.systems)} systems; say which: result.value({text!r}, system={self.systems[0]!r})"
            )
        if segment and set(segment) != set(self.by):
            raise UsageError(f"the segments are {', '.join(self.by) or 'none'}; give a value for each, or for none")
        self._local.check_open()
        rows = self._means([text]) if segment else self._totals
        for row in rows:
            same = row["metric"] == text and system in (None, row["system"])
            same = same and (not self.by or row["is_total"] is not bool(segment))
            if same and all(row[name] == wanted for name, wanted in segment.items()):
                return None if row["value"] is None else float(row["value"])
        raise UsageError(f"there is no row for {text}, system {system!r} and {segment}")

    def text_of(self, metric: str) -> str:
        """The text of a metric of this evaluation, however it was written; UsageError if it was not evaluated."""
        texts = [known.text for known in self.measures]
        text = metric if metric in texts else single_measure(metric, self.language).text
        if text not in texts:
            raise UsageError(f"{text} was not evaluated; the metrics are {', '.join(texts)}")
        if judged_only(parts_of(metric)) not in (None, self.conventions.unjudged == "remove"):
            raise UsageError(f"{metric} was not evaluated: unjudged={self.conventions.unjudged} says otherwise")
        return text

    @public(metric=WORD)
    def __getitem__(self, metric: str) -> float | None:
        return self.value(metric)

    def aggregates(self, template: str, **variables: Any) -> list[Row]:
        """The few rows of a statement of `sql/` over the per-query rows, such as the numbers of a chart.

        Raises:
            UsageError: Spark evaluated.
        """
        if self._engine is not self._local:
            raise UsageError(
                "charts and reports are made in DuckDB: write the per-query rows to Parquet, and compare those files"
            )
        return self._engine.gather([self._render(template, **variables)])[0]

    def to_dict(self) -> dict[str, Any]:
        """Values by query and metric, in the shape of pytrec_eval; with several systems, by system first."""
        found: dict[str, dict[str, dict[str, float | None]]] = {system: {} for system in self.systems}
        columns = {measure.text: measure.column for measure in of_queries(self.measures)}
        for row in dicts(self.per_query_rows):
            found[row["system"]][row["query_id"]] = {text: row[column] for text, column in columns.items()}
        return found if len(found) > 1 else next(iter(found.values()), {})

    def _create(self, base: str, statement: str, more: bool = False) -> None:
        self._engine.keep(self._engine.name(base), statement, doing="evaluating", more=more)

    @cached_property
    def _totals(self) -> list[Row]:
        """The means over all queries, which are few whatever the segments."""
        return self._means(totals=bool(self.by))

    def _means(self, metrics: list[str] | None = None, *, totals: bool = False) -> list[Row]:
        """The rows without their intervals, which one value does not need."""
        return list(dicts(self._local.rows(self._rows_sql(metrics, totals=totals, intervals=False))))

    @cached_property
    def _ends(self) -> str:
        """The table of the means with their intervals, made when it is first asked for: one value needs none."""
        local = self._local
        degrees = [row[0] for row in local.execute(self._render("sources/degrees.sql", local.dialect, fewest=FEWEST))]
        values = [degrees, [critical_value(each) for each in degrees]]
        local.load(local.name("critical"), {"degrees": "double", "critical": "double"}, values)
        ranges = [(each.text, *each.metric.range) for each in self.measures if each.metric.range is not None]
        context = {"ranges": ranges, "z": NORMAL, "tolerated": SKEWED, "steady": STEADY}
        context |= {"labels": self._label_parts, "unknown": self._without_label_part}
        local.keep(local.name("ends"), self._render("sources/ends.sql", local.dialect, **context))
        return sql_text(local.dialect.ident(local.name("ends")))

    @cached_property
    def _methods(self) -> Methods:
        statement = self._render("sources/methods.sql", self._local.dialect, ends=self._ends)
        return Methods(*self._local.execute(statement)[0])

    def _note_withheld(self) -> None:
        """Note how many means of several queries have no interval, which happens only under weights and clusters."""
        alike = not self.weight and self.cluster is None
        if alike and all(measure.weight_column is None for measure in self.measures):
            return
        if withheld := self._methods.withheld:
            means = "1 mean has" if withheld == 1 else f"{withheld} means have"
            one = "cluster" if self.cluster else "query"
            note = f"{means} no interval, as one {one} has nearly all of the weight"
            self.of_means.append(note)
            self.notes.append(note)

    def _render(self, template: str, dialect: Dialect | None = None, **variables: Any) -> str:
        names = {
            base: sql_text(self._local.dialect.ident(self._local.name(base)))
            for base in ("summary", "critical", "overall")
        }
        measures = [{"column": measure.column} for measure in column_measures(self.measures)]
        context = self._relations.context() | {"segments": self._relations.segments} | names
        context |= {"has_overall": self.has_overall, "compared_with": self.baseline}
        context |= {"per_query": self.per_query_table, "measures": measures} | variables
        return render(template, dialect or self._engine.dialect, **context)

    def _rows_sql(self, metrics: list[str] | None = None, *, totals: bool = False, intervals: bool = True) -> str:
        asked = metrics or [measure.text for measure in self.measures]
        chosen = {"systems": self.systems, "metrics": asked, "totals": totals}
        ends = self._ends if intervals else None
        chosen |= {"ends": ends, "bounds": self._bounds, "uncertain": self.uncertain}
        return self._render("sources/rows.sql", self._local.dialect, **chosen)

    def _per_query_sql(self, retrieved: str | None = None) -> str:
        segments = self._relations.carried
        return self._render("sources/per_query.sql", systems=self.systems, segments=segments, retrieved=retrieved)


def dicts(rows: Rows) -> Iterator[dict[str, Any]]:
    """Rows as dictionaries."""
    names = rows.columns
    return (dict(zip(names, row, strict=True)) for row in rows.iter_rows())
