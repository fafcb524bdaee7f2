"""Tests of whether a difference between two systems may be chance, query by query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlrank.comparison.enumeration import share_as_far
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.progress import counted
from sqlrank.errors import UsageError, nearest
from sqlrank.sign_test import sign_test
from sqlrank.templates import render, sql_text

TOLERANCE = 1e-9
"""Differences up to this count as none."""
FEW = 20
"""Up to how many differing queries all signs are tried."""
LARGEST = 10**15
"""How large the differences of all queries may be together as whole numbers, which a double still tells apart."""
FINEST = 12
"""Decimals of a difference that count."""
ROWS_AT_ONCE = 1_000_000
"""About how many draws are made in one statement."""

TESTS = {
    "randomization": "Fisher's randomization test",
    "t": "Student's paired t test",
    "bootstrap": "bootstrap test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "sign": "sign test",
}
"""By the word of `--test`: what it is called."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One candidate, one metric, and the columns of the table of paired values that hold both sides."""

    system: str
    metric: str
    baseline_value: str
    value: str
    counts: bool
    """Whether the metric is a count, summed over queries."""


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
        self.scale()
        extreme: Counter[tuple[int, int]] = Counter()
        few = {key(row) for row in rows if row["wins"] + row["losses"] <= FEW}
        if len(few) < len(rows):
            for statement in self.draws("randomization", 120):
                for scope, *counts in self.engine.execute(statement):
                    extreme.update({(number, scope): int(count) for number, count in enumerate(counts, 1)})
        exact = self.enumerated() if few else {}
        return {
            key(row): Finding(exact.get(key(row), 1.0), "randomization-exact")
            if key(row) in few
            else Finding((1 + extreme[key(row)]) / (1 + self.replicates), "randomization")
            for row in rows
        }

    def enumerated(self) -> dict[tuple[int, int], float]:
        """The p values where few queries differ: the share of all choices of signs that are as far from 0."""
        differences: dict[tuple[int, int], list[int]] = {}
        for pair, scope, difference in self.engine.execute(self.render("changed", few=FEW)):
            differences.setdefault((pair, scope), []).append(int(difference))
        return {which: share_as_far(values) for which, values in differences.items()}

    def bootstrap(self, rows: Rows) -> Findings:
        """The bootstrap, shifted to no difference, and the interval between its percentiles."""
        self.scale()
        name, made = self.engine.name("resampled"), False
        for statement in self.draws("resampled", 12, weights=True):
            if made:
                inserted = render("sources/inserted.sql", self.engine.dialect, name=name, statement=sql_text(statement))
                self.engine.execute(inserted)
            else:
                self.engine.keep(name, statement)
                made = True
        sql = self.render("bootstrap", weights=True, outside=self.alpha, resampled=self.relation("resampled"))
        found: Findings = {}
        for pair, scope, extreme, low, high in self.engine.execute(sql):
            unit = self.weight_scale / self.scales[pair - 1]
            p_value = (1 + int(extreme)) / (1 + self.replicates)
            interval = (None, None) if low is None else (low * unit, high * unit)
            found[pair, scope] = Finding(p_value, "bootstrap", *interval)
        alone = Finding(None, "bootstrap")
        return {key(row): found[key(row)] if row["queries"] > 1 else alone for row in rows}

    def scale(self) -> None:
        """Make the table of differences and weights as whole numbers, so large that no sum of them overflows."""
        paired = {"paired": sql_text(self.paired)}
        pairs: list[dict[str, Any]] = [vars_of(pair) for pair in self.pairs]
        looked = render("comparison/sizes.sql", self.engine.dialect, pairs=pairs, **paired)
        *sizes, weight, fractions = self.engine.execute(looked)[0]
        self.scales = [10 ** decimals(size) for size in sizes]
        self.weight_scale = 10 ** decimals(weight) if fractions else 1
        pairs = [pair | {"scale": scale} for pair, scale in zip(pairs, self.scales, strict=True)]
        settings = {"weight_scale": self.weight_scale, "tolerance": TOLERANCE}
        scaled = render("comparison/scaled.sql", self.engine.dialect, pairs=pairs, **paired, **settings)
        self.engine.keep(self.engine.name("scaled"), scaled)
        largest = max(1024, math.ceil(self.replicates / 12))
        numbers = render("comparison/numbers.sql", self.engine.dialect, count=largest + 1)
        self.engine.keep(self.engine.name("numbers"), numbers)
        rows_of = render("sources/rows_of.sql", self.engine.dialect, relation=self.relation("scaled"))
        self.queries = int(self.engine.execute(rows_of)[0][0])

    def draws(self, template: str, replicates_of_block: int, weights: bool = False) -> Iterable[str]:
        """The statements that make all replicates, each those of some blocks."""
        blocks = math.ceil(self.replicates / replicates_of_block)
        at_once = max(1, ROWS_AT_ONCE // max(1, self.queries))
        firsts = range(0, blocks, at_once)
        lasts = [min(first + at_once, blocks) for first in firsts]
        statements = (
            self.render(template, weights=weights, first=first, last=last)
            for first, last in zip(firsts, lasts, strict=True)
        )
        return counted(statements, len(firsts), "testing") if self.engine.progress else statements

    def relation(self, base: str) -> Any:
        """A table of ours as SQL."""
        return sql_text(self.engine.dialect.ident(self.engine.name(base)))

    def render(self, template: str, weights: bool = False, **variables: Any) -> str:
        """One of the statements over the scaled differences."""
        context = {"pairs": list(range(1, len(self.pairs) + 1)), "scopes": [False, True] if self.segmented else [True]}
        context |= {"scaled": self.relation("scaled"), "numbers": self.relation("numbers"), "seed": str(self.seed)}
        context |= {"replicates": self.replicates, "weights": weights}
        return render(f"comparison/{template}.sql", self.engine.dialect, **context, **variables)


def key(row: dict[str, Any]) -> tuple[int, int]:
    """Which pair and segment a row of the comparison is about."""
    return row["pair"], row["scope"]


def steady(value: float) -> bool:
    """Whether a difference counts as none."""
    return abs(value) <= TOLERANCE


def decimals(size: float | None) -> int:
    """How many decimals whole numbers can hold without their sum becoming too large."""
    return next((places for places in range(FINEST, 0, -1) if (size or 0) * 10**places <= LARGEST), 0)


def vars_of(pair: Pair) -> dict[str, Any]:
    """The columns of a pair as the templates read them."""
    return {"value": pair.value, "baseline_value": pair.baseline_value, "counts": pair.counts}


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
