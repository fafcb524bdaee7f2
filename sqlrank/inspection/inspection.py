"""A look at inputs before they are evaluated: what each is, how they fit, and the command that would evaluate them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows, is_spark
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.evaluation.request import reading_of
from sqlrank.evaluation.stored import rankings_expected
from sqlrank.inputs.column_names import are_of_beir
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.missing_columns import group_of, missing
from sqlrank.inputs.opening import roles_of
from sqlrank.inputs.prepared_tables import prepared
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
from sqlrank.inspection.suggestion import Suggestion, found_to_work
from sqlrank.presentation import Looked
from sqlrank.statement.relations import direction
from sqlrank.statement.templates import render
from sqlrank.version import __version__

PASSED = ("session", "separator", "input_format", "encoding", "database", "timezone")
"""The ways of reading that the command repeats as they are."""
MOST_TRIED = 1_000_000
"""Of how many rows at most the command is tried before it is printed."""
KNOWN = frozenset((*PASSED, "columns", "relevance_map", "header"))
"""The options of a look."""


@dataclass(slots=True)
class Inspection(Looked):
    """What the inputs are."""

    profiles: list[Profile]
    overlaps: list[Overlap] = field(default_factory=list)
    command: str | None = None
    """The command line that evaluates them; None where none does, or an input is no file."""
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The same as values of JSON."""
        return asdict(self)

    def to_json(self) -> str:
        """The same as a JSON document."""
        content: dict[str, Any] = {"sqlrank": __version__} | self.to_dict()
        return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)

    def __str__(self) -> str:
        return "\n".join(lines_of(self.profiles, self.overlaps, self.notes, self.command))

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
        documents are of at most 1,000 queries. Of inputs of up to a million rows the command was tried: it succeeds,
        or `notes` say why there is none.

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
        with rankings_expected(engine, [data for data, _ in given]):
            looks = [look(engine, data, kind, reading, number) for number, (data, kind) in enumerate(given, 1)]
            profiles = [profiler.profile() for profiler in looks]
        found = Inspection(profiles)
        ranked = [each for each in looks if each.kind == RUN]
        judged = [each for each in looks if each.kind in (QRELS, POSITIVES)]
        found.overlaps = [overlap(engine, run, one) for run in ranked for one in judged[:1]]
        if all(isinstance(data, str | Path) for data, _ in given):
            settings = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
            suggest(found, [str(data) for data, _ in given], looks, reading, settings)
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
    if kind == RUN and are_of_beir(table.columns):
        kind, roles = QRELS, prepared(engine, roles_of(engine, table, "qrels", reading))
    if kind == VERDICTS:
        roles = prepared(engine, find_roles(table, "verdicts", reading))
    return Profiler(engine, roles, kind, number, bool(reading.relevance_map))


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


def suggest(
    found: Inspection, given: Sequence[str], looks: Sequence[Profiler], reading: Reading, settings: Mapping[str, Any]
) -> None:
    """Find the command that evaluates the inputs, or note why there is none; it is tried where rows are not many."""
    named = list(zip(given, found.profiles, looks, strict=True))
    of = {kind: [text for text, profile, _ in named if profile.kind == kind] for kind in (*KINDS, UNKNOWN)}
    for _, profile, each in named:
        found.notes += [f"{profile.label}: {missing}" for missing in what_is_missing(profile.kind, each.roles)]
    ranked = [*of[RUN], *of[LABELLED]]
    judged = ({"qrels": of[QRELS]} if of[QRELS] else {}) | judging(of)
    if not ranked and not of[VERDICTS]:
        found.notes.append("there are no rankings among the inputs: no query, document, and score or rank")
    elif not judged and not of[LABELLED] and len(ranked) == 1:
        found.notes.append("there are no judgments among the inputs; metrics that need none are in sqlrank metrics")
    if found.notes:
        return
    if ranked:
        queries = [(text, each.segments) for text, each, _ in named if each.kind == QUERIES and each.segments]
        others = {"queries": queries[0][0], "by": queries[0][1][0].name} if queries else {}
        others |= {"items": of[ITEMS][0]} if of[ITEMS] else {}
        command, options = "eval" if len(ranked) == 1 else "compare", judged | others | told(found, reading)
    else:
        command, ranked, options = "gsb", of[VERDICTS][:1], told(found, reading)
    suggested = Suggestion(command, ranked, options, bool(of[LABELLED]))
    if sum(profile.rows for profile in found.profiles) > MOST_TRIED or not all(map(may_be_read_again, given)):
        found.command = suggested.line
        return
    found.command, problems = found_to_work(suggested, settings)
    found.notes += problems


def may_be_read_again(path: str) -> bool:
    """Whether an input is still there once it was read, as no stream is."""
    return path != "-" and (not os.path.exists(path) or os.path.isfile(path) or os.path.isdir(path))


def judging(of: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The option of pairs that stand in place of judgments."""
    return {"positives": of[POSITIVES]} if of[POSITIVES] and not of[QRELS] and not of[LABELLED] else {}


def what_is_missing(kind: str, roles: Roles) -> list[str]:
    """What an input would need to be evaluated."""
    ranked = kind == ITEMS and any(role in roles.names for role in ("score", "rank", "relevance"))
    if (kind == UNKNOWN or ranked) and (group := group_of(roles)):
        return [group]
    if kind == UNKNOWN:
        return ["no column is a query or a document by its name; say which with --column query_id=NAME"]
    if kind == QUERIES and roles.table.inside:
        return [str(missing(roles, "doc_id", "run")).removeprefix(f"{roles.table.label} ")]
    needed = {QRELS: ("relevance",), VERDICTS: ("verdict",)}.get(kind, ())
    return [f"it has no column for the {role}" for role in needed if role not in roles.names]


def told(found: Inspection, reading: Reading) -> dict[str, Any]:
    """What was told of the inputs, and what they need besides."""
    options: dict[str, Any] = {}
    columns = dict(reading.columns)
    for profile in found.profiles:
        for option, value in zip(profile.advice[::2], profile.advice[1::2], strict=True):
            if option == "--column":
                role, _, column = value.partition("=")
                columns[role] = column
            else:
                options[option.removeprefix("--")] = value
    given = {name: getattr(reading, name) for name in PASSED}
    passed = {name: value for name, value in given.items() if value is not None}
    passed |= {} if reading.header else {"header": False}
    passed |= {"relevance_map": dict(reading.relevance_map)} if reading.relevance_map else {}
    return ({"columns": columns} if columns else {}) | passed | options
