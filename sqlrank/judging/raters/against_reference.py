"""Raters held against one of them: how they confuse its grades, and how far they are from it, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from markupsafe import Markup

from sqlrank.dialects import visible
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import DataError, UsageError, first_of, nearest
from sqlrank.inputs.table import listed
from sqlrank.judging.raters.beside import Beside, kept
from sqlrank.judging.raters.bias import METHOD, WITHHELD, at_the_ends, biases, favours
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render

Row = dict[str, Any]

MOST_GRADES = 12
"""How many grades a table of confusion has at most."""


class AgainstReference:
    """The other raters held against a reference, over the pairs that both judged.

    Args:
        engine: the engine of the judgments.
        judged: their relation.
        reference: who is the reference.
        beside: what says where a bias sits.
        segments: the segment of each pair, of a column of the judgments.
        alpha: what the intervals leave out.
        label: what the judgments are called in messages.
    """

    def __init__(
        self,
        engine: DuckDBEngine,
        judged: Markup,
        reference: str,
        beside: Beside,
        segments: Markup | None,
        alpha: float,
        label: str,
    ) -> None:
        self.engine, self.reference, self.places, self.label = engine, reference, beside.places, label
        self.segmented = beside.segments or segments
        context = {"judged": judged, "reference": reference, "segments": self.segmented}
        self.pairs = kept(engine, "reference_pairs", "pairs", **context, of_pairs=beside.segments is None)
        self.shared = self._gathered("grades", segments=self.segmented)
        """A row for each rater who shares pairs with the reference: how many, and of how many grades."""
        if not self.shared:
            raise DataError(f"{label}: no other rater judged a pair that {visible(reference)} judged")
        if self.segmented and not any(row["segmented"] for row in self.shared):
            raise DataError(
                f"{label}: no pair that {visible(reference)} and another rater judged has a segment; ids of queries are"
                " compared as text, so padding and prefixes count"
            )
        self.covered = self._covered()
        """The documents looked at of each system, and how many of them the reference and another judged."""
        self.confusion = self._confusion()
        """The rows of the confusion."""
        self.bias = biases(sorted([*self._bias(), *self._equal()], key=itemgetter("rater")), alpha)
        """The rows of the biases."""

    def notes(self, raters: Sequence[str]) -> list[str]:
        """What could not be said of some of the raters."""
        known = {row["rater"] for row in self.shared}
        apart = [name for name in raters if name not in known and name != self.reference]
        notes = [f"{listed(apart)}: no pair that {visible(self.reference)} judged too"] if apart else []
        return notes + [
            f"no confusion of {visible(row['rater'])} and {visible(self.reference)}: {grades_of(row)} grades, and a"
            f" table has {MOST_GRADES} or fewer"
            for row in self.shared
            if grades_of(row) > MOST_GRADES
        ]

    def remarks(self, confidence: str) -> Iterator[str]:
        """Yield the lines that are printed below the numbers."""
        yield (
            f"bias: a rater's grade less that of {visible(self.reference)}, over the pairs of both; its {confidence}"
            f" interval is {METHOD}"
        )
        yield from at_the_ends(self.bias, self.reference)
        if any(row["ci_low"] is None for row in self.bias):
            yield WITHHELD
        if self.places is not None:
            told = [f"{visible(row['system'])} {row['judged']} of {row['documents']}" for row in self.covered]
            yield (
                f"documents among the first {self.places.top} that {visible(self.reference)} and another judged:"
                f" {', '.join(told)}"
            )
            yield from favours(self.bias, self.places.systems[0])

    def _gathered(self, template: str, **context: Any) -> list[Row]:
        statement = render(f"raters/{template}.sql", self.engine.dialect, pairs=self.pairs, **context)
        return self.engine.gather([statement])[0]

    @property
    def _graded(self) -> list[str]:
        """The raters with so few grades that each of them is looked at."""
        return [row["rater"] for row in self.shared if grades_of(row) <= MOST_GRADES]

    def _confusion(self) -> list[Row]:
        return self._gathered("confusion", raters=self._graded) if self._graded else []

    def _equal(self) -> list[Row]:
        if self.places is None or len(self.places.systems) < 2 or not self._graded:
            return []
        context = {"places": self.places.relation, "systems": self.places.systems, "raters": self._graded}
        return self._gathered("equal_grades", **context)

    def _bias(self) -> list[Row]:
        places, systems = (None, []) if self.places is None else (self.places.relation, self.places.systems)
        return self._gathered("bias", places=places, systems=systems, segments=self.segmented)

    def _covered(self) -> list[Row]:
        """How much of each system was judged; DataError for one of which nothing was."""
        if self.places is None:
            return []
        found = {row["system"]: row for row in self._gathered("covered", places=self.places.relation)}
        for name in self.places.systems:
            if not found[name]["queries"]:
                raise DataError(
                    f"{self.places.label}: {visible(name)} shares no query with the pairs that"
                    f" {visible(self.reference)} and another rater judged (it has {found[name]['example']!r}); ids are"
                    " compared as text, so padding and prefixes count"
                )
            if not found[name]["judged"]:
                raise DataError(
                    f"{self.places.label}: none of the first {self.places.top} documents of {visible(name)} was judged"
                    f" by {visible(self.reference)} and another rater; look at more of them with {spelt('top')}"
                )
        return [found[name] for name in self.places.systems]


def grades_of(row: Mapping[str, Any]) -> int:
    """The rows or columns that a table of the confusion would have, whichever are more."""
    return max(int(row["reference_grades"]), int(row["grades"]))


def check_reference(reference: str, raters: Sequence[str]) -> str:
    """The reference; UsageError if there is no such rater."""
    if reference not in raters:
        known = first_of([visible(rater) for rater in raters], MOST_GRADES)
        raise UsageError(
            f"{spelt('reference', visible(reference))}: there is no such rater{nearest(reference, list(raters))}"
            f" (one of {known})"
        )
    return reference
