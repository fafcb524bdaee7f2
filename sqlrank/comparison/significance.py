"""Tests of whether a difference between two systems may be chance, query by query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.enumeration import share_as_far
from sqlrank.comparison.replicates import FINEST, TOLERANCE, Pair, Replicates
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError, nearest
from sqlrank.sign_test import sign_test
from sqlrank.templates import render, sql_text

FEW = 20
"""Up to how many differing queries all signs are tried."""
TESTS = {
    "randomization": "Fisher's randomization test",
    "t": "Student's paired t test",
    "bootstrap": "bootstrap test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "sign": "sign test",
}
"""By the word of `--test`: what it is called."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a test gave."""

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
    """Runs one test over the table of paired values.

    Args:
        engine: where the table is.
        paired: the table: a row for each query.
        pairs: which columns are compared.
        segmented: whether the queries are in segments besides the total.
        replicates: how many replicates randomization and bootstrap make.
        seed: what the random numbers depend on besides the ids of the queries.
        alpha: 1 less the confidence of an interval.
    """

    def __init__(
        self,
        engine: DuckDBEngine,
        paired: str,
        pairs: Sequence[Pair],
        segmented: bool,
        replicates: int,
        seed: int,
        alpha: float,
    ) -> None:
        self.engine, self.paired, self.pairs, self.segmented = engine, paired, list(pairs), segmented
        self.replicates, self.seed, self.alpha = replicates, seed, alpha

    def run(self, test: str, rows: Rows) -> Findings:
        """What a test gives for each row of the comparison.

        Args:
            test: one of `TESTS`.
            rows: pair, scope, queries, difference, stderr, wins and losses of each.

        Raises:
            UsageError: scipy is needed and not installed.
        """
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
        return {key(row): Finding(sign_test(row["wins"], row["losses"]), "sign") for row in rows}

    def student(self, rows: Rows) -> Findings:
        """The paired t test."""
        stats = scipy_stats("t")
        found: Findings = {}
        for row in rows:
            p_value = None if row["stderr"] is None else 1.0 if steady(row["difference"]) else 0.0
            if row["stderr"] and not steady(row["stderr"]):
                p_value = float(2 * stats.t.sf(abs(row["difference"]) / row["stderr"], row["queries"] - 1))
            found[key(row)] = Finding(p_value, "t")
        return found

    def wilcoxon(self, rows: Rows) -> Findings:
        """Wilcoxon's signed rank test, zeros left out: exact without ties up to 50 queries, else by the normal."""
        stats = scipy_stats("wilcoxon")
        found: Findings = {}
        for row in rows:
            differences = [value for value in self.vector(row) if not steady(value)]
            rounded = [round(value, FINEST) for value in differences]
            p_value = float(stats.wilcoxon(rounded).pvalue) if rounded else 1.0
            found[key(row)] = Finding(p_value, "wilcoxon")
        return found

    def vector(self, row: dict[str, Any]) -> list[float]:
        """The differences of one row of the comparison."""
        pair = self.pairs[row["pair"] - 1]
        columns = {"value": pair.value, "baseline_value": pair.baseline_value, "scope": row["scope"]}
        sql = render("comparison/vector.sql", self.engine.dialect, paired=sql_text(self.paired), **columns)
        return [value for (value,) in self.engine.execute(sql)]

    def randomization(self, rows: Rows) -> Findings:
        """Fisher's randomization test: by chance for many differing queries, by all signs for few."""
        replicates = self.drawn()
        extreme: Counter[tuple[int, int]] = Counter()
        few = {key(row) for row in rows if row["wins"] + row["losses"] <= FEW}
        if len(few) < len(rows):
            for statement in replicates.statements("randomization", 120):
                for scope, *counts in self.engine.execute(statement):
                    extreme.update({(number, scope): int(count) for number, count in enumerate(counts, 1)})
        exact = self.enumerated(replicates) if few else {}
        return {
            key(row): Finding(exact.get(key(row), 1.0), "randomization-exact")
            if key(row) in few
            else Finding((1 + extreme[key(row)]) / (1 + self.replicates), "randomization")
            for row in rows
        }

    def drawn(self) -> Replicates:
        """The differences as whole numbers, and the statements that draw their replicates."""
        return Replicates(self.engine, self.paired, self.pairs, self.segmented, self.replicates, self.seed)

    def enumerated(self, replicates: Replicates) -> dict[tuple[int, int], float]:
        """The p values where few queries differ: the share of all choices of signs that are as far from 0."""
        differences: dict[tuple[int, int], list[int]] = {}
        for pair, scope, difference in self.engine.execute(replicates.render("changed", few=FEW)):
            differences.setdefault((pair, scope), []).append(int(difference))
        return {which: share_as_far(values) for which, values in differences.items()}

    def bootstrap(self, rows: Rows) -> Findings:
        """The bootstrap, shifted to no difference, and the interval between its percentiles."""
        replicates = self.drawn()
        name, made = self.engine.name("resampled"), False
        for statement in replicates.statements("resampled", 12, weights=True):
            if made:
                inserted = render("sources/inserted.sql", self.engine.dialect, name=name, statement=sql_text(statement))
                self.engine.execute(inserted)
            else:
                self.engine.keep(name, statement)
                made = True
        sql = replicates.render(
            "bootstrap", weights=True, outside=self.alpha, resampled=replicates.relation("resampled")
        )
        found: Findings = {}
        for pair, scope, extreme, low, high in self.engine.execute(sql):
            unit = replicates.weight_scale / replicates.scales[pair - 1]
            p_value = (1 + int(extreme)) / (1 + self.replicates)
            interval = (None, None) if low is None else (low * unit, high * unit)
            found[pair, scope] = Finding(p_value, "bootstrap", *interval)
        alone = Finding(None, "bootstrap")
        return {key(row): found[key(row)] if row["queries"] > 1 else alone for row in rows}


def key(row: dict[str, Any]) -> tuple[int, int]:
    """Which pair and segment a row of the comparison is about."""
    return row["pair"], row["scope"]


def steady(value: float) -> bool:
    """Whether a difference counts as none."""
    return abs(value) <= TOLERANCE


def scipy_stats(test: str) -> Any:
    """scipy.stats, which a test needs.

    Raises:
        UsageError: scipy is not installed.
    """
    try:
        from scipy import stats
    except ImportError as error:
        raise UsageError(f"--test {test} needs scipy: pip install 'sqlrank[stats]'") from error
    return stats


def check_test(test: str) -> None:
    """Refuse a word that is no test.

    Raises:
        UsageError: with the words that are.
    """
    if test not in TESTS:
        raise UsageError(f"--test {test} is not known{nearest(test, list(TESTS))} (one of {', '.join(TESTS)})")


def check_weights(test: str, weighted: bool) -> None:
    """Refuse weights where a test takes none.

    Raises:
        UsageError: with the tests that take them.
    """
    if weighted and test in ("sign", "wilcoxon"):
        raise UsageError(f"--test {test} takes no weights; with --weight choose randomization, t or bootstrap")
