"""What rankings would have earned: the result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
from markupsafe import Markup

from sqlrank.columns import stored_types
from sqlrank.counterfactual.columns import ROWS
from sqlrank.counterfactual.empirical import Empirical
from sqlrank.counterfactual.estimators import Estimator
from sqlrank.counterfactual.value_rows import UNITS, ValueRows
from sqlrank.counterfactual.valuing import Estimated, Valuing
from sqlrank.engines.open_result import OpenResult
from sqlrank.presentation import Charted
from sqlrank.statement.templates import render
from sqlrank.version import __version__

CONTENTS = "values of rankings"
"""What the metadata of a Parquet file calls them."""
INTERVALS = {
    "delta": "intervals: {confidence}, of {unit}, linear in what each adds to the propensities too (delta method)",
    "bootstrap": "intervals: {confidence}, percentiles of {replicates} Poisson bootstrap replicates of {unit}, each"
    " with propensities of its own",
    "student": "lower bounds: {one_sided}, Student's, of {unit}",
    "bernstein": "lower bounds: {one_sided}, empirical Bernstein's, with the largest observed weight for the largest"
    " possible one",
    "hoeffding": "lower bounds: {one_sided}, Hoeffding's, with the largest observed weight for the largest possible"
    " one",
}
OVER = {
    "cells": "over the positions that the log supports, impression by impression",
    "weights": "over all impressions by the propensities of the log, and documents that it never shows count as"
    " nothing",
    "sn-weights": "over all impressions by the propensities of the log, and documents that it never shows count as the"
    " mean of the rest",
    "expected": "over all impressions by the propensities of the log, and documents that it never shows count as"
    " expected",
    "gains": "over all documents, and those that the log does not support count as nothing",
}
"""What differences are over, by how their estimates come about."""


class Values(OpenResult, Charted):
    """The values of rankings or policies per impression, estimated on a log in which others were shown.

    It holds a database connection; use it as a context manager, or call `close()`.
    """

    offered = "differences metadata origin per_query plot support"

    differences: list[dict[str, Any]]
    """Each candidate compared with what was shown (`logged`), the others with the first: system, other, estimator,
    difference, ci_low, ci_high, p_value, over what `compared` says; bound_low and bound_high, the least and the largest
    over all places, where the log leaves some open."""
    support: list[dict[str, Any]]
    """By system, estimator and position the share of what it would show that the log has shown."""
    origin: dict[str, Any]
    """The log that they are of: its systems, days and impressions, and what did not count."""

    def __init__(self, valuing: Valuing, estimated: list[Estimated], made: ValueRows) -> None:
        super().__init__(valuing.engine)
        self.asked, self.session, self._estimated = valuing.asked, valuing.session, estimated
        self.notes = list(dict.fromkeys([*valuing.session.notes, *valuing.candidates.notes, *made.notes]))
        self.differences, self.support = made.differences, made.support
        self.origin = valuing.session.origin()
        self._queries = valuing.queries
        self._lines = [*valuing.lines, *made.lines]
        self._table = self.stored("value_rows", stored_types(ROWS), made.rows)

    @property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """A row for each candidate and estimator: what it would have earned, and what that rests on."""
        return self._every_row(self._table)

    @property
    def per_query(self) -> duckdb.DuckDBPyRelation | None:
        """A row for each query of the log, candidate and estimator: impressions, supported, value and at_most.

        None where propensities are those of the log.
        """
        if self._queries is None:
            return None
        return self._local.relation(render("counterfactual/ordered.sql", self._local.dialect, queries=self._queries))

    @property
    def metadata(self) -> dict[str, str]:
        """What a Parquet file of them says of where they come from."""
        return {"sqlrank": __version__, "contents": CONTENTS, "behaviour": json.dumps(self.origin)}

    def weighed(self) -> Iterator[tuple[Markup, int, dict[str, Any]]]:
        """Yield the relation of each value's rows with their weights, the number of these, and whose they are."""
        for each in self._estimated:
            for one in each.measures:
                if one.weighs:
                    yield each.scored, one.number, {"system": one.system, "estimator": one.estimator.name}

    def remarks(self) -> list[str]:
        """The lines below the rows: what was settled, how they were estimated, and what that assumes."""
        asked = {one.estimator.name: one.estimator for each in self._estimated for one in each.measures}
        return [
            *self.session.settled.lines,
            *(estimator.assumes for estimator in asked.values()),
            *self._lines,
            INTERVALS[self.asked.interval].format_map(self._words()),
        ]

    def compared(self) -> str:
        """What the differences are over: a sentence, with the names of the estimators where they differ in that."""
        names: dict[str, dict[str, None]] = {}
        for each in self._estimated:
            for one in each.measures:
                names.setdefault(OVER[of_difference(each, one.estimator)], {})[one.estimator.name] = None
        if len(names) == 1:
            return f"differences are {next(iter(names))}"
        return "differences are, " + "; ".join(f"by {', '.join(some)}: {over}" for over, some in names.items())

    def _words(self) -> Mapping[str, str]:
        confidence = f"{100 * (1 - self.asked.alpha):g} %"
        unit = UNITS[self.session.log.unit]
        return {
            "confidence": confidence,
            "one_sided": f"{confidence}, one-sided",
            "unit": unit,
            "replicates": str(self.asked.replicates),
        }


def of_difference(each: Estimated, estimator: Estimator) -> str:
    """How the estimates of a difference come about: a key of `OVER`."""
    if estimator.cutoff:
        return "gains"
    if isinstance(each.source, Empirical):
        return "cells"
    if estimator.model == "expected":
        return "expected"
    return "sn-weights" if estimator.normalised else "weights"
