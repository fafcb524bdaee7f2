"""Systems of different queries: the values of each one's own queries, and what their difference rests on.

Each mean has the variance of its own units, queries or clusters of them; units that both sides have make their means
vary together: var(a) + var(b) - 2 cov. Degrees of freedom are F. E. Satterthwaite's (An approximate distribution of
estimates of variance components, Biometrics Bulletin 2, 1946), of three parts that are independent: the units of the
baseline alone, of the candidate alone, and of both. Without the third that is B. L. Welch's t test (The generalization
of "Student's" problem when several different population variances are involved, Biometrika 34, 1947); without the first
two it is Student's of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sqlrank.comparison.interval import span_of
from sqlrank.comparison.paired import TOLERANCE, Paired, Source, described
from sqlrank.errors import DataError, counted
from sqlrank.statement.templates import sql_text
from sqlrank.statistics.moments import clustered
from sqlrank.statistics.student import FEWEST

WAYS = ("unit", "crossing", "both")
"""What counts together in the sums of clusters, of those that cross them, and of both at once."""


class Arms(Paired):
    """The values of every system's own queries: arms of a test, or periods; the baseline is the first of `systems`.

    As for pairs, there is a table of the queries that systems share, side by side, in addition to the rows of queries.
    """

    def __init__(self, paired: Paired, sources: Sequence[Source], crossing: str | None = None) -> None:
        """Take over the table of the values side by side, and put those of each system's own next to it."""
        vars(self).update(vars(paired))
        self.crossing = crossing
        name = self.engine.name("arms")
        self.engine.keep(name, self.render("arms/arms", parts=described(sources)), doing="comparing")
        self.arms = sql_text(self.engine.dialect.ident(name))
        """The table: a row for each system and query."""
        beside = self.engine.name("side_by_side")
        self.engine.keep(beside, self.render("arms/side_by_side", arms=self.arms))
        self.table = self.engine.dialect.ident(beside)

    def check(self) -> list[str]:
        """Notes on sums; DataError where a system has no query, one twice, or one without a cluster."""
        found = {row["system"]: row for row in self.engine.gather([self.render("arms/checks", arms=self.arms)])[0]}
        for system in self.systems:
            row = found.get(system)
            if row is None:
                raise DataError(f"{system} has no query with a value: there is nothing to compare")
            if row["repeated"]:
                raise DataError(f"{system} has the query {row['repeated_query']!r} twice (cases: {row['repeated']})")
            if row["loose"]:
                raise DataError(
                    f"{counted(row['loose'], 'query', 'has', 'have')} no value of {self.cluster}, such as"
                    f" {row['loose_query']!r}: give each one, its own where it is related to no other"
                )
        counts = [measure.text for measure in self.measures if measure.counts]
        said = "is a sum over queries, and systems have different numbers of them: its mean over queries is compared"
        return [f"{text} {said}" for text in counts]

    def by_query(self, **variables: Any) -> str:
        """The statement of the values of every query on both sides."""
        return self.render("by_query", arms=self.arms, sides=self.sides, **variables)

    def unpaired(self) -> list[str]:
        """Nothing: queries that one system alone has are what is compared."""
        return []

    @property
    def sides(self) -> list[dict[str, Any]]:
        """What the statements need of each pair."""
        columns = {measure: f"value_{place}" for place, measure in enumerate(self.measures, 1)}
        return [
            {"number": number, "baseline": pair.baseline, "system": pair.system, "metric": pair.metric}
            | {"column": columns[pair.measure], "counts": pair.counts}
            for number, pair in enumerate(self.pairs, 1)
        ]

    @property
    def ways(self) -> tuple[str, ...]:
        """What counts together, one way after the other."""
        return WAYS if self.crossing else WAYS[:1]

    def drop(self) -> None:
        """Drop its tables, so that others may be compared on the engine."""
        for base in ("paired", "arms", "side_by_side", "differing"):
            if ("table", self.engine.name(base)) in self.engine.made:
                self.engine.drop("table", self.engine.name(base))

    def over_arms(self, template: str, totals: Sequence[bool], **variables: Any) -> str:
        """A statement over the rows of both sides of every pair, of the total, of segments, or of both."""
        context: dict[str, Any] = {"arms": self.arms, "sides": self.sides, "totals": totals, "way": WAYS[0]}
        context |= {"fewest": FEWEST, "tolerance": TOLERANCE}
        return self.render(f"arms/{template}", **context | variables)

    def summary(self) -> list[dict[str, Any]]:
        """Means, spread and shared queries of each pair and segment."""
        totals = [True, False] if self.by else [True]
        found = [self.engine.gather([self.over_arms("sums", totals, way=way)])[0] for way in self.ways]
        rows = [crossed(*each) for each in zip(*found, strict=True)] if self.crossing else found[0]
        alone = {"delta_gsb": None, "won": 0.0, "lost": 0.0, "largest": 0.0}
        return [row | alone | {"span": span_of(self.pairs[row["pair"] - 1].measure)} for row in rows]


def crossed(one: dict[str, Any], other: dict[str, Any], both: dict[str, Any]) -> dict[str, Any]:
    """The sums of a row by clusters that cross: the standard error both ways, of as many units as the fewer are."""
    deviations = [row["stderr"] for row in (one, other, both)]
    fewer = min((one, other), key=lambda row: row["effective"] or 0.0)
    if None in deviations:
        return fewer | {"stderr": None, "crossed": True}
    stderr = math.sqrt(clustered(*(deviation**2 for deviation in deviations)))
    linear = {"linear_error": one["linear_error"], "units": one["units"]}
    return fewer | linear | {"stderr": stderr, "crossed": True}
