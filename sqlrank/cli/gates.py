"""The options of gates: what the results of a command must hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlrank.comparison.gates import Demands, read_gates, read_losses
from sqlrank.errors import Outcome, UsageError
from sqlrank.evaluation.floors import read_floors
from sqlrank.options.texts import margins

if TYPE_CHECKING:
    from sqlrank.cli.options import CompareGates, EvalGates
    from sqlrank.comparison.result import Comparison


def demands(
    gates: EvalGates | CompareGates, settings: Mapping[str, Any], check: Callable[[str, str], object] | None = None
) -> Demands:
    """What the options of a command demand; UsageError if one of them cannot be meant.

    `check` takes a metric and its option, and raises for one that has no gate; without it metrics are of rankings.
    """
    held = check or partial(check_metric, settings)
    floors = read_floors(getattr(gates, "fail_under", None), held)
    drops = read_gates(getattr(gates, "fail_on_drop", None), "fail_on_drop", held)
    losses = read_losses(getattr(gates, "not_worse_than", None), held)
    confidently = getattr(gates, "confidently", False)
    for option, given in (
        ("--junit reports on", gates.junit is not None),
        ("--gate-segments is for", gates.gate_segments),
    ):
        if given and not (floors or drops or losses):
            raise UsageError(f"{option} gates: give --fail-under (eval) or --fail-on-drop (compare) too")
    if gates.gate_segments and not settings.get("by"):
        raise UsageError("--gate-segments: there are no segments; give --by COLUMN")
    return Demands(floors, drops, losses, confidently, gates.gate_segments)


def check_metric(settings: Mapping[str, Any], metric: str, option: str) -> None:
    """Raise UsageError for a metric of rankings that has no gate."""
    from sqlrank.evaluation.request import language_of
    from sqlrank.metrics.language import gated_measure

    gated_measure(metric, option, language_of(settings))


def with_margins(questions: dict[str, Any], gates: CompareGates) -> dict[str, Any]:
    """The settings of a comparison with the margins of gates, as they were written; UsageError where one has two."""
    if not gates.not_worse_than:
        return questions
    told, found = margins(gates.not_worse_than, "--not-worse-than"), dict(questions.get("margins", {}))
    for metric, value in told.items():
        if found.setdefault(metric, value) != value:
            raise UsageError(f"{metric} has two margins, of --margin and --not-worse-than")
    return questions | {"margins": found}


def outcomes_of(demanded: Demands, comparison: Comparison) -> list[Outcome]:
    """The gates of values, then those of differences; UsageError where there are no values to hold to them."""
    if demanded.floors and comparison.evaluation is None:
        raise UsageError("--fail-under needs the runs; of stored per-query rows --fail-on-drop can be asked")
    floors = demanded.of_values(comparison.evaluation) if demanded.floors and comparison.evaluation else []
    return floors + demanded.of_differences(comparison)
