"""Fisher's randomization test of the mean difference, the interval of what it would not find, and the largest t.

By chance for many differing queries, and by all choices of signs for few, or where there are two values: then it is the
sign test. There, and where most queries tie, the interval is that of the t test: such differences do not lie evenly
about their mean, as the inverted test supposes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlrank.comparison.interval import cut, has_interval, interval_of, mostly_tied, p_value_of, signs_of
from sqlrank.comparison.questions import Questions
from sqlrank.comparison.replicates import LARGEST_BLOCK, Replicates
from sqlrank.comparison.test_results import Finding, Findings, Key, Rows, key
from sqlrank.statistics.estimate import NONE, Ends, agreeing
from sqlrank.statistics.exact_tests import ends_of_signs, share_as_far


class LargestT:
    """The test of the largest t: one for all pairs and metrics, whether or not they vary alike.

    Where no pair differs, the sign of every query's differences could as well be the other, and is, for all pairs and
    metrics together, in half of the replicates. The largest of Student's t is kept of each; the adjusted p
    value of a pair is the share of replicates whose largest t is as large as its own (J. P. Romano and M. Wolf, Exact
    and approximate stepdown methods for multiple hypothesis testing, Journal of the American Statistical Association
    100, 2005, here in a single step; E. Chung and J. P. Romano, Exact and asymptotically robust permutation tests, The
    Annals of Statistics 41, 2013, on why t and not the difference).

    It is over the replicates of some scopes: those of the total are one family, those of all segments another.
    """

    def __init__(self, replicates: Replicates) -> None:
        self.replicates = replicates
        self.kept = False

    def keep(self, signed: str, group: range | None) -> None:
        """Keep the largest t of each replicate of a table of signed sums, of a group of segments or of all there is."""
        relation = self.replicates.relation(signed)
        statement = self.replicates.render("largest_t", signed=relation, group=group)
        self.replicates.keep("largest", statement, more=self.kept)
        self.kept = True

    def p_values(self) -> dict[Key, float]:
        """The adjusted p value of each pair and segment."""
        statement = self.replicates.render("extreme_t", largest=self.replicates.relation("largest"))
        number = self.replicates.number
        found = self.replicates.engine.execute(statement)
        return {(pair, scope): (1 + int(extreme)) / (1 + number) for pair, scope, extreme in found}


FEW = 20
"""Up to how many differing queries the p value is exact."""
SUMS = 200
"""What a block counts as where queries that draw the same bits are added: then few statements, which take long to plan,
have sums of many pairs in little memory."""
FEWEST_UNITS = 13
"""Up to how many queries, or clusters of them, the interval is exact: all their signs are fewer than 10,000."""


class Randomization:
    """The test of some questions, two-sided or on one side, with that of the largest t where they ask for it."""

    def __init__(self, questions: Questions, sides: Sequence[int]) -> None:
        self.sides = sides
        """The side of 0 on which the difference of each pair is looked for."""
        self.questions, self.alpha = questions, questions.alpha_two_sided

    def findings(self, rows: Rows, drawn: Iterable[Replicates]) -> Findings:
        """The finding for each row of the comparison."""
        few = {key(row) for row in rows if row["changed"] <= FEW}
        tried = sorted({row["pair"] for row in rows if 0 < row["changed"] <= FEW})
        fewest = sorted({row["pair"] for row in rows if row["units"] <= FEWEST_UNITS})
        p_values: dict[Key, float] = {}
        ends: dict[Key, Ends] = {}
        together: dict[Key, float] = {}
        measures = {}
        for replicates in drawn:
            if self.questions.joint or any(
                row["units"] > FEWEST_UNITS for row in rows if (row["scope"] == 0) in replicates.totals
            ):
                self.draw(replicates, p_values, ends, together)
            p_values |= self.enumerated(replicates, tried) if tried else {}
            ends |= self.enumerated_ends(replicates, fewest) if fewest else {}
            measures = dict(enumerate((pair.measure for pair in replicates.pairs), 1))
        found: Findings = {}
        for row in rows:
            which, measure = key(row), measures[row["pair"]]
            interval = ends.get(which, NONE) if has_interval(row) else NONE
            p_value, exact, interval = self.agreed(row, p_values.get(which, 1.0), interval)
            name = "randomization-exact" if which in few or exact else "randomization"
            found[which] = Finding(p_value, name, *cut(interval, measure), together.get(which))
        return found

    def agreed(self, row: Mapping[str, Any], p_value: float, interval: Ends) -> tuple[float, bool, Ends]:
        """The p value of a row, whether it is that of all choices of signs of two values, and the interval with it."""
        side = self.sides[row["pair"] - 1]
        exact = signs_of(row).exact(side) if row["apart"] else None
        p_value = p_value if exact is None else exact
        if row["is_binary"] or ((row["apart"] or mostly_tied(row)) and interval != NONE):
            interval = interval_of(row, self.alpha)
            p_value = max(p_value, p_value_of(row, side) or 0.0)
        interval = agreeing(interval, row["difference"], p_value <= self.questions.alpha, side)
        return p_value, exact is not None, interval

    def draw(
        self,
        replicates: Replicates,
        p_values: dict[Key, float],
        ends: dict[Key, Ends],
        together: dict[Key, float],
    ) -> None:
        """Draw signs, and add the p value and the interval of each pair and segment.

        If there are very many segments, some are finished at a time, and what they add to the total is kept.
        """
        groups, largest = replicates.groups(), LargestT(replicates) if self.questions.joint else None
        for number, group in enumerate(groups):
            replicates.draw("randomization", LARGEST_BLOCK, group, SUMS if replicates.crowded else 0)
            self.finish(replicates, "randomization", group, p_values, ends)
            if largest:
                largest.keep("randomization", group)
            if group is not None and True in replicates.totals:
                added = replicates.render("of_total", signed=replicates.relation("randomization"))
                replicates.keep("parts_of_total", added, more=number > 0)
            replicates.drop("randomization")
        if groups != [None] and True in replicates.totals:
            replicates.keep("total", replicates.render("of_total", signed=replicates.relation("parts_of_total")), False)
            self.finish(replicates, "total", None, p_values, ends)
            if largest:
                largest.keep("total", None)
        if largest:
            together |= largest.p_values()

    def finish(
        self, replicates: Replicates, base: str, group: range | None, p_values: dict[Key, float], ends: dict[Key, Ends]
    ) -> None:
        """Add the p values and the intervals of a table of replicates: of a group of segments, or of all there is."""
        place = math.floor(self.alpha * (1 + replicates.number))
        statement = replicates.render("inverted", signed=replicates.relation(base), place=place, group=group)
        for *found, scope in replicates.engine.execute(statement):
            for pair, (extreme, *means) in enumerate(zip(found[::3], found[1::3], found[2::3], strict=True), 1):
                p_values[pair, scope] = (1 + int(extreme)) / (1 + replicates.number)
                low, high = (replicates.mean(pair, mean) for mean in means)
                ends[pair, scope] = low, high

    def enumerated(self, replicates: Replicates, pairs: Sequence[int]) -> dict[Key, float]:
        """The p values where few queries differ: the share of all choices of signs that are as far from 0."""
        differences: dict[Key, list[int]] = {}
        slack: dict[Key, int] = {}
        statement = replicates.render("changed", few=FEW, pairs=pairs)
        for pair, scope, difference, rounded in replicates.engine.execute(statement):
            differences.setdefault((pair, scope), []).append(int(difference))
            slack[pair, scope] = int(rounded)
        sides = replicates.sides
        return {which: share_as_far(values, slack[which], sides[which[0] - 1]) for which, values in differences.items()}

    def enumerated_ends(self, replicates: Replicates, pairs: Sequence[int]) -> dict[Key, Ends]:
        """The intervals where there are few queries: of all choices of signs."""
        values: dict[Key, list[tuple[int, int]]] = {}
        statement = replicates.render("few_units", few=FEWEST_UNITS, pairs=pairs)
        for pair, scope, difference, weight in replicates.engine.execute(statement):
            values.setdefault((pair, scope), []).append((int(difference), int(weight)))
        found = {}
        for which, units in values.items():
            low, high = (replicates.mean(which[0], end) for end in ends_of_signs(units, self.alpha))
            found[which] = low, high
        return found
