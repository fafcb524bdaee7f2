"""Reading side-by-side verdicts, and checking their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import count_rows
from sqlrank.errors import DataError
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.missing_columns import missing
from sqlrank.inputs.opened_inputs import Opened
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.relation_maker import RelationMaker
from sqlrank.inputs.required_roles import need
from sqlrank.inputs.roles import Roles, require
from sqlrank.inputs.single_table import lock, open_single
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

KIND = "verdicts"


@dataclass(slots=True, kw_only=True)
class VerdictInputs(Opened):
    """The verdicts as opened."""

    relation: Markup
    by: Sequence[str]
    """The columns that split queries into segments."""
    segments: Sequence[str]
    """What they are called in the relation, like no column of the input."""
    documents: bool
    """Whether it is known which document a verdict is about."""
    raters: bool
    """Whether it is known who gave it."""


def open_verdicts(
    engine: DuckDBEngine, data: Any, reading: Reading, by: Sequence[str], writes: Sequence[str] = ()
) -> VerdictInputs:
    """Find, describe and open the rows of verdicts; the weight of `reading` is that of a verdict."""
    maker, roles = open_single(engine, data, KIND, reading, "query_id and verdict")
    lock(engine, reading, [roles], writes)
    return make_verdicts(maker, roles, by)


def make_verdicts(maker: RelationMaker, roles: Roles, by: Sequence[str]) -> VerdictInputs:
    """Make the relation, in which a segment and the weight have names that no column of the input has."""
    engine, reading, table = maker.engine, maker.reading, roles.table
    needed = ["query_id", *(role for role in ("doc_id", "rater") if role in roles.names)]
    notes = check_roles(roles, needed)
    segments = [f"segment_{number}" for number, _ in enumerate(by, 1)]
    chosen = {role: roles.names[role] for role in needed}
    chosen |= dict(zip(segments, (require(table, name) for name in by), strict=True))
    chosen |= {} if reading.weight is None else {"weight": require(table, reading.weight)}
    part = maker.part(roles, chosen | {"verdict": roles.names["verdict"]}, numbers=["weight"], where=reading.where)
    read = maker.make(f"{KIND}_input", [part], table.costly)
    name = engine.name(KIND)
    sql = render("gsb/verdicts.sql", engine.dialect, name=name, columns=list(chosen), relation=read)
    engine.make("view", name, sql)
    return VerdictInputs(
        labels={KIND: table.label},
        tables={KIND: table if reading.where is None else None},
        runs=[table],
        count=partial(count_rows, engine),
        sources=[*maker.sources, sql],
        notes=notes,
        where=reading.where,
        weight=reading.weight,
        filtered=0 if reading.where is None else maker.count_filtered([table], read),
        relation=sql_text(engine.dialect.ident(name)),
        by=by,
        segments=segments,
        documents="doc_id" in needed,
        raters="rater" in needed,
    )


def check_roles(roles: Roles, needed: Sequence[str]) -> list[str]:
    """Check the required roles and return notes on them; DataError if query or verdict is missing or ambiguous."""
    need(roles, KIND, ("query_id", "verdict"))
    unclear = roles.unclear
    if "rater" in unclear or ("doc_id" in unclear and "rater" in roles.names):
        raise missing(roles, "rater" if "rater" in unclear else "doc_id", KIND)
    ambiguous = [f"{unclear['doc_id']}; none is read"] if "doc_id" in unclear else []
    return [*roles.table.notes, *ambiguous] + [
        note for role, note in roles.notes.items() if role in (*needed, "verdict")
    ]


def check_rows(engine: DuckDBEngine, verdicts: VerdictInputs) -> CheckRunner:
    """Check the rows, and return what ran the checks, with the notes and the number of rows."""
    runner = CheckRunner(engine, verdicts, {}, KIND, compared=False)
    variables = {"queries": True, "documents": verdicts.documents, "rater": verdicts.raters or None}
    weight = None if verdicts.weight is None else "weight"
    marked = "doc_id" if verdicts.documents else None
    runner.scan(KIND, verdicts.relation, variables | {"weight": weight, "labelled": True, "marked": marked})
    for alias, name in zip(verdicts.segments, verdicts.by, strict=True):
        runner.find("segment_varies", KIND, relation=verdicts.relation, column=alias, number=None, called=name)
    repeated = "rater_repeats" if verdicts.raters else "verdicts_repeated"
    runner.find(repeated, relation=verdicts.relation, documents=verdicts.documents)
    return runner


def check_weight(verdicts: VerdictInputs, weight: float) -> None:
    """Raise DataError if the sum of the weights is 0: nothing has a weight."""
    if not weight:
        column = f"{verdicts.labels[KIND]}: the weights in the column {verdicts.weight}"
        raise DataError(f"{column} are all 0; give some verdict a weight, or leave out {spelt('weight')}")
