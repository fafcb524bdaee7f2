"""Writing plans: which difference so many queries would find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import duckdb

from sqlrank.comparison.comparison_power import with_range
from sqlrank.comparison.result import Comparison
from sqlrank.metrics.measure import Measure
from sqlrank.output.comparison import COMPARED, metadata_of
from sqlrank.output.formats import dicts
from sqlrank.output.writing import Destination, Writing
from sqlrank.pages.tables import Table, column
from sqlrank.statistics.student import effective_in_words


class Plan(NamedTuple):
    """Which difference so many queries would find."""

    comparison: Comparison
    rows: duckdb.DuckDBPyRelation
    power: float
    """The chance with which it is found."""

    def remarks(self) -> list[str]:
        """How the numbers were made."""
        return plan_remarks(self.comparison, self.power)


def plan_table(plan: Plan, digits: int) -> Table:
    """A row for each candidate and number of queries, a column for each metric."""
    found: dict[tuple[str, int], dict[str, float | None]] = {}
    for row in dicts(plan.rows):
        found.setdefault((row["system"], row["queries"]), {})[row["metric"]] = row["detectable_difference"]

    def differences(measure: Measure) -> Iterator[str]:
        for values in found.values():
            value = values[measure.text]
            yield "-" if value is None else f"{value:.{0 if measure.counts else digits}f}"

    return Table(
        [
            column("system", (system for system, _ in found)),
            column("queries", (number for _, number in found), number=True),
            *(column(measure.text, differences(measure), number=True) for measure in plan.comparison.measures),
        ]
    )


def plan_remarks(comparison: Comparison, power: float) -> list[str]:
    """How the numbers were made."""
    spread: dict[str, Any] = {}
    for row in [row for row in comparison.all_rows if row["is_total"] and row["sqlrank_deviation"] is not None]:
        if row["metric"] not in spread or row["sqlrank_deviation"] > spread[row["metric"]][0]:
            spread[row["metric"]] = row["sqlrank_deviations"]
    deviations = ", ".join(f"{with_range(found, '.3g')} ({metric})" for metric, found in spread.items())
    lines = [
        f"the mean difference from {comparison.baseline} that is found with power {power:g} at"
        f" p <= {comparison.questions.alpha:g} (Student's t, two-sided, not adjusted)",
    ]
    if not comparison.questions.paired:
        weighted = ", and weighted like these" if comparison.weighted else ""
        return [
            *lines,
            f"queries are those of the candidate, with as many of the baseline for each as now ({comparison.size}), and"
            f" as many of both{weighted}",
        ]
    if spread:
        lines.append(
            f"standard deviation of the differences of {comparison.size} queries: {deviations}; in square brackets what"
            f" so small a pilot leaves possible ({comparison.questions.confidence}), by which every number may be off"
        )
    return lines + weights_in_words(comparison)


def weights_in_words(comparison: Comparison) -> list[str]:
    """What weighted queries are worth; the plan supposes that more of them are weighted like them."""
    known = [row for row in comparison.all_rows if row["is_total"] and row["sqlrank_deviation"] is not None]
    rows = [row for row in known if not row["sqlrank_counts"]]
    if not comparison.weighted or not known:
        return []
    if not rows:
        return ["queries are weighted, which counts have no part in"]
    effective = [row["sqlrank_effective"] for row in rows]
    worth = [100 * row["sqlrank_effective"] / row["queries"] for row in rows]
    low, high = f"{min(worth):.0f}", f"{max(worth):.0f}"
    share = low if low == high else f"{low} to {high}"
    return [
        f"queries are weighted: {comparison.size} are {effective_in_words(min(effective), max(effective))}, and the"
        f" plan takes {share} % of every number, as if its queries were weighted like these"
    ]


def document_of(plan: Plan, _: Destination) -> dict[str, Any]:
    """What a JSON document of a plan holds besides the rows."""
    comparison = plan.comparison
    return {"baseline": comparison.baseline, "conventions": comparison.conventions, "remarks": plan.remarks()}


PLAN = Writing(
    tables=lambda plan, to: [plan_table(plan, to.digits)],
    document=document_of,
    metadata=metadata_of,
    places=COMPARED,
)
