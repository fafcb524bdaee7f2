"""Inputs: a path, table, frame or dictionary with its column roles becomes a relation that the steps read."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from sqlrank.columns import Roles, find_roles, missing, require
from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.formats import URL, Table, bare_suffix, describe, read_files
from sqlrank.names import INPUT_FORMATS
from sqlrank.templates import render, sql_text

SYSTEM_NAME = re.compile(r"[A-Za-z0-9_.-]+\Z")
OUTPUT_NAMES = frozenset(
    "system query_id doc_id score rank relevance weight place tied retrieved judged hit gain discount "
    "is_total metric value queries stderr ci_low ci_high copy returned kept given_rank input_order".split()
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How inputs are read: everything but their names and the conventions."""

    by: tuple[str, ...] = ()
    """Columns of the run, the qrels or the queries table that split queries into segments."""
    weight: str | None = None
    """A column with the weight of each query in the means."""
    queries: Any = None
    """A table with one row per query, for segments and weights."""
    where: str | None = None
    """An SQL condition on the rows of the run; on a labelled export of the judgments too."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Column names by role: `query_id`, or `run.query_id` and `qrels.query_id` where they differ."""
    relevance_map: Mapping[str, float] = field(default_factory=dict)
    """What text labels are worth, such as `{"E": 3, "S": 2, "C": 1, "I": 0}`."""
    input_format: str | None = None
    """One of parquet, csv, tsv, json, trec; None tells by suffix and content."""
    header: bool = True
    """Whether CSV files begin with the names of their columns."""
    database: str | None = None
    """A DuckDB file, opened read-only, whose tables the inputs are."""

    def __post_init__(self) -> None:
        if self.input_format not in (None, *INPUT_FORMATS):
            raise UsageError(f"--input-format {self.input_format} is not known (one of {', '.join(INPUT_FORMATS)})")
        for name in self.by:
            if name.lower() in OUTPUT_NAMES:
                raise UsageError(f"--by {name}: the output has a column of that name; rename the column first")
        if len({name.lower() for name in self.by}) < len(self.by):
            raise UsageError(f"--by {', '.join(self.by)}: a column is named twice")
        if self.where is not None:
            check_expression(self.where)


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


def check_expression(text: str) -> None:
    """Refuse anything but one SQL expression.

    Raises:
        UsageError: the text holds no expression, or more than one.
    """
    try:
        duckdb.SQLExpression(text)
    except duckdb.Error as error:
        raise UsageError(f"--where {text!r} is not one SQL expression: {str(error).splitlines()[0]}") from error


def open_inputs(
    engine: DuckDBEngine, runs: Sequence[tuple[str | None, Any]], qrels: Any, reading: Reading, conventions: Conventions
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


def attach(engine: DuckDBEngine, path: str) -> None:
    """Open a DuckDB file read-only.

    Raises:
        DataError: it is not there, is no database, or another process writes to it.
    """
    if not os.path.isfile(path):
        raise DataError(f"--database {path}: no such file")
    try:
        engine.execute(render("sources/attach.sql", engine.dialect, path=path, name="source"))
    except (DataError, UsageError) as error:
        raise DataError(f"--database {path}: cannot be opened: {error}") from error


def open_table(engine: DuckDBEngine, data: Any, role: str, reading: Reading) -> Table:
    """Whatever was given as a table of known columns.

    Raises:
        DataError: it is not there or cannot be read.
        UsageError: it is of a kind that cannot be an input.
    """
    if isinstance(data, str | Path):
        if reading.database is not None:
            return catalogue_table(engine, str(data), reading.database)
        return read_files(engine, str(data), role, reading.input_format, reading.header)
    name = engine.name(f"{role}_given_{len(engine.made) + len(engine.registered)}")
    quoted = sql_text(engine.dialect.ident(name))
    if isinstance(data, Mapping):
        value = "relevance" if role == "qrels" else "score"
        load_pairs(engine, name, data, value, role)
        return Table(f"the {role}", quoted, {"query_id": "VARCHAR", "doc_id": "VARCHAR", value: "DOUBLE"}, canonical=True)
    if isinstance(data, duckdb.DuckDBPyRelation):
        data.create_view(name)
        engine.made.append(("view", name))
    else:
        engine.register(name, data)
    return Table(f"the {role}", quoted, describe(engine, quoted, f"the {role}"), costly=hasattr(data, "read_next_batch"))


def load_pairs(engine: DuckDBEngine, name: str, data: Mapping[Any, Any], value: str, role: str) -> None:
    """Load `{query: {document: number}}` into a table."""
    queries: list[str] = []
    documents: list[str] = []
    numbers: list[float | None] = []
    try:
        for query, pairs in data.items():
            for document, number in pairs.items():
                queries.append(str(query))
                documents.append(str(document))
                numbers.append(None if number is None else float(number))
    except (AttributeError, TypeError, ValueError) as error:
        raise DataError(f"the {role} must be {{query: {{document: number}}}}: {error}") from error
    sql = render("sources/pairs.sql", engine.dialect, name=name, value=value)
    engine.make("table", name, sql, [queries, documents, numbers])


def catalogue_table(engine: DuckDBEngine, name: str, path: str) -> Table:
    """A table or view of the attached database, looked up in its catalogue so that no file can take its place."""
    rows = engine.execute(render("sources/catalogue.sql", engine.dialect, database="source"))
    known = {f"{schema}.{table}": (schema, table) for _, schema, table in rows}
    found = [key for key in known if name in (key, known[key][1])]
    if len(found) != 1:
        problem = f"several tables are called {name!r}: {', '.join(found)}" if found else f"there is no table {name!r}"
        hint = "" if found else nearest(name, [table for _, table in known.values()]) + f" (it has {', '.join(known)})"
        raise DataError(f"{path}: {problem}{hint}")
    reader = sql_text(".".join(engine.dialect.ident(part) for part in ("source", *known[found[0]])))
    return Table(f"{name} in {path}", reader, describe(engine, reader, name))


def named_run(text: str) -> tuple[str | None, str]:
    """A run argument as system name and path: `name=path`, unless a file is called that."""
    name, equals, path = text.partition("=")
    if not equals or os.path.exists(text) or URL.match(text) or not SYSTEM_NAME.match(name):
        return None, text
    return name, path


def input_paths(arguments: Sequence[str]) -> list[str]:
    """Every local file that these arguments mean, for seeing that no output is one of them."""
    paths: list[str] = []
    for argument in arguments:
        _, path = named_run(argument)
        if os.path.isdir(path):
            paths += [str(file) for file in Path(path).rglob("*")]
        else:
            paths += [path, *glob.glob(path, recursive=True)]
    return paths


def system_of(data: Any, number: int) -> str:
    """The name of a system that was not named: the stem of its file, else `run`."""
    if isinstance(data, str | Path):
        stem = Path(str(data).rstrip("/")).name
        while bare_suffix(stem) and Path(stem).suffix and not any(mark in stem for mark in "*?["):
            stem = Path(stem).stem
        return stem if stem not in ("", "-") else "run"
    return "run" if number == 0 else f"run_{number + 1}"


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
            context["qrels"] = {"extra": context["run"]["extra"], "weight": context["run"]["weight"], "relation": None}
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
                raise DataError(f"{roles.table.label} and {self.runs[0].table.label}: one has scores, the other only ranks")
            if self.conventions.ties == "rank" and "rank" not in roles.names:
                raise DataError(f"{roles.table.label} has no rank column, which --ties rank needs; --column rank=NAME")
            if self.labelled and "relevance" not in roles.names:
                error = missing(roles.table, "relevance", "run")
                raise DataError(f"{error}; or give the judgments with --qrels")
            if not self.labelled and "relevance" in roles.names and not roles.table.canonical:
                column = roles.names["relevance"]
                self.notes.append(f"{roles.table.label}: the column {column} is ignored; the judgments are those of --qrels")
        for roles, kind in ((self.qrels, "qrels"), (self.asked, "queries")):
            for role in () if roles is None else ("query_id",) if kind == "queries" else ("query_id", "doc_id", "relevance"):
                if role not in roles.names:  # type: ignore[union-attr]
                    raise missing(roles.table, role, kind)  # type: ignore[union-attr]

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
        columns = [self.column(self.qrels, role, self.qrels.names[role]) for role in ("query_id", "doc_id", "relevance")]
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
            {"columns": [self.column(roles, "query_id", roles.names["query_id"])], "reader": roles.table.reader, "where": None}
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
            return plain_column(alias, sql_text(quoted)) | {"name": name, "form": "json", "complaint": complaint}
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
