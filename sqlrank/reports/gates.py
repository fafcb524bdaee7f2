"""Gates as a report shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlrank.pages.elements import Block, Cell, Verdicts
from sqlrank.pages.words import Words


class Gate(NamedTuple):
    """A gate that was held against a result."""

    name: str
    """What was demanded."""
    failure: str | None
    """Why it failed; None where it holds."""


def gate_blocks(gates: Sequence[Gate], words: Words) -> list[Block]:
    """The outcome of every gate."""
    if not gates:
        return []
    items = [
        Cell(f"{gate.name}: {words('gate-holds')}", "gain", sign="✓")
        if gate.failure is None
        else Cell(f"{gate.name}: {words('gate-fails')}", "loss", sign="✗", detail=gate.failure)
        for gate in gates
    ]
    return [Verdicts(items)]
