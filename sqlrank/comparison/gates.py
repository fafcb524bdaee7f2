"""Gates on differences: what the command line and Python hold comparisons to, and how often a gate fails by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sqlrank.comparison.margins import Bound, read_bound
from sqlrank.errors import Outcome, UsageError
from sqlrank.evaluation.floors import Asked, Floor, against_floors, digits_apart, held_rows, pairs, where
from sqlrank.spelling import spelt

if TYPE_CHECKING:
    from sqlrank.comparison.gate_power import GatePower, Held
    from sqlrank.comparison.questions import Questions
    from sqlrank.evaluation.metric_result import MetricResult

EXAMPLE = "ndcg@10=0.005 or ndcg@10=1%"


class Compared(Protocol):
    """What is held to gates: systems, or the arms of an experiment, compared with a baseline."""

    baseline: str
    systems: Any
    by: Any
    questions: Questions

    @property
    def against_baseline(self) -> list[dict[str, Any]]:
        """The rows of the pairs of the baseline and a candidate."""
        ...

    def row_of(self, metric: str, system: str | None = None) -> dict[str, Any]:
        """The row of one metric, over all queries."""
        ...

    def held_to(self, gates: Sequence[Held]) -> list[GatePower]:
        """How often each gate fails by chance, and what it catches."""
        ...


@dataclass(frozen=True, slots=True)
class Gate:
    """A metric and a bound."""

    metric: str
    bound: Bound


@dataclass(frozen=True, slots=True)
class Demands:
    """What results must hold."""

    floors: tuple[Floor, ...] = ()
    """The least values."""
    drops: tuple[Gate, ...] = ()
    """The largest drops from the baseline."""
    margins: tuple[Gate, ...] = ()
    """How much worse than the baseline a candidate is shown not to be."""
    confidently: bool = False
    """Whether a drop fails only if its whole interval is beyond the bound."""
    segments: bool = False
    """Whether segments are held to the gates too, and not the total alone."""

    def __post_init__(self) -> None:
        if self.confidently and not self.drops:
            raise UsageError(f"{spelt('confidently')} is for {spelt('fail_on_drop')}: give that too")

    @property
    def metrics(self) -> list[str]:
        """The metrics of all gates."""
        gates: tuple[Floor | Gate, ...] = (*self.floors, *self.drops, *self.margins)
        return [gate.metric for gate in gates]

    def of_values(self, result: MetricResult) -> list[Outcome]:
        """The value of every system against the least that each metric must reach; no value is a failure."""
        return against_floors(result, self.floors, self.segments)

    def of_differences(self, comparison: Compared) -> list[Outcome]:
        """The differences of every candidate against the drops that are allowed, and the losses shown to be smaller."""
        from sqlrank.comparison.circularity import refusal
        from sqlrank.comparison.gate_power import Held, loss_of, not_worse, point, surely

        held: list[tuple[Held, str, str | None]] = []
        certain = " for certain" if self.confidently else ""
        for gate, what, row in self.compared(comparison, self.drops):
            name = f"{what} does not {loss_of(row)} by more than {gate.bound}{certain}"
            rule, option = (surely, f", {spelt('confidently')}") if self.confidently else (point, "")
            failure = refusal(what, row, failed_drop(what, row, gate, self.confidently))
            gated = f"{spelt('fail_on_drop', f'{gate.metric}={gate.bound.word}')}{option}, {row['system']}"
            held.append((Held(gated, row, gate.bound.of(row["baseline_value"]), rule), name, failure))
        for gate, what, row in self.compared(comparison, self.margins):
            name = f"{what} is shown to be less than {gate.bound} {beyond(row)} {comparison.baseline}"
            failure = refusal(what, row, failed_margin(what, row, gate, comparison.questions.alpha), evidence=True)
            gated = f"{spelt('not_worse_than', f'{gate.metric}={gate.bound.word}')}, {row['system']}"
            held.append((Held(gated, row, gate.bound.of(row["baseline_value"]), not_worse), name, failure))
        powers = comparison.held_to([one for one, _, _ in held]) if held else []
        return [Outcome(name, why, str(power)) for (_, name, why), power in zip(held, powers, strict=True)]

    def compared(self, comparison: Compared, gates: Iterable[Gate]) -> Iterator[tuple[Gate, str, Mapping[str, Any]]]:
        """Each gate with the rows that it is for, and what these are called."""
        for gate in gates:
            text = comparison.row_of(gate.metric, comparison.systems[1])["metric"]
            for row in held_rows(comparison.against_baseline, comparison.by, self.segments):
                if row["metric"] == text:
                    yield gate, f"{gate.metric} of {where(row, comparison.by)}", row


def read_gates(asked: Asked | None, option: str, check: Callable[[str, str], object]) -> tuple[Gate, ...]:
    """The gates of an option; `check` takes a metric and the option, and raises for one that has no gate."""
    gates = []
    for metric, value in pairs(asked, option, EXAMPLE):
        check(metric, option)
        gates.append(Gate(metric, read_bound(value, spelt(option, f"{metric}={value}"))))
    return tuple(gates)


def read_losses(asked: Asked | None, check: Callable[[str, str], object]) -> tuple[Gate, ...]:
    """The losses that candidates are to be shown not to have; UsageError for one that is not above 0."""
    losses = read_gates(asked, "not_worse_than", check)
    for gate in losses:
        if not gate.bound.size > 0:
            raise UsageError(f"{spelt('not_worse_than', f'{gate.metric}={gate.bound}')}: a margin is above 0")
    return losses


def failed_margin(what: str, row: Mapping[str, Any], gate: Gate, alpha: float) -> str | None:
    """Why one row of a comparison does not show that it is not worse; None where it does."""
    from sqlrank.comparison.margins import lacking

    chance = row["p_not_worse"]
    if chance is not None and chance <= alpha:
        return None
    ways = f"give more queries, or ask with {spelt('fail_on_drop')}, which needs no evidence"
    nothing = f"not enough evidence: {lacking(row)}; {ways}"
    shown = nothing if chance is None else f"p {chance:.4g} is above {alpha:g}"
    return f"{what} is not shown to be less than {gate.bound} {beyond(row)} {row['baseline']}: {shown}"


def beyond(row: Mapping[str, Any]) -> str:
    """On which side of the baseline a row is worse."""
    return "above" if row.get("sqlrank_mirrored") else "below"


def failed_drop(what: str, row: Mapping[str, Any], gate: Gate, confidently: bool) -> str | None:
    """Why one row of a comparison fails a gate; None where it holds."""
    from sqlrank.comparison.gate_power import loss_of

    if row["difference"] is None:
        return f"{what} has no difference from {row['baseline']}"
    most = row["ci_high"] if confidently else row["difference"]
    if most is None or most >= -gate.bound.of(row["baseline_value"]):
        return None
    interval = "" if row["ci_low"] is None else f"{-row['ci_high']:.4g} to {-row['ci_low']:.4g}"
    drop, share = digits_apart(-row["difference"], gate.bound.of(row["baseline_value"])), row["relative_difference"]
    if gate.bound.relative and share is not None:
        drop, interval = f"{-100 * share:.4g} %", f"{drop}, {interval}" if interval else drop
    said = f"{what} {loss_of(row)}s by {drop}{f' ({interval})' if interval else ''}"
    return f"{said} from {row['baseline']}, more than {gate.bound}"
