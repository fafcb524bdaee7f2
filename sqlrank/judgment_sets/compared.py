"""Systems compared under several sets of judgments: each difference under each, and whether the verdict turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import combinations
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.columns import asked_for, stored_types
from sqlrank.comparison.interval import span_of
from sqlrank.comparison.result import Comparison
from sqlrank.conventions import Conventions
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import counted
from sqlrank.judgment_sets.columns import ROWS
from sqlrank.judgment_sets.corrected import FEWEST, Corrected, corrected, is_unlike
from sqlrank.judgment_sets.order import Order, orders
from sqlrank.judgment_sets.verdicts import CORRECTED, beside, said_of
from sqlrank.presentation import Presented
from sqlrank.statement.templates import render
from sqlrank.statistics.corrections import correct
from sqlrank.statistics.verdict import is_significant

Row = dict[str, Any]
PAIR = ("system", "baseline", "metric")
VALUES = {
    **dict.fromkeys((*PAIR, "query_id"), "varchar"),
    **dict.fromkeys(("baseline_value", "value"), "double"),
}
"""The columns of the values of every query."""


class JudgmentSets(OpenResult, Presented):
    """Systems compared with a baseline under several sets of judgments, of which the first is the reference.

    It holds database connections; use it as a context manager, or call `close()`.
    """

    offered = "baseline systems"

    def __init__(self, comparisons: Mapping[str, Comparison]) -> None:
        first = next(iter(comparisons.values()))
        super().__init__(first._local)
        self.comparisons = dict(comparisons)
        """The comparison under each set, by its name."""
        self.names = list(comparisons)
        """The names of the sets, the one believed first."""
        self.by, self.questions, self.baseline = first.by, first.questions, first.baseline
        self.systems = first.systems
        self._kinds = stored_types(asked_for(ROWS, by=self.by))
        self._better = {measure.text: measure.metric.better for measure in first.measures}
        self._spans = {measure.text: span_of(measure) for measure in first.measures}
        self._values = {name: self._values_of(number) for number, name in enumerate(self.names)}
        self._moments = {name: self._moments_of(name) for name in self.names[1:]}
        self.corrected = {name: self._corrected(name) for name in self.names[1:]}
        """By set, each corrected difference by system, baseline and metric, of those that can be."""
        self.orders: dict[str, list[Order]] = {name: self._orders(name) for name in self.names[1:]}
        """By set, how far it agrees with the first on the order of the systems; with three systems or more."""
        self.all_rows = self._all_rows()
        """The rows, as dictionaries."""
        self.notes = list(dict.fromkeys(self._notes()))

    def close(self) -> None:
        """Close the connections."""
        for comparison in self.comparisons.values():
            comparison.close()

    @property
    def believed(self) -> str:
        """The name of the set that is believed."""
        return self.names[0]

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each pair, segment, metric and set: values, difference, interval, p and verdict.

        `judgments` is the set, or `NAME corrected` for the differences of a set corrected by the first one, where that
        has fewer queries; these have no two values. `beside` says how the verdict compares with that of the first set:
        `agrees`, `turned`, `undecided here` or `decided here alone`. `worth` is of how many queries the first set alone
        would tell as much.
        """
        table = self.stored("judgment_sets", self._kinds, self.all_rows)
        return self._every_row(table)

    def remarks(self) -> list[str]:
        """The lines that are printed below the numbers."""
        lines = [f"{self.believed} is the reference; beside compares each verdict with that under {self.believed}"]
        lines += [f"{metric}: lower is better" for metric, better in self._better.items() if better == "lower"]
        for name, found in self.orders.items():
            lines += [self._order_in_words(name, order) for order in found]
        for name, each in self.corrected.items():
            if each:
                some = next(iter(each.values()))
                lines.append(
                    f"corrected: by {name} on {some.labelled + some.others} queries, and {self.believed} on"
                    f" {some.labelled} of them (prediction-powered, Angelopoulos, Duchi and Zrnic 2023, Student's t);"
                    f" it assumes that these were drawn at random. worth: the equivalent number of queries judged by"
                    f" {self.believed} alone"
                )
        first = self.comparisons[self.believed]
        conventions: dict[str, Any] = first.conventions
        lines.append(Conventions(**conventions).describe())
        lines.append(
            f"p: {self.questions.name_of_test}, of corrected differences Student's t; adjusted"
            f" ({self.questions.correction}) over the rows of each set; intervals are not adjusted"
        )
        return lines

    def _order_in_words(self, name: str, order: Order) -> str:
        said = "no tau, as all systems tie" if order.tau is None else f"Kendall's tau {order.tau:.2f}"
        if order.low is not None:
            unsure = order.pairs - (order.alike or 0) - (order.opposite or 0)
            said += f" ({order.low:.2f} to {order.high:.2f}: of {counted(order.pairs, 'pair')} {order.alike} are in"
            said += f" the same order, {order.opposite} in the opposite one, and {unsure} not told apart by both)"
        few = f"; {counted(order.queries, 'query', 'is', 'are')} too few for an interval"
        few = few if order.tau is not None and order.low is None else ""
        return (
            f"order of {len(self.systems)} systems by {order.metric} under {name} and {self.believed}:"
            f" {said} over {counted(order.queries, 'query')} in both{few}"
        )

    def _values_of(self, number: int) -> Markup:
        """Both values of every query under a set, as a table of the first connection."""
        comparison = self.comparisons[self.names[number]]
        found = comparison.per_query.select(*VALUES).fetchall()
        rows = [dict(zip(VALUES, row, strict=True)) for row in found]
        return self.stored(f"values_of_set_{number}", VALUES, rows)

    def _moments_of(self, name: str) -> list[Row]:
        sides = {"people": self._values[self.believed], "model": self._values[name]}
        return self._local.gather([render("judgment_sets/moments.sql", self._local.dialect, **sides)])[0]

    def _corrected(self, name: str) -> dict[tuple[str, str, str], Corrected]:
        counted = {measure.text for measure in self.comparisons[self.believed].measures if measure.counts}
        found = {}
        for row in self._moments[name]:
            estimate = None if row["metric"] in counted else corrected(row, self._spans[row["metric"]])
            if estimate is not None:
                found[row["system"], row["baseline"], row["metric"]] = estimate
        return found

    def _orders(self, name: str) -> list[Order]:
        if len(self.systems) < 3:
            return []
        context = {
            "people": self._values[self.believed],
            "model": self._values[name],
            "baseline": self.baseline,
            "candidates": [name for name in self.systems if name != self.baseline],
            "pairs": list(combinations(range(len(self.systems)), 2)),
        }
        statement = render("judgment_sets/orders.sql", self._local.dialect, **context)
        return orders(self._local.gather([statement])[0], self.questions.alpha, self._spans)

    def _all_rows(self) -> list[Row]:
        """The rows of all sets, those of one question below one another."""
        found: dict[tuple[Any, ...], list[Row]] = {}
        for name, comparison in self.comparisons.items():
            for row in comparison.all_rows:
                found.setdefault(self._question(row), []).append(self._row(row, name))
        for name, estimates in self.corrected.items():
            sides = [self.questions.side_of(self._better[metric]) for *_, metric in estimates]
            chances = [each.estimate.p_value(side) for each, side in zip(estimates.values(), sides, strict=True)]
            correction = self.questions.correction
            adjusted = correct(chances, "holm" if correction == "max-t" else correction)
            for (question, each), p_value, p_adjusted in zip(estimates.items(), chances, adjusted, strict=True):
                total = (*question[:2], question[2], *(None for _ in self.by))
                found[total].append(self._corrected_row(question, name, each, p_value, p_adjusted))
        rows = []
        for together in found.values():
            first = next((row for row in together if row["judgments"] == self.believed), None)
            rows += [row | {"beside": None if first in (None, row) else beside(first, row)} for row in together]
        return rows

    def _question(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        return (row["system"], row["baseline"], row["metric"], *(row.get(name) for name in self.by))

    def _row(self, row: Mapping[str, Any], name: str) -> Row:
        kept = {column: row.get(column) for column in self._kinds}
        return kept | {
            "judgments": name,
            "verdict": said_of(row),
            "worth": None,
        }

    def _corrected_row(
        self,
        question: tuple[str, str, str],
        name: str,
        each: Corrected,
        p_value: float | None,
        p_adjusted: float | None,
    ) -> Row:
        found = each.estimate
        low, high = found.ends(self.questions.alpha_two_sided)
        row = dict.fromkeys(self._kinds) | asdict(each) | dict(zip(PAIR, question, strict=True))
        row |= {"difference": found.value, "stderr": found.stderr, "ci_low": low, "ci_high": high}
        row |= {"is_total": True, "judgments": f"{name} {CORRECTED}"}
        row |= {"p_value": p_value, "p_adjusted": p_adjusted, "queries": each.labelled + each.others}
        row["significant"] = is_significant(p_adjusted, (low, high), self.questions.alpha)
        row["sqlrank_better"] = self._better[question[2]]
        return {column: row[column] for column in self._kinds} | {"verdict": said_of(row)}

    def _notes(self) -> list[str]:
        """What was noticed of every set, and of how the sets stand to each other."""
        found = []
        for name, comparison in self.comparisons.items():
            found += [f"{name}: {note}" for note in comparison.notes]
        for row in self.all_rows:
            if row["beside"] == "turned":
                found.append(
                    f"the verdict on {row['system']} turns: {row['metric']} is {row['verdict']} under"
                    f" {row['judgments']}, and the opposite under {self.believed}"
                )
        for name in self.names[1:]:
            found += self._unlike(name)
        return found

    def _unlike(self, name: str) -> list[str]:
        """Notes on queries that are no sample of all, and on why nothing is corrected."""
        moments = self._moments[name]
        notes = [
            f"the queries that {self.believed} judged are not like the others: by {name} {row['system']} differs in"
            f" {row['metric']} by {row['model_mean']:+.4f} there, and by {row['others_mean']:+.4f} elsewhere; corrected"
            " differences assume that they were drawn at random"
            for row in moments
            if is_unlike(row)
        ]
        if moments and not self.corrected[name]:
            few = min(min(row["labelled"], row["others"]) for row in moments)
            notes.append(
                f"nothing is corrected: {self.believed} and {name} share {moments[0]['labelled']} queries and"
                f" only {name} has {moments[0]['others']} others; {FEWEST} of each are needed"
                if few < FEWEST
                else "nothing is corrected: all differences are alike"
            )
        return notes
