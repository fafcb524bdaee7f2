"""What the judgments of several raters say of the raters: how far they agree, who differs, and on what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.arguments import public
from sqlrank.dialects import Dialect
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import OpenResult
from sqlrank.errors import UsageError
from sqlrank.inputs.check_runner import CheckRunner
from sqlrank.inputs.opened_inputs import Opened, input_rows, notes_of
from sqlrank.judging.raters.measures import agreement_of
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render
from sqlrank.statistics.agreement_interval import Agreement


@dataclass(frozen=True, slots=True)
class Rated:
    """The judgments of raters: a row for each, with the rater and the level that was given to an item."""

    relation: Markup
    level: str
    """The column of the level, a number."""
    columns: tuple[str, ...]
    """The columns that make an item."""
    counted: str
    """What the judgments are called."""
    levels: tuple[tuple[str, float], ...] = ()
    """The levels that have names, the first and the last opposed; none where any number may be one."""

    def statement(self, dialect: Dialect, template: str, **variables: Any) -> str:
        """A statement over the judgments of raters."""
        context = {"judged": self.relation, "level": self.level, "columns": self.columns, "counted": self.counted}
        return render(f"raters/{template}.sql", dialect, **context, levels=self.levels, **variables)


class OfRaters(OpenResult):
    """A result of judgments with its raters."""

    _queries: Sequence[dict[str, Any]]
    """How many queries have items of several raters of which levels, by segment."""
    raters: bool
    """Whether it is known who gave each judgment."""

    def __init__(
        self, engine: DuckDBEngine, judgments: Opened, rated: Rated, checks: CheckRunner, alpha: float
    ) -> None:
        super().__init__(engine)
        self.alpha, self.where, self._rated = alpha, judgments.where, rated
        self.label = judgments.labels[rated.counted]
        """What the judgments are called in messages."""
        self.sources = judgments.sources
        """The statements that make the relations it reads."""
        read, left_out = checks.rows_read[rated.counted], judgments.filtered
        self.inputs = {rated.counted: input_rows(read, where=left_out, unfilled=judgments.unfilled)}
        """The rows of the judgments, and why some were left out."""
        self.notes = [*judgments.notes, *checks.notes, *notes_of(self.inputs, judgments.labels)]

    @property
    def condition(self) -> list[str]:
        """The condition on the rows, in words."""
        return [] if self.where is None else [f"only rows where {self.where}"]

    @cached_property
    def agreement(self) -> dict[str, Agreement]:
        """How far raters agree beyond chance: alpha and kappa by name, each with its interval over queries.

        Raises:
            UsageError: it is not known who gave the judgments.
        """
        cells = self._dicts("cells") if len(self._raters) == 2 else []
        return agreement_of(self._queries, cells, self.alpha)

    @cached_property
    def _raters(self) -> list[dict[str, Any]]:
        return self._dicts("raters")

    @property
    def confidence(self) -> str:
        """What the interval is called, such as `95 %`."""
        return f"{100 * (1 - self.alpha):.10g} %"

    @public()
    def by_rater(self) -> duckdb.DuckDBPyRelation:
        """A row for each rater, those who differ most from others first.

        Returns:
            Columns rater, verdicts or judgments, shared (those on items that others judged too), and disagreement (the
            share of the others' on them that differ).

        Raises:
            UsageError: it is not known who gave the judgments.
        """
        return self._local.relation(self._of_raters("raters"))

    @public()
    def disputed(self, most: int | None = None) -> duckdb.DuckDBPyRelation:
        """The items whose raters differ: those with the most good next to bad, or furthest apart in relevance, first.

        Args:
            most: how many of them; None for all.

        Returns:
            Columns query_id, doc_id where known, and disagreement (the share of pairs of raters who differ). Before it,
            of verdicts good, same and bad; of relevances raters (how many), and levels such as `0 (anna), 3 (bo, cy)`.

        Raises:
            UsageError: it is not known who gave the judgments, or none are asked for.
        """
        if most is not None and most < 1:
            raise UsageError(f"disputed: ask for 1 item or more, not {most}")
        return self._local.relation(self._of_raters("disputed", most=most))

    def _of_raters(self, template: str, **variables: Any) -> str:
        """A statement over the judgments of raters; UsageError if it is not known who gave them."""
        if not self.raters:
            raise UsageError(
                f"it is not known who gave the {self._rated.counted}: choose {spelt('columns', {'rater': 'NAME'})}"
            )
        return self._rated.statement(self._local.dialect, template, **variables)

    def _dicts(self, template: str) -> list[dict[str, Any]]:
        return self._local.gather([self._of_raters(template)])[0]
