"""How differences are tested: test, correction, alpha, replicates and seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlrank.choices import ALTERNATIVES, COMPARISON_CORRECTIONS
from sqlrank.comparison.margins import read_margin
from sqlrank.comparison.paired import TOLERANCE
from sqlrank.errors import UsageError, no_such_word, several
from sqlrank.spelling import spelt
from sqlrank.statistics.corrections import check_correction
from sqlrank.statistics.student import check_alpha

INTERVALS = {"bootstrap": "percentiles of the bootstrap", "randomization": "randomization test, inverted"}
"""The intervals of tests that bring their own."""
REPLICATES = (100, 10_000_000)
"""The fewest and the most replicates."""


TESTS = {
    "randomization": "Fisher's randomization test",
    "t": "Student's paired t test",
    "bootstrap": "bootstrap test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "sign": "sign test",
}
"""The name of each test by its word for `--test`."""

ARM_TESTS = {
    "randomization": "randomization test of the labels",
    "t": "Welch's t test",
    "bootstrap": "bootstrap test of both samples",
}
"""Those that take systems of different queries."""


@dataclass(frozen=True, slots=True)
class Questions:
    """How differences are tested."""

    test: str = "randomization"
    """One of `TESTS`."""
    correction: str = "holm"
    """One of `corrections.CORRECTIONS`."""
    alpha: float = 0.05
    """The largest adjusted p value that is significant."""
    replicates: int = 10_000
    """How many replicates randomization and bootstrap make."""
    seed: int = 0
    """What random numbers depend on, besides the ids of the queries."""
    margins: Mapping[str, float | str] = field(default_factory=dict)
    """By metric, how much worse a candidate may be: a number, or a share of the baseline's value such as `1%`."""
    all_pairs: bool = False
    """Whether every pair of systems is compared, rather than each with the baseline."""
    alternative: str = "two-sided"
    """Whether p values are two-sided, or of a candidate that is better (`greater`) or worse (`less`)."""
    cluster: str | None = None
    """A column whose value related queries share, such as those of one topic or user."""
    paired: bool = True
    """Whether systems are compared query by query, rather than each over queries of its own."""
    crossing: str | None = None
    """A column of clusters that cross those, such as the days on which queries of one text were asked."""
    noun: str = "query"
    """What is compared, in words: queries, or such as users where they are the units of an experiment."""

    def __post_init__(self) -> None:
        check_test(self.test)
        if not self.paired:
            self.check_unpaired()
        if self.alternative not in ALTERNATIVES:
            raise no_such_word(spelt("alternative", self.alternative), self.alternative, ALTERNATIVES)
        if self.side and self.all_pairs:
            raise UsageError(
                f"{spelt('alternative', self.alternative)} is for candidates and a baseline, not for"
                f" {spelt('all_pairs')}"
            )
        check_clusters(self.test, self.cluster)
        if self.correction == "tukey":
            raise UsageError(
                f"{spelt('correction', 'tukey')} supposed that all systems vary alike; max-t, in its place, does not"
            )
        check_correction(self.correction, COMPARISON_CORRECTIONS)
        if self.joint and self.test != "randomization":
            raise UsageError(
                f"{spelt('correction', 'max-t')} changes signs at random, as {spelt('test', 'randomization')}, not"
                f" {self.test}"
            )
        check_alpha(self.alpha)
        for metric, value in self.margins.items():
            read_margin(metric, value)
        fewest, most = REPLICATES
        if not fewest <= self.replicates <= most:
            raise UsageError(f"{spelt('replicates', self.replicates)}: give from {fewest} to {most:,}")

    def check_unpaired(self) -> None:
        """Raise UsageError where a test or a correction is of pairs of values alone."""
        if self.test not in ARM_TESTS:
            raise UsageError(
                f"{spelt('test', self.test)} is for pairs of values; with {spelt('paired', False)} choose"
                f" {', '.join(ARM_TESTS)}"
            )
        if self.joint:
            raise UsageError(
                f"{spelt('correction', 'max-t')} is for pairs of values; with {spelt('paired', False)} choose holm,"
                " bonferroni or bh"
            )

    @property
    def nouns(self) -> str:
        """Several of what is compared."""
        return several(self.noun)

    @property
    def side(self) -> int:
        """0 for two-sided p values, 1 for a candidate that is better, -1 for one that is worse."""
        return {"two-sided": 0, "greater": 1, "less": -1}[self.alternative]

    def side_of(self, better: str) -> int:
        """The side of 0 on which the difference of a metric is looked for: `lower` values may be better."""
        return -self.side if better == "lower" else self.side

    @property
    def alpha_two_sided(self) -> float:
        """The alpha of a two-sided test that finds a difference on the right side as often: that of the intervals."""
        return min(2 * self.alpha, 0.999) if self.side else self.alpha

    @property
    def joint(self) -> bool:
        """Whether p values are adjusted by the largest t of all rows in every replicate."""
        return self.correction == "max-t"

    @property
    def draws(self) -> bool:
        """Whether the test makes random numbers."""
        return self.test in ("randomization", "bootstrap")

    def interval(self, rows: Sequence[Mapping[str, Any]]) -> tuple[str, bool]:
        """The name of the interval of these rows, and whether it belongs to the test."""
        known = [row for row in rows if row["ci_low"] is not None]
        two, tied = (sum(row[kind] for row in known) for kind in ("sqlrank_two_valued", "sqlrank_tied"))
        skewed = self.test != "randomization" and any(row["sqlrank_skewness"] for row in known)
        names = [self.usual_interval] * (two + tied < max(len(known), 1))
        names += [f"{'Bonett and Price' if self.paired else 'Agresti and Caffo'}'s of two values"] * bool(two)
        names += ["Student's with two queries added where most tie"] * bool(tied)
        names += ["Hall's where the difference is skewed"] * skewed
        return "; ".join(names), self.test in ("randomization", "t", "bootstrap")

    @property
    def usual_interval(self) -> str:
        """The name of the interval where values are of many sizes."""
        if self.paired or self.test == "bootstrap":
            return INTERVALS.get(self.test, "Student's t")
        return "Welch's t" if self.test == "t" else "the t of relabelled samples"

    @property
    def name_of_test(self) -> str:
        """The name of the test, for people."""
        return (TESTS if self.paired else ARM_TESTS)[self.test]

    @property
    def effect(self) -> str:
        """What a difference is divided by for the size of the effect, for people."""
        return f"standard deviation of the {'differences' if self.paired else 'values, pooled'}"

    @property
    def confidence(self) -> str:
        """The confidence of the intervals, for people."""
        return f"{100 * (1 - self.alpha_two_sided):g} %"

    def to_dict(self) -> dict[str, Any]:
        """The settings by name."""
        found: dict[str, Any] = {"test": self.test, "correction": self.correction, "alpha": self.alpha}
        found |= {"margins": dict(self.margins)} if self.margins else {}
        found |= {"all_pairs": True} if self.all_pairs else {}
        found |= {"alternative": self.alternative} if self.side else {}
        found |= {"cluster": self.cluster} if self.cluster else {}
        found |= {"crossing": self.crossing} if self.crossing else {}
        found |= {"replicates": self.replicates, "seed": self.seed} if self.draws else {}
        found |= {} if self.paired else {"paired": False}
        others = {"interval_of_0_and_1": "Bonett-Price", "interval_of_ties": "Student's t, two queries added"}
        others = others if self.paired else {"interval_of_0_and_1": "Agresti-Caffo"}
        effect = f"mean difference over the {self.effect}"
        return found | {"tolerance": TOLERANCE, "interval": self.usual_interval, "effect_size": effect} | others


def check_test(test: str) -> None:
    """Raise UsageError if a word names no test."""
    if test not in TESTS:
        raise no_such_word(spelt("test", test), test, TESTS)


def check_clusters(test: str, cluster: str | None) -> None:
    """Raise UsageError if a test takes no clusters and there are some."""
    if cluster is not None and test in ("sign", "wilcoxon"):
        raise UsageError(
            f"{spelt('test', test)} takes no clusters; with {spelt('cluster')} choose randomization, t or bootstrap"
        )


def check_weights(test: str, weighted: bool) -> None:
    """Raise UsageError if a test takes no weights and there are some."""
    if weighted and test in ("sign", "wilcoxon"):
        raise UsageError(
            f"{spelt('test', test)} takes no weights; with {spelt('weight')} choose randomization, t or bootstrap"
        )
