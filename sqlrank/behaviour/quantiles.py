"""Quantiles of Beta and Gamma distributions, as functions of a session of DuckDB."""

from __future__ import annotations

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.statement.templates import render

NAMES = (
    *("beta_fraction", "beta_power", "beta_below", "beta_middle", "beta_ends", "beta_start", "halley"),
    *("quantile_of_beta", "gamma_below", "gamma_start", "quantile_of_gamma"),
)
"""The functions, each of which reads those before it alone."""


def quantile_functions(engine: DuckDBEngine) -> dict[str, str]:
    """Make the functions on a connection; their names there."""
    names = {name: engine.name(f"sqlrank_{name}") for name in NAMES}
    engine.execute(render("behaviour/functions.sql", engine.dialect, f=names))
    engine.made += [("macro", name) for name in names.values()]
    return names
