"""Tables with their column roles become the relations that the steps of the statement read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.csv_files import MIXED
from sqlrank.inputs.parquet_files import has_statistics, is_number
from sqlrank.inputs.plain_text import complain_of_encoding
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, missing, require
from sqlrank.inputs.row_counts import InputRows, input_rows
from sqlrank.inputs.segments import Places, check_segments, unread
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import split_anew
from sqlrank.statement.templates import render, sql_text

IDS = ("system", "query_id", "doc_id")
STATED_DOC_ID = "sqlrank_doc_id"
STATE_ERROR = "The CSV Parser state machine reached an invalid state."
"""What DuckDB says of a text file whose lines end in different ways."""


@dataclass(slots=True)
class Inputs:
    """The inputs as the templates read them, and what there is to say of them."""

    context: dict[str, Any]
    sources: list[str]
    """The statements that made the relations, which run in a bare DuckDB too."""
    notes: list[str]
    labels: dict[str, str]
    """What to call the run, the qrels and the queries in messages."""
    tables: dict[str, Table | None]
    """The table behind each input, where it is one whose rows can be pointed at."""
    runs: list[Table]
    """The table of each run."""
    named_by_path: bool
    """Whether the systems are told apart by their files alone."""
    filtered: int = 0
    """How many rows of the runs --where left out, once they are known."""
    count: Callable[[Any], int] = lambda relation: 0
    """Counts the rows of a relation."""
    conventions: Conventions = field(default_factory=Conventions)
    """How a ranking is formed, as settled by what the inputs hold."""

    def run_rows(self, relation: Any) -> dict[str, InputRows]:
        """The rows of the runs, where nothing is judged."""
        comments = sum(table.comments for table in self.runs)
        return {"run": input_rows(self.count(relation), comments=comments, where=self.filtered)}

    def rows(self, totals: Mapping[str, int], query_set: str) -> dict[str, InputRows]:
        """The rows of each input.

        Args:
            totals: what sources/counts.sql counted.
            query_set: the queries that are averaged.
        """
        if self.context["without_judgments"]:
            return self.run_rows(self.context["run"]["relation"]) | self.others()
        unjudged = totals["unjudged_documents"] if query_set != "run" else 0
        comments = sum(table.comments for table in self.runs)
        run = input_rows(totals["documents"], comments=comments, where=self.filtered, unjudged_queries=unjudged)
        if self.context["labelled"]:
            qrels = input_rows(totals["documents"], no_relevance=totals["without_relevance"])
        else:
            table = self.tables["qrels"]
            comments = table.comments if table else 0
            missing = totals["missing_judgments"]
            qrels = input_rows(totals["judgments"], comments=comments, missing_queries=missing)
        return {"run": run, "qrels": qrels} | self.others()

    def others(self) -> dict[str, InputRows]:
        """The rows of the inputs besides run and judgments."""
        relations = {kind: self.context[kind] for kind in ("asked", "items", "history", "baseline")}
        return {
            {"asked": "queries"}.get(kind, kind): input_rows(self.count(other["relation"]))
            for kind, other in relations.items()
            if other is not None and other["relation"] is not None
        }


@dataclass(slots=True)
class System:
    """One run and what it is called."""

    given: str | None
    """The name that was given to it."""
    stem: str
    """The name that its file gives it."""
    roles: Roles

    @property
    def has_column(self) -> bool:
        """Whether a column of the run names the systems."""
        return self.given is None and "system" in self.roles.names


class Builder:
    """Makes the relations `run_input`, `qrels_input` and `queries_input` and describes them to the templates."""

    def __init__(
        self,
        engine: Engine,
        reading: Reading,
        conventions: Conventions,
        systems: list[System],
        others: dict[str, Roles],
        needs: Mapping[str, str],
        judged: bool = True,
    ) -> None:
        self.engine, self.reading, self.conventions = engine, reading, conventions
        self.systems, self.others, self.needs = systems, others, needs
        self.qrels, self.asked = others.get("qrels"), others.get("queries")
        self.runs = [system.roles for system in systems]
        self.judged = judged
        self.labelled = judged and self.qrels is None
        self.several = len(systems) > 1 or systems[0].has_column
        self.by_rank = conventions.order == "rank" or "score" not in self.runs[0].names
        self.sources: list[str] = []
        self.notes: list[str] = []
        tables = {"run": [roles.table for roles in self.runs]}
        tables |= {kind: [others[kind].table] for kind in ("qrels", "queries") if kind in others}
        self.places = Places(tables, self.labelled, conventions.query_set == "judged")
        self.placed: list[dict[str, Any]] = []
        self.weighed: dict[str, Any] | None = None

    def build(self) -> Inputs:
        """Make the relations."""
        self.check_roles()
        self.find_segments()
        names = [system.given or system.stem for system in self.systems if not system.has_column]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UsageError(f"two systems are called {twice!r}; name them with name=path")
        run = self.make_run()
        extra = {"extra": [], "weight": None} if not self.labelled else {key: run[key] for key in ("extra", "weight")}
        extra |= {"relation": None}
        ascending = self.by_rank or self.conventions.order == "asc"
        context: dict[str, Any] = {
            "run": run,
            "qrels": extra if self.qrels is None else self.make_other("qrels", self.qrels),
            "asked": {"relation": None, "weight": None}
            if self.asked is None
            else self.make_other("queries", self.asked),
            "labelled": self.labelled,
            "without_judgments": not self.judged,
            "untyped_ids": [roles.table.label for roles in self.runs if not roles.table.is_text(roles.names["doc_id"])],
            "several": self.several,
            "system": None if self.several else names[0],
            "systems": names,
            "by_column": any(system.has_column for system in self.systems),
            "first_run": self.first_run(),
            "direction": sql_text("asc" if ascending else "desc"),
            "by_rank": self.by_rank,
            "segments": self.placed,
            "weighted": self.reading.weight is not None,
            "unfiltered": self.make_unfiltered(),
            "filter": self.reading.where,
        } | {kind: self.make_needed(kind) for kind in ("items", "history", "baseline")}
        by_path = len(self.systems) > 1 and not any(system.given or system.has_column for system in self.systems)
        tables = [roles.table for roles in self.runs]
        filtered = self.count_filtered(context["run"]["relation"])
        labelled = self.labels()
        return Inputs(
            context, self.sources, self.notes, *labelled, tables, by_path, filtered, self.count, self.conventions
        )

    def count(self, relation: Any) -> int:
        """How many rows a relation has."""
        return int(self.engine.execute(render("sources/rows_of.sql", self.engine.dialect, relation=relation))[0][0])

    def count_filtered(self, run: Any) -> int:
        """How many rows of the runs the condition left out."""
        if self.reading.where is None:
            return 0
        return sum(self.count(roles.table.reader) for roles in self.runs) - self.count(run)

    def first_run(self) -> dict[str, Any]:
        """The system of the run that was given first, or where to look for it."""
        first = self.systems[0]
        column = first.roles.names["system"] if first.has_column else None
        name = None if first.has_column else first.given or first.stem
        return {"system": name, "relation": first.roles.table.reader, "column": column}

    def labels(self) -> tuple[dict[str, str], dict[str, Table | None]]:
        """What to call each input, and the table behind it where one row of it can be pointed at."""
        run = " and ".join(dict.fromkeys(roles.table.label for roles in self.runs))
        alone = self.runs[0].table if len(self.runs) == 1 and self.reading.where is None else None
        names: dict[str, str] = {"run": run, "qrels": run, "queries": ""}
        tables: dict[str, Table | None] = {"run": alone, "qrels": alone, "queries": None}
        for kind, roles in self.others.items():
            names[kind], tables[kind] = roles.table.label, roles.table
        if "history" in names:
            names, tables = {"items": names["history"]} | names, {"items": tables["history"]} | tables
        return names, tables

    def check_roles(self) -> None:
        """Refuse inputs without the columns that every evaluation needs, and note what is not used."""
        for system in self.systems:
            names, table = system.roles.names, system.roles.table
            self.need(system.roles, "run", ("query_id", "doc_id"))
            if "score" not in names and ("rank" not in names or "score" in system.roles.unclear):
                raise missing(system.roles, "rank" if "rank" in system.roles.unclear else "score", "run")
            if "system" in system.roles.unclear and system.given is None:
                raise missing(system.roles, "system", "run")
            if self.conventions.order == "rank" and "rank" not in names:
                raise missing(system.roles, "rank", "run")
            if self.conventions.order != "rank" and ("score" not in names) != self.by_rank:
                raise DataError(f"{table.label} and {self.runs[0].table.label}: one has scores, the other only ranks")
            if self.conventions.ties == "rank" and "rank" not in names:
                raise DataError(f"{table.label} has no rank column, which --ties rank needs; --column rank=NAME")
            if self.labelled and "relevance" not in names:
                error = missing(system.roles, "relevance", "run")
                metrics = f", needed for {self.needs['judgments']}" if "judgments" in self.needs else ""
                raise DataError(f"{error}; or give the judgments with --qrels{metrics}")
            if not self.labelled and "relevance" in names and not table.canonical:
                instead = (
                    "the judgments are those of --qrels" if self.judged else "rankings are compared without judgments"
                )
                ignored = f"the column {names['relevance']} is ignored; {instead}"
                self.notes.append(f"{table.label}: {ignored}")
            if system.given is not None and "system" in names:
                self.notes.append(f"{table.label}: the column {names['system']} is ignored; {system.given} was given")
        self.note_choices()
        if "subtopic" in self.needs:
            self.notes.append("judgments are by subtopic; for other metrics the largest of a document counts")
        if self.qrels is not None:
            self.need(self.qrels, "qrels", ("query_id", "doc_id", "relevance"))
            if "subtopic" in self.needs:
                self.need(self.qrels, "qrels", ("subtopic",))
        elif "subtopic" in self.needs:
            raise DataError(f"{self.needs['subtopic']}: judgments by subtopic are needed; give them with --qrels")
        if self.asked is not None:
            self.need(self.asked, "queries", ("query_id",))

    def note_choices(self) -> None:
        """Say which columns were chosen for the roles that matter, and that a rank orders where it does."""
        ordering = "rank" if self.conventions.order == "rank" else "score"
        used = {"query_id", "doc_id", "system", ordering} | ({"relevance"} if self.labelled else set())
        used |= {"rank"} if self.conventions.ties == "rank" else set()
        for roles in self.runs:
            self.notes += [note for role, note in roles.notes.items() if role in used]
            if self.conventions.order == "rank":
                self.notes.append(f"{roles.table.label}: the column {roles.names['rank']} gives the places")
            elif self.by_rank:
                self.notes.append(f"{roles.table.label}: there is no score; the column {roles.names['rank']} orders")
        for kind, other in self.others.items():
            unused = {"subtopic", "category"} - set(self.needs)
            self.notes += [note for role, note in other.notes.items() if role not in unused or kind == "run"]

    def need(self, roles: Roles, kind: str, needed: Sequence[str]) -> None:
        """Refuse a table that lacks one of these roles."""
        for role in needed:
            if role not in roles.names:
                raise missing(roles, role, kind)

    def find_segments(self) -> None:
        """Find the columns of the segments and of the weight."""
        self.placed = [self.places.of(name) for name in self.reading.by]
        self.weighed = self.places.of(self.reading.weight) if self.reading.weight is not None else None
        check_segments(self.placed)
        self.notes += self.places.notes
        named = [*self.placed, *([self.weighed] if self.weighed else [])]
        if self.asked is not None and unread(self.reading, named):
            self.notes.append(f"{self.asked.table.label}: nothing reads it; name a column of it with --by or --weight")

    def make_run(self) -> dict[str, Any]:
        """Make `run_input`."""
        ordered = self.conventions.ties == "input" or self.conventions.duplicates == "first"
        needed = ["query_id", "doc_id"]
        needed += ["rank"] if self.conventions.ties == "rank" else []
        needed += ["relevance"] if self.labelled else []
        extras = self.extras("found")
        parts = []
        for system in self.systems:
            names = system.roles.names
            chosen = {"system": names["system"]} if self.several and system.has_column else {}
            chosen |= {role: names[role] for role in needed} | {"score": names["rank" if self.by_rank else "score"]}
            part = self.part(system.roles, chosen, extras, self.reading.where)
            literal = self.several and not system.has_column
            parts.append(part | {"system": system.given or system.stem if literal else None})
        loaded = ordered or any(roles.table.costly for roles in self.runs)
        stated = {} if loaded else self.stated(parts)
        canonical = {role: role for role in ("system", "query_id", "doc_id", "score", "rank", "relevance")}
        described = {"relation": self.make("run_input", parts, loaded, ordered), "where": None}
        return canonical | described | stated | self.described("found")

    def make_other(self, kind: str, roles: Roles) -> dict[str, Any]:
        """Make `qrels_input` or `queries_input`."""
        needed = ["query_id", "doc_id", "relevance"] if kind == "qrels" else ["query_id"]
        needed += ["subtopic"] if kind == "qrels" and "subtopic" in self.needs else []
        read = "judged" if kind == "qrels" else "asked"
        extras = self.extras(read)
        part = self.part(roles, {role: roles.names[role] for role in needed}, extras)
        stated = self.stated([part]) if kind == "qrels" and not roles.table.costly else {}
        relation = self.make(f"{kind}_input", [part], roles.table.costly)
        return {role: role for role in needed} | {"relation": relation} | stated | self.described(read)

    def make_needed(self, kind: str) -> dict[str, Any] | None:
        """Make `items_input`, `history_input` or `baseline_input`, where a metric reads it.

        Raises:
            UsageError: it was not given.
        """
        if kind not in self.needs and not (kind == "items" and "category" in self.needs):
            return None
        roles = self.others.get(kind)
        if roles is None and kind == "items" and "category" not in self.needs and "history" in self.others:
            return self.made_needed("items", self.others["history"], ["doc_id"])
        if roles is None:
            hint = " (or --history)" if kind == "items" and "category" not in self.needs else ""
            raise UsageError(f"{self.needs.get(kind) or self.needs['category']}: --{kind}{hint} is needed")
        needed = {"items": ["doc_id"], "history": ["query_id", "doc_id"], "baseline": ["query_id", "doc_id"]}[kind]
        needed += ["category"] if kind == "items" and "category" in self.needs else []
        return self.made_needed(kind, roles, needed)

    def made_needed(self, kind: str, roles: Roles, needed: list[str]) -> dict[str, Any]:
        """One of these relations with the columns it needs."""
        self.need(roles, kind, needed)
        chosen = {role: roles.names[role] for role in needed}
        by_rank = kind == "baseline" and "score" not in roles.names
        if kind == "baseline":
            self.need(roles, kind, ["rank" if by_rank else "score"])
            chosen["score"] = roles.names["rank" if by_rank else "score"]
        ascending = by_rank or self.conventions.order == "asc"
        relation = self.make(f"{kind}_input", [self.part(roles, chosen, [])], roles.table.costly)
        named = {role: role for role in ("query_id", "doc_id", "category", "score")}
        return named | {"relation": relation, "direction": sql_text("asc" if ascending else "desc")}

    def make_unfiltered(self) -> Any:
        """Make `run_unfiltered`, the queries of the run without --where, where that may empty judged queries."""
        if self.qrels is None or self.reading.where is None:
            return None
        parts = [self.part(roles, {"query_id": roles.names["query_id"]}, []) for roles in self.runs]
        return self.make("run_unfiltered", parts, any(roles.table.costly for roles in self.runs))

    def extras(self, read: str) -> list[str]:
        """The segment and weight columns that are read where something is `found`, `judged` or `asked`."""
        described = self.described(read)
        return list(
            dict.fromkeys([*(each["name"] for each in described["extra"]), *filter(None, [described["weight"]])])
        )

    def described(self, read: str) -> dict[str, Any]:
        """The same as the templates read them."""
        weight = self.weighed["name"] if self.weighed is not None and self.weighed[read] else None
        return {"extra": [each for each in self.placed if each[read]], "weight": weight}

    def part(self, roles: Roles, chosen: dict[str, str], extras: list[str], where: str | None = None) -> dict[str, Any]:
        """One table of an input: which of its columns are read under which names."""
        chosen = chosen | {name: require(roles.table, name) for name in extras}
        return {
            "system": None,
            "columns": [self.column(roles.table, alias, name) for alias, name in chosen.items()],
            "table": roles.table,
            "where": None if where is None else sql_text(where),
            "guarded": self.guarded,
            "stated": has_statistics(roles.table) and isinstance(self.engine, DuckDBEngine),
            "query_id": roles.names.get("query_id"),
        }

    def stated(self, parts: list[dict[str, Any]]) -> dict[str, str]:
        """Let a view of Parquet have the ids of documents as the files state them too, and name that column.

        Whether one is missing is asked of it where the documents are looked at later anyway: it spares their reading.
        """
        if not any(part["stated"] for part in parts):
            return {}
        for part in parts:
            name = next(column["name"] for column in part["columns"] if column["alias"] == "doc_id")
            part["columns"].append({"alias": STATED_DOC_ID, "name": name, "form": "plain"})
        return {"stated_doc_id": STATED_DOC_ID}

    @property
    def guarded(self) -> bool:
        """Whether an error of a condition would end a transaction of the caller."""
        return isinstance(self.engine, DuckDBEngine) and not self.engine.owned

    def check_condition(self, parts: list[dict[str, Any]]) -> None:
        """Look for rows on which the condition fails, where its error would do harm."""
        for part in parts:
            if part["where"] is not None and part["guarded"] and isinstance(self.engine, DuckDBEngine):
                from sqlrank.inputs.conditions import check_values

                check_values(self.engine, part["where"], part["reader"], part["query_id"], part["table"].label)

    def column(self, table: Table, alias: str, name: str) -> dict[str, Any]:
        """How one column is read.

        Raises:
            DataError: the files have it in different types.
        """
        kind, name = table.columns[name], table.aliases.get(name, name)
        if conflict := table.conflicts.get(name):
            number = alias in ("score", "rank", "relevance", self.reading.weight, (self.weighed or {}).get("name"))
            if not (conflict.numeric and number):
                raise DataError(f"{table.label}: {conflict.text}")
        labels = list(self.reading.relevance_map.items())
        form = "json id" if table.json and alias in ("query_id", "doc_id") else "plain"
        if alias == "relevance" and (labels or kind == "VARCHAR"):
            form = "map" if labels else "label"
        elif has_statistics(table) and isinstance(self.engine, DuckDBEngine):
            number = alias in ("score", "relevance") and is_number(kind)
            form = "number" if number else "opaque" if alias in IDS else form
        pairs = [(label, str(number)) for label, number in labels]
        complaint = f"{table.label}: a {alias} in JSON must be a string or a whole number, not "
        return {"alias": alias, "name": name, "form": form, "labels": pairs, "complaint": complaint}

    def make(self, base: str, parts: list[dict[str, Any]], loaded: bool, ordered: bool = False) -> Any:
        """Create one input relation and keep the statement."""
        name = self.engine.name(base)
        portable = any(part["table"].portable for part in parts)
        sql, *shown = [
            render("sources/input.sql", self.engine.dialect, name=name, parts=read, loaded=loaded, ordered=ordered)
            for read in self.readers(parts, portable)
        ]
        try:
            self.check_condition(self.readers(parts, portable=False)[0])
            self.engine.make("table" if loaded else "view", name, sql, doing="reading" if loaded else "")
        except DataError as error:
            tables = [part["table"] for part in parts]
            if not any(table.trec for table in tables):
                raise self.unreadable(error, tables) from error
            for table in tables:
                if table.trec and isinstance(self.engine, DuckDBEngine):
                    split_anew(self.engine, table)
            return self.make(base, parts, loaded, ordered)
        except UsageError as error:
            from sqlrank.statement.conditions import short

            told = self.reading.where is None or str(error).startswith("--where")
            text = str(error) if told else f"--where {short(str(self.reading.where))}: {error}"
            hint = "; values of text files are text: write cast(column as double)" if "Cannot compare" in text else ""
            raise UsageError(text + hint) from error
        self.sources.append(shown[0] if shown else sql)
        return sql_text(self.engine.dialect.ident(name))

    @staticmethod
    def readers(parts: list[dict[str, Any]], portable: bool) -> list[list[dict[str, Any]]]:
        """The parts with what reads them here; then, where files had to be unpacked, with what reads them elsewhere."""
        here = [part | {"reader": part["table"].reader} for part in parts]
        there = [part | {"reader": part["table"].portable or part["table"].reader} for part in parts]
        return [here, there] if portable else [here]

    def unreadable(self, error: DataError, tables: list[Table]) -> DataError:
        """The error of files that cannot be read, with the file."""
        if isinstance(self.engine, DuckDBEngine):
            complain_of_encoding(self.engine, [file for table in tables if table.text for file in table.files])
        text, labels = str(error).replace(STATE_ERROR, MIXED), list(dict.fromkeys(table.label for table in tables))
        named = any(file in text for table in tables for file in (table.label, *map(self.engine.called, table.files)))
        return DataError(text) if named else DataError(f"{' and '.join(labels)}: {text}")
