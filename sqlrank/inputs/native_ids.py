"""Which ids are told apart as they are: those of one kind in all inputs, of which equal ones have equal texts.

Partitioning, joining and grouping whole numbers takes less than doing so with their texts. An id is a text nevertheless
where its bytes decide: in the order of ties and in the output.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine
from sqlrank.statement.relations import ID_ROLES, Relations
from sqlrank.statement.templates import render

ONLY = {"queries": ("query_id",), "items": ("doc_id",)}
"""The roles of an input that has not both."""
WHOLE = frozenset("TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT".split())
"""Types of which any two are compared exactly."""
ALIKE = ("UUID", "DATE", "UHUGEINT", "ENUM(")
"""How types begin whose values are compared with those of the same type alone."""


def with_native_ids(engine: Engine, relations: Relations) -> Relations:
    """The inputs, with the ids that need not become texts marked as native."""
    if not isinstance(engine, DuckDBEngine):
        return relations
    kinds: dict[str, set[str | None]] = {role: set() for role in ID_ROLES}
    for name, relation in relations.named():
        described = engine.execute(render("sources/describe.sql", engine.dialect, reader=relation.relation))
        types = {column: kind for column, kind, *_ in described}
        for role in ONLY.get(name, ID_ROLES):
            kinds[role].add(kind_of(types[getattr(relation, role)]))
    return relations.with_native(alike(kinds.items()))


def alike(kinds: Iterable[tuple[str, set[str | None]]]) -> list[str]:
    """The roles whose ids are of one kind that is not compared by its text."""
    return [role for role, found in kinds if len(found) == 1 and None not in found]


def kind_of(type_: str) -> str | None:
    """What ids of a type are compared with as they are; None where texts are compared."""
    return "whole number" if type_ in WHOLE else type_ if type_.startswith(ALIKE) else None
