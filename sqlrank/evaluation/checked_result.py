"""Evaluations held to the least values that metrics must reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlrank.arguments import public
from sqlrank.errors import Outcome, UsageError
from sqlrank.evaluation.metric_result import MetricResult
from sqlrank.metrics.language import gated_measure
from sqlrank.spelling import spelt


class CheckedResult(MetricResult):
    """A result that is held to gates."""

    @public()
    def check(
        self, fail_under: str | Iterable[str] | Mapping[str, float | str], *, segments: bool = False
    ) -> list[Outcome]:
        """What comes of gates, as `sqlrank eval --fail-under` holds them; nothing is raised where one fails.

        Args:
            fail_under: the least values that metrics of this evaluation must reach: `"ndcg@10=0.4"`, a list of such
                texts, or `{"ndcg@10": 0.4}`.
            segments: whether segments are held to them too, and not the total alone.

        Returns:
            An outcome for each gate and system: its `name`, whether it `holds`, and `failure`, which says why not.

        Raises:
            UsageError: a gate cannot be meant, its metric was not evaluated, or there are no segments.
        """
        from sqlrank.evaluation.floors import against_floors, read_floors

        if segments and not self.by:
            raise UsageError(f"{spelt('segments', True)}: there are no segments; give {spelt('by', 'COLUMN')}")
        floors = read_floors(fail_under, lambda metric, option: gated_measure(metric, option, self.language))
        return against_floors(self, floors, segments)
