"""A result whose labels may be uncertain, and what that adds to its intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from sqlrank.evaluation.counts import QueryCounts
from sqlrank.evaluation.metric_result import MetricResult, Row
from sqlrank.evaluation.uncertain_labels import Contrast, LabelDraws, is_drawn, without_part
from sqlrank.metrics.measure import Measure
from sqlrank.statement.relations import Relations
from sqlrank.statistics.estimate import Estimate
from sqlrank.statistics.student import ALPHA

CERTAIN = 3.0
"""From how many standard errors of the draws on their mean differs from a value."""
MOST_LINES = 10
"""About how many means a line is said of labels."""


class UncertainResult(MetricResult):
    """A result that knows how much its labels may vary."""

    _again: Callable[..., Any]
    counts: dict[str, QueryCounts]

    @property
    def _queries(self) -> int:
        """How many rows of queries there are, over all systems."""
        return sum(max(found.judged, found.shared + found.unjudged) for found in self.counts.values())

    def label_spreads(
        self, contrasts: Sequence[Contrast], base: str, seed: int = 0, measures: Sequence[Measure] | None = None
    ) -> LabelDraws:
        """How the values of queries vary with the labels, of systems by themselves or of differences; see `spreads`.

        It is for some `measures`, or for all.
        """

        def again(measures: Sequence[Measure], relations: Relations, draws: int) -> MetricResult:
            found: MetricResult = self._again(
                measures, self._queries * draws, replace(self._inputs, relations=relations)
            )
            return found

        return LabelDraws(
            engine=self._local,
            request=self._request,
            asked=self.measures if measures is None else measures,
            relations=self._relations,
            per_query=self.per_query_table,
            contrasts=contrasts,
            again=again,
            base=base,
            seed=seed,
        )

    @property
    def _label_parts(self) -> Markup | None:
        return self._found_parts if self.uncertain else None

    @cached_property
    def _found_parts(self) -> Markup:
        """The table of what labels add to each mean, made when an interval is first asked for."""
        draws = self.label_spreads([(system,) for system in self.systems], "label")
        measures = [measure for measure in self.measures if is_drawn(measure)]
        context = {
            "columns": [measure.column for measure in measures],
            "texts": [measure.text for measure in measures],
            "counts": [measure.counts for measure in measures],
            "spreads": draws.spreads(),
            "contrasts": draws.table("contrasts"),
            "certain": CERTAIN / self._request.reading.label_draws**0.5,
        }
        of_rows = {"segments": self._relations.segments, "per_query": self.per_query_table}
        draws.keep("parts", "parts", self._relations.context() | context | of_rows)
        return draws.table("parts")

    @property
    def _without_label_part(self) -> list[str]:
        return without_part(self.measures) if self.uncertain else []

    def _label_remarks(self) -> Iterator[str]:
        """Yield what labels do to the means over all queries."""
        if not self.uncertain:
            return
        chosen = {"ends": self._ends, "systems": self.systems, "metrics": [each.text for each in self.measures]}
        rows = self.aggregates("labels/remarked.sql", **chosen)
        draws = self._request.reading.label_draws
        several = len(self.systems) > 1
        for row in rows[:MOST_LINES]:
            name = f"{row['system']}: " if several else ""
            yield f"labels are uncertain: {name}{part_in_words(row, draws)}"
        if len(rows) > MOST_LINES:
            yield f"and so are {len(rows) - MOST_LINES} further means, by their label_stderr"
        if unknown := self._without_label_part:
            yield f"no interval of {', '.join(unknown)}: labels change how its queries count"


def part_in_words(row: Row, draws: int) -> str:
    """What labels do to a mean: to its value, and to its interval."""
    digits = 4
    said = f"{row['metric']} is {row['value']:.{digits}f}"
    if row["label_shift"]:
        mean = row["value"] + row["label_shift"]
        said += f" with the labels as they are, {mean:.{digits}f} on average over {draws} draws of them"
    _, of_labels = Estimate(0.0, row["label_stderr"]).ends(ALPHA)
    parts = [
        f"±{half:.{digits}f} from the {what}"
        for half, what in ((row["half_width"], "queries"), (of_labels, "labels"))
        if half is not None
    ]
    if len(parts) == 1:
        return f"{said}, and labels alone leave it {parts[0].partition(' ')[0]}"
    return f"{said}; its interval has {' and '.join(parts)}"
