"""The systems of a comparison of rankings, and which one is the baseline."""

from __future__ import annotations

from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError, nearest
from sqlrank.evaluation.systems import rows_by_system
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.statement.templates import render


def systems_of(engine: Engine, inputs: Inputs) -> dict[str, int]:
    """The number of rows by system, in the order given, then by name; UsageError for one system, DataError for none."""
    label = inputs.labels["run"]
    if not inputs.relations.several:
        only = inputs.systems[0]
        raise UsageError(f"{label} is one system ({only}); give a second run to compare with, or a system column")
    found = rows_by_system(engine, inputs)
    if len(found) < 2:
        only = ", ".join(found)
        raise UsageError(f"{label}: there are fewer than two systems ({only}); give a second run to compare with")
    return found


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
