"""Runs checks: conditions on the rows of an input in one pass over it, and statements of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import duckdb

from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError, shortened
from sqlrank.inputs.check_files import Check, every_check, row_checks
from sqlrank.inputs.opened_inputs import Opened
from sqlrank.spelling import plain, spelt
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.inputs.near_ids import Sides

Row = dict[str, Any]

IDS = frozenset("query_id doc_id other found beside judged relevance lowest highest value rater".split())
"""Columns of findings that hold data, which messages show in quotes."""
UNMAPPED = "for text labels give {option}, such as E=3,S=2,C=1,I=0"
"""What to do about text labels without a map."""
MAPPED = "add it to {option} (LABEL=0, or LABEL= for not yet judged)"
"""What to do about a label that the map leaves out."""
WRONG_SQL = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException)
"""What DuckDB raises where the SQL itself is wrong, whatever the data."""
LONG_RANKING = 10_000
"""From how many documents on a ranking is looked through in pieces, and by marks of 64 bits: of 32 bits, two documents
of each hundredth ranking of this length have the same by chance."""
MOST_SUSPECTS = 1000
"""Up to how many suspected queries are listed by name in the search for duplicates."""


class CheckRunner:
    """Runs checks of inputs that are open, and keeps what is noted.

    `context` holds the variables of all checks: `run` and `judged`, the relations of those rows, and what else
    statements read. `main` is the input that a finding is about where its check does not say; `compared` looks for ids
    that match only in another form.
    """

    def __init__(
        self, engine: Engine, opened: Opened, context: Mapping[str, Any], main: str = "run", compared: bool = True
    ) -> None:
        self.engine, self.opened, self.context, self.main = engine, opened, dict(context), main
        self.compared = compared
        self.notes: list[str] = []
        self.rows_read: dict[str, int] = {}

    def scan(self, kind: str, relation: Any, variables: Mapping[str, Any], also: str | None = None) -> None:
        """Check all conditions on the rows of an input, in one pass; raises DataError, or defers to `run_deferred`.

        `variables` are those of the conditions, with `documents` and `queries` for whether it has such ids; `also` is
        another input whose rows these are too.
        """
        kinds = {kind, also}
        checks = [
            check
            for check in row_checks().values()
            if kinds & set(check.rows) and (check.needs is None or variables.get(check.needs))
        ]
        conditions = {check.name: sql_text(check.text(self.engine.dialect, variables).strip()) for check in checks}
        scanned = partial(self.scanned, kind, relation, checks, conditions, variables)
        try:
            self.engine.defer(self.pass_over(relation, conditions), scanned)
        except UsageError as error:
            if isinstance(error.__cause__, WRONG_SQL):
                self.try_each(relation, checks, conditions)
            raise

    def pass_over(self, relation: Any, conditions: Mapping[str, Any]) -> str:
        """The statement that counts the rows of a relation that meet each condition."""
        listed = [{"name": name, "condition": condition} for name, condition in conditions.items()]
        return render("sources/scan.sql", self.engine.dialect, checks=listed, relation=relation)

    def try_each(self, relation: Any, checks: Sequence[Check], conditions: Mapping[str, Any]) -> None:
        """Raise SqlrankError for the first check whose condition the engine refuses."""
        for check in checks:
            try:
                self.engine.execute(self.pass_over(relation, {check.name: conditions[check.name]}))
            except UsageError as error:
                raise check.broken(str(error)) from error

    def scanned(
        self,
        kind: str,
        relation: Any,
        checks: list[Check],
        conditions: Mapping[str, Any],
        variables: Mapping[str, Any],
        rows: list[Row],
    ) -> None:
        """Note or raise what the pass over an input found."""
        *findings, rows_read = rows[0].values()
        self.rows_read[kind] = rows_read
        if rows_read == 0:
            conditions = {
                "qrels": self.opened.conditions.qrels,
                "run": self.opened.where,
                "verdicts": self.opened.where,
            }
            after = f" after {spelt('where')}" if conditions.get(kind) else ""
            if kind == "qrels" and self.opened.unfilled:
                after = " with a relevance: that column is not filled in yet"
            raise DataError(f"{self.opened.labels[kind]}: there are no rows{after}")
        for check, found in zip(checks, findings, strict=True):
            if not found:
                continue
            top = variables.get("top_relevance")
            shown = {"findings": found, "rows_read": rows_read, "weight": self.opened.weight, "top": plain(top)}
            told = MAPPED if variables.get("mapped") else UNMAPPED
            shown["labels_told"] = told.format(option=spelt("relevance_map"))
            if check.note and not check.shows:
                self.notes.append(f"{self.opened.labels[kind]}: {check.said(shown)}")
                continue
            text = self.told_of_rows(check, kind, relation, conditions[check.name], variables, shown)
            if not check.note:
                raise DataError(text)
            self.notes.append(text)

    def told_of_rows(
        self,
        check: Check,
        kind: str,
        relation: Any,
        condition: Any,
        variables: Mapping[str, Any],
        shown: Mapping[str, Any],
    ) -> str:
        """The finding about some rows, with the first of them."""
        absent = {name for name, known in (("doc_id", "documents"), ("query_id", "queries")) if not variables[known]}
        shows = [name for name in check.shows if name not in absent]
        rows = self.opened.as_in_files(relation)
        context = {"relation": rows, "condition": condition, "columns": shows}
        *values, row = self.engine.execute(render("sources/example.sql", self.engine.dialect, **context))[0]
        example = dict.fromkeys(check.shows, "-") | {
            name: "null" if value is None else shortened(repr(value)) for name, value in zip(shows, values, strict=True)
        }
        return f"{self.place_of(kind, row)}: {check.said({**shown, **example})}"

    def place_of(self, kind: str, row: int) -> str:
        """What a message calls a row of an input: its file, and the row or the line in it where one file is known."""
        label, table, row = self.opened.placed(kind, row)
        rowless = table is None or len(table.files) > 1 or (table.nested and table.files)
        if table is None or rowless or (table.unlisted and table.row_of_place is None):
            return label
        if table.row_of_place is not None:
            row = int(self.engine.execute(table.row_of_place, [row])[0][0])
        return f"{label}, row {row}" if table.first_line is None else f"{label}, line {row - 1 + table.first_line}"

    def find(self, name: str, kind: str | None = None, **context: Any) -> None:
        """Run a check whose statement gives its findings; raises DataError or UsageError, or defers to `run_deferred`.

        `context` holds its variables: `sides`, a function of its row, gives the relations whose ids are compared,
        `called` the name of a column in messages.
        """
        check = every_check()[name]
        variables = {"suspects": None} | self.context | context
        sides = context.get("sides", self.both_sides)
        column = context.get("called", context.get("column"))
        rows = sql_text(check.text(self.engine.dialect, variables).rstrip())
        statement = render("sources/findings.sql", self.engine.dialect, statement=rows)
        try:
            self.engine.defer(statement, partial(self.found, check, kind, column, sides))
        except UsageError as error:
            if isinstance(error.__cause__, WRONG_SQL):
                raise check.broken(str(error)) from error
            raise

    def both_sides(self, row: Row) -> Sides:
        """The rows of the run and of the judgments."""
        return (self.context["run"], "the run"), (self.context["judged"], "the judgments")

    def near(
        self,
        column: str,
        what: str,
        first: Any,
        second: Any,
        kind: str = "qrels",
        called: str = "the run",
        **asked: Any,
    ) -> None:
        """Note ids of the second relation that the first has in another form; DataError where these outnumber its own.

        `what` is one id of the second and `called` the first relation, in words; `kind` is the input that is named.
        """
        from sqlrank.inputs.near_ids import near_ids

        found = near_ids(self.engine, column, first, second, **asked)
        if found is None:
            return
        text = f"{self.opened.labels[kind]}: {found.told(what, called)}"
        if found.found > found.exact:
            raise DataError(text)
        self.notes.append(text)

    def find_copies(
        self,
        name: str,
        kind: str,
        relation: Any,
        variables: Mapping[str, Any],
        several: bool = False,
        subtopics: bool = False,
        length: int = 0,
    ) -> None:
        """Run a check for documents twice in a ranking, of each system if `several`, by subtopic if `subtopics`.

        Where a second pass over some queries costs less than looking for all copies in the first, a cheaper statement
        says which. It finds those with documents without id too, which the pass over all rows may have been told away
        by a file's statistics.
        """
        suspects = None
        if self.engine.narrows:
            long = length >= LONG_RANKING
            context = {
                "relation": relation,
                "ranking": sql_text("system, query_id" if several else "query_id"),
                "document": sql_text("doc_id, subtopic" if subtopics else "doc_id"),
                "long": long,
                "most": MOST_SUSPECTS,
            }
            suspects = self.suspects(context, self.engine.parts_of_marks(self.rows_read[kind], long))
            if not suspects:
                return
            if len(suspects) >= MOST_SUSPECTS:
                suspects = None
            if variables.get("marked") and self.has_nulls(relation, suspects):
                self.scan(kind, relation, {**variables, "marked": None})
        found: dict[str, Any] = {"run" if kind == "run" else "judged": relation, "suspects": suspects}
        self.find(name, **found)

    def suspects(self, context: Mapping[str, Any], parts: int) -> list[str]:
        """Queries with documents that may appear twice, or have no id: those of documents of one hash at a time."""
        found: list[str] = []
        for part in range(parts):
            sql = render("sources/suspects.sql", self.engine.dialect, **context, part=part, parts=parts)
            found += [str(row[0]) for row in self.engine.execute(sql, doing="looking for duplicates")]
            if len(found) >= MOST_SUSPECTS:
                break
        return found

    def has_nulls(self, relation: Any, suspects: list[str] | None) -> bool:
        """Whether documents of some queries, or of all, have no id."""
        sql = render("sources/nulls.sql", self.engine.dialect, relation=relation, suspects=suspects)
        return bool(self.engine.row(sql)["findings"])

    def found(
        self, check: Check, kind: str | None, column: Any, sides: Callable[[Row], Sides], rows: list[Row]
    ) -> None:
        """Note or raise what a check found."""
        row = rows[0] if rows else {"findings": 0}
        if not row["findings"]:
            return
        label = self.opened.labels[kind or check.input or self.main]
        if check.ids is not None and self.compared:
            from sqlrank.inputs.near_ids import compared_labels, raise_other_form

            raise_other_form(self.engine, self.opened, check, sides(row))
            label = label if check.note else compared_labels(self.opened, check)
        shown = {
            key: shortened(repr(value)) if isinstance(value, str) and key in IDS else plain(value)
            for key, value in row.items()
        }
        if "{apart}" in check.message:
            shown["apart"] = self.opened.copies(kind or check.input or self.main)
        text = f"{label}: {check.said({'column': column} | shown)}"
        if not check.note:
            raise (UsageError if check.usage else DataError)(text)
        self.notes.append(text)
