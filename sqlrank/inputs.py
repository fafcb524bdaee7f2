"""Inputs: a path, table, frame or dictionary with its column roles becomes a relation that the steps read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.columns import Roles, find_roles, missing, require
from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError
from sqlrank.formats import Table
from sqlrank.reading import Reading, system_of
from sqlrank.tables import attach, open_table
from sqlrank.templates import render, sql_text


@dataclass(slots=True)
class Inputs:
    """The inputs as the templates read them, and what there is to say of them."""

    context: dict[str, Any]
    sources: list[str]
    """The statements that made the relations, which run in a bare DuckDB too."""
    notes: list[str]
    files: list[str]
    labels: dict[str, str]
    """What to call the run, the qrels and the queries in messages."""
    named_by_path: bool
    """Whether the systems are told apart by their files alone."""
    tables: dict[str, Table | None]
    """The table behind each input, where it is one whose rows can be pointed at."""


def open_inputs(
    engine: DuckDBEngine,
    runs: Sequence[tuple[str | None, Any]],
    qrels: Any,
    reading: Reading,
    conventions: Conventions,
) -> Inputs:
    """Find, describe and open the inputs.

    Args:
        engine: what reads them.
        runs: the runs with the names of their systems, None where the data tells.
        qrels: the judgments, or None where the run carries its own.
        reading: how they are read.
        conventions: for the order and the policies that decide which columns are needed.
    """
    if reading.database is not None:
        attach(engine, reading.database)
    tables = [(name, open_table(engine, data, "run", reading)) for name, data in runs]
    run_roles = [find_roles(table, "run", reading.columns) for _, table in tables]
    qrels_roles = None
    if qrels is not None:
        qrels_roles = find_roles(open_table(engine, qrels, "qrels", reading), "qrels", reading.columns)
    asked_roles = None
    if reading.queries is not None:
        asked_roles = find_roles(open_table(engine, reading.queries, "queries", reading), "queries", reading.columns)
    names = [name for name, _ in tables]
    inputs = Builder(engine, reading, conventions, run_roles, names, qrels_roles, asked_roles).build()
    if not inputs.context["several"]:
        inputs.context["system"] = names[0] or system_of(runs[0][1], 0)
    return inputs


class Builder:
    """Makes the relations `run_input`, `qrels_input` and `queries_input` and describes them to the templates."""

    def __init__(
        self,
        engine: DuckDBEngine,
        reading: Reading,
        conventions: Conventions,
        runs: list[Roles],
        systems: list[str | None],
        qrels: Roles | None,
        asked: Roles | None,
    ) -> None:
        self.engine, self.reading, self.conventions = engine, reading, conventions
        self.runs, self.systems, self.qrels, self.asked = runs, systems, qrels, asked
        self.notes = [note for roles in [*runs, *filter(None, (qrels, asked))] for note in roles.notes]
        self.sources: list[str] = []
        self.labelled = qrels is None
        self.several = len(runs) > 1 or (systems[0] is None and "system" in runs[0].names)

    def build(self) -> Inputs:
        """Make the relations."""
        self.check_roles()
        by_rank = "score" not in self.runs[0].names
        context: dict[str, Any] = {
            "run": self.make_run(by_rank),
            "qrels": self.make_qrels(),
            "asked": self.make_asked(),
            "labelled": self.labelled,
            "several": self.several,
            "system": None,
            "direction": sql_text("asc" if by_rank or self.conventions.order == "asc" else "desc"),
            "by_rank": by_rank,
            "segments": [self.segment(name) for name in self.reading.by],
            "weighted": self.reading.weight is not None,
            "unfiltered": self.make_unfiltered(),
        }
        if self.labelled:
            context["qrels"] = {
                "extra": context["run"]["extra"],
                "weight": context["run"]["weight"],
                "relation": None,
            }
        parts = [*self.runs, *filter(None, (self.qrels, self.asked))]
        files = [file for roles in parts for file in roles.table.files]
        labels = {"run": " and ".join(dict.fromkeys(roles.table.label for roles in self.runs))}
        labels["qrels"] = self.qrels.table.label if self.qrels else labels["run"]
        labels["queries"] = self.asked.table.label if self.asked else ""
        paths = len(self.runs) > 1 and not any("system" in roles.names for roles in self.runs)
        alone = self.runs[0].table if len(self.runs) == 1 and self.reading.where is None else None
        tables = {"run": alone, "qrels": self.qrels.table if self.qrels else alone}
        tables["queries"] = self.asked.table if self.asked else None
        return Inputs(context, self.sources, self.notes, files, labels, paths, tables)

    def check_roles(self) -> None:
        """Refuse inputs without the columns that every evaluation needs."""
        for roles in self.runs:
            for role in ("query_id", "doc_id"):
                if role not in roles.names:
                    raise missing(roles.table, role, "run")
            if "score" not in roles.names and "rank" not in roles.names:
                raise missing(roles.table, "score", "run")
            if ("score" in roles.names) != ("score" in self.runs[0].names):
                raise DataError(
                    f"{roles.table.label} and {self.runs[0].table.label}: one has scores, the other only ranks"
                )
            if self.conventions.ties == "rank" and "rank" not in roles.names:
                raise DataError(f"{roles.table.label} has no rank column, which --ties rank needs; --column rank=NAME")
            if self.labelled and "relevance" not in roles.names:
                error = missing(roles.table, "relevance", "run")
                raise DataError(f"{error}; or give the judgments with --qrels")
            if not self.labelled and "relevance" in roles.names and not roles.table.canonical:
                column = roles.names["relevance"]
                self.notes.append(
                    f"{roles.table.label}: the column {column} is ignored; the judgments are those of --qrels"
                )
        needed = {"qrels": ("query_id", "doc_id", "relevance"), "queries": ("query_id",)}
        for other, kind in ((self.qrels, "qrels"), (self.asked, "queries")):
            for role in needed[kind]:
                if other is not None and role not in other.names:
                    raise missing(other.table, role, kind)

    def extras(self, tables: list[Table]) -> list[str]:
        """The segment and weight columns that these tables have."""
        wanted = [*self.reading.by, *([self.reading.weight] if self.reading.weight else [])]
        return [name for name in wanted if all(has(table, name) for table in tables)]

    def make_run(self, by_rank: bool) -> dict[str, Any]:
        """Make `run_input`."""
        extras = self.extras([roles.table for roles in self.runs])
        ordered = self.conventions.ties == "input" or self.conventions.duplicates == "first"
        parts = []
        for roles, system in zip(self.runs, self.systems, strict=True):
            columns = []
            if self.several and ("system" not in roles.names or system is not None):
                columns.append(plain_column("system", sql_text(self.engine.dialect.literal(system))))
            elif self.several:
                columns.append(self.column(roles, "system", roles.names["system"]))
            columns += [self.column(roles, role, roles.names[role]) for role in ("query_id", "doc_id")]
            columns.append(self.column(roles, "score", roles.names["rank" if by_rank else "score"]))
            if self.conventions.ties == "rank":
                columns.append(self.column(roles, "rank", roles.names["rank"]))
            if self.labelled:
                columns.append(self.column(roles, "relevance", roles.names["relevance"]))
            columns += [self.column(roles, name, require(roles.table, name)) for name in extras]
            where = None if self.reading.where is None else sql_text(self.reading.where)
            parts.append({"columns": columns, "reader": roles.table.reader, "where": where})
        name = self.make("run_input", parts, ordered or any(roles.table.costly for roles in self.runs), ordered)
        weight = self.reading.weight
        return {
            "relation": name,
            "system": "system",
            "query_id": "query_id",
            "doc_id": "doc_id",
            "score": "score",
            "rank": "rank",
            "relevance": "relevance",
            "extra": [{"name": extra, "alias": extra} for extra in extras if extra != weight],
            "weight": weight if weight in extras else None,
            "where": None,
        }

    def make_qrels(self) -> dict[str, Any]:
        """Make `qrels_input`, unless the run carries the judgments."""
        if self.qrels is None:
            return {}
        extras = self.extras([self.qrels.table])
        columns = [
            self.column(self.qrels, role, self.qrels.names[role]) for role in ("query_id", "doc_id", "relevance")
        ]
        columns += [self.column(self.qrels, name, require(self.qrels.table, name)) for name in extras]
        part = {"columns": columns, "reader": self.qrels.table.reader, "where": None}
        weight = self.reading.weight
        return {
            "relation": self.make("qrels_input", [part], self.qrels.table.costly),
            "query_id": "query_id",
            "doc_id": "doc_id",
            "relevance": "relevance",
            "extra": [{"name": extra, "alias": extra} for extra in extras if extra != weight],
            "weight": weight if weight in extras else None,
        }

    def make_unfiltered(self) -> Any:
        """Make `run_unfiltered`, the queries of the run without --where, where that may empty judged queries."""
        if self.labelled or self.reading.where is None:
            return None
        parts = [
            {
                "columns": [self.column(roles, "query_id", roles.names["query_id"])],
                "reader": roles.table.reader,
                "where": None,
            }
            for roles in self.runs
        ]
        return self.make("run_unfiltered", parts, any(roles.table.costly for roles in self.runs))

    def make_asked(self) -> dict[str, Any]:
        """Make `queries_input`, if a table of queries was given."""
        if self.asked is None:
            return {"relation": None, "weight": None}
        extras = self.extras([self.asked.table])
        columns = [self.column(self.asked, "query_id", self.asked.names["query_id"])]
        columns += [self.column(self.asked, name, require(self.asked.table, name)) for name in extras]
        part = {"columns": columns, "reader": self.asked.table.reader, "where": None}
        weight = self.reading.weight
        return {
            "relation": self.make("queries_input", [part], self.asked.table.costly),
            "query_id": "query_id",
            "extra": extras,
            "weight": weight if weight in extras else None,
        }

    def make(self, base: str, parts: list[dict[str, Any]], loaded: bool, ordered: bool = False) -> Any:
        """Create one input relation and keep the statement."""
        name = self.engine.name(base)
        sql = render("sources/input.sql", self.engine.dialect, name=name, parts=parts, loaded=loaded, ordered=ordered)
        self.engine.make("table" if loaded else "view", name, sql, doing="reading" if loaded else "")
        self.sources.append(sql)
        return sql_text(self.engine.dialect.ident(name))

    def column(self, roles: Roles, alias: str, name: str) -> dict[str, Any]:
        """How one column is read."""
        table, quoted = roles.table, self.engine.dialect.ident(name)
        if table.json and alias in ("query_id", "doc_id") and table.columns[name] == "JSON":
            complaint = f"{table.label}: a JSON {alias} must be a string or a whole number, not "
            return plain_column(alias, sql_text(quoted)) | {
                "name": name,
                "form": "json",
                "complaint": complaint,
            }
        text = sql_text(f"{quoted} ->> '$'" if table.json and table.columns[name] == "JSON" else quoted)
        made = plain_column(alias, text) | {"name": name}
        if alias == "relevance" and self.reading.relevance_map:
            pairs = [(label, str(number)) for label, number in self.reading.relevance_map.items()]
            return made | {"form": "map", "pairs": pairs, "text": sql_text(f"cast({text} as varchar)")}
        if alias == "relevance" and table.columns[name] in ("VARCHAR", "JSON"):
            return made | {"form": "label"}
        return made

    def segment(self, name: str) -> dict[str, Any]:
        """Where a segment column is found.

        Raises:
            DataError: in none of the inputs.
        """
        found = all(has(roles.table, name) for roles in self.runs)
        judged = has(self.qrels.table, name) if self.qrels else found
        asked = self.asked is not None and has(self.asked.table, name)
        if not (found or judged or asked):
            require(self.runs[0].table, name)
        return {"name": name, "alias": name, "found": found, "judged": judged, "asked": asked}


def plain_column(alias: str, text: Any) -> dict[str, Any]:
    """A column that is read as it is."""
    return {"alias": alias, "text": text, "form": "plain", "name": "", "pairs": [], "complaint": ""}


def has(table: Table, name: str) -> bool:
    """Whether a table has a column of this name."""
    try:
        require(table, name)
    except DataError:
        return False
    return True
