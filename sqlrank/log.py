"""Click logs: `sqlrank.log.judgments(...)` and the others of its kind."""

from __future__ import annotations

from sqlrank.behaviour.flow import judgments
from sqlrank.behaviour.inspected import LogInspection, inspect
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.log_options import LogOptions
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
