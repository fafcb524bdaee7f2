"""One input, opened as what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows
from sqlrank.errors import DataError
from sqlrank.inputs.column_names import LIST_NAMES, TIERS, WANTED, are_of_beir, plain_name
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.missing_columns import named_as_judgments
from sqlrank.inputs.opening import check_roles_used, roles_of
from sqlrank.inputs.prepared_tables import prepared
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, columns_of_judgments, find_roles, has
from sqlrank.inputs.table import Table
from sqlrank.inputs.trec_files import split_anew
from sqlrank.inspection.kinds import LABELLED, POSITIVES, QRELS, QUERIES, RUN, VERDICTS, kind_of
from sqlrank.inspection.profiles import Profiler


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
