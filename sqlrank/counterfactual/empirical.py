"""Values by propensities that the log's own variety tells: the share of a query's impressions with a document at a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.counterfactual.asking import Asked
from sqlrank.counterfactual.candidates import Candidates
from sqlrank.counterfactual.estimators import Estimator
from sqlrank.counterfactual.measures import SHOWN, Measure, Term
from sqlrank.engines.duckdb import DuckDBEngine


class Empirical:
    """Rates the places of candidates by the cells of a log, and counts what each row of the log adds to their values."""

    def __init__(
        self,
        engine: DuckDBEngine,
        cells: Markup,
        candidates: Candidates,
        propensities: Markup | None,
        asked: Asked,
    ) -> None:
        self.engine, self.cells, self.candidates, self.asked = engine, cells, candidates, asked
        self.propensities = propensities
        self.sql = Folder(engine, room="counterfactual", prefix="value_", fewest=asked.fewest, top=asked.top)
        self.reached = self.sql.keep("reached", cells=cells)
        self.documents = self.sql.keep("documents", cells=cells, propensities=propensities)
        context = {"reached": self.reached, "documents": self.documents, "entries": candidates.entries}
        self.places = self.sql.keep("places", **context)
        self.rated: dict[str, Markup] = {}
        self.held: dict[str, Markup] = {}
        self.terms = 0

    def rate(self, estimator: Estimator) -> Markup:
        """What the log says of the places of the candidates."""
        name = estimator.name.removeprefix("sn") if estimator.cutoff else estimator.model
        if name not in self.rated:
            number = len(self.rated) + 1
            context: dict[str, Any] = {"documents": self.documents, "propensities": self.propensities}
            if estimator.cutoff:
                context |= {"reached": self.reached, "entries": self.candidates.entries, "cutoff": estimator.cutoff}
                made = self.sql.keep(f"rated_{number}", "empirical/discounted", **context)
            else:
                context |= {"places": self.places, "cells": self.cells, "model": estimator.model}
                made = self.sql.keep(f"rated_{number}", "empirical/rated", **context)
            self.rated[name] = made
            self.held[name] = self.sql.keep(f"held_{number}", "empirical/held", rated=made)
        return self.rated[name]

    def support(self, estimator: Estimator, by: str | None = None) -> list[dict[str, Any]]:
        """How much of the traffic of the candidates the log supports; by position, or by query."""
        return self.sql.rows("empirical/support", rated=self.rate(estimator), by=by)

    def measures(self, estimators: Sequence[Estimator]) -> list[Measure]:
        """The values, then the differences: each beside what was shown, and the others beside the first candidate."""
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
            yield Measure(0, estimator, system, SHOWN, [term, replace(term, kind="shown")])
        first = self.candidates.systems[0]
        for system in self.candidates.systems[1:]:
            of_both = [self.term(estimator, system, first), self.term(estimator, first, system)]
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
        """The measures of a discounted cumulative gain."""
        assert estimator.cutoff is not None  # noqa: S101 it has one
        rated, name = self.rate(estimator), estimator.name.removeprefix("sn")
        total = self.sql.number("empirical/corrected", documents=self.documents)
        shown = self.sql.number("empirical/shown_gain", cells=self.cells, propensities=self.propensities,
                                cutoff=estimator.cutoff)  # fmt: skip
        values = {row["system"]: row["earned"] / total for row in self.support(estimator)}
        per = total if estimator.normalised else None
        terms = {}
        for system in self.candidates.systems:
            self.terms += 1
            context = {"rated": rated, "held": self.held[name], "system": system, "other": None}
            made = self.sql.keep(f"documents_{self.terms}", "empirical/documents_of", by_position=False, **context)
            less = values[system] if per else 0.0
            terms[system] = Term("dcg", self.terms, None, made, less=less, cutoff=estimator.cutoff)
        self.terms += 1
        of_shown = Term("shown-dcg", self.terms, less=shown / total if per else 0.0, cutoff=estimator.cutoff)
        every = {**terms, SHOWN: of_shown}
        for system in self.candidates.systems:
            yield Measure(0, estimator, system, None, [terms[system]], terms[system].less, per)
        first = self.candidates.systems[0]
        pairs = [(system, SHOWN) for system in terms] + [(system, first) for system in list(terms)[1:]]
        for system, other in pairs:
            offset = every[system].less - every[other].less
            yield Measure(0, estimator, system, other, [every[system], every[other]], offset, per)

    def counting(self, measures: Sequence[Measure]) -> Markup:
        """What each cell of the log counts for in each measure."""
        joined = {term.number: term for measure in measures for term in measure.terms if term.kind != "shown"}
        context = {"measures": measures, "joined": list(joined.values()), "cells": self.cells}
        return self.sql.keep("counting", "empirical/counting", propensities=self.propensities, **context)

    def scored(self, measures: Sequence[Measure], impressions: Markup, unit: str | None, reward: str) -> Markup:
        """Each row of the log with what it counts for."""
        context = {"measures": measures, "impressions": impressions, "unit": unit, "reward": reward}
        return self.sql.view("scored", "empirical/scored", counting=self.counting(measures), **context)
