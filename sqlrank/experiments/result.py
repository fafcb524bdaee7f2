"""The result of an A/B test on a log: a row for each arm, metric and segment, the split, and the days."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from sqlrank.arguments import public
from sqlrank.columns import asked_for, stored_types
from sqlrank.comparison.arms import Arms
from sqlrank.comparison.comparison_power import NEEDED
from sqlrank.comparison.gate_power import GatePower, Held, gate_powers, gate_remarks
from sqlrank.comparison.interval import interval_of
from sqlrank.comparison.margins import Bound, p_values
from sqlrank.comparison.notes import families_of
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.rows import adjust, mirrored
from sqlrank.comparison.tested_rows import ordered, tested_rows
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.experiments import trends
from sqlrank.experiments.columns import DAYS, ROWS, SHARES, TRENDS
from sqlrank.experiments.covariates import Adjusted
from sqlrank.experiments.metrics import ArmMetric, metric_of
from sqlrank.experiments.remarks import notes_of, remarks_of
from sqlrank.experiments.split import Split
from sqlrank.experiments.units import Units
from sqlrank.experiments.verdicts import judge, look
from sqlrank.options.kinds import TEXT
from sqlrank.presentation import Presented
from sqlrank.version import __version__

CONTENTS = "arms"
"""What the metadata of a Parquet file calls the rows."""
CALLED = {name: name.replace("queries", "units") for name in ("queries", "baseline_queries", *NEEDED)}
"""What columns of a comparison are called where queries are units."""

Row = dict[str, Any]


class ArmComparison(OpenResult, Presented):
    """The arms of an A/B test compared from its log, unit by unit.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    offered = "all_rows baseline days is_mismatch metadata per_unit row_of shares systems trends"

    all_rows: list[Row]
    """The rows, as dictionaries."""
    baseline: str
    """The arm that the others are compared with."""
    systems: list[str]
    """All arms, the baseline first."""
    metrics: list[ArmMetric]
    """What was compared."""
    split: Split
    """The shares of the arms, with the p value of their being those planned."""
    notes: list[str]

    def __init__(
        self,
        units: Units,
        arms: Arms,
        questions: Questions,
        found: Split,
        margins: Mapping[str, Bound],
        adjusted: Adjusted | None,
        plain: Sequence[Row],
    ) -> None:
        super().__init__(units.engine)
        self.units, self.questions, self.split, self.adjusted = units, questions, found, adjusted
        self.margins, self._arms = margins, arms
        self.baseline, self.systems, self.metrics = arms.systems[0], arms.systems, units.metrics
        self.by, self.all_pairs = tuple(arms.by), arms.all_pairs
        rows = tested_rows(arms, questions, margins)
        self.sequential = units.asked.sequential
        """Whether intervals and p values hold however often one looks."""
        if self.sequential:
            look(rows, arms.pairs, questions.alpha, units.asked.narrowest)
        adjust(rows, questions)
        judge(rows, {metric.text: metric for metric in self.metrics}, found)
        bound(rows)
        if adjusted is not None:
            beside(rows, plain, questions.alpha_two_sided)
        self.all_rows = ordered(rows, arms)
        self.by_day = trends.by_day(units, arms.pairs, questions.alpha_two_sided)
        self.gates: list[Row] = []
        """Each gate with its segment, and its false alarms and the drop that it catches, as numbers."""
        self._gates: list[str] = []
        self.notes = notes_of(self, units.session.notes)
        kinds = stored_types(asked_for(ROWS, self.given, self.by))
        self._table = self.stored("arm_rows", kinds, [spoken_of(row) for row in self.all_rows])

    @property
    def given(self) -> set[str]:
        """What was asked for, of what a column may be there for."""
        there = {"by": bool(self.by), "before": self.adjusted is not None, "margin": bool(self.margins)}
        return {name for name, present in there.items() if present}

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each arm, segment and metric, compared with the baseline, or for each pair of arms.

        System, baseline, the segments and is_total (with segments), metric, what it has to do to be `better`, then what
        a comparison of systems of different queries has: baseline_units and units, both values, difference, interval,
        p values, effect size, the detectable difference, the test and the verdict: better, worse, undecided, differs
        (of a metric that is neither), or withheld. With `before` also the plain difference, its interval, and by what
        share the variance fell.
        """
        return self._relation(self._table)

    @property
    def per_unit(self) -> duckdb.DuckDBPyRelation:
        """The values of each unit as they are compared: unit, system (its arm), the segments, and each metric."""
        return self._local.relation(self.units.per_unit(None if self.adjusted is None else self.adjusted.table))

    @property
    def shares(self) -> duckdb.DuckDBPyRelation:
        """The units of each arm next to the shares planned: of all (`by` is empty), by first day and by segment."""
        return self._relation(self.stored("arm_shares", stored_types(SHARES), self.split.rows))

    @property
    def days(self) -> duckdb.DuckDBPyRelation:
        """The difference of each day, without what came before: day, system, baseline, metric, units, values, interval.

        None of a log without times, or of fewer than three days.
        """
        return self._relation(self.stored("arm_days", stored_types(DAYS), self.by_day.days))

    @property
    def trends(self) -> duckdb.DuckDBPyRelation:
        """By how much each difference changes a day: system, baseline, metric, change_per_day, stderr and p_value."""
        return self._relation(self.stored("arm_trends", stored_types(TRENDS), self.by_day.trends))

    def _relation(self, table: Any) -> duckdb.DuckDBPyRelation:
        return self._every_row(table)

    @property
    def is_mismatch(self) -> bool:
        """Whether units were not split as was planned, so that there is no verdict."""
        return self.split.is_mismatch

    @property
    def against_baseline(self) -> list[Row]:
        """The rows of the pairs of the baseline and another arm, as gates take them: those mirrored that fall."""
        rows = [row for row in self.all_rows if row["baseline"] == self.baseline]
        return [mirrored(row) if row["better"] == "lower" else row for row in rows]

    @property
    def families(self) -> dict[str, int]:
        """How many p values were corrected together: those of the total, and apart from them those of all segments."""
        return families_of(self.all_rows)

    @public("metric", "system", baseline=TEXT)
    def row_of(self, metric: str, system: str | None = None, baseline: str | None = None, **segment: str | None) -> Row:
        """The row of one metric, over all units or over those of a segment.

        Args:
            metric: a metric that was compared.
            system: which arm, where there are several besides the baseline.
            baseline: the other arm of the pair, where all pairs were compared; None for the baseline.
            segment: a value for every segment column; none for the total.

        Raises:
            UsageError: there is no such row, or more than one.
        """
        text, arms = metric_of(metric).text, self.systems[1:]
        if system is None and len(arms) > 1:
            raise UsageError(f"there are {len(arms)} arms besides {self.baseline}; say which: system={arms[0]!r}")
        wanted = {"metric": text, "system": system or arms[0], "baseline": baseline or self.baseline, **segment}
        for row in self.all_rows:
            if row["is_total"] is not bool(segment) and all(row.get(name) == value for name, value in wanted.items()):
                return row
        raise UsageError(f"there is no row for {', '.join(f'{name} {value!r}' for name, value in wanted.items())}")

    def __getitem__(self, metric: str) -> Row:
        return self.row_of(metric)

    def held_to(self, gates: Sequence[Held]) -> list[GatePower]:
        """How often each gate fails by chance, and what drop it catches; the remarks say so from then on."""
        powers = gate_powers(self._arms, self.questions, gates)
        self._gates = gate_remarks(gates, powers, self.questions)
        self.gates = [
            {"gate": held.name, **{name: held.row[name] for name in self.by}}
            | {"false_alarms": power.false_alarms, "drop": power.drop}
            for held, power in zip(gates, powers, strict=True)
        ]
        return powers

    @property
    def metadata(self) -> dict[str, str]:
        """What a Parquet file of the rows says of where they come from."""
        origin = self.units.session.origin() | {"unit": self.units.noun}
        return {"sqlrank": __version__, "contents": CONTENTS, "behaviour": json.dumps(origin)}

    def remarks(self) -> list[str]:
        """The lines below the rows: what was settled, the split, and how differences were tested."""
        return [*remarks_of(self), *self._gates]


def spoken_of(row: Row) -> Row:
    """A row with its columns as they are called of units."""
    return row | {called: row[name] for name, called in CALLED.items()}


def bound(rows: Sequence[Row]) -> None:
    """Let the p values of margins be of a rise, of metrics of which less is better."""
    for row in rows:
        if row["better"] == "lower" and row["p_not_worse"] is not None:
            row["p_not_worse"], row["p_equivalent"] = p_values(mirrored(row)["sqlrank_sums"], row["margin"])


def beside(rows: Sequence[Row], plain: Sequence[Row], alpha: float) -> None:
    """Give every row the `plain` difference, its interval, and by what share the variance fell."""
    found = {(row["pair"], row["scope"]): row for row in plain}
    for row in rows:
        sums, own = found[row["sqlrank_key"]], row["sqlrank_sums"]
        low, high = (None, None) if sums["difference"] is None else interval_of(sums, alpha)
        share = None
        if sums["stderr"] and own["stderr"] is not None:
            share = 1 - (own["stderr"] / sums["stderr"]) ** 2
        row |= {"plain_difference": sums["difference"], "plain_ci_low": low, "plain_ci_high": high}
        row["variance_reduction"] = share
