"""The systems of a comparison of rankings, and which one is the baseline."""

from __future__ import annotations

from sqlrank.engines.protocol import Engine
from sqlrank.errors import DataError, UsageError, nearest
from sqlrank.inputs.opened import Inputs
from sqlrank.statement.templates import render


def systems_of(engine: Engine, inputs: Inputs) -> dict[str, int]:
    """The number of rows by system, in the order given, then by name; UsageError for one system, DataError for none."""
    names, label = inputs.systems, inputs.labels["run"]
    if not inputs.relations.several:
        raise UsageError(f"{label} is one system ({names[0]}); give a second run to compare with, or a system column")
    relation = inputs.relations.run.relation
    rows = engine.execute(render("sources/systems.sql", engine.dialect, relation=relation, column="system"))
    found, after = dict(rows), " after --where" if inputs.where else ""
    if None in found:
        raise DataError(f"{label}: {found[None]} rows have no system; name the system in every row")
    for name in names:
        if name not in found:
            raise DataError(f"{name}: the system has no rows{after}")
    if not found:
        raise DataError(f"{label}: there are no rows{after}")
    if len(found) < 2:
        only = ", ".join(found) or "none"
        raise UsageError(f"{label}: there are fewer than two systems ({only}); give a second run to compare with")
    return {name: int(found[name]) for name in dict.fromkeys([*names, *found])}


def baseline_of(engine: Engine, inputs: Inputs, systems: list[str], asked: str | None) -> str:
    """The baseline asked for, or the first run; UsageError if there is no such system, or that run holds several."""
    listed = ", ".join(systems)
    chosen = asked if asked is not None else first_system(engine, inputs)
    if chosen is None:
        raise UsageError(f"{inputs.labels['run']} holds several systems: name one with --baseline (one of {listed})")
    if chosen not in systems:
        raise UsageError(f"--baseline {chosen}: there is no such system{nearest(chosen, systems)} (one of {listed})")
    return chosen


def first_system(engine: Engine, inputs: Inputs) -> str | None:
    """The system of the first run; None where it holds several."""
    first = inputs.first_run
    if first.column is None:
        return first.name
    named = {"relation": first.table.reader, "column": first.column}
    found = [row[0] for row in engine.execute(render("sources/systems.sql", engine.dialect, **named))]
    return str(found[0]) if len(found) == 1 else None
