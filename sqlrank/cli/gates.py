"""Gates: what a value or a difference must reach, and how often a gate fails by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlrank.cli.values import margins, number
from sqlrank.comparison.margins import Bound, read_bound
from sqlrank.errors import Outcome, UsageError

if TYPE_CHECKING:
    from sqlrank.cli.options import CompareGates, EvalGates
    from sqlrank.comparison.result import Comparison
    from sqlrank.evaluation.result import Result
    from sqlrank.experiments.result import ArmComparison


WAYS_ON = "give more queries, or ask with --fail-on-drop, which needs no evidence"
"""What to do where nothing can be shown."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A metric and a bound."""

    metric: str
    bound: Bound


@dataclass(frozen=True, slots=True)
class Demands:
    """What the results of a command must hold."""

    floors: tuple[Gate, ...] = ()
    """The least values."""
    drops: tuple[Gate, ...] = ()
    """The largest drops from the baseline."""
    margins: tuple[Gate, ...] = ()
    """How much worse than the baseline a candidate is shown not to be."""
    confidently: bool = False
    """Whether a drop fails only if its whole interval is beyond the bound."""
    segments: bool = False
    """Whether segments are held to the gates too, and not the total alone."""

    @property
    def metrics(self) -> list[str]:
        """The metrics of all gates."""
        return [gate.metric for gate in (*self.floors, *self.drops, *self.margins)]

    def of_values(self, result: Result) -> list[Outcome]:
        """The value of every system against the least that each metric must reach; no value is a failure."""
        found = self.rows(result.to_dicts(), result.by) if self.floors else []
        outcomes = []
        for gate in self.floors:
            text = result.text_of(gate.metric)
            for row in [row for row in found if row["metric"] == text]:
                what = f"{gate.metric} of {where(row, result.by)}"
                shown = "has no value" if row["value"] is None else f"is {row['value']:.12g}"
                failed = row["value"] is None or not row["value"] >= gate.bound.size
                failure = f"{what} {shown}, below {gate.bound}" if failed else None
                outcomes.append(Outcome(f"{what} is at least {gate.bound}", failure))
        return outcomes

    def of_differences(self, comparison: Comparison | ArmComparison) -> list[Outcome]:
        """The differences of every candidate against the drops that are allowed, and the losses shown to be smaller."""
        from sqlrank.comparison.circularity import refusal
        from sqlrank.comparison.gate_power import Held, loss_of, not_worse, point, surely

        held: list[tuple[Held, str, str | None]] = []
        certain = " for certain" if self.confidently else ""
        for gate, what, row in self.compared(comparison, self.drops):
            name = f"{what} does not {loss_of(row)} by more than {gate.bound}{certain}"
            rule, option = (surely, ", --confidently") if self.confidently else (point, "")
            failure = refusal(what, row, failed_drop(what, row, gate, self.confidently))
            gated = f"--fail-on-drop {gate.metric}={gate.bound.word}{option}, {row['system']}"
            held.append((Held(gated, row, gate.bound.of(row["baseline_value"]), rule), name, failure))
        for gate, what, row in self.compared(comparison, self.margins):
            name = f"{what} is shown to be less than {gate.bound} {beyond(row)} {comparison.baseline}"
            failure = refusal(what, row, failed_margin(what, row, gate, comparison.questions.alpha), evidence=True)
            gated = f"--not-worse-than {gate.metric}={gate.bound.word}, {row['system']}"
            held.append((Held(gated, row, gate.bound.of(row["baseline_value"]), not_worse), name, failure))
        powers = comparison.held_to([one for one, _, _ in held]) if held else []
        return [Outcome(name, why, str(power)) for (_, name, why), power in zip(held, powers, strict=True)]

    def compared(
        self, comparison: Comparison | ArmComparison, gates: Iterable[Gate]
    ) -> Iterator[tuple[Gate, str, Mapping[str, Any]]]:
        """Each gate with the rows that it is for, and what these are called."""
        for gate in gates:
            text = comparison.row_of(gate.metric, comparison.systems[1])["metric"]
            for row in self.rows(comparison.against_baseline, comparison.by):
                if row["metric"] == text:
                    yield gate, f"{gate.metric} of {where(row, comparison.by)}", row

    def rows(self, rows: Sequence[Mapping[str, Any]], by: Sequence[str]) -> list[Mapping[str, Any]]:
        """The rows that are held to the gates."""
        return [row for row in rows if self.segments or not by or row["is_total"]]


def demands(
    gates: EvalGates | CompareGates, settings: Mapping[str, Any], check: Callable[[str, str], object] | None = None
) -> Demands:
    """What the options of a command demand; UsageError if one of them cannot be meant.

    `check` takes a metric and its option, and raises for one that has no gate; without it metrics are of rankings.
    """
    under, drop = getattr(gates, "fail_under", None), getattr(gates, "fail_on_drop", None)
    floors = read_gates(under, "--fail-under", "ndcg@10=0.42", settings)
    drops = read_gates(drop, "--fail-on-drop", "ndcg@10=0.005 or ndcg@10=1%", settings, check, relative=True)
    apart = getattr(gates, "not_worse_than", None)
    losses = read_gates(apart, "--not-worse-than", "ndcg@10=0.005 or ndcg@10=1%", settings, check, relative=True)
    for gate in losses:
        if not gate.bound.size > 0:
            raise UsageError(f"--not-worse-than {gate.metric}={gate.bound}: a margin is above 0")
    confidently = getattr(gates, "confidently", False)
    if confidently and not drops:
        raise UsageError("--confidently is for --fail-on-drop: give that too")
    for option, given in (
        ("--junit reports on", gates.junit is not None),
        ("--gate-segments is for", gates.gate_segments),
    ):
        if given and not (floors or drops or losses):
            raise UsageError(f"{option} gates: give --fail-under (eval) or --fail-on-drop (compare) too")
    if gates.gate_segments and not settings.get("by"):
        raise UsageError("--gate-segments: there are no segments; give --by COLUMN")
    return Demands(floors, drops, losses, confidently, gates.gate_segments)


def read_gates(
    texts: Iterable[str] | None,
    option: str,
    example: str,
    settings: Mapping[str, Any],
    check: Callable[[str, str], object] | None = None,
    relative: bool = False,
) -> tuple[Gate, ...]:
    """The gates of an option, each METRIC=VALUE split at the last equals sign; UsageError shows the example."""
    if not texts:
        return ()
    from sqlrank.evaluation.request import language_of
    from sqlrank.metrics.language import gated_measure

    gates = []
    for text in texts:
        metric, equals, value = text.rpartition("=")
        if not equals or not metric:
            raise UsageError(f"{option} {text}: write METRIC=VALUE, for example {example}")
        named = f"{option} {text}"
        if check is None:
            gated_measure(metric, option, language_of(settings))
        else:
            check(metric, option)
        gates.append(Gate(metric, read_bound(value, named) if relative else Bound(number(value, named))))
    return tuple(gates)


def where(row: Mapping[str, Any], by: Sequence[str]) -> str:
    """The system of a row, and its segment if it is of one."""
    if not by or row["is_total"]:
        return str(row["system"])
    return f"{row['system']} in {', '.join(f'{name}={row[name]}' for name in by)}"


def with_margins(questions: dict[str, Any], gates: CompareGates) -> dict[str, Any]:
    """The settings of a comparison with the margins of gates, as they were written; UsageError where one has two."""
    if not gates.not_worse_than:
        return questions
    told, found = margins(gates.not_worse_than, "--not-worse-than"), dict(questions.get("margins", {}))
    for metric, value in told.items():
        if found.setdefault(metric, value) != value:
            raise UsageError(f"{metric} has two margins, of --margin and --not-worse-than")
    return questions | {"margins": found}


def failed_margin(what: str, row: Mapping[str, Any], gate: Gate, alpha: float) -> str | None:
    """Why one row of a comparison does not show that it is not worse; None where it does."""
    from sqlrank.comparison.margins import lacking

    chance = row["p_not_worse"]
    if chance is not None and chance <= alpha:
        return None
    nothing = f"not enough evidence: {lacking(row)}; {WAYS_ON}"
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
    ends = (row["ci_low"], row["ci_high"])
    if row.get("sqlrank_mirrored") and row["ci_low"] is not None:
        ends = (-row["ci_high"], -row["ci_low"])
    interval = "" if row["ci_low"] is None else f"{ends[0]:+.12g} to {ends[1]:+.12g}"
    drop, share = f"{-row['difference']:.12g}", row["relative_difference"]
    if gate.bound.relative and share is not None:
        drop, interval = f"{-100 * share:.4g} %", f"{drop}, {interval}" if interval else drop
    said = f"{what} {loss_of(row)}s by {drop}{f' ({interval})' if interval else ''}"
    return f"{said} from {row['baseline']}, more than {gate.bound}"
