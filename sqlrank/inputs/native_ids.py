"""Which ids are told apart as they are: those of one kind in all inputs, of which equal ones have equal texts.

Partitioning, joining and grouping whole numbers takes less than doing so with their texts. An id is a text nevertheless
where its bytes decide: in the order of ties and in the output.
"""

from __future__ import annotations

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.statement.relations import ID_ROLES, Relations
from sqlrank.statement.templates import render

ONLY = {"queries": ("query_id",), "items": ("doc_id",)}
"""The roles of an input that has not both."""
WHOLE = frozenset("TINYINT SMALLINT INT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT".split())
"""Types of which any two are compared exactly."""
ALIKE = ("UUID", "DATE", "UHUGEINT", "ENUM(")
"""How types begin whose values are compared with those of the same type alone."""


def with_native_ids(engine: Engine, inputs: Inputs) -> Relations:
    """The relations of inputs, with the ids that need not become texts marked as native."""
    relations, tables = inputs.relations, [*inputs.runs, *filter(None, inputs.tables.values())]
    types_there = {kind for table in tables for kind in table.columns.values()}
    if not isinstance(engine, DuckDBEngine) or not any(map(kind_of, types_there)):
        return relations
    kinds: dict[str, set[str | None]] = {role: set() for role in ID_ROLES}
    for name, relation in relations.named():
        described = engine.execute(render("sources/describe.sql", engine.dialect, reader=relation.relation))
        types = {column: kind for column, kind, *_ in described}
        for role in ONLY.get(name, ID_ROLES):
            kinds[role].add(kind_of(types[str(getattr(relation, role))]))
    return relations.with_native([role for role, found in kinds.items() if len(found) == 1 and None not in found])


def kind_of(type_: str) -> str | None:
    """What ids of a type are compared with as they are; None where texts are compared."""
    return "whole number" if type_ in WHOLE else type_ if type_.startswith(ALIKE) else None
