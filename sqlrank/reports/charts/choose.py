"""The charts of a result by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlrank.comparison.result import Comparison
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError, nearest
from sqlrank.judging.verdicts.side_by_side import SideBySide
from sqlrank.reports.charts.chart import Chart
from sqlrank.reports.charts.comparison_plots import ComparisonPlots
from sqlrank.reports.charts.result_plots import ResultPlots
from sqlrank.reports.charts.verdict_plots import VerdictPlots


def chart_of(result: OpenResult, name: str, language: str = "en") -> Chart:
    """One chart; UsageError if the result has none of this name.

    Args:
        result: an evaluation, a comparison, or verdicts.
        name: one of those of the command line, such as `by-cutoff`.
        language: `en` or `zh`.
    """
    known = charts_of(result, language)
    if name not in known:
        raise UsageError(
            f"--chart {name}: there is none here{nearest(name, list(known))} (there are {', '.join(known)})"
        )
    return known[name]()


def charts_of(result: OpenResult, language: str) -> dict[str, Callable[[], Chart]]:
    """What makes each chart that a result has."""
    if isinstance(result, SideBySide):
        plots = VerdictPlots(result, language)
        return {"verdicts": plots.verdicts, "differences": plots.differences}
    if isinstance(result, Comparison):
        compared = ComparisonPlots(result, language)
        found: dict[str, Callable[[], Chart]] = {
            "differences": compared.differences,
            "sorted-differences": compared.sorted_differences,
            "segment-differences": compared.segments,
            "power": compared.power,
        }
        found |= {"waterfall": compared.waterfall} if result.all_parts else {}
        return found | ({} if result.evaluation is None else of_values(result.evaluation, language))
    return of_values(result, language)


def of_values(result: Any, language: str) -> dict[str, Callable[[], Chart]]:
    """What makes each chart of an evaluation."""
    plots = ResultPlots(result, language)
    return {
        "by-cutoff": plots.by_cutoff,
        "recall-precision": plots.recall_precision,
        "unjudged": plots.unjudged,
        "distribution": plots.distribution,
        "ecdf": plots.ecdf,
        "segments": plots.segments,
    }
