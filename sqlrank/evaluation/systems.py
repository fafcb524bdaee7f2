"""The systems of the runs that are open."""

from __future__ import annotations

from sqlrank.engines.protocol import Engine, count_rows
from sqlrank.errors import DataError
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.statement.templates import render


def rows_by_system(engine: Engine, inputs: Inputs) -> dict[str, int]:
    """The number of rows by system, in the order given, then by name; DataError for a row or a system without."""
    names, label, relation = inputs.systems, inputs.labels["run"], inputs.relations.run.relation
    assert relation is not None  # noqa: S101 there is a run
    if not inputs.relations.several:
        return {names[0]: count_rows(engine, relation)}
    rows = engine.execute(render("sources/systems.sql", engine.dialect, relation=relation, column="system"))
    found, after = dict(rows), " after --where" if inputs.where else ""
    if None in found:
        raise DataError(f"{label}: {found[None]} rows have no system; name the system in every row")
    for name in names:
        if name not in found:
            raise DataError(f"{name}: the system has no rows{after}")
    if not found:
        raise DataError(f"{label}: there are no rows{after}")
    return {name: int(found[name]) for name in dict.fromkeys([*names, *found])}
