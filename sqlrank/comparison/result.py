"""The result of a comparison: a row for each candidate, metric and segment, and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import duckdb

from sqlrank.arguments import public
from sqlrank.columns import asked_for, stored_types
from sqlrank.comparison.arms import Arms
from sqlrank.comparison.cautions import cautions
from sqlrank.comparison.checked import CheckedComparison
from sqlrank.comparison.circularity import Circularity, withheld_remarks
from sqlrank.comparison.columns import PARTS, PLANNED, ROWS
from sqlrank.comparison.compared_systems import Sides
from sqlrank.comparison.comparison_power import planned
from sqlrank.comparison.gate_power import GatePower, Held, gate_powers, gate_remarks
from sqlrank.comparison.margins import margin_remarks, margins_of
from sqlrank.comparison.missing_judgments import Possible, add_possible, possible_remarks
from sqlrank.comparison.notes import Row, families_of, opposed, remarks_of, size_of
from sqlrank.comparison.paired import Paired
from sqlrank.comparison.parts import mixed, parts_of
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.rows import adjust
from sqlrank.comparison.standings import standings
from sqlrank.comparison.test_results import Key
from sqlrank.comparison.tested_rows import ordered, tested_rows
from sqlrank.comparison.uncertain_differences import label_remarks
from sqlrank.errors import UsageError
from sqlrank.metrics.language import Language
from sqlrank.options.kinds import NUMBER, TEXT, WHOLES
from sqlrank.presentation import Charted
from sqlrank.statement.templates import render
from sqlrank.statistics.paired_power import POWER


class Comparison(CheckedComparison, Charted):
    """Systems compared with a baseline, query by query.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    offered = (
        "baseline best by check described_queries explain families movers parts per_query plot power report row_of"
        " standings systems worst"
    )

    def __init__(
        self,
        paired: Paired,
        questions: Questions,
        sides: Sides,
        language: Language,
        notes: Sequence[str],
        possible: Mapping[Key, Possible] | None,
        arms: Arms | None = None,
    ) -> None:
        super().__init__(paired.engine)
        self._periods = [] if sides.periods is None else sides.periods.results
        self._label_draws = sides.request.reading.label_draws
        self.evaluation = sides.result
        """The evaluation of the runs; None where all systems are stored per-query rows."""
        self._paired, self.questions, self.language, self._arms = paired, questions, language, arms
        self.margins = margins_of(questions.margins, language)
        """By the text of a metric, how much worse a candidate may be."""
        self.baseline, self.systems = paired.systems[0], paired.systems
        """The system that the others are compared with, and all systems, the baseline first."""
        self.measures, self.by, self.weighted = paired.measures, tuple(paired.by), paired.weighted
        self.conventions, self._remarks = sides.conventions.to_dict(), sides.remarks(paired.left_out)
        self.notes, self.inputs = list(notes), {} if self.evaluation is None else dict(self.evaluation.inputs)
        rows = tested_rows(paired, questions, self.margins)
        self.all_rows = ordered(rows, paired)
        """The rows, as dictionaries."""
        self.bounded = possible is not None
        """Whether rows say which differences the judgments that are missing leave possible."""
        if possible is not None:
            add_possible(self.all_rows, possible)
        adjust(rows, questions)
        self.circularity = Circularity(sides, self.systems, self.all_rows)
        """Whom the judgments favour, where they come from clicks."""
        self._gates: list[str] = []
        """What is said of the gates that the rows were held to."""
        self.gates: list[Row] = []
        """Each gate with its segment, and its false alarms and the drop that it catches, as numbers."""
        self._plans = 0
        """How many tables of plans there are: a relation reads its own, whatever is planned after it."""
        self.load()
        self.notes = [*self.circularity.notes, *self.notes]
        self.notes += [*cautions(self.all_rows, questions), *opposed(self.all_rows), *mixed(self.all_parts, self.by)]

    def close(self) -> None:
        """Close the connection, or drop what was made on the one that was passed."""
        for period in self._periods:
            period.close()
        super().close()

    def load(self) -> None:
        """Put the rows into a table, which `rows` reads."""
        kinds = stored_types(asked_for(ROWS, self.given, self.by))
        relation = self.stored("comparison", kinds, self.all_rows)
        self._rows_sql = render("sources/every_row.sql", self._local.dialect, relation=relation)

    @property
    def given(self) -> set[str]:
        """What was asked for, of what a column may be there for."""
        there = {"unpaired": not self.questions.paired, "margin": bool(self.margins), "bounds": self.bounded}
        there |= {"labels": self._paired.uncertain, "clicks": bool(self.circularity.behaviours), "by": bool(self.by)}
        return {name for name, present in there.items() if present}

    @property
    def all_pairs(self) -> bool:
        """Whether there are pairs of two candidates."""
        return self._paired.all_pairs

    @property
    def against_baseline(self) -> list[Row]:
        """The rows of the pairs of the baseline and a candidate."""
        return [row for row in self.all_rows if row["baseline"] == self.baseline]

    @cached_property
    def all_parts(self) -> list[Row]:
        """For different queries, what made the difference of each pair in total, as dictionaries; see `parts`."""
        return [] if self._arms is None else parts_of(self._arms, self.all_rows, self.questions.alpha_two_sided)

    @property
    def parts(self) -> duckdb.DuckDBPyRelation:
        """For different queries, why the mean changed: parts that sum to the difference, each with its interval.

        System, baseline, metric, `kind` (segments: all of them; segment: one; queries), `part` (within: what they did;
        mix: what their shares did; gone and new queries), the segments, contribution, its interval, and of a segment
        its shares, means and numbers of queries on both sides. The rows of `segments`, those of each `segment`, and
        those of `queries` sum to the difference.
        """
        return self._every_row(self.stored("parts", stored_types(asked_for(PARTS, by=self.by)), self.all_parts))

    @property
    def standings(self) -> list[Row]:
        """With all pairs, the mean and the letters of each system and metric: systems that share one do not differ."""
        if not self.all_pairs:
            return []
        return standings(self.all_rows, self.systems, self.measures)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each candidate, segment and metric, or for each pair of systems.

        System, baseline, the segments and is_total (with segments), metric, both means, their difference with its
        interval, p values, effect sizes, wins, ties and losses, and the detectable difference; with margins also
        margin, p_not_worse and p_equivalent, with bounds bound_low, bound_high and sign_survives, of systems with
        queries of their own baseline_queries and shared_queries, of judgments from clicks favoured and verdict, with
        uncertain labels label_stderr.
        """
        return self._local.relation(self._rows_sql)

    @public(sizes=WHOLES, power=NUMBER)
    def power(self, sizes: Sequence[int] | None = None, power: float = POWER) -> duckdb.DuckDBPyRelation:
        """The smallest difference that a number of queries like these can detect, over all queries.

        Args:
            sizes: the numbers of queries; None for those that double around the number there is.
            power: the chance with which it is found, from 0.5 to 0.999; the significance level is that of the test.

        Returns:
            A row for each candidate, metric and number: system, baseline, metric, queries, detectable_difference (null
            where all differences are alike), by Student's t test.

        Raises:
            UsageError: a number is below 2, or the power out of its range.
        """
        counts = {measure.text for measure in self.measures if measure.counts and self.questions.paired}
        rows = planned(self.all_rows, counts, sizes, self.questions.alpha_two_sided, power)
        self._plans += 1
        relation = self.stored(f"plan_{self._plans}", stored_types(PLANNED), rows)
        return self._every_row(relation)

    @public("metric", "system", baseline=TEXT)
    def row_of(self, metric: str, system: str | None = None, baseline: str | None = None, **segment: str | None) -> Row:
        """The row of one metric, over all queries or over those of a segment.

        Args:
            metric: the text of a metric that was compared.
            system: which candidate, where there are several.
            baseline: the other system of the pair, where all pairs were compared; None for the baseline.
            segment: a value for every segment column; none for the total.

        Raises:
            UsageError: there is no such row, or more than one.
        """
        text = self.text_of(metric)
        named = system or self.only_candidate()
        for row in self.all_rows if baseline else self.against_baseline:
            same = row["metric"] == text and row["system"] == named
            same = same and baseline in (None, row["baseline"])
            if same and row["is_total"] is not bool(segment) and all(row[name] == segment[name] for name in segment):
                return row
        raise UsageError(f"there is no row for {text}, system {system!r} and {segment}")

    @public()
    def __getitem__(self, metric: str) -> Row:
        return self.row_of(metric)

    @property
    def families(self) -> dict[str, int]:
        """How many p values were corrected together: those of the total, and apart from them those of all segments."""
        return families_of(self.all_rows)

    @property
    def size(self) -> str:
        """How many queries the rows are over; of the baseline and of candidates where each has its own."""
        sides = ("queries",) if self.questions.paired else ("baseline_queries", "queries")
        return " and ".join(size_of(self.all_rows, side) for side in sides)

    def held_to(self, gates: Sequence[Held]) -> list[GatePower]:
        """How often each gate fails by chance, and what drop it catches; the remarks say so from then on."""
        powers = gate_powers(self._paired, self.questions, gates)
        self._gates = gate_remarks(gates, powers, self.questions)
        self.gates = [
            {"gate": held.name, **{name: held.row[name] for name in self.by}}
            | {"false_alarms": power.false_alarms, "drop": power.drop}
            for held, power in zip(gates, powers, strict=True)
        ]
        return powers

    def _label_remarks(self) -> list[str]:
        if not self._paired.uncertain:
            return []
        return label_remarks(self.all_rows, self.questions.alpha_two_sided, self._label_draws)

    def remarks(self) -> list[str]:
        """The lines that are printed below the numbers."""
        return [
            *self._remarks,
            *remarks_of(self.all_rows, self.questions),
            *withheld_remarks(self.all_rows),
            *margin_remarks(self.against_baseline, self.margins, self.questions.alpha),
            *(possible_remarks(self.against_baseline, self.evaluation.top) if self.bounded and self.evaluation else []),
            *self._label_remarks(),
            *self._gates,
        ]
