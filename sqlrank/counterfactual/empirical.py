"""Values by what the log's own variety tells: the share of a query's impressions with a document at a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.candidates import Candidates
from sqlrank.counterfactual.estimators import Estimator
from sqlrank.counterfactual.measures import SHOWN, Measure, Term
from sqlrank.engines.duckdb import DuckDBEngine

ALL = "all documents"
"""What stands in the place of a candidate where all documents are meant."""


class Empirical:
    """Rates the places of candidates by the cells of a log, and counts what each of its rows adds to their values.

    Where it is `organic` rankings fill the positions of a query that are no ads, in order.
    """

    def __init__(
        self,
        engine: DuckDBEngine,
        cells: Markup,
        candidates: Candidates,
        propensities: Markup | None,
        asked: Asked,
        organic: bool = False,
    ) -> None:
        self.engine, self.cells, self.candidates, self.asked = engine, cells, candidates, asked
        self.propensities = propensities
        self.sql = Folder(engine, room="counterfactual", prefix="value_", fewest=asked.min_impressions, top=asked.top)
        self.reached = self.sql.keep("reached", cells=cells)
        self.documents = self.sql.keep("documents", cells=cells, propensities=propensities)
        context = {"reached": self.reached, "documents": self.documents, "entries": candidates.entries}
        self.places = self.sql.keep("places", organic=organic, **context)
        self.rated: dict[str, Markup] = {}
        self.held: dict[str, Markup] = {}
        self.anchors = self.sql.keep("anchors", reached=self.reached)
        self.terms = 0
        self.totals: tuple[float, Term] | None = None

    def rate(self, estimator: Estimator) -> Markup:
        """What the log says of the places of the candidates."""
        name = estimator.name.removeprefix("sn") if estimator.cutoff else estimator.model
        if name not in self.rated:
            number = len(self.rated) + 1
            context: dict[str, Any] = {"documents": self.documents, "propensities": self.propensities}
            if estimator.cutoff:
                context |= {"anchors": self.anchors, "reached": self.reached, "entries": self.candidates.entries}
                context |= {"cutoff": estimator.cutoff, "cells": self.cells}
                made = self.sql.keep(f"rated_{number}", "empirical/discounted", **context)
            else:
                context |= {"places": self.places, "cells": self.cells, "model": estimator.model}
                made = self.sql.keep(f"rated_{number}", "empirical/rated", **context)
            self.rated[name] = made
            self.held[name] = self.sql.keep(f"held_{number}", "empirical/held", rated=made)
        return self.rated[name]

    def support(self, estimator: Estimator, by: str | None = None) -> list[dict[str, Any]]:
        """How much of what the candidates show the log supports; by position, or by query."""
        return self.sql.rows("empirical/support", rated=self.rate(estimator), by=by)

    @cached_property
    def shown(self) -> float:
        """What everything that the log shows earned."""
        return self.sql.number("empirical/shown_total", reached=self.reached)

    def by_query(self, estimators: Sequence[Estimator]) -> Markup:
        """How much of each query the log supports under each candidate, and what that would have earned."""
        rated = [{"estimator": one.name, "relation": self.rate(one)} for one in estimators if not one.normalised]
        return self.sql.keep("queries", "empirical/queries", rated=rated)

    def least(self, estimator: Estimator, system: str) -> dict[str, Any]:
        """The query whose places beyond the log earn most."""
        context = {
            "system": system,
            "estimator": estimator.name.removeprefix("sn"),
            "queries": self.sql.table("queries"),
        }
        return self.sql.row("empirical/least", **context)

    def measures(self, estimators: Sequence[Estimator]) -> list[Measure]:
        """The values, then the differences: each relative to what was shown, and the others relative to the first."""
        made = [measure for estimator in estimators for measure in self.of_estimator(estimator)]
        return [replace(measure, number=number) for number, measure in enumerate(made, 1)]

    def of_estimator(self, estimator: Estimator) -> Iterator[Measure]:
        """The measures of one estimator."""
        if estimator.cutoff:
            yield from self.discounted(estimator)
            return
        terms = {system: self.term(estimator, system) for system in self.candidates.systems}
        for system, term in terms.items():
            yield Measure(0, estimator, system, terms=[term])
        for system, term in terms.items():
            yield Measure(0, estimator, system, SHOWN, [term, replace(term, kind="shown", scale=-1)])
        first = self.candidates.systems[0]
        for system in self.candidates.systems[1:]:
            of_both = [self.term(estimator, system, first), replace(self.term(estimator, first, system), scale=-1)]
            yield Measure(0, estimator, system, first, of_both)

    def term(self, estimator: Estimator, system: str, other: str | None = None) -> Term:
        """What a candidate adds, at places of which the log says enough; of both candidates where there is another."""
        self.terms += 1
        number, name = self.terms, estimator.model
        context = {"rated": self.rate(estimator), "held": self.held[name], "system": system, "other": other}
        places = self.sql.keep(f"places_{number}", "empirical/places_of", **context)
        by_position = estimator.model == "item-position"
        documents = self.sql.keep(f"documents_{number}", "empirical/documents_of", by_position=by_position, **context)
        return Term(estimator.model, number, places, documents, system, other, self.rate(estimator), self.held[name])

    def discounted(self, estimator: Estimator) -> Iterator[Measure]:
        """The measures of a discounted gain, of which that of what was shown counts each click at its place."""
        assert estimator.cutoff is not None  # noqa: S101 it has one
        values = {row["system"]: row["earned"] for row in self.support(estimator)}
        shown = self.sql.number(
            "empirical/shown_gain", cells=self.cells, propensities=self.propensities, cutoff=estimator.cutoff
        )
        terms = {system: self.discounted_term(self.rate(estimator), system) for system in self.candidates.systems}
        self.terms += 1
        every = {**terms, SHOWN: Term("shown-dcg", self.terms, cutoff=estimator.cutoff)}
        values[SHOWN] = shown
        per, total = self.total() if estimator.normalised else (None, None)

        def measure(system: str, other: str | None) -> Measure:
            made = [every[system], *([] if other is None else [replace(every[other], scale=-1)])]
            if per is None or total is None:
                return Measure(0, estimator, system, other, made)
            offset = (values[system] - (0.0 if other is None else values[other])) / per
            return Measure(0, estimator, system, other, [*made, replace(total, scale=-offset)], offset, per)

        first, *others = self.candidates.systems
        yield from (measure(system, None) for system in terms)
        yield from (measure(system, SHOWN) for system in terms)
        yield from (measure(system, first) for system in others)

    def discounted_term(self, rated: Markup, system: str, totals: bool = False) -> Term:
        """What a candidate adds to a gain, or all documents do."""
        self.terms += 1
        number, held = self.terms, self.sql.keep(f"held_of_{self.terms}", "empirical/held", rated=rated)
        context = {"rated": rated, "held": held, "system": system, "other": None}
        places = self.sql.keep(f"places_{number}", "empirical/places_of", **context)
        made = self.sql.keep(f"documents_{number}", "empirical/documents_of", by_position=False, **context)
        return Term("dcg", number, places, made, system, None, rated, held, totals=totals)

    def total(self) -> tuple[float, Term]:
        """What all documents with enough impressions would gain at the first rank, and as a term."""
        if self.totals is None:
            context = {"anchors": self.anchors, "documents": self.documents, "system": ALL}
            rated = self.sql.keep("rated_of_all", "empirical/undiscounted", **context)
            earned = self.sql.rows("empirical/support", rated=rated, by=None)[0]["earned"]
            self.totals = earned, self.discounted_term(rated, ALL, totals=True)
        return self.totals

    def counting(self, measures: Sequence[Measure]) -> Markup:
        """What each cell of the log counts for in each measure."""
        joined = {term.number: term for measure in measures for term in measure.terms if term.kind != "shown"}
        context = {"measures": measures, "joined": list(joined.values()), "cells": self.cells}
        return self.sql.keep("counting", "empirical/counting", propensities=self.propensities, **context)

    def scored(self, measures: Sequence[Measure], impressions: Markup, unit: str | None, reward: str) -> Markup:
        """Each row of the log with what it counts for."""
        context = {"measures": measures, "impressions": impressions, "unit": unit, "reward": reward}
        return self.sql.view("scored", "empirical/scored", counting=self.counting(measures), **context)
