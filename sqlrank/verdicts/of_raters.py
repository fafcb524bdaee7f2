"""What the verdicts of several raters say of the raters: how far they agree, who differs, and on what."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import duckdb

from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.evaluation.arguments import public
from sqlrank.statement.templates import render
from sqlrank.statistics.agreement import Agreement
from sqlrank.verdicts.agreement import agreement_of
from sqlrank.verdicts.inputs import VerdictInputs


class OfRaters(OpenResult):
    """A result of verdicts with its raters."""

    _verdicts: VerdictInputs
    _rows: list[dict[str, Any]]
    _patterns: list[dict[str, Any]]
    """How many items of several raters have so many verdicts of each kind, by segment."""
    raters: bool
    """Whether it is known who gave each verdict."""
    alpha: float

    @cached_property
    def agreement(self) -> dict[str, Agreement]:
        """How far raters agree beyond chance: alpha and kappa by name, each with its interval over items.

        Raises:
            UsageError: it is not known who gave the verdicts.
        """
        self._check_raters()
        patterns: Counter[tuple[int, int, int]] = Counter()
        for row in self._patterns:
            patterns[row["bad"], row["same"], row["good"]] += row["items"]
        pairs = self._dicts("cells") if self._rows[-1]["raters"] == 2 else []
        cells = {(row["first_rater"], row["second_rater"]): row["items"] for row in pairs}
        return agreement_of(patterns, cells, self.alpha)

    @cached_property
    def _raters(self) -> list[dict[str, Any]]:
        return self._dicts("raters")

    @public()
    def by_rater(self) -> duckdb.DuckDBPyRelation:
        """A row for each rater, those who differ most from others first.

        Returns:
            Columns rater, verdicts, shared (those on items that others judged too), and disagreement (the share of the
            others' verdicts on them that differ).

        Raises:
            UsageError: it is not known who gave the verdicts.
        """
        return self._local.relation(self._of_raters("raters"))

    @public()
    def disputed(self, most: int | None = None) -> duckdb.DuckDBPyRelation:
        """The items whose verdicts differ, those with the most good beside bad first.

        Args:
            most: how many of them; None for all.

        Returns:
            Columns query_id, doc_id where known, good, same, bad, and disagreement (the share of pairs of raters who
            differ).

        Raises:
            UsageError: it is not known who gave the verdicts, or none are asked for.
        """
        if most is not None and most < 1:
            raise UsageError(f"disputed: ask for 1 item or more, not {most}")
        return self._local.relation(self._of_raters("disputed", most=most))

    def _check_raters(self) -> None:
        """Raise UsageError if it is not known who gave the verdicts."""
        if not self.raters:
            raise UsageError("it is not known who gave the verdicts: choose --column rater=NAME")

    def _of_raters(self, template: str, **variables: Any) -> str:
        """A statement over the verdicts of raters."""
        self._check_raters()
        columns = ["query_id", *(["doc_id"] if self._verdicts.documents else [])]
        context = {"verdicts": self._verdicts.relation, "columns": columns} | variables
        return render(f"gsb/{template}.sql", self._local.dialect, **context)

    def _dicts(self, template: str) -> list[dict[str, Any]]:
        return self._local.gather([self._of_raters(template)])[0]
