"""Side-by-side verdicts: good, same and bad counted, and whether the candidate is to be shipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Unpack

import duckdb

from sqlrank.arguments import public
from sqlrank.columns import asked_for, names_of, stored_types
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.evaluation.fingerprints import Fingerprint, fingerprints
from sqlrank.evaluation.flow import session_engine
from sqlrank.inputs.reading import check_distinct, check_output_names
from sqlrank.judging.options import GsbOptions, reading_of
from sqlrank.judging.raters.measures import agreement_lines, conflict_line, differing_line, items_of
from sqlrank.judging.raters.rater_summary import OfRaters, Rated
from sqlrank.judging.verdicts.columns import ROWS
from sqlrank.judging.verdicts.inputs import KIND, VerdictInputs, check_rows, check_weight, open_verdicts
from sqlrank.judging.verdicts.remarks import advice, how, limits, planning, why
from sqlrank.judging.verdicts.rows import rows_of
from sqlrank.options.kinds import INPUT
from sqlrank.presentation import Charted
from sqlrank.statement.templates import render

LEVELS = (("bad", -1.0), ("same", 0.0), ("good", 1.0))
"""The verdicts, from the worst to the best for the candidate."""


@public(record=GsbOptions, judgments=INPUT)
def gsb(judgments: Any, **options: Unpack[GsbOptions]) -> SideBySide:
    """Summarize side-by-side (GSB) ratings of two systems and recommend whether to ship.

    Args:
        judgments: rows of query_id and verdict, and where known of doc_id and rater: a path, glob, folder or URL, a
            pandas, polars or Arrow table, or a DuckDB relation. A verdict is `good` (the candidate is better), `same`
            or `bad`, in words, as g, s, b, as 1, 0, -1, or as 好, 平, 差.
        **options: segments, weights, the decision, and how the input is read.

    Returns:
        The counts, delta_gsb with its interval, and the decision.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: the input is missing, unreadable or wrong.
        ResourceError: memory or disk ran out.
    """
    by = options["by"]
    segments = (by,) if isinstance(by, str) else tuple(by or ())
    check_output_names(segments, names_of(ROWS))
    check_distinct(segments)
    reading = reading_of(options)
    engine = session_engine(options, [judgments])
    with closed_on_error(engine):
        verdicts = open_verdicts(engine, judgments, reading, segments, options["writes"])
        return SideBySide(engine, verdicts, options["alpha"], options["correction"], options["sequential"])


class SideBySide(OfRaters, Charted):
    """The result of side-by-side verdicts: counts, delta_gsb with its interval, and the decision.

    It holds a database connection; use it as a context manager, or call `close()`, when it is not to live as long as
    the program.
    """

    offered = "agreement by_rater decision disputed plot report sql total"

    def __init__(
        self, engine: DuckDBEngine, verdicts: VerdictInputs, alpha: float, correction: str, sequential: bool = False
    ) -> None:
        columns = ("query_id", "doc_id") if verdicts.documents else ("query_id",)
        rated = Rated(verdicts.relation, "preference", columns, KIND, LEVELS)
        super().__init__(engine, verdicts, rated, check_rows(engine, verdicts), alpha)
        self.by: tuple[str, ...] = tuple(verdicts.by)
        self.weight = verdicts.weight
        self.correction = correction
        """How the p values of the segments are corrected together."""
        self.sequential = sequential
        """Whether intervals and p values hold whenever one looks."""
        self.raters = verdicts.raters
        """Whether it is known who gave each verdict."""
        self._verdicts = verdicts
        found = engine.gather(self.statements)
        groups = [*(found[1] if self.by else []), *found[0]]
        if self.weight is not None:
            check_weight(verdicts, groups[-1]["weight"])
        self._queries = found[-1] if self.raters else []
        items = items_of(self._queries, self._verdicts.segments)
        named = [self._group({"is_total": row is found[0][0]} | row) for row in groups]
        rows = rows_of(groups, [items.get(name, {}) for name in named], alpha, correction, sequential)
        self._rows = [self._labels(name) | row for name, row in zip(named, rows, strict=True)]
        self._table = self.stored("gsb_rows", self._kinds(verdicts.segments), self._rows)
        self.total: dict[str, Any] = {name: rows[-1][name] for name in self._kinds()}
        """The row of all verdicts by column."""

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each segment and the total: by and is_total (with segments), counts, estimates, decision."""
        segments = self._verdicts.segments
        names = list(zip(self._kinds(self.by), self._kinds(segments), strict=True))
        context = {"columns": names, "segments": segments, "relation": self._table}
        return self._local.relation(render("gsb/rows.sql", self._local.dialect, **context))

    @property
    def totals(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, that of all verdicts last: the segments by their names, and also `raters`."""
        names = dict(zip(self._verdicts.segments, self.by, strict=True))
        return [{names.get(name, name): value for name, value in row.items()} for row in self._rows]

    @property
    def decision(self) -> str:
        """What follows from all verdicts: `better: ship`, `worse: do not ship` or `not enough evidence`."""
        return str(self.total["decision"])

    @property
    def sql(self) -> str:
        """The statements that ran, over the relations that `sources` make."""
        return ";\n\n".join(self.statements)

    @property
    def statements(self) -> list[str]:
        """The statement of the sums in total, that by segment, and that of the items of several raters."""
        verdicts, dialect = self._verdicts, self._local.dialect
        context = {"verdicts": verdicts.relation, "raters": self.raters, "documents": verdicts.documents}
        context |= {"weighted": self.weight is not None}
        scopes = [[], verdicts.segments] if self.by else [[]]
        found = [render("gsb/summary.sql", dialect, **context, segments=segments) for segments in scopes]
        if self.raters:
            found.append(self._rated.statement(dialect, "items", segments=verdicts.segments))
        return found

    def fingerprints(self) -> list[Fingerprint]:
        """The files that were read, with their sizes and hashes."""
        return self._fingerprints

    @cached_property
    def _fingerprints(self) -> list[Fingerprint]:
        return list(fingerprints(self._local, self._verdicts.runs))

    @property
    def clustering(self) -> str:
        """What verdicts are clustered by: the query, and the rater where there are several, but for a sequence."""
        return "query and rater" if self._several_raters and not self.sequential else "query"

    @property
    def _several_raters(self) -> bool:
        return (self._rows[-1]["raters"] or 0) > 1

    def settings(self) -> dict[str, Any]:
        """The conventions and their values."""
        found: dict[str, Any] = {"good": "the candidate is better", "alpha": self.alpha}
        if self.sequential:
            found |= {"interval": "confidence sequence", "test": "of that sequence"}
        else:
            found |= {"interval": "Bonett-Price, Student's t", "test": "Student's t, exact sign test"}
        found |= {"correction": self.correction, "families": "segments, total", "clustering": self.clustering}
        return found | {"weight": self.weight}

    def remarks(self) -> list[str]:
        """The lines that are printed below the numbers."""
        *segments, total = self._rows
        lines = [
            *how(self.weight, self.confidence, self._several_raters, self.sequential),
            *why(segments, self.correction),
        ]
        lines += [*planning(total), *advice(self._rows), *self.limits()]
        if self.raters:
            lines.append(conflict_line(total["items"], total["conflicting"]))
            lines += agreement_lines(self.agreement, self.confidence) if total["items"] else []
            lines += differing_line(self._raters, self._rated.counted)
        return lines + self.condition

    def remarks_on_rows(self) -> list[str]:
        """The same where there are the rows alone."""
        return self.remarks()

    def limits(self) -> list[str]:
        """Where there is no interval, and why, and where it says less than it seems to."""
        return list(limits(self._rows, self.sequential))

    def _kinds(self, segments: Sequence[str] = ()) -> dict[str, str]:
        return stored_types(asked_for(ROWS, ["raters"] if self.raters else [], segments))

    def _group(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        return row["is_total"], *(row.get(segment) for segment in self._verdicts.segments)

    def _labels(self, group: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip(("is_total", *self._verdicts.segments), group, strict=True))
