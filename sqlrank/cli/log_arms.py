"""The command on the arms of an A/B test: log arms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlrank.cli import options as o
from sqlrank.cli.groups import Group, flag, repeated
from sqlrank.cli.log import Counted, Log
from sqlrank.cli.pages import Titled
from sqlrank.cli.terminal import Outputs, input_files, output_file
from sqlrank.errors import Outcome
from sqlrank.experiments.options import ArmTest, Experiment

if TYPE_CHECKING:
    from sqlrank.experiments.result import ArmComparison


class Arms(Group, heading="Metrics", takes=[Experiment]):
    """What is compared, of which units, and in which segments."""

    metrics: list[str] | None = repeated(
        "METRIC",
        "Metric: ctr, clicks, success, rr_click, click_at_1, abandonment, first_click, time_to_click or impressions; "
        "repeatable [default: ctr, success, rr_click, and time_to_click where the log tells it]",
        flags="--metric -m",
        common=True,
    )


class ArmSignificance(Group, heading="Significance", takes=[ArmTest]):
    """How differences are tested."""


class ArmOutput(o.Reported, o.TableOutput, o.Plotted):
    """Output of log arms."""

    days: bool = flag("Also show the difference of every day and its trend", passed=False)


def log_arms_command(
    inputs: Log,
    experiment: Arms,
    counted: Counted,
    significance: ArmSignificance,
    gates: o.CompareGates,
    output: ArmOutput,
    report: Titled,
    resources: o.Resources,
) -> None:
    """Compare the arms of an A/B test from its log.

    The arm is a column of the log (--column arm=NAME), else its system. Metrics are means of each unit over its
    impressions, then over units. A sample ratio mismatch (chi square, p below 0.001) leaves no verdict: the exit code
    is 4 then, as for a gate that failed.

    Examples:
        sqlrank log arms log.parquet --baseline A
        sqlrank log arms log.parquet --baseline A --before 2026-10-19 --by device
        sqlrank log arms log.parquet --baseline A -m success -m abandonment --fail-on-drop success=1%
    """
    from sqlrank.cli.gates import demands, with_margins
    from sqlrank.cli.outcomes import conclude
    from sqlrank.experiments.flow import arms, check_gate
    from sqlrank.process.output_files import opened

    settings: dict[str, Any] = o.given(inputs, experiment, counted, resources)
    outputs, junit = Outputs(output, report=report), output_file(gates.junit)
    outputs.check("ArmComparison")
    demanded = demands(gates, settings, check_gate)
    settings |= with_margins(significance.given(), gates)
    with (
        opened([*outputs.files, junit], input_files(inputs.log, None, settings)) as writes,
        arms(
            inputs.log,
            gates=demanded.metrics,
            writes=writes,
            progress=output.progress,
            **settings,
        ) as result,
    ):
        outcomes = with_split(result, demanded.of_differences(result))
        outputs.write(result, gates=outcomes)
        outputs.tell(result.notes, result.remarks)
        conclude(outcomes, "log arms", junit)


def with_split(result: ArmComparison, outcomes: list[Outcome]) -> list[Outcome]:
    """The gates other than that of the split: none of them holds where units were not split as planned."""
    failure = result.split.failure
    if failure is not None:
        why = "no verdict, because of the sample ratio mismatch"
        outcomes = [each._replace(failure=f"{each.name}: {why}") for each in outcomes]
    return [Outcome("units are split as planned", failure), *outcomes]
