"""A look at inputs before they are evaluated: what each is, how they fit, and the command that would evaluate them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

from sqlrank.arguments import public
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows, is_spark
from sqlrank.errors import DataError, UsageError
from sqlrank.evaluation.flow import rankings_expected
from sqlrank.evaluation.request import reading_of
from sqlrank.inputs.column_names import LIST_NAMES, TIERS, WANTED, are_of_beir, plain_name
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.missing_columns import named_as_judgments
from sqlrank.inputs.opening import check_roles_used, roles_of
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, check_role_names, columns_of_judgments, find_roles, has
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import split_anew
from sqlrank.inspection.kinds import LABELLED, POSITIVES, QRELS, QUERIES, RUN, VERDICTS, kind_of
from sqlrank.inspection.lines import lines_of
from sqlrank.inspection.options import InspectOptions, LookedAt
from sqlrank.inspection.profiles import FIRST, Overlap, Profile, Profiler
from sqlrank.inspection.suggestion import labels_of_others, suggest
from sqlrank.options.shared import Limits, part_of
from sqlrank.presentation import Looked
from sqlrank.statement.relations import direction
from sqlrank.statement.templates import render
from sqlrank.version import __version__


def look(engine: DuckDBEngine, data: Any, kind: str | None, reading: Reading, number: int) -> Profiler:
    """One input, opened as what it is."""
    if kind is None and isinstance(data, str) and named_as_judgments(data):
        kind = QRELS
    role = {QRELS: "qrels", QUERIES: "queries"}.get(kind or "", "run")
    table = open_table(engine, data, role, reading)
    if table.trec:
        try:
            count_rows(engine, table.reader)
        except DataError:  # its lines are not split at single blanks
            split_anew(engine, table)
    roles = told_roles(engine, table, role, reading)
    if kind is None and (judged := told_judgments(engine, table, kind_of(roles), reading)):
        kind, roles = judged
    kind = kind or kind_of(roles)
    if kind == RUN and are_of_beir(table.columns):
        kind, roles = QRELS, told_roles(engine, table, "qrels", reading)
    if kind == VERDICTS:
        roles = prepared(engine, find_roles(table, "verdicts", reading))
    found = Profiler(engine, roles, kind, number, reading)
    if kind == LABELLED and role == "run" and lists_documents(found):
        roles = told_roles(engine, table, role, replace(reading, positives=data))
        return Profiler(engine, roles, kind_of(roles), number, reading)
    return found


def told_roles(engine: DuckDBEngine, table: Table, role: str, reading: Reading) -> Roles:
    """The columns of a table by role; those that are told of the inputs of one kind count where they all are there."""
    reading = replace(reading, columns=columns_of_judgments(reading.columns))
    try:
        return prepared(engine, roles_of(engine, table, role, reading))
    except DataError:
        everywhere = {name: column for name, column in reading.columns.items() if "." not in name}
        if everywhere == reading.columns:
            raise
        return prepared(engine, roles_of(engine, table, role, replace(reading, columns=everywhere)))


def told_judgments(engine: DuckDBEngine, table: Table, kind: str, reading: Reading) -> tuple[str, Roles] | None:
    """What an input is that has the columns told of judgments or positives, with its roles; None for other inputs."""
    told = {name.partition(".")[0] for name in reading.columns} & {"qrels", "positives"}
    if not told or kind in (RUN, LABELLED, VERDICTS):
        return None
    roles = told_roles(engine, table, "qrels", reading)
    if not roles.given or not {"query_id", "doc_id"} <= roles.names.keys():
        return None
    return (POSITIVES if "positives" in told or "relevance" not in roles.names else QRELS), roles


def check_told(columns: Mapping[str, str], looks: Sequence[Profiler]) -> None:
    """Raise if a column is told of runs, judgments or positives, and no input has it."""
    every = [each.roles for each in looks]
    told = {name: text for name, text in columns.items() if name.partition(".")[0] in ("run", "qrels", "positives")}
    told = {name: text for name, text in told.items() if not any(has(roles.table, text) for roles in every)}
    check_roles_used(columns_of_judgments(told), every)


def lists_documents(each: Profiler) -> bool:
    """Whether what is called as labels are called lists the relevant documents, next to the list of a ranking."""
    roles = each.roles
    if not roles.table.unlisted or plain_name(roles.names["relevance"]) not in WANTED:
        return False
    try:
        return bool(each.counts()["labels"])
    except DataError:  # the lists of a row are not of one length
        return True


def lists_of_what(each: Profiler) -> bool:
    """Whether rankings are lists whose name is not one of documents: next to other rankings they may be query tags."""
    column = plain_name(each.roles.names.get("doc_id", ""))
    named = {name for tier in (*LIST_NAMES["doc_id"], *TIERS["run"]["doc_id"]) for name in tier}
    placed = each.kind == RUN and each.roles.table.unlisted and "score" not in each.roles.names
    return placed and column.partition(".")[0] not in named


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


@public(record=InspectOptions)
def inspect(*inputs: Any, qrels: Any = None, **options: Unpack[InspectOptions]) -> Inspection:
    """Describe input files and data before they are evaluated, and check that they match.

    Args:
        inputs: paths, frames or relations as `evaluate` takes them: runs, judgments, queries, verdicts.
        qrels: the input that is judgments, where that is not to be told by its columns.
        **options: how the inputs are read, as for `evaluate`.

    Returns:
        What each input is and how they fit. Counts are of all rows; ties, copies, segments and shares of judged
        documents are of at most 1,000 queries. The command was tried on inputs of up to a million rows: it succeeds,
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
    reading = reading_of(part_of(options, LookedAt))
    check_role_names(reading.columns)
    settings = part_of(options, Limits)
    engine = DuckDBEngine(options["connection"], **settings)
    try:
        if reading.timezone is not None:
            engine.use_timezone(reading.timezone)
        with rankings_expected(engine, [data for data, _ in given]):
            looks = [look(engine, data, kind, reading, number) for number, (data, kind) in enumerate(given, 1)]
            if any(each.kind in (RUN, LABELLED) and not lists_of_what(each) for each in looks):
                looks = [
                    look(engine, data, QUERIES, reading, number) if lists_of_what(each) else each
                    for number, ((data, _), each) in enumerate(zip(given, looks, strict=True), 1)
                ]
            check_told(reading.columns, looks)
            profiles = [profiler.profile() for profiler in looks]
        found = Inspection(profiles)
        judged = [each for each in looks if each.kind in (QRELS, POSITIVES)] or labels_of_others(looks)
        ranked = [each for each in looks if each.kind in (RUN, LABELLED) and each not in judged]
        found.overlaps = [overlap(engine, run, one) for run in ranked for one in judged[:1]]
        if all(isinstance(data, str | Path) for data, _ in given):
            named = [str(data) for data, _ in given]
            found.command, found.notes = suggest(profiles, named, looks, reading, settings)
        return found
    finally:
        engine.close()


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
