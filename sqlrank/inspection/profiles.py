"""What one input holds: its rows, and the roles that its columns would get."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import counted
from sqlrank.inputs.column_names import PLACE, POSITIVE
from sqlrank.inputs.copies import option_on, telling
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.relation_maker import Column, RelationMaker
from sqlrank.inputs.roles import COMPOSED, Roles
from sqlrank.inspection.columns import MOST_SEGMENTS, Segment, grades, segments
from sqlrank.inspection.kinds import LABELLED, QRELS, RUN, format_of
from sqlrank.options.values import text_of_columns
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

FIRST = 10
"""The number of first documents whose judged share is told."""
SAMPLED = 1000
"""How many queries are looked at more closely."""
MOST_COLUMNS = 40
"""How many columns are looked at for that."""
MOST_COUNTED = 1_000_000
"""The number of rows from which documents are counted by a sketch, whose error is a few percent."""
COMMA = re.compile(r"[+-]?[0-9.]*,[0-9]+")
"""A number with a comma before its decimals."""
EXAMPLES = 3
"""How many ids are shown."""


@dataclass(slots=True, kw_only=True)
class Profile:
    """One input."""

    label: str
    format: str
    kind: str
    """One of `KINDS`."""
    columns: dict[str, str]
    """Name and type of each column."""
    roles: dict[str, str]
    """Role and the column that would play it, or several between commas."""
    rows: int = 0
    queries: int = 0
    documents: int = 0
    """How many documents there are: about, where `exact` is False."""
    exact: bool = True
    rankings: int = 0
    """How many rankings, or judged queries, the rows are of: one for each system and query."""
    fewest: int = 0
    """The documents of the ranking with the fewest."""
    most: int = 0
    """The documents of the ranking with the most."""
    without_id: int = 0
    """Rows without query or document."""
    score_range: tuple[float, float] | None = None
    largest_relevance: float | None = None
    judged: int = 0
    """Rows with a relevance."""
    positive: int = 0
    """Rows with a relevance above 0."""
    sampled: int = 0
    """How many queries were looked at more closely."""
    tied: int = 0
    """How many of those have tied scores."""
    copies: int = 0
    """Rows of those that repeat a document of their query."""
    systems: tuple[str, ...] = ()
    """The systems that a column names."""
    segments: tuple[Segment, ...] = ()
    query_ids: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    advice: list[tuple[str, Any]] = field(default_factory=list)
    """Options without which it would not be evaluated as it should be."""
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The same as values of JSON."""
        return asdict(self)


@dataclass(slots=True, kw_only=True)
class Overlap:
    """How a run and judgments fit."""

    run: str
    judgments: str
    shared: int
    """Queries of both."""
    of_run: int
    """Queries of the run."""
    of_judgments: int
    """Queries of the judgments."""
    judged_share: float | None
    """The share of the ranked documents that were judged, among the sampled queries of both."""
    judged_first: float | None
    """The same of the first documents."""


class Profiler:
    """Looks at one input.

    Args:
        engine: where it was opened.
        roles: its columns by role, each of one column.
        kind: what it is.
        number: which of the inputs it is, from 1.
        reading: how the inputs are read.
    """

    def __init__(self, engine: DuckDBEngine, roles: Roles, kind: str, number: int, reading: Reading) -> None:
        self.engine, self.roles, self.kind, self.reading = engine, roles, kind, reading
        self.grades: tuple[Segment, ...] = ()
        """The columns without a role that may be labels."""
        self.name = engine.name(f"inspected_{number}")

    @property
    def rows(self) -> Any:
        """The relation of the rows of the sampled queries."""
        return sql_text(self.engine.dialect.ident(self.name))

    def context(self) -> dict[str, Any]:
        """The columns that the statements read."""
        names, aliases = self.roles.names, self.roles.table.aliases
        score = names.get("score", names.get("rank"))
        chosen = {role: names.get(role) for role in ("query_id", "doc_id", "system")} | {"score": score}
        columns = {role: None if name is None else aliases.get(name, name) for role, name in chosen.items()}
        return columns | {"relevance": self.label()}

    def label(self) -> Column | None:
        """The column of the relevance, and how it is read."""
        table, name = self.roles.table, self.roles.names.get("relevance")
        if name is None or name in table.conflicts:
            return None if name is None else Column("relevance", table.aliases.get(name, name), "plain")
        return RelationMaker(self.engine, self.reading).column(table, "relevance", name)

    def profile(self) -> Profile:
        """What it holds; an input without queries is only described."""
        roles, table = self.roles, self.roles.table
        hidden = {*COMPOSED.values(), PLACE, POSITIVE}
        found = Profile(
            label=table.label,
            format=format_of(roles),
            kind=self.kind,
            columns={name: kind for name, kind in table.columns.items() if name not in hidden},
            roles={},
            notes=[*table.notes, *roles.unclear.values()],
        )
        self.describe(found)
        return found

    def describe(self, found: Profile) -> None:
        """Say the roles, and what the rows of an input with queries hold."""
        roles = {role: text_of_columns(self.roles.columns_of(role)) for role in self.roles.names if role != "subtopic"}
        found.roles = {role: "the order of the list" if name == PLACE else name for role, name in roles.items()}
        if "query_id" in roles:
            self.count(found)
            self.sample(found)

    def counts(self) -> dict[str, Any]:
        """The counts of one pass over the rows."""
        context = self.context() | {"reader": self.roles.table.reader}
        return self.engine.row(render("inspect/queries.sql", self.engine.dialect, **context))

    def count(self, found: Profile) -> None:
        """Count rows, queries and documents, in one pass, and another over the documents."""
        row = self.counts()
        found.rows, found.queries, found.rankings = int(row["row_count"]), int(row["queries"]), int(row["rankings"])
        found.fewest, found.most = int(row["fewest"] or 0), int(row["most"] or 0)
        found.without_id = int(row["without_document"] + row["without_query"])
        found.judged, found.positive, found.largest_relevance = int(row["judged"]), int(row["positive"]), row["largest"]
        if row["labels"] and not self.reading.relevance_map:
            found.notes.append(
                f"{counted(row['labels'], 'relevance', 'is not a number', 'are not numbers')}, such as"
                f" {row['label']!r}: {spelt('relevance_map')} says what each is worth, as in E=3,S=2,C=1,I=0"
            )
        if row["texts"]:
            found.notes.append(
                f"{counted(row['texts'], 'score', 'is not a number', 'are not numbers')}, such as {row['score_text']!r}"
                + ("; write decimals with a point" if COMMA.fullmatch(row["score_text"]) else "")
            )
        if row["lowest_score"] is not None:
            found.score_range = row["lowest_score"], row["highest_score"]
        if (doc_id := self.context()["doc_id"]) is not None:
            found.exact = found.rows <= MOST_COUNTED
            asked = {"doc_id": doc_id, "reader": self.roles.table.reader, "exact": found.exact}
            documents = render("inspect/documents.sql", self.engine.dialect, **asked)
            found.documents = int(self.engine.execute(documents)[0][0])

    def sample(self, found: Profile) -> None:
        """Look at some queries more closely: ties, copies, and columns that could be segments."""
        engine, table = self.engine, self.roles.table
        known = {*self.roles.names.values(), *(name for each in self.roles.composed.values() for name in each), PLACE}
        others = [name for name in table.columns if name not in known and name not in table.conflicts][:MOST_COLUMNS]
        columns = [table.aliases.get(name, name) for name in others]
        context = self.context() | {"reader": table.reader, "most": SAMPLED, "columns": columns}
        sampled = engine.name(f"{self.name}_queries")
        engine.keep(sampled, render("inspect/sampled.sql", engine.dialect, **context))
        context |= {"sampled": sql_text(engine.dialect.ident(sampled)), "rows": self.rows}
        engine.keep(self.name, render("inspect/rows.sql", engine.dialect, **context))
        row = engine.row(render("inspect/ranking.sql", engine.dialect, **context))
        found.sampled, found.tied, found.copies = int(row["queries"]), int(row["tied"]), int(row["copies"])
        values = engine.row(render("inspect/values.sql", engine.dialect, **context))
        found.segments = tuple(segments(others, row, values))
        self.grades = tuple(grades(others, row, values))
        found.query_ids, found.doc_ids = self.ids("query_id", EXAMPLES), self.ids("doc_id", EXAMPLES)
        if "system" in self.roles.names:
            found.systems = self.ids("system", MOST_SEGMENTS)
        if found.copies and not found.advice and self.kind in (RUN, LABELLED, QRELS):
            self.advise(found)

    def ids(self, column: str, most: int) -> tuple[str, ...]:
        """Some ids, or names of systems."""
        context = {"rows": self.rows, "column": column, "most": most}
        return tuple(self.engine.execute(render("inspect/ids.sql", self.engine.dialect, **context))[0][0] or ())

    def advise(self, found: Profile) -> None:
        """Say what tells the copies of documents apart, if a column does."""
        what = "appear in a ranking" if self.kind != QRELS else "are judged"
        if (apart := telling(self.engine, self.roles, None)) is None:
            found.notes.append(f"documents {what} more than once, and no column tells the copies apart")
            return
        meant = {
            "system": ", which names systems",
            "rater": ", which names raters: sqlrank agreement measures how well they agree",
            "part": ", which names parts of documents",
            "query": "",
        }[apart.meaning]
        found.notes.append(f"documents {what} more than once; the copies differ in {apart.column}{meant}")
        option = option_on(apart, self.roles, of_ranks=self.kind != QRELS)
        found.advice += [] if option is None else [option]
        role = {"system": "system", "query": "query_id"}.get(apart.meaning)
        if role is not None and role not in self.roles.composed:
            self.take(role, apart.column)
            self.describe(found)
            found.notes = list(dict.fromkeys(found.notes))

    def take(self, role: str, column: str) -> None:
        """Let a column be part of a role."""
        roles = replace(self.roles, names=dict(self.roles.names), composed=dict(self.roles.composed))
        before = roles.columns_of(role) if role in roles.names else ()
        roles.take(role, [*before, column])
        self.roles = prepared(self.engine, roles)
        self.name += "_told"
