"""The test of the largest t: one for all pairs and metrics, whether or not they vary alike.

Where no pair differs, the sign of every query's differences could as well be the other, and is, for all pairs and
metrics together, in half of the replicates. Of each replicate the largest of Student's t is kept; the adjusted p value
of a pair is the share of replicates whose largest t is as large as its own (J. P. Romano and M. Wolf, Exact and
approximate stepdown methods for multiple hypothesis testing, Journal of the American Statistical Association 100, 2005,
here in a single step; E. Chung and J. P. Romano, Exact and asymptotically robust permutation tests, The Annals of
Statistics 41, 2013, on why t and not the difference).
"""

from __future__ import annotations

from sqlrank.comparison.replicates import Replicates
from sqlrank.comparison.test_results import Key


class LargestT:
    """The test over the replicates of some scopes: those of the total are one family, those of all segments another."""

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
