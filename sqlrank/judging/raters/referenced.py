"""A result of judgments of which one rater may be the reference for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from sqlrank.arguments import public
from sqlrank.columns import Field, stored_types
from sqlrank.errors import UsageError
from sqlrank.judging.raters.against_reference import AgainstReference, check_reference
from sqlrank.judging.raters.beside import Asked, Beside, kept
from sqlrank.judging.raters.columns import BIAS, CONFUSION
from sqlrank.judging.raters.inputs import RatedJudgments, check_segments
from sqlrank.judging.raters.rater_summary import OfRaters
from sqlrank.spelling import spelt

MOST_NAMED = 12
"""How many raters a message names."""


class Referenced(OfRaters):
    """A result of judgments whose other raters are held against a reference, where there is one."""

    _against: AgainstReference | None = None
    by: str | None
    """The column by which biases are told apart."""
    reference: str | None
    """Whom the others are held against; None for nobody."""

    @public()
    def confusion(self) -> duckdb.DuckDBPyRelation:
        """How the grades of the others compare with those of the reference.

        Returns:
            A row for each rater, grade of the reference and grade of the rater: columns rater, reference_grade, grade,
            pairs, and share (of the pairs to which the reference gave that grade). None of a rater with more than 12.

        Raises:
            UsageError: there is no reference.
        """
        return self._relation("confusion", CONFUSION, self.against.confusion)

    @public()
    def bias(self) -> duckdb.DuckDBPyRelation:
        """How far the others are from the reference, in grades, and where.

        Returns:
            Columns rater, part (`total`, `grade`, `segment`, `system`; `system difference`, the bias less that of the
            first system, and `at equal grades`, that among documents of one grade of the reference), value (the grade,
            the segment or the system), pairs, queries, bias (the mean of the rater's grade less the reference's) and
            its interval, null where the data bear none.

        Raises:
            UsageError: there is no reference.
        """
        return self._relation("bias", BIAS, self.against.bias)

    def hold(self, asked: Asked, judgments: RatedJudgments, beside: Beside) -> None:
        """Hold the others against the reference, if there is one; UsageError where that cannot be done."""
        self.by = asked.by
        self.reference = self._reference(asked, judgments.raters)
        self.inputs |= beside.rows
        self.notes += beside.notes
        if self.reference is None:
            return
        segments = None
        if judgments.segments is not None and self.by is not None:
            segments = kept(self._local, "pair_segments", "segments", relation=judgments.segments)
            check_segments(self._local, judgments, segments, self.by)
        self._against = AgainstReference(
            self._local, judgments.relation, self.reference, beside, segments, self.alpha, self.label
        )
        self.notes += self._against.notes([row["rater"] for row in self._raters])

    @property
    def against(self) -> AgainstReference:
        """The others held against the reference; UsageError if there is none."""
        if self._against is None:
            raise UsageError(
                f"there is no reference to hold raters against: name one with {spelt('reference', 'NAME')}"
            )
        return self._against

    def settings_of_bias(self) -> dict[str, Any]:
        """By what the bias is told apart, and which documents are those of a system."""
        places = None if self._against is None else self._against.places
        found = {} if self.by is None else {"by": self.by}
        return found if places is None else {**found, "top": places.top, **places.conventions}

    def remarks_on_bias(self) -> list[str]:
        """The lines on the reference that are printed below the numbers."""
        return [] if self._against is None else list(self._against.remarks(self.confidence))

    def _relation(
        self, base: str, fields: Sequence[Field], rows: Sequence[Mapping[str, Any]]
    ) -> duckdb.DuckDBPyRelation:
        table = self.stored(f"{base}_rows", stored_types(fields), rows)
        return self._every_row(table)

    def _reference(self, asked: Asked, tables: Sequence[str]) -> str | None:
        """Whom the others are held against; UsageError if there is no such rater, or none for what asks for one."""
        raters = sorted(row["rater"] for row in self._raters)
        if asked.reference is not None:
            return check_reference(asked.reference, raters)
        if len(raters) == len(tables) == 2:
            return tables[0]
        if asked.placed:
            known = ", ".join(raters[:MOST_NAMED])
            raise UsageError(
                f"{asked.placed[0]} tells a bias apart: say against whom, {spelt('reference', 'NAME')} (one of {known})"
            )
        return None
