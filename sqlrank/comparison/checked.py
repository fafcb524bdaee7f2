"""Comparisons held to the drops that are allowed, and to losses that are shown to be smaller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlrank.arguments import public
from sqlrank.comparison.compared_queries import ComparedQueries
from sqlrank.comparison.gates import Demands, Gate, read_gates, read_losses
from sqlrank.comparison.margins import Bound
from sqlrank.errors import Outcome, UsageError
from sqlrank.metrics.language import gated_measure
from sqlrank.spelling import spelt


class CheckedComparison(ComparedQueries):
    """A comparison that is held to gates."""

    by: tuple[str, ...]
    margins: Mapping[str, Bound]

    @public()
    def check(
        self,
        fail_on_drop: str | Iterable[str] | Mapping[str, float | str] | None = None,
        not_worse_than: str | Iterable[str] | Mapping[str, float | str] | None = None,
        *,
        confidently: bool = False,
        segments: bool = False,
    ) -> list[Outcome]:
        """What comes of gates, as `sqlrank compare` holds them; nothing is raised where one fails.

        The remarks say from then on how often each gate fails with no change, and what drop it catches.

        Args:
            fail_on_drop: the largest drops from the baseline: `"ndcg@10=0.005"`, `"ndcg@10=1%"`, a list of such texts,
                or `{"ndcg@10": 0.005}`.
            not_worse_than: what candidates are to be shown not to be worse by; the comparison needs the same `margins`.
            confidently: whether a drop fails only if its whole interval is beyond it.
            segments: whether segments are held to them too, and not the total alone.

        Returns:
            An outcome for each gate and candidate: its `name`, whether it `holds`, `failure`, which says why not, and
            `power`, how often it fails by chance.

        Raises:
            UsageError: a gate cannot be meant, its metric was not compared, or not with that margin.
        """

        def held(metric: str, option: str) -> object:
            return gated_measure(metric, option, self.language)

        drops, losses = read_gates(fail_on_drop, "fail_on_drop", held), read_losses(not_worse_than, held)
        if not drops and not losses:
            raise UsageError(f"there is no gate; give {spelt('fail_on_drop')} or {spelt('not_worse_than')}")
        if segments and not self.by:
            raise UsageError(f"{spelt('segments', True)}: there are no segments; give {spelt('by', 'COLUMN')}")
        for gate in losses:
            check_margin(self, gate)
        compared: Any = self  # a comparison, which has the rows that gates are held against
        return Demands((), drops, losses, confidently, segments).of_differences(compared)


def check_margin(comparison: CheckedComparison, gate: Gate) -> None:
    """Raise UsageError where a comparison did not test the margin of a gate."""
    if comparison.margins.get(comparison.text_of(gate.metric)) != gate.bound:
        raise UsageError(
            f"{spelt('not_worse_than', f'{gate.metric}={gate.bound.word}')} is tested while systems are compared:"
            f" compare with {spelt('margins', {gate.metric: gate.bound.word})}"
        )
