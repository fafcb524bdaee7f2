"""Significance tests of the paired differences between two systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.bootstrap import has_percentiles, p_value, tail_of
from sqlrank.comparison.interval import NONE, Ends, all_alike, cut, has_interval
from sqlrank.comparison.replicates import Pair, Replicates
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError, not_known
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.enumeration import ends_of_signs, share_as_far
from sqlrank.statistics.scipy_stats import scipy_stats
from sqlrank.statistics.sign_test import one_sided as one_sided_split
from sqlrank.statistics.sign_test import sign_test
from sqlrank.statistics.student import one_sided, two_sided
from sqlrank.statistics.wilcoxon import wilcoxon

FEW = 20
"""Up to how many differing queries the randomization test is exact."""
FEWEST_UNITS = 12
"""Up to how many queries, or clusters of them, the interval of the randomization test is exact."""
TESTS = {
    "randomization": "Fisher's randomization test",
    "t": "Student's paired t test",
    "bootstrap": "bootstrap test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "sign": "sign test",
}
"""The name of each test by its word for `--test`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of a test."""

    p_value: float | None
    test: str
    """The name of the test, as it was carried out."""
    low: float | None = None
    """Where the interval begins, of a test that gives one."""
    high: float | None = None


Rows = Sequence[dict[str, Any]]
Findings = dict[tuple[int, int], Finding]
"""By pair and segment, 0 for the total."""


class Significance:
    """Runs a test over the table of paired values, a row for each query; `alpha` is 1 less an interval's confidence.

    `side` is 0 for two-sided p values, 1 for those of a candidate that is better, -1 for those of one that is worse.
    """

    def __init__(
        self,
        engine: DuckDBEngine,
        paired: str,
        pairs: Sequence[Pair],
        segmented: bool,
        weighted: bool,
        clustered: bool,
        replicates: int,
        seed: int,
        alpha: float,
        side: int = 0,
    ) -> None:
        self.engine, self.paired, self.pairs = engine, paired, list(pairs)
        self.segmented, self.weighted, self.clustered = segmented, weighted, clustered
        self.replicates, self.seed, self.alpha, self.side = replicates, seed, alpha, side

    def run(self, test: str, rows: Rows) -> Findings:
        """The finding of one of `TESTS` for each row of the comparison; UsageError if scipy is needed and missing."""
        tests: dict[str, Callable[[Rows], Findings]] = {
            "randomization": self.randomization,
            "bootstrap": self.bootstrap,
            "t": self.student,
            "wilcoxon": self.wilcoxon,
            "sign": self.sign,
        }
        return tests[test](rows)

    def sign(self, rows: Rows) -> Findings:
        """The exact sign test: queries won against queries lost."""
        splits = {key(row): (row["wins"], row["losses"])[:: self.side or 1] for row in rows}
        test = one_sided_split if self.side else sign_test
        return {which: Finding(test(*split), "sign") for which, split in splits.items()}

    def student(self, rows: Rows) -> Findings:
        """The paired t test."""
        found: Findings = {}
        for row in rows:
            p_value = None
            if has_interval(row):
                size = self.side * row["difference"] if self.side else abs(row["difference"])
                p_value = 0.0 if size > 0 else 1.0
                if not all_alike(row):
                    chance = one_sided if self.side else two_sided
                    p_value = chance(size / row["stderr"], row["effective"] - 1)
            found[key(row)] = Finding(p_value, "t")
        return found

    def wilcoxon(self, rows: Rows) -> Findings:
        """Wilcoxon's signed rank test, without the queries that tie."""
        scipy_stats("wilcoxon")  # whether the extra is needed must not depend on the data
        found: Findings = {}
        for number, pair in enumerate(self.pairs, 1):
            context = {"paired": sql_text(self.paired), "difference": pair.difference}
            by_scope: dict[int, list[float]] = {0: []}
            for scope, difference in self.engine.execute(
                render("comparison/vector.sql", self.engine.dialect, **context)
            ):
                by_scope[0].append(difference)
                by_scope.setdefault(scope, []).append(difference)
            for row in rows:
                if row["pair"] == number:
                    found[key(row)] = Finding(wilcoxon(by_scope.get(row["scope"], []), self.side), "wilcoxon")
        return found

    def randomization(self, rows: Rows) -> Findings:
        """Fisher's randomization test, by chance for many differing queries and by all signs for few.

        The interval is of the differences that the test would not find significant.
        """
        few = {key(row) for row in rows if row["changed"] <= FEW}
        fewest = {key(row) for row in rows if row["units"] <= FEWEST_UNITS}
        found: dict[tuple[int, int], tuple[float, Ends]] = {}
        exact: dict[tuple[int, int], float] = {}
        ends: dict[tuple[int, int], Ends] = {}
        for replicates in self.drawn():
            found |= self.signed(replicates) if len(fewest) < len(rows) else {}
            exact |= self.enumerated(replicates) if few else {}
            ends |= self.enumerated_ends(replicates) if fewest else {}
        findings: Findings = {}
        for row in rows:
            which = key(row)
            p_value, drawn = found.get(which, (1.0, NONE))
            p_value, name = (exact.get(which, 1.0), "-exact") if which in few else (p_value, "")
            found_ends = ends.get(which, NONE) if which in fewest else drawn
            if not self.side:
                found_ends = agreeing(found_ends, row["difference"], p_value <= self.alpha)
            low, high = cut(found_ends if has_interval(row) else NONE, self.pairs[row["pair"] - 1].measure)
            findings[which] = Finding(p_value, f"randomization{name}", low, high)
        return findings

    def signed(self, replicates: Replicates) -> dict[tuple[int, int], tuple[float, Ends]]:
        """The p value and the interval of the replicates drawn, for each pair and scope."""
        replicates.draw("randomization", 120)
        place = math.floor(self.alpha * (1 + self.replicates))
        relation = replicates.relation("randomization")
        found = {}
        for pair, scope, extreme, *ends in self.engine.execute(
            replicates.render("inverted", signed=relation, place=place)
        ):
            low, high = (replicates.mean(pair, end) for end in ends)
            found[pair, scope] = (1 + int(extreme)) / (1 + self.replicates), (low, high)
        return found

    def enumerated_ends(self, replicates: Replicates) -> dict[tuple[int, int], Ends]:
        """The intervals where there are few queries: of all choices of signs."""
        values: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for pair, scope, difference, weight in self.engine.execute(replicates.render("few_units", few=FEWEST_UNITS)):
            values.setdefault((pair, scope), []).append((int(difference), int(weight)))
        found = {}
        for which, units in values.items():
            low, high = (replicates.mean(which[0], end) for end in ends_of_signs(units, self.alpha))
            found[which] = low, high
        return found

    def drawn(self) -> list[Replicates]:
        """The replicates to draw: which scopes together, with which weights.

        Weights of a segment are shares of the largest one there, which may be none of the total's to speak of, and a
        cluster may have queries in several segments: then segments are drawn apart.
        """
        weight = "total_weight" if self.weighted else None
        draws: list[tuple[list[bool], str | None]] = [([True], weight)]
        if self.segmented:
            apart = "scope_weight" if self.weighted else None
            draws = [*draws, ([False], apart)] if self.weighted or self.clustered else [([False, True], None)]
        drawing = (self.clustered, self.replicates, self.seed, self.side)
        return [Replicates(self.engine, self.paired, self.pairs, totals, weight, *drawing) for totals, weight in draws]

    def enumerated(self, replicates: Replicates) -> dict[tuple[int, int], float]:
        """The p values where few queries differ: the share of all choices of signs that are as far from 0."""
        differences: dict[tuple[int, int], list[int]] = {}
        slack: dict[tuple[int, int], int] = {}
        for pair, scope, difference, rounded in self.engine.execute(replicates.render("changed", few=FEW)):
            differences.setdefault((pair, scope), []).append(int(difference))
            slack[pair, scope] = int(rounded)
        return {which: share_as_far(values, slack[which], self.side) for which, values in differences.items()}

    def bootstrap(self, rows: Rows) -> Findings:
        """The bootstrap, with the interval that belongs to it."""
        found: Findings = {}
        by_key = {key(row): row for row in rows}
        for replicates in self.drawn():
            replicates.draw("resampled", 12)
            names = {base: replicates.relation(base) for base in ("resampled", "tails")}
            self.tails(replicates.name("tails"), rows)
            for pair, scope, below, above, *ends in self.engine.execute(replicates.render("bootstrap", **names)):
                row = by_key.get((pair, scope))
                if row is None or not has_interval(row):
                    continue
                low, high = (replicates.mean(pair, end) for end in ends)
                low, high = cut((low, high), self.pairs[pair - 1].measure)
                if not has_percentiles(row, self.alpha, self.replicates):
                    low = high = None
                drawn = p_value(row, below, above, self.replicates, self.side)
                found[pair, scope] = Finding(drawn, "bootstrap", low, high)
        return {key(row): found.get(key(row), Finding(None, "bootstrap")) for row in rows}

    def tails(self, name: str, rows: Rows) -> None:
        """Make the table of the shares of replicates beyond the ends of each interval."""
        kinds = {"pair": "integer", "scope": "bigint", "tail": "double"}
        values = [(*key(row), tail_of(row, self.alpha)) for row in rows]
        self.engine.load(name, kinds, [list(column) for column in zip(*values, strict=True)])


def key(row: dict[str, Any]) -> tuple[int, int]:
    """Which pair and segment a row of the comparison is about."""
    return row["pair"], row["scope"]


def agreeing(ends: Ends, difference: float, significant: bool) -> Ends:
    """The ends with 0 beyond them where the difference is significant, and between them where it is not.

    They are there but where p is exact and the ends are drawn, or sums were rounded: then the nearer end is 0.
    """
    low, high = ends
    if low is None or high is None:
        return NONE
    if not significant:
        return min(low, 0.0), max(high, 0.0)
    return (max(low, 0.0), high) if difference > 0 else (low, min(high, 0.0))


def check_test(test: str) -> None:
    """Raise UsageError if a word names no test."""
    if test not in TESTS:
        raise not_known("--test", test, TESTS)


def check_clusters(test: str, cluster: str | None) -> None:
    """Raise UsageError if a test takes no clusters and there are some."""
    if cluster is not None and test in ("sign", "wilcoxon"):
        raise UsageError(f"--test {test} takes no clusters; with --cluster choose randomization, t or bootstrap")


def check_weights(test: str, weighted: bool) -> None:
    """Raise UsageError if a test takes no weights and there are some."""
    if weighted and test in ("sign", "wilcoxon"):
        raise UsageError(f"--test {test} takes no weights; with --weight choose randomization, t or bootstrap")
