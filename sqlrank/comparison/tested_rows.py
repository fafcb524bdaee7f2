"""The rows of a comparison, each with what its test finds, and the tests of systems of different queries.

These are Welch's t, the randomization test of the labels, and the bootstrap.

The randomization test takes the label of every unit as one that it could as well not have: a unit of one side alone is
given the label of either, with the chance of the share that the candidate has of them, and one of both sides keeps its
values or exchanges them. What is compared is t and not the difference, so that the test holds where sides differ in
size and spread (E. Chung and J. P. Romano, Exact and asymptotically robust permutation tests, The Annals of Statistics
41, 2013). Where there are few units all choices are tried that leave the sides their sizes. The interval is made of the
t that so many of the relabelled samples pass as are significant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlrank.comparison.arms import Arms
from sqlrank.comparison.bootstrap import PLACES, SHARING
from sqlrank.comparison.interval import cut, has_interval, interval_of, p_value_of
from sqlrank.comparison.margins import Bound
from sqlrank.comparison.paired import Paired
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.rows import Row, row_of
from sqlrank.comparison.significance import Resampled, Significance, is_nothing
from sqlrank.comparison.test_results import Finding, Findings, Rows, key
from sqlrank.statement.templates import render, sql_text
from sqlrank.statistics.estimate import agreeing

FEW = 16
"""Up to how many units all labels are tried: choices of up to half as many of them are fewer than 13,000."""
CROWD = 1024
"""From how many units of a pair and segment on those that draw the same bits are added first, as there are many."""
KEPT_AT_ONCE = 500_000
"""About how many replicates of pairs and segments one statement looks at."""
OF_A_SIDE = ("units", "weight", "total", "squares", "products", "weights", "crossed")
"""What a unit adds to the sums of its side, from which t is made."""
OF_BOTH = tuple(map(sql_text, ("weight_0", "sum_0", "weight_1", "sum_1")))
"""What it adds to the means of both."""


class ArmTests(Significance):
    """Runs the test of some questions over the values of every system's own queries."""

    def __init__(self, arms: Arms, questions: Questions) -> None:
        super().__init__(arms, questions)
        self.arms = arms
        self.kept: set[str] = set()
        """The tables that are there."""
        self.blocks = math.ceil(questions.replicates / (PLACES * SHARING))
        self.drawing = {"replicates": questions.replicates, "seed": str(questions.seed), "sides": self.sides}
        self.drawing |= {"alpha": self.alpha, "first": 0, "last": self.blocks, "group": None, "few": FEW}

    def randomization(self, rows: Rows) -> Findings:
        """The randomization test of the labels, with the interval that belongs to it."""
        self.keep("levels", render("comparison/arms/levels.sql", self.engine.dialect, numbers=self.numbers()))
        by_key = {key(row): row for row in rows}
        place = math.floor(self.alpha * (1 + self.questions.replicates))
        found: Findings = {}
        for exact in (False, True):
            for pair, scope, number, extreme, spread, beyond in self.relabelled(rows, exact, place):
                row = by_key.get((pair, scope))
                if row is None or row["stderr"] is None:
                    continue
                p_value = extreme / number if exact else (1 + extreme) / (1 + number)
                width = None if beyond is None or math.isinf(beyond) else beyond * spread
                name = "randomization-exact" if exact else "randomization"
                found[pair, scope] = self.finding(row, p_value, name, width)
        return {
            key(row): found.get(key(row), Finding(1.0 if is_nothing(row) else None, "randomization")) for row in rows
        }

    def finding(self, row: dict[str, Any], p_value: float, name: str, width: float | None) -> Finding:
        """The finding for one row, `width` being half of the interval that the relabelled samples give."""
        if is_nothing(row):
            return Finding(1.0, name)
        ends = (None, None) if width is None else (row["difference"] - width, row["difference"] + width)
        if not has_interval(row):
            ends = (None, None)
        elif row["apart"] or "crossed" in row:
            # draws of one kind of clusters know nothing of the other
            ends, p_value = interval_of(row, self.alpha), max(p_value, p_value_of(row, self.side_of(row)) or 0.0)
        ends = agreeing(ends, row["difference"], p_value <= self.questions.alpha, self.side_of(row))
        return Finding(p_value, name, *cut(ends, self.paired.pairs[row["pair"] - 1].measure))

    def relabelled(self, rows: Rows, exact: bool, place: int) -> Iterator[tuple[Any, ...]]:
        """For each pair and segment with few units, or with more: pair, scope, replicates, those as far, spread, t."""
        small = {row["scope"] == 0 for row in rows if (row["units"] <= FEW) is exact}
        names = self.sums(rows)
        for total in sorted(small):
            yield from self.over_groups("relabelled", total, rows, exact=exact, place=place, **names)

    def sums(self, rows: Rows) -> dict[str, Any]:
        """What is summed up for each side, and which sum stands for which: units of one query each need few."""
        shared, single = any(row["shared_units"] for row in rows), all(map(one_each, rows))
        plain = single and not self.paired.weighted and self.paired.cluster is None
        left_out = {"units", "products", "weights"} if plain else set()
        left_out |= set() if shared else {"crossed"}
        stands = {name: name for name in OF_A_SIDE} | ({} if shared else {"crossed": ""})
        stands |= {"units": "weight", "products": "total", "weights": "weight"} if plain else {}
        sums = tuple(sql_text(name) for name in OF_A_SIDE if name not in left_out)
        return {
            "numbers_of_side": sums,
            "columns": (*map(sql_text, ("pair", "share")), *sums),
            "stands": {name: sql_text(other) for name, other in stands.items()},
        }

    def resampled(self, rows: Rows) -> Iterator[Resampled]:
        """For each pair and segment: pair, scope, replicates below and above 0, and the ends of the middle ones."""
        self.keep("levels", render("comparison/arms/levels.sql", self.engine.dialect, numbers=self.numbers()))
        names = {"numbers_of_side": OF_BOTH, "columns": (sql_text("pair"), *OF_BOTH)}
        most = self.tails(self.engine.name("arm_tails"), rows)
        names |= {"tails": self.relation("tails")}
        for total in sorted({row["scope"] == 0 for row in rows}):
            yield from self.over_groups("resampled", total, rows, most=most, **names)

    def over_groups(self, template: str, total: bool, rows: Rows, **variables: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement over the units of the total, or of segments, some pairs or segments at a time."""
        units = f"units_{total:d}"
        self.keep(units, self.arms.over_arms("units", [total]))
        names = {base: self.relation(base) for base in ("numbers", "levels")}
        names |= {"units": self.relation(units), "scaled": sql_text("scaled")}
        at_once, pairs = max(1, KEPT_AT_ONCE // self.questions.replicates), len(self.paired.pairs)
        if total:
            groups = [(range(first, first + at_once), range(1)) for first in range(1, pairs + 1, at_once)]
        else:
            scopes, each = max(row["scope"] for row in rows), max(1, at_once // pairs)
            groups = [(range(1, pairs + 1), range(first, first + each)) for first in range(1, scopes + 1, each)]
        of_kind = [row["units"] for row in rows if (row["scope"] == 0) is total]
        names["crowded"] = sum(of_kind) >= CROWD * len(of_kind)
        for some_pairs, scopes_at_once in groups:
            context = {"pairs": some_pairs, "scopes": scopes_at_once, **self.drawing, **names, **variables}
            yield from self.engine.execute(
                render(f"comparison/arms/{template}.sql", self.engine.dialect, **context), doing="testing"
            )

    def numbers(self) -> Any:
        """The table of whole numbers, of so many that each choice of labels has its own."""
        self.keep("numbers", render("comparison/numbers.sql", self.engine.dialect, count=1 << FEW))
        return self.relation("numbers")

    def keep(self, base: str, statement: str) -> None:
        """Keep a table, unless it is there."""
        if base not in self.kept:
            self.engine.keep(self.engine.name(f"arm_{base}"), statement)
            self.kept.add(base)

    def relation(self, base: str) -> Any:
        """A table as SQL."""
        return sql_text(self.engine.dialect.ident(self.engine.name(f"arm_{base}")))


def one_each(row: dict[str, Any]) -> bool:
    """Whether each unit of a row is one query: one of a store may have values of several days."""
    return bool(row["baseline_units"] == row["baseline_queries"] and row["candidate_units"] == row["queries"])


def tested_rows(paired: Paired, questions: Questions, margins: Mapping[str, Bound]) -> list[Row]:
    """A row for each pair, metric and segment, with its margin by the text of the metric; p values are not adjusted."""
    summary = paired.summary()
    tests = ArmTests(paired, questions) if isinstance(paired, Arms) else Significance(paired, questions)
    found = tests.findings([row for row in summary if row["difference"] is not None])
    nothing = Finding(None, questions.test)
    rows = []
    for row in summary:
        pair, finding = paired.pairs[row["pair"] - 1], found.get(key(row), nothing)
        rows.append(row_of(row, pair, paired.by, finding, questions, margins.get(pair.metric)))
    return rows


def ordered(rows: Iterable[Row], paired: Paired) -> list[Row]:
    """The rows by system, total last, segment and metric, as those of an evaluation are."""
    texts = [measure.text for measure in paired.measures]

    def place(row: Row) -> tuple[Any, ...]:
        segments = tuple((row[name] is None, row[name] or "") for name in paired.by)
        sides = [paired.systems.index(row[name]) for name in ("baseline", "system")]
        return sides, row["is_total"], segments, texts.index(row["metric"])

    return sorted(rows, key=place)
