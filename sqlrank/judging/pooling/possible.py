"""Whether the judgments so far decide which of two systems is better, however the rest is judged.

If a metric is a sum over places, a document without a judgment adds nothing to it, or at most what it adds at the top
of the scale. What two systems have in common of that moves both: the difference is least where just those documents are
relevant that the one has above the other, and largest where it is the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from markupsafe import Markup

from sqlrank.dialects import DUCKDB
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import counted
from sqlrank.evaluation.bounds import has_bounds, top_in_words, top_of
from sqlrank.inputs.opened_inputs import Inputs
from sqlrank.judging.pooling.pool_request import Asked
from sqlrank.judging.pooling.statements import is_divided, possible_statement, worth_statement
from sqlrank.statement.templates import render

NOTHING = 1e-12
"""A difference that is no further from 0 is 0."""
MOST = 5
"""How many pairs of systems are listed that nothing decides yet."""


@dataclass(frozen=True, slots=True)
class PossibleDifference:
    """The difference of two systems over the queries with results: as judged so far, and the least and the largest."""

    baseline: str
    system: str
    difference: float
    bound_low: float
    bound_high: float

    @property
    def decided(self) -> bool:
        """Whether it has the same sign, or is 0, however the rest is judged."""
        return self.bound_low > NOTHING or self.bound_high < -NOTHING or self.bound_high - self.bound_low <= NOTHING

    @property
    def missing(self) -> float:
        """How far the bounds are from deciding."""
        return min(self.bound_high, -self.bound_low)


def is_decidable(asked: Asked) -> bool:
    """Whether the metric of a pool has bounds that some judgments reach."""
    measure = asked.measure
    return measure.effect == "places" and has_bounds(measure) and asked.request.conventions.empty == "zero"


class Possible:
    """Adds up what every system has and could have, part by part of the queries."""

    def __init__(self, engine: DuckDBEngine, asked: Asked, inputs: Inputs) -> None:
        self.engine, self.asked = engine, asked
        self.top = top_of(engine, inputs, asked.request.conventions) if is_decidable(asked) else None
        """How relevant a document may be; None where nothing says it, or the metric has no bounds."""
        self.worth = self.top is not None and self.worth_of_top(self.top) > 0
        """Whether such a document adds anything, without which nothing could be said."""
        self.weighted = inputs.relations.weighted and not asked.measure.counts
        self.judged, self.open = Counter[tuple[str, str | None]](), Counter[tuple[str, str | None]]()
        self.queries, self.total = 0, 0.0

    def add(self, places: Markup) -> None:
        """Add the documents of one part of the queries."""
        if self.top is None or not self.worth:
            return
        dialect = self.engine.dialect
        statement = possible_statement(dialect, places, self.asked, self.weighted, self.top)
        for system, other, judged, left in self.engine.execute(statement, doing="weighing"):
            self.judged[system, other] += judged
            self.open[system, other] += left
        context = {"places": places, "weighted": self.weighted}
        queries, total = self.engine.execute(render("pooling/queries.sql", dialect, **context))[0]
        self.queries, self.total = self.queries + queries, self.total + total

    def worth_of_top(self, top: float) -> float:
        """What a document at the top of the scale adds in the first place."""
        statement = worth_statement(self.engine.dialect, self.asked.measure, top)
        return float(self.engine.execute(statement)[0][0])

    def differences(self, systems: Sequence[str]) -> list[PossibleDifference]:
        """The difference of each pair of systems, of sums where the metric is a count, else of means."""
        if not self.worth:
            return []
        size = 1.0 if self.asked.measure.counts else self.total or 1.0
        found = []
        for one, other in combinations(systems, 2):
            shared = self.open[min(one, other), max(one, other)]
            difference = self.judged[other, None] - self.judged[one, None]
            low, high = difference - self.open[one, None] + shared, difference + self.open[other, None] - shared
            found.append(PossibleDifference(one, other, difference / size, low / size, high / size))
        return found

    def remarks(self, systems: Sequence[str]) -> list[str]:
        """Which pairs of systems are decided, and how far the others are from it; nothing of one system."""
        text, conventions = self.asked.measure.text, self.asked.request.conventions
        if len(systems) < 2:
            return []
        if not is_decidable(self.asked):
            return [
                f"no bounds say when the sign of the difference in {text} is certain: a further relevant document may"
                " lower it as well as raise it; pool by p@10 or dcg@10 to see them"
            ]
        if self.top is None:
            return [f"nothing was judged so far, so the sign of the difference in {text} is open"]
        top = top_in_words(conventions, self.top)
        if not self.worth:
            return [f"the sign of the difference in {text} is open: nothing is added to it by documents that are {top}"]
        return [*remarks_of_pairs(text, self.differences(systems)), self.extent(top)]

    def extent(self, top: str) -> str:
        """What the differences are of."""
        divided = ", before division by what there is to find" if is_divided(self.asked.measure, DUCKDB) else ""
        return f"over {counted(self.queries, 'query')} with results{divided}, the rest at most as relevant as {top}"


def remarks_of_pairs(text: str, found: Sequence[PossibleDifference]) -> Iterator[str]:
    """Yield the lines: how many pairs of systems are decided, and those that are not."""
    several = len(found) > 1
    if several:
        decided = sum(each.decided for each in found)
        yield f"the sign of the difference in {text} is decided for {decided} of {len(found)} pairs of systems"
    left = sorted((each for each in found if not each.decided), key=lambda each: each.missing)
    for each in left[:MOST] if several else found:
        yield f"{each.system} less {each.baseline} in {text}: {each.difference:+.4f} as judged so far, {outcome(each)}"
    if len(left) > MOST and several:
        yield f"{counted(len(left) - MOST, 'more pair', 'is', 'are', ' of systems')} not decided"


def outcome(each: PossibleDifference) -> str:
    """What the rest of the judgments can make of a difference."""
    between = f"from {each.bound_low:+.4f} to {each.bound_high:+.4f} however the rest is judged"
    if not each.decided:
        return f"{between}: not decided"
    if abs(each.difference) <= NOTHING:
        return "and the same however the rest is judged"
    return f"{between}: {each.system if each.difference > 0 else each.baseline} is better"
