"""Verdicts of people who saw two systems side by side: read, named, and looked at for what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import is_spark
from sqlrank.errors import DataError, UsageError
from sqlrank.inputs.builder import Builder, Inputs, System
from sqlrank.inputs.checks import Checker
from sqlrank.inputs.conditions import check_columns
from sqlrank.inputs.duckdb_tables import attach, open_table
from sqlrank.inputs.open import allowed, check_heard, keep_apart
from sqlrank.inputs.reading import Reading
from sqlrank.inputs.roles import Roles, check_told, find_roles, missing, require
from sqlrank.statement.conditions import check_condition
from sqlrank.statement.templates import render, sql_text

KIND = "verdicts"


def open_verdicts(
    engine: DuckDBEngine, data: Any, reading: Reading, by: Sequence[str], writes: Sequence[str] = ()
) -> VerdictInputs:
    """Find, describe and open the rows of verdicts.

    Args:
        engine: what reads them.
        data: a path, glob, folder, URL or `-`, a frame, or a relation.
        reading: how they are read; its weight is that of a verdict.
        by: the columns that split queries into segments.
        writes: files that will be written, which stay allowed where SQL of the user will run.

    Raises:
        DataError: the input is not there, cannot be read, or lacks a column.
        UsageError: it is of a kind that cannot be read, or an option is wrong.
    """
    if is_spark(data):
        raise UsageError("a data frame of Spark cannot be read here; pass data.toPandas(), or a path")
    if isinstance(data, Mapping):
        raise UsageError("verdicts are rows of query_id and verdict: pass a path, a data frame or a relation")
    check_told(reading.columns)
    if reading.where is not None:
        check_condition(reading.where, engine.dialect)
    sources = [] if reading.database is None else [attach(engine, reading.database)]
    roles = find_roles(open_table(engine, data, KIND, reading), KIND, reading.columns)
    check_heard(reading.columns, [roles])
    if reading.where is not None:
        check_columns(reading.where, roles.table)
        keep_apart(engine, reading, [*allowed(roles.table.files), *writes])
    builder = VerdictBuilder(engine, reading, roles, by)
    builder.sources += sources
    return VerdictInputs(builder)


class VerdictBuilder(Builder):
    """Makes the relation `verdicts` of one table.

    Args:
        engine: what reads it.
        reading: how it is read.
        roles: the table with its columns by role.
        by: the columns that split queries into segments.
    """

    def __init__(self, engine: DuckDBEngine, reading: Reading, roles: Roles, by: Sequence[str]) -> None:
        super().__init__(engine, reading, Conventions(), [System(None, KIND, roles)], {}, {})
        self.roles, self.by = roles, by
        self.needed = ["query_id", *(role for role in ("doc_id", "rater") if role in roles.names)]
        self.segments = [f"segment_{number}" for number, _ in enumerate(by, 1)]

    def build(self) -> Inputs:
        """Make the relation, in which a segment and the weight have names that no column of the input has."""
        self.check_roles()
        names, table, weight = self.roles.names, self.roles.table, self.reading.weight
        chosen = {role: names[role] for role in self.needed}
        chosen |= dict(zip(self.segments, (require(table, name) for name in self.by), strict=True))
        chosen |= {} if weight is None else {"weight": require(table, weight)}
        part = self.part(self.roles, chosen | {"verdict": names["verdict"]}, [], self.reading.where)
        read = self.make(f"{KIND}_input", [part], table.costly)
        name = self.engine.name(KIND)
        sql = render("gsb/verdicts.sql", self.engine.dialect, name=name, columns=list(chosen), relation=read)
        self.engine.make("view", name, sql)
        self.sources.append(sql)
        described = {"relation": sql_text(self.engine.dialect.ident(name)), "weight": weight and "weight"}
        alone = table if self.reading.where is None else None
        return Inputs(
            self.context(described),
            self.sources,
            self.notes,
            {KIND: table.label},
            {KIND: alone},
            [table],
            False,
            self.count_filtered(read),
        )

    def context(self, described: dict[str, Any]) -> dict[str, Any]:
        """The one table as the checks look for it: a run that carries its own judgments."""
        nothing = {"relation": None, "weight": None}
        one = {KIND: described, "run": described, "asked": nothing}
        return one | {"labelled": True, "several": False, "unfiltered": None}

    def check_roles(self) -> None:
        """Refuse a table without query or verdict, or with two columns of which either may be needed; tell the rest."""
        self.need(self.roles, KIND, ("query_id", "verdict"))
        unclear = self.roles.unclear
        if "rater" in unclear or ("doc_id" in unclear and "rater" in self.roles.names):
            raise missing(self.roles, "rater" if "rater" in unclear else "doc_id", KIND)
        if "doc_id" in unclear:
            self.notes.append(f"{unclear['doc_id']}; none is read")
        self.notes += [note for role, note in self.roles.notes.items() if role in (*self.needed, "verdict")]


class VerdictInputs:
    """The verdicts as opened, with what there is to know of them.

    Args:
        builder: what makes the relation.
    """

    def __init__(self, builder: VerdictBuilder) -> None:
        self.inputs = builder.build()
        self.relation = self.inputs.context[KIND]["relation"]
        self.reading, self.by, self.segments = builder.reading, builder.by, builder.segments
        self.documents, self.raters = "doc_id" in builder.needed, "rater" in builder.needed


class VerdictChecker(Checker):
    """Looks for what is wrong with rows of verdicts.

    Args:
        engine: what runs the checks.
        verdicts: the rows as opened.
    """

    def __init__(self, engine: DuckDBEngine, verdicts: VerdictInputs) -> None:
        super().__init__(engine, verdicts.inputs, [], Conventions(), verdicts.reading)
        self.verdicts = verdicts

    def variables(self, kind: str) -> dict[str, Any]:
        """What the conditions on the rows may need."""
        return super().variables(kind) | {"documents": self.verdicts.documents, "rater": self.verdicts.raters or None}

    def look_at_rows(self) -> None:
        """What can be wrong with the rows.

        Raises:
            DataError: the first finding.
        """
        verdicts = self.verdicts
        asked = {"relation": verdicts.relation, "documents": verdicts.documents}
        self.scan(KIND, verdicts.relation)
        for alias, name in zip(verdicts.segments, verdicts.by, strict=True):
            self.find("segment_varies", KIND, relation=verdicts.relation, column=alias, called=name)
        self.find("rater_repeats" if verdicts.raters else "verdicts_repeated", **asked)

    def look_at_weight(self, weight: float) -> None:
        """What shows only in the sum of the weights.

        Raises:
            DataError: nothing has a weight.
        """
        if not weight:
            column = f"{self.inputs.labels[KIND]}: the weights in the column {self.reading.weight}"
            raise DataError(f"{column} are all 0; give some verdict a weight, or leave out --weight")
