"""Ranking metrics as SQL window functions, run in DuckDB over Parquet and CSV."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlrank.presentation import register
from sqlrank.version import __version__

if TYPE_CHECKING:
    from sqlrank import log
    from sqlrank.api import Evaluator, columns_of, evaluate
    from sqlrank.comparison.flow import compare
    from sqlrank.comparison.result import Comparison
    from sqlrank.comparison.similarity.likeness import Likeness, likeness
    from sqlrank.errors import DataError, GateError, ResourceError, SqlrankError, UsageError
    from sqlrank.evaluation.result import Result
    from sqlrank.export.chart_statement import monitor_sql
    from sqlrank.export.flow import macros, sql
    from sqlrank.inspection.inspection import Inspection, inspect
    from sqlrank.judging.pooling.flow import pool
    from sqlrank.judging.pooling.pool import Pool
    from sqlrank.judging.raters.rater_agreement import RaterAgreement, agreement
    from sqlrank.judging.verdicts.side_by_side import SideBySide, gsb
    from sqlrank.judgment_sets.compared import JudgmentSets
    from sqlrank.judgment_sets.flow import compare_judgments
    from sqlrank.metrics.measure import Metric
    from sqlrank.monitoring.flow import monitor
    from sqlrank.monitoring.monitored import Monitored

    METRICS: dict[str, Metric]

__all__ = [
    "METRICS",
    "Comparison",
    "DataError",
    "Evaluator",
    "GateError",
    "Inspection",
    "JudgmentSets",
    "Likeness",
    "Monitored",
    "Pool",
    "RaterAgreement",
    "ResourceError",
    "Result",
    "SideBySide",
    "SqlrankError",
    "UsageError",
    "__version__",
    "agreement",
    "columns_of",
    "compare",
    "compare_judgments",
    "evaluate",
    "gsb",
    "inspect",
    "likeness",
    "log",
    "macros",
    "monitor",
    "monitor_sql",
    "pool",
    "sql",
]


_MODULES = {
    "api": ("Evaluator", "columns_of", "evaluate"),
    "comparison.flow": ("compare",),
    "comparison.result": ("Comparison",),
    "errors": ("DataError", "GateError", "ResourceError", "SqlrankError", "UsageError"),
    "evaluation.result": ("Result",),
    "inspection.inspection": ("Inspection", "inspect"),
    "judging.pooling.flow": ("pool",),
    "judging.pooling.pool": ("Pool",),
    "judgment_sets.compared": ("JudgmentSets",),
    "judgment_sets.flow": ("compare_judgments",),
    "judging.raters.rater_agreement": ("RaterAgreement", "agreement"),
    "comparison.similarity.likeness": ("Likeness", "likeness"),
    "judging.verdicts.side_by_side": ("SideBySide", "gsb"),
    "monitoring.flow": ("monitor",),
    "monitoring.monitored": ("Monitored",),
    "export.chart_statement": ("monitor_sql",),
    "export.flow": ("macros", "sql"),
}
"""Where each name is, which is loaded when it is asked for."""

register(
    {
        "report": "sqlrank.reports.document:write_report_of",
        "notebook": "sqlrank.reports.notebook:result_html",
        "text": "sqlrank.reports.printed:result_text",
        "catalogue": "sqlrank.reference.catalogue_table:catalogue_html",
        "Inspection": "sqlrank.inspection.shown:inspection_html",
        "LogInspection": "sqlrank.reports.notebook:log_html",
        "Result": "sqlrank.reports.charts.result_plots:ResultPlots",
        "Comparison": "sqlrank.reports.charts.comparison_plots:ComparisonPlots",
        "Monitored": "sqlrank.reports.charts.monitored_plots:MonitoredPlots",
        "Judgments": "sqlrank.reports.charts.log_plots:LabelPlots",
        "Propensities": "sqlrank.reports.charts.log_plots:PropensityPlots",
        "Interleaved": "sqlrank.reports.charts.log_plots:InterleavedPlots",
        "Values": "sqlrank.reports.charts.log_plots:ValuePlots",
        "SideBySide": "sqlrank.reports.charts.verdict_plots:VerdictPlots",
    }
)


def __getattr__(name: str) -> Any:
    if name == "METRICS":
        from sqlrank.metrics.catalogue import catalogue

        return catalogue()
    if name == "log":
        return import_module("sqlrank.log")
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"sqlrank.{module}"), name)
    raise AttributeError(f"module 'sqlrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
