"""A look at inputs before they are evaluated: what each is, how they fit, and the command that would evaluate them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from sqlrank.conventions import plain
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows, is_spark
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.evaluation.arguments import public
from sqlrank.evaluation.request import reading_of
from sqlrank.inputs.duckdb_tables import attach, open_table
from sqlrank.inputs.given_tables import prepared
from sqlrank.inputs.lists import roles_of
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, check_role_names, find_roles
from sqlrank.inputs.trec_files import split_anew
from sqlrank.inspection.lines import lines_of
from sqlrank.inspection.profiles import (
    FIRST,
    ITEMS,
    KINDS,
    LABELLED,
    POSITIVES,
    QRELS,
    QUERIES,
    RUN,
    UNKNOWN,
    VERDICTS,
    Overlap,
    Profile,
    Profiler,
    kind_of,
)
from sqlrank.statement.relations import direction
from sqlrank.statement.templates import render
from sqlrank.version import __version__

RANKED = (RUN, LABELLED)
PASSED = ("session", "separator", "input_format", "encoding", "database", "timezone")
"""The ways of reading that the command repeats as they are."""
KNOWN = frozenset((*PASSED, "columns", "relevance_map", "header"))
"""The options of a look."""


@dataclass(slots=True)
class Inspection:
    """What the inputs are."""

    profiles: list[Profile]
    overlaps: list[Overlap] = field(default_factory=list)
    command: str | None = None
    """The command line that would evaluate them; None where something is missing, or an input is no file."""
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The same as values of JSON."""
        return asdict(self)

    def to_json(self) -> str:
        """The same as a JSON document."""
        content: dict[str, Any] = {"sqlrank": __version__} | self.to_dict()
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)

    def __str__(self) -> str:
        return "\n".join(lines_of(self))

    __repr__ = __str__


@public()
def inspect(
    *inputs: Any,
    qrels: Any = None,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    **options: Any,
) -> Inspection:
    """Look at inputs before they are evaluated.

    Args:
        inputs: paths, frames or relations as `evaluate` takes them: runs, judgments, queries, verdicts.
        qrels: the input that is judgments, where that is not to be told by its columns.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own.
        temp_dir: where a connection of our own spills.
        **options: `columns`, `session`, `separator`, `header`, `input_format`, `encoding`, `database`,
            `timezone` and `relevance_map`, as for `evaluate`.

    Returns:
        What each input is and how they fit. Counts are of all rows; ties, copies, segments and shares of judged
        documents are of at most 1,000 queries.

    Raises:
        UsageError: nothing was given, or an option is not known.
        DataError: an input cannot be read.
    """
    given = [*((data, None) for data in inputs), *([(qrels, QRELS)] if qrels is not None else [])]
    if not given:
        raise UsageError("there is nothing to look at; give a file, or several")
    if any(is_spark(data) for data, _ in given):
        raise UsageError("inputs are looked at in DuckDB; name their files")
    for name in options:
        if name not in KNOWN:
            raise UsageError(f"inspect has no option {name!r}{nearest(name, sorted(KNOWN))}")
    reading = reading_of(options)
    check_role_names(reading.columns)
    engine = DuckDBEngine(connection, threads=threads, memory_limit=memory_limit, temp_dir=temp_dir)
    try:
        if reading.timezone is not None:
            engine.use_timezone(reading.timezone)
        if reading.database is not None:
            attach(engine, reading.database)
        looks = [look(engine, data, kind, reading, number) for number, (data, kind) in enumerate(given, 1)]
        profiles = [profiler.profile() for profiler in looks]
        found = Inspection(profiles)
        ranked = [each for each in looks if each.kind == RUN]
        judged = [each for each in looks if each.kind in (QRELS, POSITIVES)]
        found.overlaps = [overlap(engine, run, one) for run in ranked for one in judged[:1]]
        if all(isinstance(data, str | Path) for data, _ in given):
            suggest(found, [str(data) for data, _ in given], looks, reading)
        return found
    finally:
        engine.close()


def look(engine: DuckDBEngine, data: Any, kind: str | None, reading: Reading, number: int) -> Profiler:
    """One input, opened as what it is."""
    if kind is None and isinstance(data, str) and named_as_judgments(data):
        kind = QRELS
    role = "qrels" if kind == QRELS else "run"
    table = open_table(engine, data, role, reading)
    if table.trec:
        try:
            count_rows(engine, table.reader)
        except DataError:  # its lines are not split at single blanks
            split_anew(engine, table)
    roles = prepared(engine, roles_of(engine, table, role, reading))
    kind = kind or kind_of(roles)
    if kind == VERDICTS:
        roles = prepared(engine, find_roles(table, "verdicts", reading))
    return Profiler(engine, roles, kind, number)


def named_as_judgments(path: str) -> bool:
    """Whether a file is called as judgments are, which a file without names cannot say otherwise."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return "qrel" in name or "judgment" in name or "judgement" in name


def overlap(engine: DuckDBEngine, run: Profiler, judged: Profiler) -> Overlap:
    """How many queries a run and judgments share, and how much of the rankings was judged."""
    sides = [{"query_id": each.context()["query_id"], "reader": each.roles.table.reader} for each in (run, judged)]
    shared = engine.row(render("inspect/shared.sql", engine.dialect, run=sides[0], judged=sides[1]))
    way = direction(ascending="score" not in run.roles.names)
    context = {"run": run.rows, "judged": judged.rows, "top": FIRST, "direction": way}
    row = engine.row(render("inspect/judged.sql", engine.dialect, **context))
    return Overlap(
        run=run.roles.table.label,
        judgments=judged.roles.table.label,
        shared=int(shared["of_both"]),
        of_run=int(shared["of_run"]),
        of_judgments=int(shared["of_judgments"]),
        judged_share=share(row["judged"], row["documents"]),
        judged_first=share(row["first_judged"], row["first_documents"]),
    )


def share(part: Any, whole: Any) -> float | None:
    """A part of a whole; None of nothing."""
    return None if not whole else float(part or 0) / float(whole)


def suggest(found: Inspection, given: Sequence[str], looks: Sequence[Profiler], reading: Reading) -> None:
    """Find the command that would evaluate the inputs, and note what is missing for one."""
    named = list(zip(given, found.profiles, looks, strict=True))
    of = {kind: [text for text, profile, _ in named if profile.kind == kind] for kind in (*KINDS, UNKNOWN)}
    for _, profile, each in named:
        found.notes += [f"{profile.label}: {missing}" for missing in what_is_missing(profile.kind, each.roles)]
    ranked = [*of[RUN], *of[LABELLED]]
    if of[VERDICTS] and not ranked:
        found.command = line("gsb", of[VERDICTS][:1], found, reading)
        return
    if not ranked:
        found.notes.append("there are no rankings among the inputs: no query, document, and score or rank")
    if found.notes:
        return
    judged = [*(["--qrels", of[QRELS][0]] if of[QRELS] else []), *judging(of)]
    if not judged and not of[LABELLED]:
        found.notes.append("there are no judgments among the inputs; metrics that need none are in sqlrank metrics")
    queries = [(text, profile.segments) for text, profile, _ in named if profile.kind == QUERIES and profile.segments]
    others = ["--queries", queries[0][0], "--by", queries[0][1][0].name] if queries else []
    others += ["--items", of[ITEMS][0]] if of[ITEMS] else []
    found.command = line("eval" if len(ranked) == 1 else "compare", [*ranked, *judged, *others], found, reading)


def judging(of: Mapping[str, Sequence[str]]) -> list[str]:
    """The option of pairs that stand in place of judgments."""
    return ["--positives", of[POSITIVES][0]] if of[POSITIVES] and not of[QRELS] and not of[LABELLED] else []


def what_is_missing(kind: str, roles: Roles) -> list[str]:
    """What an input would need to be evaluated."""
    if kind == UNKNOWN:
        return ["no column is a query or a document by its name; say which with --column query_id=NAME"]
    needed = {QRELS: ("relevance",), VERDICTS: ("verdict",)}.get(kind, ())
    return [f"it has no column for the {role}" for role in needed if role not in roles.names]


def line(command: str, words: Sequence[str], found: Inspection, reading: Reading) -> str:
    """A command line with what was told of the inputs, and what they need besides."""
    told = [word for role, column in reading.columns.items() for word in ("--column", f"{role}={column}")]
    for name in PASSED:
        value = getattr(reading, name)
        told += [] if value is None else [f"--{name.replace('_', '-')}", str(value)]
    told += [] if reading.header else ["--no-header"]
    worths = ",".join(f"{label}={plain(worth)}" for label, worth in reading.relevance_map.items())
    told += ["--relevance-map", worths] if worths else []
    advised = list(dict.fromkeys(tuple(profile.advice) for profile in found.profiles if profile.advice))
    return shlex.join(["sqlrank", command, *words, *told, *(word for each in advised for word in each)])
