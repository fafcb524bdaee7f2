"""Click logs: `sqlrank.log.judgments(...)` and the others of its kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlrank.behaviour.inspected import LogInspection, inspect
    from sqlrank.behaviour.judgments import Judgments, judgments
    from sqlrank.behaviour.options import LogOptions
    from sqlrank.behaviour.propensities import Propensities, propensities
    from sqlrank.counterfactual.flow import value
    from sqlrank.counterfactual.values import Values
    from sqlrank.experiments.flow import arms
    from sqlrank.experiments.result import ArmComparison
    from sqlrank.export.interleaving_statement import interleave_sql
    from sqlrank.export.log_statement import judgments_sql
    from sqlrank.export.value_statement import value_sql
    from sqlrank.interleaving.flow import interleave
    from sqlrank.interleaving.interleaved import Interleaved

__all__ = [
    "ArmComparison",
    "Interleaved",
    "Judgments",
    "LogInspection",
    "LogOptions",
    "Propensities",
    "Values",
    "arms",
    "inspect",
    "interleave",
    "interleave_sql",
    "judgments",
    "judgments_sql",
    "propensities",
    "value",
    "value_sql",
]

_MODULES = {
    "behaviour.inspected": ("LogInspection", "inspect"),
    "behaviour.judgments": ("Judgments", "judgments"),
    "behaviour.options": ("LogOptions",),
    "behaviour.propensities": ("Propensities", "propensities"),
    "counterfactual.flow": ("value",),
    "counterfactual.values": ("Values",),
    "experiments.flow": ("arms",),
    "experiments.result": ("ArmComparison",),
    "export.interleaving_statement": ("interleave_sql",),
    "export.log_statement": ("judgments_sql",),
    "export.value_statement": ("value_sql",),
    "interleaving.flow": ("interleave",),
    "interleaving.interleaved": ("Interleaved",),
}
"""Where each name is, which is loaded when it is asked for."""


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"sqlrank.{module}"), name)
    raise AttributeError(f"module 'sqlrank.log' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
