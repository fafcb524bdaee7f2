"""Ranking metrics as SQL window functions, run in DuckDB over Parquet and CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlrank.version import __version__

if TYPE_CHECKING:
    from sqlrank.api import Evaluator, columns_of, evaluate, macros, sql
    from sqlrank.comparison.flow import compare
    from sqlrank.comparison.result import Comparison
    from sqlrank.errors import DataError, GateError, ResourceError, SqlrankError, UsageError
    from sqlrank.evaluation.result import Result
    from sqlrank.metrics.catalogue import Metric
    from sqlrank.similarity.similarity import Likeness, likeness
    from sqlrank.verdicts.side_by_side import SideBySide, gsb

    METRICS: dict[str, Metric]

__all__ = [
    "METRICS",
    "Comparison",
    "DataError",
    "Evaluator",
    "GateError",
    "Likeness",
    "ResourceError",
    "Result",
    "SideBySide",
    "SqlrankError",
    "UsageError",
    "__version__",
    "columns_of",
    "compare",
    "evaluate",
    "gsb",
    "likeness",
    "macros",
    "sql",
]


def __getattr__(name: str) -> Any:
    if name.endswith("Error"):
        from sqlrank import errors

        if name in __all__:
            return getattr(errors, name)
    if name == "METRICS":
        from sqlrank.metrics.catalogue import catalogue

        return catalogue()
    if name in ("Evaluator", "columns_of", "evaluate", "macros", "sql"):
        from sqlrank import api

        return getattr(api, name)
    if name == "compare":
        from sqlrank.comparison.flow import compare

        return compare
    if name == "Comparison":
        from sqlrank.comparison.result import Comparison

        return Comparison
    if name in ("Likeness", "likeness"):
        from sqlrank.similarity import similarity

        return getattr(similarity, name)
    if name in ("SideBySide", "gsb"):
        from sqlrank.verdicts import side_by_side

        return getattr(side_by_side, name)
    if name == "Result":
        from sqlrank.evaluation.result import Result

        return Result
    raise AttributeError(f"module 'sqlrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
