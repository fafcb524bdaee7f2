"""What is wrong with an input, found before any number is shown: the checks are the files of sql/checks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any

from sqlrank.conventions import Conventions, plain
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.builder import Inputs
from sqlrank.inputs.check_files import Check, catalogue, row_checks
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.table import Table
from sqlrank.inputs.tool_checks import checks_of
from sqlrank.metrics.measure import Measure
from sqlrank.metrics.tools import Preset
from sqlrank.statement.columns import inputs_of, reads_judgments
from sqlrank.statement.needs import gain_value
from sqlrank.statement.templates import render, sql_text

Sides = tuple[tuple[Any, str], tuple[Any, str]]
"""Two relations, and what to call them."""

IDS = frozenset("query_id doc_id other found beside judged relevance lowest highest value rater".split())
"""What a check shows of the data, and so in quotes."""

MOST_QUERIES, MOST_IDS = 50, 50_000
"""In how many queries documents are looked at, and how many ids, for whether they would match in another form."""
MOST_SUSPECTS = 1000
"""Up to how many queries are looked at again by name for a document that stands in one twice."""


def not_finite_instead(measure: Measure) -> str | None:
    """What to do where a value of a metric is no finite number; None where all of them are."""
    metric = measure.metric
    if metric.folder is not None:
        return f"see the divisions and logarithms of {metric.folder}/{metric.template}"
    too_large = "the gains are too large for 64-bit numbers: choose another gain"
    return too_large if "gain" in metric.parameters else None


class Checker:
    """Runs the checks of one evaluation.

    Args:
        engine: what runs them.
        inputs: the inputs as opened.
        measures: what was asked for, which decides what can matter.
        conventions: which policies allow what would otherwise be refused.
        reading: the segments, weight and filter.
        preset: the tool whose definitions are meant, if any.
        levels: the relevance levels that were asked for, rather than the default one.
        given: the conventions that were asked for one by one.
    """

    def __init__(
        self,
        engine: Engine,
        inputs: Inputs,
        measures: Iterable[Measure],
        conventions: Conventions,
        reading: Reading,
        preset: Preset | None = None,
        levels: Collection[float] = (),
        given: Collection[str] = (),
    ) -> None:
        self.engine, self.inputs, self.conventions, self.reading = engine, inputs, conventions, reading
        self.preset, self.levels, self.given = preset, levels, given
        self.measures = list(measures)
        context = inputs.context
        self.labelled: bool = context["labelled"]
        self.run = context["run"]["relation"]
        self.judged = self.run if self.labelled else context["qrels"].get("relation")
        self.context = {
            "run": self.run,
            "judged": self.judged,
            "asked": context["asked"]["relation"],
            "unfiltered": context["unfiltered"],
            "several": context["several"],
            "subtopics": "subtopic" in inputs_of(self.measures),
        }
        self.notes: list[str] = []
        self.rows_read: dict[str, int] = {}
        self.waiting: list[tuple[str, Callable[[dict[str, Any]], None]]] = []

    def before(self, query_set_given: bool) -> None:
        """What can be wrong with the rows of the inputs.

        Raises:
            DataError: the first finding.
        """
        self.scan("run", self.run)
        if self.judged is not None and not self.labelled:
            self.scan("qrels", self.judged)
        self.before_queries()
        self.before_needed()
        self.before_scores()
        if self.inputs.context["several"] and self.inputs.named_by_path:
            self.find("shards")
        if self.conventions.judgments == "error" and self.judged is not None:
            if not self.labelled:
                self.find("qrels_duplicates")
            elif self.inputs.context["several"] or self.conventions.duplicates != "error":
                self.find("labels_differ")
        if self.context["unfiltered"] is not None and not query_set_given:
            self.find("where_emptied")
        if self.judged is not None:
            self.before_metrics()
        if self.preset is not None:
            for name, found in checks_of(self.preset, self.measures, self.conventions, self.inputs, self.given):
                self.find(name, **found)
        for kind in ("run", "qrels"):
            self.segments(kind)
        if self.conventions.ties == "average" and self.conventions.depth:
            order = {"depth": self.conventions.depth, "direction": self.inputs.context["direction"]}
            self.find("tie_cut", **order, query_set=self.conventions.query_set)
        self.before_ranks()

    def before_queries(self) -> None:
        """What can be wrong with the table of queries."""
        if self.context["asked"] is not None:
            self.scan("queries", self.context["asked"])
            self.find("queries_duplicates")

    def before_scores(self) -> None:
        """Whether what is taken for scores may be something else."""
        tables = [self.inputs.tables[kind] for kind in ("run", "qrels")]
        apart = self.judged is not None and not self.labelled
        if apart and all(table is not None and table.nested for table in tables):
            self.find("scores_and_labels_swapped")
        if self.conventions.order == "desc" and any(table.unnamed_score for table in self.inputs.runs):
            self.find("score_counts_ranks")

    def before_ranks(self) -> None:
        """Whether ranks and ties leave the places open, and whether ranks that break ties are those of the scores."""
        if self.conventions.order == "rank":
            self.find("rank_repeated")
        if self.conventions.ties == "error":
            self.before_cutoffs()
        if self.conventions.ties == "rank" and not self.by_rank:
            self.find("rank_disagrees", ascending=self.conventions.order == "asc")

    def before_cutoffs(self) -> None:
        """Whether a tie decides what is shown down to a cutoff."""
        shown = [measure for measure in self.measures if measure.k and not reads_judgments(measure)]
        if not shown:
            return
        single = self.engine.dialect.single if self.conventions.score_type == "float" else None
        self.find(
            "tied_at_cutoff",
            texts=", ".join(measure.text for measure in shown),
            cutoffs=sorted({min(measure.k or 1, self.conventions.depth or measure.k or 1) for measure in shown}),
            tool=f", which {self.preset.title} leaves open" if self.preset else "",
            direction=self.inputs.context["direction"],
            query_set=self.conventions.query_set,
            kind_of_score=sql_text(single or self.engine.dialect.double),
        )

    def look(self, statement: str, hear: Callable[[dict[str, Any]], None]) -> None:
        """Run a statement of one row: now, or with others where the engine runs many as quickly as one.

        Args:
            statement: the statement.
            hear: what is called with its row, which is empty where there is none.
        """
        if self.engine.together:
            self.waiting.append((statement, hear))
        else:
            hear(self.engine.row(statement))

    def settle(self) -> None:
        """Run what waits, and hear the findings in the order in which they were looked for.

        Raises:
            DataError: the first finding.
        """
        waiting, self.waiting = self.waiting, []
        for (_, hear), rows in zip(waiting, self.engine.gather([text for text, _ in waiting]), strict=True):
            hear(rows[0] if rows else {})

    def duplicates(self, part: Mapping[str, int], documents: Any = None) -> None:
        """Raise if a document stands in one ranking twice, among those that can change a number.

        Args:
            part: which part of the queries is looked at, of how many.
            documents: the relation of the documents that can change a number; None for all.

        Raises:
            DataError: there is one.
        """
        if self.conventions.duplicates == "error":
            self.find("run_duplicates", None, run=self.run if documents is None else documents, **part)

    def before_metrics(self) -> None:
        """What is wrong with the judgments for the levels, scales and gains asked for."""
        for level in {float(measure["rel"]) for measure in self.measures if "rel" in measure.metric.parameters}:
            name = "level_unreached_as_asked" if level in self.levels else "level_unreached"
            self.find(name, level=level, shown_level=plain(level))
        if scaled := [measure.text for measure in self.measures if dict(measure.values).get("max") == "data"]:
            self.find("scale_from_data", texts=", ".join(scaled))
        for most in {dict(measure.values)["max"] for measure in self.measures if measure.metric.name == "err"} - {
            "data"
        }:
            self.find("grade_above_max", most=most)
        for gain in {str(dict(measure.values).get("gain")) for measure in self.measures}:
            if named := [relevance for relevance, _ in gain_value(gain)["pairs"]]:
                self.find("gain_missing", named=named, judgments=self.conventions.judgments)

    def before_needed(self) -> None:
        """What can be wrong with the inputs that only some metrics need."""
        relations = {kind: self.inputs.context[kind] for kind in ("items", "history", "baseline")}
        for kind, needed in relations.items():
            if needed is not None:
                self.scan(kind, needed["relation"])
        if "category" in inputs_of(self.measures):
            self.find("items_duplicates", relation=relations["items"]["relation"])
        if relations["baseline"] is not None:
            self.find("baseline_duplicates", relation=relations["baseline"]["relation"])

    @property
    def by_rank(self) -> bool:
        """Whether the ranking is that of a rank column."""
        return bool(self.inputs.context["by_rank"])

    def after(self, per_query: Any, shared: int, judged_documents: float) -> None:
        """What shows only in the per-query rows.

        Args:
            per_query: the table of these rows.
            shared: how many queries have results and judgments.
            judged_documents: how many judged documents were found near the top.

        Raises:
            DataError: the first finding.
        """
        if shared == 0 and self.judged is not None:
            self.find("no_shared_query")
        if judged_documents == 0 and any(map(reads_judgments, self.measures)):
            self.find("no_shared_document")
        for measure in self.measures:
            if instead := not_finite_instead(measure):
                context = {"per_query": per_query, "measure": measure.text, "column": measure.column}
                self.find("value_not_finite", **context, instead=instead)
        if self.reading.weight is not None:
            self.find("weight_missing", per_query=per_query, weight=self.reading.weight)
        if self.conventions.ties == "error":
            self.find("ties_found", per_query=per_query)
        if self.conventions.empty == "error":
            for measure in self.measures:
                if measure.metric.empty:
                    self.find("nothing_to_find", per_query=per_query, measure=measure.text, column=measure.column)
        self.settle()

    def segments(self, kind: str) -> None:
        """Each segment and the weight is the same in every row of a query."""
        source = self.inputs.context[kind]
        if source.get("relation") is None:
            return
        columns = [extra["name"] for extra in source["extra"]] + ([source["weight"]] if source["weight"] else [])
        for column in columns:
            self.find("segment_varies", kind, relation=source["relation"], column=column)
        if kind == "qrels" and not self.labelled:
            found = self.inputs.context["run"]
            for column in (extra["name"] for extra in source["extra"] if extra["found"]):
                self.find("segment_disagrees", column=column, number=None)
            if source["weight"] and found["weight"]:
                self.find("segment_disagrees", column=source["weight"], number=True)

    def variables(self, kind: str) -> dict[str, Any]:
        """What the conditions on the rows of one input may need."""
        weight = self.inputs.context["asked" if kind == "queries" else kind].get("weight")
        return {
            "documents": kind != "queries",
            "queries": kind != "items",
            "weight": weight,
            "subtopic": self.context["subtopics"] or None,
            "labelled": self.labelled or None,
            "given_ranks": self.conventions.order == "rank" or None,
            "number_ids": self.conventions.ties == "number-desc" or None,
            "single": self.conventions.score_type == "float" or None,
            "marked": self.inputs.context[kind].get("stated_doc_id", "doc_id") if self.marked(kind) else None,
        }

    def marked(self, kind: str) -> bool:
        """Whether copies among the documents of an input are looked for in a way that finds those without id too."""
        if self.engine.together:
            return False
        if kind == "qrels":
            return self.conventions.judgments == "error" and not self.labelled and not self.context["subtopics"]
        return kind == "run" and self.conventions.duplicates == "error"

    def scan(self, kind: str, relation: Any, **known: Any) -> None:
        """All conditions on the rows of one input, in one pass over it.

        Where copies of documents are looked for, whether one has no id is asked there.

        Args:
            kind: which input it is.
            relation: its rows.
            **known: variables of the conditions that are otherwise found here.
        """
        variables = self.variables(kind) | known
        kinds = {kind, "qrels"} if self.labelled and kind == "run" else {kind}
        checks = [
            check
            for check in row_checks().values()
            if kinds & set(check.rows) and (check.needs is None or variables[check.needs])
        ]
        conditions = {
            check.name: sql_text(render(check.template, self.engine.dialect, **variables).strip()) for check in checks
        }
        listed = [{"name": name, "condition": condition} for name, condition in conditions.items()]
        sql = render("sources/scan.sql", self.engine.dialect, checks=listed, relation=relation)
        self.look(sql, partial(self.scanned, kind, relation, checks, conditions))

    def scanned(
        self, kind: str, relation: Any, checks: list[Check], conditions: dict[str, Any], row: dict[str, Any]
    ) -> None:
        """See what the pass over an input found."""
        *findings, rows_read = row.values()
        self.rows_read[kind] = rows_read
        if rows_read == 0:
            after = " after --where" if kind in ("run", "verdicts") and self.reading.where else ""
            raise DataError(f"{self.inputs.labels[kind]}: there are no rows{after}")
        for check, found in zip(checks, findings, strict=True):
            if found and check.note:
                self.notes.append(
                    f"{self.inputs.labels[kind]}: {check.message.format(findings=found, rows_read=rows_read)}"
                )
            elif found:
                self.complain_of_rows(check, kind, relation, conditions[check.name], found, rows_read)

    def complain_of_rows(
        self, check: Check, kind: str, relation: Any, condition: Any, findings: int, rows_read: int
    ) -> None:
        """Raise the finding about some rows, with the first of them."""
        variables = self.variables(kind)
        absent = {name for name, known in (("doc_id", "documents"), ("query_id", "queries")) if not variables[known]}
        shows = [name for name in check.shows if name not in absent]
        context = {"relation": relation, "condition": condition, "columns": shows}
        *values, row = self.engine.execute(render("sources/example.sql", self.engine.dialect, **context))[0]
        shown = dict.fromkeys(check.shows, "-") | {
            name: "null" if value is None else repr(value) for name, value in zip(shows, values, strict=True)
        }
        label, table, row = self.placed(kind, row)
        place = ""
        if table is not None and len(table.files) <= 1:
            place = f", row {row}" if table.first_line is None else f", line {row - 1 + table.first_line}"
        text = check.message.format(findings=findings, rows_read=rows_read, weight=self.reading.weight, **shown)
        raise DataError(f"{label}{place}: {text}")

    def placed(self, kind: str, row: int) -> tuple[str, Table | None, int]:
        """What to call the table that a row of an input is of, the table where it is known, and the row in it."""
        label, table = self.inputs.labels[kind], self.inputs.tables[kind]
        if kind != "run" or table is not None or self.reading.where is not None:
            return label, table, row
        for run in self.inputs.runs:
            rows = self.inputs.count(run.reader)
            if row <= rows:
                return run.label, run, row
            row -= rows
        return label, None, row

    def suspects(self, kind: str, variables: dict[str, Any]) -> list[str] | None:
        """The queries in which a document may stand twice; None where these are too many, or not known."""
        parts = {"part": 0, "parts": 1} | {name: variables[name] for name in ("part", "parts") if name in variables}
        source = "qrels" if kind == "judged" and not self.labelled else "run"
        listed = self.engine.holds(self.rows_read[source] // parts["parts"])
        context = {
            "relation": variables[kind],
            "ranking": sql_text("system, query_id" if kind == "run" and variables["several"] else "query_id"),
            "document": sql_text("doc_id, subtopic" if kind == "judged" and variables["subtopics"] else "doc_id"),
            "listed": listed,
            "most": MOST_SUSPECTS,
        } | parts
        sql = render("sources/suspects.sql", self.engine.dialect, **context)
        found = [str(row[0]) for row in self.engine.execute(sql, doing="looking for duplicates")]
        return None if found and (not listed or len(found) == MOST_SUSPECTS) else found

    def find(self, name: str, kind: str | None = None, **context: Any) -> None:
        """Run a check that has a statement of its own.

        Raises:
            DataError: it found something; UsageError where the request is at fault.
        """
        check = catalogue()[name]
        variables = {"suspects": None} | self.context | context
        if check.twice is not None and not self.engine.together:
            suspects = self.suspects(check.twice, variables)
            if suspects == []:
                return
            kind_of = {"run": "run", "judged": "qrels"}[check.twice]
            if self.marked(kind_of):
                self.refuse_nulls(kind_of, suspects)
            variables["suspects"] = suspects
        statement = render(check.template, self.engine.dialect, **variables)
        sides = context.get("sides", lambda _: ((self.run, "the run"), (self.judged, "the judgments")))
        self.look(statement, partial(self.found, check, kind, context.get("called", context.get("column")), sides))

    def refuse_nulls(self, kind: str, suspects: list[str] | None) -> None:
        """Refuse documents without id, which the pass over all rows may have been told away by a file's statistics.

        Args:
            kind: the input that they are in.
            suspects: the queries in which there may be one; None where they are not known.

        Raises:
            DataError: there is one.
        """
        relation = self.run if kind == "run" else self.judged
        sql = render("sources/nulls.sql", self.engine.dialect, relation=relation, suspects=suspects)
        if self.engine.row(sql)["findings"]:
            self.scan(kind, relation, marked=None)

    def refuse_other_form(self, check: Check, sides: Sides) -> None:
        """Refuse ids of two relations that match nowhere and would in another form.

        Raises:
            DataError: with the form and a pair of ids.
        """
        from sqlrank.inputs.near_ids import matching_form

        (left, ours), (right, theirs) = sides
        ids = []
        for relation, other in ((left, right), (right, left)):
            shared = other if check.ids == "doc_id" else None
            context = {"column": check.ids, "relation": relation, "shared_with": shared}
            sql = render("sources/some_ids.sql", self.engine.dialect, **context, queries=MOST_QUERIES, most=MOST_IDS)
            ids.append([(str(scope), str(text)) for scope, text in self.engine.execute(sql)])
        form = matching_form(*ids)
        if form is not None:
            where = f" of query {form.scope!r}" if form.scope else ""
            labels = [self.inputs.labels[kind] for kind in ("run", "qrels") if kind in self.inputs.labels]
            label = " and ".join(dict.fromkeys(labels))
            raise DataError(
                f"{label}: {check.title}, but ids would match {form.name}: {form.left!r}{where} in {ours} is"
                f" {form.right!r} in {theirs}; write them alike in both"
            )

    def found(
        self, check: Check, kind: str | None, column: Any, sides: Callable[[dict[str, Any]], Sides], row: dict[str, Any]
    ) -> None:
        """Tell what a check found, or raise it."""
        if not row or not row["findings"]:
            return
        if check.ids is not None and not self.labelled:
            self.refuse_other_form(check, sides(row))
        shown = {
            key: repr(value) if isinstance(value, str) and key in IDS else plain(value) for key, value in row.items()
        }
        label = self.inputs.labels[kind or check.input or ("queries" if self.context["asked"] is not None else "run")]
        text = f"{label}: {check.message.format(**({'column': column} | shown))}"
        if not check.note:
            raise (UsageError if check.usage else DataError)(text)
        self.notes.append(text)
