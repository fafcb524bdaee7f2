"""How far the raters of judgments agree: measures with intervals, who differs most, and on what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import duckdb
from markupsafe import Markup

from sqlrank.arguments import public
from sqlrank.columns import stored_types
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import DataError, UsageError, counted, first_of
from sqlrank.evaluation.flow import session_engine
from sqlrank.judging.options import AgreementOptions, reading_of
from sqlrank.judging.raters.beside import Asked, Beside, of_judgments, open_beside
from sqlrank.judging.raters.columns import ROWS
from sqlrank.judging.raters.inputs import KIND, RatedJudgments, check_rows, open_judgments, tables_in
from sqlrank.judging.raters.measures import (
    ALPHAS,
    KAPPAS,
    METHOD,
    conflict_line,
    differing_line,
    items_of,
    levels_of,
    withheld_line,
)
from sqlrank.judging.raters.rater_summary import Rated
from sqlrank.judging.raters.referenced import Referenced
from sqlrank.options.kinds import INPUT
from sqlrank.presentation import Presented
from sqlrank.spelling import plain, spelt

MOST_LEVELS = 1000
"""How many levels there may be: more are no grades, and each pair of them is looked at."""
SHOWN_LEVELS = 12
"""How many of them are named."""
DEFINITIONS = (
    "a disagreement is: ordinal, how many judgments lie between two relevances in their order; interval, the square of"
    " their difference; nominal and kappa, any two that differ"
)


@public(record=AgreementOptions, qrels=INPUT)
def agreement(
    qrels: Any, *, runs: Any = None, systems: Mapping[str, Any] | None = None, **options: Unpack[AgreementOptions]
) -> RaterAgreement:
    """Measure how well raters agree on the same documents of the same queries (alpha, kappa).

    Args:
        qrels: rows of query_id, doc_id, relevance and rater: a path, glob, folder or URL, a pandas, polars or Arrow
            table, or a DuckDB relation; or a list of them, of which one without a rater is that of one rater; or
            such tables by the name of their rater.
        runs: rows of query_id, doc_id and score (or rank), as `evaluate` takes them: one, or a list; the bias of raters
            is told apart by their systems.
        systems: several runs by the name of their system, in place of `runs`.
        **options: against whom raters are held, and how the inputs are read.

    Returns:
        The measures with their intervals; who differs most, and on what.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the input is missing, unreadable or wrong, no pair has several raters, or there are too many levels.
        ResourceError: memory or disk ran out.
    """
    reading = reading_of(options)
    asked = Asked(options["reference"], options["by"], options["queries"], runs, systems, options["top"])
    every = [*(one for _, one in tables_in(qrels)), *asked.given]
    if sum(isinstance(data, str) and data == "-" for data in every) > 1:
        raise UsageError("standard input can be read only once: give one -")
    engine = session_engine(options, every)
    with closed_on_error(engine):
        beside = open_beside(engine, asked, reading, options["writes"])
        judgments = open_judgments(engine, qrels, of_judgments(reading, asked), options["writes"], beside.column)
        return RaterAgreement(engine, judgments, options["alpha"], asked, beside, reading.grades)


class RaterAgreement(Referenced, Presented):
    """The agreement of raters: measures with their intervals.

    It holds a database connection; use it as a context manager, or call `close()`, when it is not to live as long as
    the program.
    """

    offered = "agreement bias by_rater confusion disputed reference sql"

    raters = True

    def __init__(
        self,
        engine: DuckDBEngine,
        judgments: RatedJudgments,
        alpha: float,
        asked: Asked,
        beside: Beside,
        grades: Mapping[float, str],
    ) -> None:
        self.grades = grades
        """The texts of the grades that a map of labels made."""
        rated = Rated(judgments.relation, "relevance", ("query_id", "doc_id"), KIND)
        checks = check_rows(engine, judgments)
        super().__init__(engine, judgments, rated, checks, alpha)
        self._queries = engine.gather([self.sql])[0]
        self.levels = levels_of(self._queries)
        """The relevances that pairs with several raters were given, in their order."""
        items = items_of(self._queries, ()).get((True,), {"items": 0, "conflicting": 0})
        self.pairs, self.conflicting = items["items"], items["conflicting"]
        """How many pairs have several raters, and on how many of them these differ."""
        self._check(checks.rows_read[KIND])
        self._table = self._load()
        self.hold(asked, judgments, beside)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each measure: measure, value and its interval (null where there is none), pairs and raters."""
        return self._every_row(self._table)

    @property
    def sql(self) -> str:
        """The statement that counts the items, over the relations that `sources` make."""
        return self._rated.statement(self._local.dialect, "items", segments=())

    def settings(self) -> dict[str, Any]:
        """The conventions and their values."""
        found: dict[str, Any] = {
            "alpha": self.alpha,
            "interval": "jackknife over queries, two added where few disagree",
        }
        return found | self.settings_of_bias()

    def remarks(self) -> list[str]:
        """The lines that are printed below the numbers."""
        return [*self._remarks(), *self.remarks_on_bias(), *self.condition]

    def remarks_on_rows(self) -> list[str]:
        """The same where there are the rows alone."""
        more = [] if self.reference is None else ["confusion and bias are in table, markdown, latex and json"]
        return [*self._remarks(), *self.condition, *more]

    def _remarks(self) -> list[str]:
        judgments = self.inputs[KIND].used
        levels = first_of([plain(level) for level in self.levels], SHOWN_LEVELS)
        lines = [
            f"1 is perfect agreement, 0 is that of chance; the intervals are {METHOD}",
            DEFINITIONS,
            f"{counted(judgments, 'judgment')} of {counted(len(self._raters), 'rater')};"
            f" relevances of pairs with several: {levels}",
            conflict_line(self.pairs, self.conflicting, "pairs"),
        ]
        lines += withheld_line(self.agreement)
        lines += [f"no {name} kappa: {why}" for name, why in self._without()]
        lines += differing_line(self._raters, KIND)
        return lines

    def _without(self) -> list[tuple[str, str]]:
        """The kappas that these judgments lack, and why."""
        reasons = {
            "fleiss": "pairs differ in how many raters they have",
            "cohen": f"it is for two raters, and here are {len(self._raters)}",
        }
        return [(KAPPAS[name], why) for name, why in reasons.items() if name not in self.agreement]

    def _check(self, rows: int) -> None:
        """Raise DataError if no pair has several raters, or if there are too many levels."""
        if not self.pairs:
            raise DataError(
                f"{self.label}: none of {counted(rows, 'judgment')} is of a pair judged by another rater too (raters:"
                f" {len(self._raters)}); is it the right column? Name that of the raters with"
                f" {spelt('columns', {'rater': 'NAME'})}"
            )
        if len(self.levels) > MOST_LEVELS:
            raise DataError(
                f"{self.label}: the relevances have {len(self.levels)} different values, such as"
                f" {plain(self.levels[1])}; agreement takes {MOST_LEVELS} levels or fewer: round them first"
            )

    def _load(self) -> Markup:
        """Put the measures into a table, which `rows` reads."""
        counts = {"pairs": self.pairs, "raters": len(self._raters)}
        found = {name: self.agreement[name] for name in (*ALPHAS, *KAPPAS) if name in self.agreement}
        rows = [
            {"measure": name, "value": each.value, "ci_low": each.low, "ci_high": each.high} | counts
            for name, each in found.items()
        ]
        return self.stored("agreement_rows", stored_types(ROWS), rows)
