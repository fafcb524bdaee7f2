"""Gates as a report shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlrank.pages.elements import Block, Verdicts
from sqlrank.pages.tables import Cell
from sqlrank.pages.words import Words


class Outcome(NamedTuple):
    """What came of a gate that was held against one system."""

    name: str
    """What was demanded of whom."""
    failure: str | None
    """Why the gate failed; None where it holds."""
    power: str | None = None
    """How often it fails by chance, and what it catches; None where that is not asked."""


def gate_blocks(gates: Sequence[Outcome], words: Words) -> list[Block]:
    """The outcome of every gate."""
    if not gates:
        return []
    items = [
        Cell(f"{gate.name}: {words('gate-holds')}", "gain", sign="✓", detail=said(gate))
        if gate.failure is None
        else Cell(f"{gate.name}: {words('gate-fails')}", "loss", sign="✗", detail=said(gate))
        for gate in gates
    ]
    return [Verdicts(items)]


def said(gate: Outcome) -> str:
    """Why a gate failed, and how often it does by chance."""
    return "; ".join(text for text in (gate.failure, gate.power) if text)
