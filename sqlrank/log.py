"""What people did with what they were shown: `sqlrank.log.judgments(...)` and the others of its kind."""

from __future__ import annotations

from sqlrank.behaviour.flow import judgments
from sqlrank.behaviour.inspected import LogInspection, inspect
from sqlrank.behaviour.judgments import Judgments
from sqlrank.behaviour.log_options import LogOptions
from sqlrank.behaviour.propensities import Propensities, propensities
from sqlrank.counterfactual.flow import value
from sqlrank.counterfactual.values import Values
from sqlrank.export.log_statement import judgments_sql
from sqlrank.export.value_statement import value_sql

__all__ = [
    "Judgments",
    "LogInspection",
    "LogOptions",
    "Propensities",
    "Values",
    "inspect",
    "judgments",
    "judgments_sql",
    "propensities",
    "value",
    "value_sql",
]
