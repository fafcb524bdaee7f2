"""Intervals by the bootstrap: replicates of units in groups of chance, each with propensities of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from sqlrank.behaviour.folder import Folder
from sqlrank.counterfactual.empirical import Empirical
from sqlrank.counterfactual.measures import Measure
from sqlrank.counterfactual.valuing import Estimated, Valuing
from sqlrank.engines.protocol import count_rows
from sqlrank.errors import UsageError
from sqlrank.spelling import spelt
from sqlrank.statistics.estimate import Ends

GROUPS = 1024
"""In how many groups units are put, which are drawn together: what is drawn does not grow with the log."""
ROWS_AT_ONCE = 20_000_000
"""About how many rows the replicates of one statement read."""
FEWEST = 20
"""Below so many units percentiles are no interval."""


class Resampled:
    """Replicates of values and differences."""

    def __init__(self, valuing: Valuing, estimated: Estimated) -> None:
        self.valuing, self.estimated, asked = valuing, estimated, valuing.asked
        if estimated.sums.number < FEWEST:
            raise UsageError(
                f"{spelt('interval', 'bootstrap')} needs {FEWEST} independent units, and there are"
                f" {estimated.sums.number}; choose delta"
            )
        self.known: dict[str, Any] = {"seed": asked.seed, "groups": GROUPS, "measures": estimated.measures}
        self.known["unit"] = valuing.unit
        self.sql = Folder(
            valuing.engine,
            "resampled",
            room="counterfactual",
            prefix=f"{estimated.source.sql.prefix}draws_",
            doing="drawing",
        )
        groups = self.sql.keep("groups", units=estimated.sums.units, **self.known)
        base, template = self.of_groups()
        counts = self.sql.keep(base, template, **self.known)
        self.replicates = self.drawn(groups, counts)
        tail = asked.alpha / 2
        self.ends = self.sql.row("ends", measures=estimated.measures, replicates=self.replicates, tail=tail)

    def of_groups(self) -> tuple[str, str]:
        """What is counted of each group."""
        if isinstance(self.estimated.source, Empirical):
            self.known |= {"impressions": self.valuing.impressions, "reward": self.valuing.reward}
            return "counts", "group_cells"
        source = self.estimated.source
        self.known |= {"weighted": source.sql.table("weighted"), "weightings": list(source.weightings.values())}
        return "counts", "group_positions"

    def drawn(self, groups: Markup, counts: Markup) -> Markup:
        """All replicates, some at a time."""
        number = self.valuing.asked.replicates
        rows = count_rows(self.valuing.engine, counts)
        at_once = max(1, min(number, ROWS_AT_ONCE // max(1, rows)))
        for first in range(0, number, at_once):
            last = min(first + at_once, number)
            times = self.sql.keep("times", unit_groups=groups, first=first, last=last, **self.known)
            statement = self.statement(times, counts)
            self.valuing.engine.keep(self.sql.named("replicates"), statement, more=first > 0)
        return self.sql.table("replicates")

    def statement(self, times: Markup, counts: Markup) -> str:
        """The statement of the measures of some replicates."""
        source = self.estimated.source
        if not isinstance(source, Empirical):
            return self.sql.text("weighted_measures", times=times, group_positions=counts, **self.known)
        tables: dict[str, Any] = {"propensities": source.propensities}
        tables["cells"] = self.sql.keep("cells", group_cells=counts, times=times)
        tables["reached"] = self.sql.keep("reached", **tables)
        tables["documents"] = self.sql.keep("documents", **tables)
        terms = [
            {"number": term.number, "kind": term.kind, "relation": self.sql.keep(name, "term", term=term, **tables)}
            for name, term in self.terms()
        ]
        return self.sql.text("measures", measures=self.estimated.measures, terms=terms, times=times)

    def terms(self) -> Iterator[tuple[str, Any]]:
        """Each term once, with the name of its table."""
        every = [term for measure in self.estimated.measures for term in measure.terms]
        yield from {f"term_{term.number}{'_shown' if term.kind == 'shown' else ''}": term for term in every}.items()

    def interval(self, measure: Measure) -> Ends:
        """The interval of a value or a difference."""
        return self.ends[f"low_{measure.number}"], self.ends[f"high_{measure.number}"]
