"""The rankings and policies whose value is asked for, opened with a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.comparison.similarity.statement import similarity_request
from sqlrank.conventions import Conventions
from sqlrank.counterfactual.measures import SHOWN
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import is_spark
from sqlrank.errors import DataError, UsageError, counted
from sqlrank.evaluation.ranking_checks import RankingChecks, rows_by_system
from sqlrank.inputs.column_names import OF_POLICIES, TIERS
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.inputs.opened_inputs import notes_of
from sqlrank.inputs.opening import open_inputs
from sqlrank.inputs.reading import Reading, system_of
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import Roles, by_tiers, find_roles
from sqlrank.spelling import spelt
from sqlrank.statement.render import places_statement

KIND = "policy"
Given = Sequence[tuple[str | None, Any]]
"""Runs with the names that were given to them."""


@dataclass(slots=True)
class Candidates:
    """What is to be valued."""

    entries: Markup
    """system, query_id, doc_id, position and share; of policies the probabilities of prefixes and lists too."""
    systems: list[str]
    label: str
    notes: list[str]
    policies: bool = False
    """Whether probabilities were given, and not rankings."""
    by_impression: bool = False
    """Whether those are of each impression of the log."""
    known: frozenset[str] = frozenset()
    """Which probabilities there are, of `OF_POLICIES`."""


def open_candidates(
    engine: DuckDBEngine, given: Given, columns: Mapping[str, str], base: int, fold: bool = False
) -> Candidates:
    """Open rankings, as `evaluate` takes them, or policies, whose positions begin where those of the log do.

    `fold` says whether queries are one that differ in case and outer blanks alone.

    Raises:
        UsageError: rankings and policies are mixed.
        DataError: rows are missing, unreadable or wrong.
    """
    if any(is_spark(data) for _, data in given):
        raise UsageError("values are estimated in DuckDB; give files, or data frames of pandas, polars or Arrow")
    told = [policy_roles(engine, data, columns) for _, data in given]
    policies = [roles for roles in told if roles is not None]
    if not policies:
        return rankings(engine, given, columns, fold)
    if len(policies) < len(told):
        raise UsageError("some runs are rankings and others policies with propensities: value them one by one")
    return of_policies(engine, given, policies, base, fold)


def check_names(systems: Sequence[str], label: str) -> None:
    """Raise UsageError if a candidate is called as what was shown."""
    if SHOWN in systems:
        raise UsageError(f"{label}: {SHOWN} is what the log shows; give the candidate another name (NAME=PATH)")


def policy_roles(engine: DuckDBEngine, data: Any, columns: Mapping[str, str]) -> Roles | None:
    """The columns of a policy; None for a ranking."""
    if isinstance(data, Mapping):
        return None
    reading = Reading(columns={role: name for role, name in columns.items() if role in TIERS[KIND]})
    table = open_table(engine, data, "run", Reading())
    if not any(by_tiers(table, TIERS[KIND][role]) or role in columns for role in OF_POLICIES):
        return None
    return find_roles(open_table(engine, data, KIND, reading), KIND, reading)


def rankings(engine: DuckDBEngine, given: Given, columns: Mapping[str, str], fold: bool) -> Candidates:
    """Rankings as policies that are certain."""
    request = similarity_request(None, {"columns": columns} if columns else {})
    request = replace(request, conventions=Conventions(query_set="run"))
    inputs = open_inputs(engine, given, None, request.reading, request.conventions, judged=False)
    request = request.under(inputs.conventions)
    checks = RankingChecks(engine, inputs, request)
    checks.scan("run")
    checks.rows_of_lists()
    checks.ranks()
    checks.duplicates()
    systems = list(rows_by_system(engine, inputs))
    check_names(systems, inputs.labels["run"])
    statement = places_statement(engine.dialect, inputs.relations, request.conventions)
    sql = Folder(engine, room="counterfactual", prefix="value_", doing="ranking")
    engine.keep(sql.named("ranked"), statement, doing="ranking")
    entries = sql.keep("entries", "ranked", places=sql.table("ranked"), fold=fold)
    check_folded(sql, entries, inputs.labels["run"], fold)
    sql.drop("ranked")
    notes = [*inputs.notes, *checks.runner.notes, *notes_of(inputs.run_rows(), inputs.labels)]
    return Candidates(entries, systems, inputs.labels["run"], notes)


def check_folded(sql: Folder, entries: Markup, label: str, fold: bool) -> None:
    """Raise DataError if two queries of a ranking are one when they are folded."""
    found = sql.row("facts/folded", entries=entries) if fold else {"findings": 0}
    if found["findings"]:
        raise DataError(
            f"{label}: queries such as {found['example']!r} appear in several spellings, which {spelt('fold_queries')}"
            " merges; keep one of each"
        )


def of_policies(engine: DuckDBEngine, given: Given, policies: Sequence[Roles], base: int, fold: bool) -> Candidates:
    """Policies, each with its probabilities."""
    known = frozenset.intersection(*(probabilities_of(roles) for roles in policies))
    by_impression = all("impression_id" in roles.names for roles in policies)
    read = []
    for number, ((name, data), roles) in enumerate(zip(given, policies, strict=True)):
        need(roles, KIND, ("doc_id", *([] if by_impression else ["query_id"])))
        names = roles.names
        read.append(
            {role: names.get(role) for role in ("system", "impression_id", "query_id", "doc_id", "position")}
            | {"name": name or system_of(data, number, not isinstance(data, str | Path)), "reader": roles.table.reader}
            | {"share": names.get("propensity") or names.get("propensity_list") or names.get("propensity_prefix")}
            | {"prefix": names.get("propensity_prefix"), "list": names.get("propensity_list")}
            | {"shift": 1 - base if "position" in names else 0}
        )
    sql = Folder(engine, room="counterfactual", prefix="value_", doing="reading")
    entries = sql.keep("entries", "policies", policies=read, fold=fold)
    label = " and ".join(dict.fromkeys(roles.table.label for roles in policies))
    check_policies(sql, entries, label)
    systems = [row["system"] for row in sql.rows("facts/systems", entries=entries)]
    check_names(systems, label)
    notes = [note for roles in policies for note in [*roles.table.notes, *roles.notes.values()]]
    return Candidates(entries, systems, label, notes, True, by_impression, known)


def probabilities_of(roles: Roles) -> frozenset[str]:
    """Which probabilities a policy has."""
    return frozenset(role for role in OF_POLICIES if role in roles.names)


def check_policies(sql: Folder, entries: Markup, label: str) -> None:
    """Raise DataError for probabilities that are none, or that are together above 1."""
    found = sql.row("facts/entries", entries=entries)
    if found["wrong"]:
        raise DataError(
            f"{label}: {counted(found['wrong'], 'row', 'has', 'have')} no propensity from 0 to 1, or no position, such"
            f" as {found['wrong_example']}"
        )
    if found["repeated"]:
        raise DataError(
            f"{label}: a document appears twice at {counted(found['repeated'], 'position')}, such as"
            f" {found['repeated_example']}"
        )
    if found["above"]:
        raise DataError(
            f"{label}: the propensities of the documents sum to more than 1 at {counted(found['above'], 'position')},"
            f" such as {found['above_example']}"
        )
