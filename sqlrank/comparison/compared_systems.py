"""The systems of a comparison: stored per-query rows, and runs that were evaluated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlrank.comparison.paired import Source
from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError, counted, nearest
from sqlrank.evaluation.behaviour_labels import remarks_on, with_systems
from sqlrank.evaluation.request import Request
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.shared_queries import RETRIEVED, check_compared, fewest_shared, spelled_otherwise
from sqlrank.evaluation.stored import Stored, check_conventions, name_in
from sqlrank.metrics.measure import Measure
from sqlrank.presentation import Usual
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render

Given = tuple[str | None, Any]
"""The name given to a system, and its run."""

POOLS_DIFFER = 0.01
"""The difference between two shares of judged documents from which it is worth a note."""
FEW_JUDGED = 0.5
"""The share of judged documents below which it is worth a note, though the systems have it alike."""


@dataclass
class Split:
    """The periods of an export, as systems that a comparison takes."""

    stored: list[Stored] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    """The evaluations of the periods, which are closed with the comparison."""
    notes: list[str] = field(default_factory=list)
    day: str | None = None
    """The column of days, where whole days are taken."""
    crossing: bool = False
    """Whether days cross clusters that were named, or queries that come again on several days."""


class Sides:
    """What is compared: files of per-query rows, and the evaluation of the runs, if there are any."""

    def __init__(
        self,
        engine: DuckDBEngine,
        given: Sequence[Stored | Given],
        result: Result | None,
        measures: Sequence[Measure],
        request: Request,
        options: Collection[str],
        periods: Split | None = None,
    ) -> None:
        self.engine, self.given, self.result, self.measures = engine, list(given), result, list(measures)
        self.options, self.request, self.periods = options, request, periods
        self.stored = stored = [one for one in given if isinstance(one, Stored)]
        if result is not None:
            self.conventions, label = result.conventions, "the runs"
        else:
            self.conventions, label = Conventions(**stored[0].conventions), stored[0].label
            told = {name: value for name, value in request.conventions.to_dict().items() if name in options}
            check_conventions(stored[:1], told, "this comparison")
        check_conventions(stored, self.conventions.to_dict(), label)
        found = [*(() if result is None else result.behaviours), *(one for file in stored for one in file.behaviours)]
        self.behaviours = with_systems(found, request.reading.judged_by)
        """Where the judgments come from, of those that come from behaviour."""

    def sources(self) -> list[Source]:
        """Their per-query rows."""
        columns = tuple(measure.column for measure in self.measures)
        found = [
            Source(
                file.reader,
                file.label,
                file.system,
                tuple(file.metrics[measure.text] for measure in self.measures),
                file.retrieved,
                file.day,
            )
            for file in self.stored
        ]
        if self.result is not None:
            found.append(Source(self.result.per_query_table, "the runs", None, columns, RETRIEVED))
        return found

    @property
    def by(self) -> tuple[str, ...]:
        """The segments, as their columns are called."""
        if self.result is not None:
            return self.result.by
        return tuple(name_in(self.stored[0], name) for name in self.request.reading.by)

    @property
    def cluster(self) -> str | None:
        """The column of clusters."""
        if self.result is not None:
            return self.result.cluster
        whole = None if self.periods is None or self.periods.crossing else self.periods.day
        asked = self.request.reading.cluster or whole
        return None if asked is None else name_in(self.stored[0], asked)

    @property
    def crossing(self) -> str | None:
        """The column of days that clusters, or queries, cross, where whole days are taken too."""
        return self.periods.day if self.periods is not None and self.periods.crossing else None

    def order(self, baseline: str | None, all_pairs: bool = False) -> list[str]:
        """The systems, the baseline first; UsageError if the baseline is unclear or there is nothing to compare."""
        names = self.names()
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"two systems are called {twice!r}; name them with name=path")
        if len(names) < 2:
            raise UsageError(f"there is one system, {names[0]}; a comparison needs a baseline and a candidate")
        known = ", ".join(names)
        if baseline is not None and baseline not in names:
            raise UsageError(
                f"{spelt('baseline', baseline)}: no such system{nearest(baseline, names)} (there are {known})"
            )
        if baseline is None:
            first = self.given[0]
            several = len(first.systems) > 1 if isinstance(first, Stored) else self.by_column
            if several and not all_pairs:
                raise UsageError(f"which system is the baseline? {spelt('baseline', 'NAME')}, of {known}")
            baseline = names[0]
        return [baseline, *(name for name in names if name != baseline)]

    @property
    def judged(self) -> bool:
        """Whether there are judgments; without them only the queries of all systems can be compared."""
        return self.result is None or not self.result.unjudged

    @property
    def by_column(self) -> bool:
        """Whether a column of the runs names their systems, so that their order does not."""
        return self.result is not None and self.result.by_column

    def names(self) -> list[str]:
        """The systems in the order in which they were given, where that is known; then by name."""
        evaluated = iter([] if self.result is None else self.result.systems)
        names: list[str] = []
        for one in self.given:
            if isinstance(one, Stored):
                names += one.systems
            elif not self.by_column:
                names.append(next(evaluated))
        return [*names, *evaluated]

    def remarks(self, left_out: int) -> list[str]:
        """The lines below the numbers; `left_out` queries do not count, as not every system has results for them."""
        described = Usual(self.conventions.describe(), self.conventions.in_short())
        lines = [described] if self.result is None else self.result.context_remarks
        lines += [line for line in remarks_on(self.behaviours) if line not in lines]
        for file in self.stored:
            lines.append(file.said or f"{file.label}: stored per-query rows of {', '.join(file.systems)}")
        if left_out:
            them = "it" if left_out == 1 else "them"
            number = counted(left_out, "query", "does", "do")
            lines.append(f"{number} not count, as not every system has results for {them}")
        return lines

    def check_shared(self, systems: Sequence[str], query_set: str, all_pairs: bool) -> list[str]:
        """Notes on queries that one side alone has results for; DataError where too few are shared."""
        parts = [asdict(source) for source in self.sources()]
        found = fewest_shared(self.engine, parts, systems, None if all_pairs else systems[0])
        unnamed = self.result is not None and self.result.named_by_path
        chosen = "query_set" in self.options or not self.judged
        spelled = spelled_otherwise(self.engine, parts, found) if self.stored else []
        return [*spelled, *check_compared(found, query_set, chosen, unnamed)]

    def notes(self) -> list[str]:
        """Notes of the evaluation, and on judgments that differ between the systems."""
        pools = {file.label: file.judgments for file in self.stored}
        notes = [note for file in self.stored for note in file.notes]
        notes += [] if self.periods is None else self.periods.notes
        if self.result is not None:
            notes += [note for note in self.result.notes if note not in self.result.of_means]
            pools |= {"the judgments given now": self.result.judgments()} if pools else {}
            notes += self.pool_note(self.result)
        different = [label for label, pool in pools.items() if pool != next(iter(pools.values()))]
        if different:
            notes.append(
                f"the judgments of {next(iter(pools))} are not those of {different[0]}: documents judged in one only"
                " may make the difference"
            )
        return notes

    def pool_note(self, result: Result) -> list[str]:
        """A note where the shares of judged documents of the systems differ, or fewer than half were judged."""
        pool = next((measure for measure in result.measures if measure.metric.name == "judged"), None)
        if pool is None or result.labelled:
            return []
        columns = {"per_query": result.per_query_table, "column": pool.column, "systems": result.systems}
        shares = dict(self.engine.execute(render("comparison/pool.sql", self.engine.dialect, **columns)))
        differ = bool(shares) and max(shares.values()) - min(shares.values()) >= POOLS_DIFFER
        if not shares or (not differ and min(shares.values()) >= FEW_JUDGED):
            return []
        listed = ", ".join(f"{system} {100 * share:.1f} %" for system, share in shares.items())
        first = f"the first {pool.k} documents"
        said = f"the judged shares of {first} differ" if differ else f"less than half of {first} is judged"
        return [f"{said} ({listed}), and unjudged documents count as not relevant"]
