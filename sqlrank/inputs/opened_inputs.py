"""Inputs that are open: relations, the statements that made them, labels, the zone of their times, and their rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from sqlrank.conventions import Conventions
from sqlrank.engines.protocol import Engine
from sqlrank.errors import counted
from sqlrank.inputs.reading import NO_CONDITIONS, Conditions, Reading, bare_name
from sqlrank.inputs.table import Table
from sqlrank.spelling import spelt
from sqlrank.statement.relations import Relations

REASONS = {
    "comments": "{} comments",
    "where": "{} by {where}",
    "unfilled": "{} not judged yet",
    "no_relevance": "{} without relevance",
    "unjudged_queries": "{} in queries without judgments",
    "missing_queries": "{} in queries without results",
}
"""The reasons for which rows are left out, in words."""
BEFORE = ("comments", "where", "unfilled")
"""Those for which they are left out before anything counts them."""


@dataclass(frozen=True, slots=True)
class InputRows:
    """The rows of one input."""

    rows: int
    """How many were read, comments among them."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many were left out, by reason: those of `REASONS` that occur."""

    @property
    def used(self) -> int:
        """How many were used."""
        return self.rows - sum(self.left_out.values())

    def to_dict(self) -> dict[str, Any]:
        """Read, left out and used, as in JSON."""
        return {"rows": self.rows, "left_out": dict(self.left_out), "used": self.used}

    def note(self, label: str) -> str | None:
        """A note on rows that were left out, or None."""
        if not self.left_out:
            return None
        reasons = ", ".join(left_out(reason, f"{count:,}") for reason, count in self.left_out.items())
        return f"{label}: {counted(self.rows, 'row')} read, {self.rows - self.used:,} left out: {reasons}"


def left_out(reason: str, count: object) -> str:
    """How many rows were left out for a reason, in words."""
    return REASONS[reason].format(count, where=spelt("where"))


def input_rows(rows: int, **left_out: int) -> InputRows:
    """The rows of an input; `rows` is without those of `BEFORE`, which `left_out` counts."""
    before = sum(left_out.get(reason, 0) for reason in BEFORE)
    return InputRows(rows + before, {reason: count for reason, count in left_out.items() if count})


def notes_of(inputs: Mapping[str, InputRows], labels: Mapping[str, str]) -> list[str]:
    """Notes on rows that were left out of each input."""
    export = labels.get("qrels") == labels.get("run")
    notes = [
        found.note(f"{labels[kind]} as judgments" if export and kind == "qrels" else labels[kind])
        for kind, found in inputs.items()
    ]
    return [note for note in notes if note is not None]


ZONES_IN_SQL = re.compile(r"timestamptz|timetz|with\s+time\s+zone|timezone", re.IGNORECASE)
"""What a condition on columns of text says where it makes times of them that have a zone."""


@dataclass(slots=True, kw_only=True)
class Opened:
    """Tables that are open."""

    labels: dict[str, str]
    """The label of each input in messages."""
    tables: dict[str, Table | None]
    """The table of each input, where its rows can be located in a file."""
    runs: list[Table]
    """The table of each run, or of the verdicts."""
    count: Callable[[Any], int]
    """Counts the rows of a relation."""
    sources: list[str] = field(default_factory=list)
    """The statements that made the relations, which run in a bare DuckDB too."""
    in_order: dict[Markup, Markup] = field(default_factory=dict)
    """The relation with the same rows in the order of the files, for one whose rows were brought together by query."""
    notes: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What the judgments are, where that goes without saying only for whoever gave them."""
    timezone: str | None = None
    """The time zone in which times that have one were read, where some take part."""
    where: str | None = None
    """The condition that rows have to meet."""
    conditions: Conditions = NO_CONDITIONS
    """This and the condition on judgments of their own."""
    judgments_filtered: int = 0
    """How many judgments their condition left out."""
    weight: str | None = None
    """The weight as it was named."""
    filtered: int = 0
    """How many rows the condition left out."""

    judgments: list[Table] = field(default_factory=list)
    """The tables of judgments, where those are not of the runs."""
    unfilled: int = 0
    """How many of their rows are not judged yet, of pools that raters are filling."""
    copies: Callable[[str], str] = lambda _: ""
    """What to choose where the copies of a document in an input differ in a column, for a message."""

    def as_in_files(self, relation: Any) -> Any:
        """A relation with the rows of this one in the order and the types of the files."""
        return self.in_order.get(relation, relation)

    def placed(self, kind: str, row: int) -> tuple[str, Table | None, int]:
        """The label of the table that holds a row of an input, the table where it is known, and the row in it."""
        label, table = self.labels[kind], self.tables[kind]
        parts = {"run": self.runs, "qrels": self.judgments}.get(kind, [])
        left_out = self.unfilled > 0 or self.conditions.qrels is not None
        filtered = self.where is not None if kind == "run" else kind == "qrels" and left_out
        if filtered or table is not None:
            return label, None if filtered else table, row
        for part in parts:
            rows = self.count(part.reader)
            if row <= rows:
                return part.label, part, row
            row -= rows
        return label, None, row

    @property
    def comments(self) -> int:
        """How many lines of the runs are comments."""
        return sum(table.comments for table in self.runs)


@dataclass(frozen=True, slots=True)
class FirstRun:
    """The run that was given first."""

    name: str | None
    """Its system; None where a column names that."""
    table: Table
    column: str | None
    """The column that names its systems."""


@dataclass(slots=True, kw_only=True)
class Inputs(Opened):
    """The inputs of an evaluation or a comparison of rankings."""

    relations: Relations
    systems: list[str]
    """The systems that are named by the caller or by their files."""
    by_column: bool
    """Whether a column of a run names systems."""
    lists_in_order: list[str]
    """The systems that are told apart by their files and whose ranks are the order of lists."""
    named_by_path: bool
    """Whether the systems are told apart by their files alone."""
    first_run: FirstRun
    unused_ranks: bool
    """Whether the rows of the run have ranks as well as the scores that order them."""
    untyped_ids: list[str]
    """The runs whose document ids may be numbers or text."""
    unfiltered: Markup | None
    """The queries of the run before the condition, where that may remove all rows of some."""
    conventions: Conventions
    """How a ranking is formed, with what the inputs decide."""
    composed: Mapping[str, tuple[str, ...]]
    """The columns that the ids of the run are made of, by role, where these are several."""

    def run_rows(self) -> dict[str, InputRows]:
        """The row counts of the runs, without judgments."""
        rows = self.count(self.relations.run.relation)
        return {"run": input_rows(rows, comments=self.comments, where=self.filtered)}

    def rows(self, totals: Mapping[str, int], query_set: str) -> dict[str, InputRows]:
        """The row counts of each input, of the totals that sources/counts.sql counted."""
        if self.relations.without_judgments:
            return self.run_rows() | self.others()
        unjudged = totals["unjudged_documents"] if query_set != "run" else 0
        left_out = {"comments": self.comments, "where": self.filtered, "unjudged_queries": unjudged}
        run = input_rows(totals["documents"], **left_out)
        if self.relations.labelled:
            qrels = input_rows(totals["documents"], no_relevance=totals["without_relevance"])
        else:
            qrels = self.judgment_rows(totals["judgments"], totals["missing_judgments"])
        return {"run": run, "qrels": qrels} | self.others()

    def judgment_rows(self, judgments: int, missing: int = 0) -> InputRows:
        """The row counts of the judgments, of which so many are `missing` because their queries have no results."""
        comments = sum(table.comments for table in self.judgments)
        left_out = {"where": self.judgments_filtered, "unfilled": self.unfilled, "missing_queries": missing}
        return input_rows(judgments, comments=comments, **left_out)

    def others(self) -> dict[str, InputRows]:
        """The row counts of the inputs besides run and judgments."""
        return {
            kind: input_rows(self.count(other.relation))
            for kind, other in self.relations.named()
            if kind not in ("run", "qrels")
        }


def zone_used(engine: Engine, reading: Reading, tables: Iterable[Table], named: Iterable[str]) -> str | None:
    """The time zone of the session, where a time that has a zone takes part; `named` are columns that are read."""
    expressions = [text for _, text in reading.own_sql]
    read = {name.lower() for name in named} | {bare_name(name).lower() for name in reading.placed}
    if expressions:
        from sqlrank.statement.syntax_trees import parsed

        read |= {parts[0].lower() for text in expressions for parts in parsed(text).columns}
    zoned = any(engine.zoned(kind) for table in tables for name, kind in table.columns.items() if name.lower() in read)
    return engine.timezone if zoned or any(map(ZONES_IN_SQL.search, expressions)) else None


def zone_in_words(zone: str) -> str:
    """What is printed below the numbers."""
    return f"times that have a zone are read in {zone}"
