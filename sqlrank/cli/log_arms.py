"""The command on the arms of an A/B test: log arms."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from sqlrank.choices import ARM_TESTS, UNITS
from sqlrank.cli import options as o
from sqlrank.cli.completion import column_names
from sqlrank.cli.groups import Group, flag, option, repeated
from sqlrank.cli.log import Counted, Log
from sqlrank.cli.terminal import Outputs, input_files, output_file
from sqlrank.cli.values import day, shares, whole
from sqlrank.errors import Outcome

if TYPE_CHECKING:
    from sqlrank.experiments.result import ArmComparison


class Experiment(Group, heading="Metrics"):
    """What is compared, of which units, and in which segments."""

    metrics: list[str] | None = repeated(
        "METRIC",
        "Metric: ctr, clicks, success, rr_click, click_at_1, abandonment, first_click, time_to_click or impressions; "
        "repeatable [default: ctr, success, rr_click, and time_to_click where the log tells it]",
        flags="--metric -m",
        common=True,
    )
    baseline: str | None = option("NAME", "The arm that the others are compared with", passed=False, common=True)
    by: list[str] | None = repeated(
        "COLUMN",
        "Segment by this column of the log too, besides the total; repeatable",
        complete=column_names,
        common=True,
    )
    unit: str | None = option("WORD", "Randomization unit", shown="user, else session, else impression", words=UNITS)
    shares: dict[str, float] | None = repeated(
        "ARM=SHARE",
        "Planned share of units of an arm; A=0.5,B=0.5 for several",
        shown="equal",
        convert=shares,
    )
    before: date | None = option(
        "DAY",
        "First day of the test; behaviour before it reduces the variance (CUPED)",
        convert=day,
        common=True,
    )


class ArmSignificance(o.Alpha):
    """How differences are tested."""

    test: str | None = option("WORD", "Significance test", shown=ARM_TESTS[0], words=ARM_TESTS)
    correction: str | None = o.correction_option("the totals and over the segments")
    alternative: str | None = o.alternative_option()
    all_pairs: bool = flag("Compare every pair of arms, not only each with the baseline")
    sequential: bool = flag("Always-valid intervals and p values, for looking while the test runs", common=True)
    planned: int | None = option(
        "N", "Number of units at which those are narrowest; choose it before looking", shown="1000", convert=whole(1)
    )
    replicates: int | None = o.Significance.replicates
    seed: int | None = o.Significance.seed
    margins: list[str] | None = o.Significance.margins


class ArmOutput(o.TableOutput, o.Plotted):
    """Output of log arms."""

    days: bool = flag("Also show the difference of every day and its trend", passed=False)


def log_arms_command(
    inputs: Log,
    experiment: Experiment,
    counted: Counted,
    significance: ArmSignificance,
    gates: o.CompareGates,
    output: ArmOutput,
    resources: o.Resources,
) -> None:
    """Compare the arms of an A/B test from its log.

    The arm is a column of the log (--column arm=NAME), else its system. Metrics are means of each unit over its
    impressions, then over units. Units that were not split as planned (chi square, p below 0.001) leave no verdict: the
    exit code is 4 then, as for a gate that failed.

    Examples:
        sqlrank log arms log.parquet --baseline A
        sqlrank log arms log.parquet --baseline A --before 2026-10-19 --by device
        sqlrank log arms log.parquet --baseline A -m success -m abandonment --fail-on-drop success=1%
    """
    from sqlrank.cli.gates import demands, with_margins
    from sqlrank.cli.outcomes import conclude
    from sqlrank.experiments.flow import check_gate
    from sqlrank.log import arms
    from sqlrank.output.experiments import check_kind, write_arms
    from sqlrank.process.output_files import opened

    settings: dict[str, Any] = o.given(inputs, experiment, counted, resources)
    outputs, report = Outputs(output), output_file(gates.junit)
    check_kind(outputs.kind, output.days)
    demanded = demands(gates, settings, check_gate)
    settings |= with_margins(significance.given(), gates)
    with (
        opened([outputs.file, report], input_files(inputs.log, None, settings)) as writes,
        arms(
            inputs.log,
            baseline=experiment.baseline,
            gates=demanded.metrics,
            writes=writes,
            progress=output.progress,
            **settings,
        ) as result,
    ):
        outcomes = with_split(result, demanded.of_differences(result))
        write_arms(result, outputs.destination, output.days)
        outputs.tell(result.notes, result.remarks)
        conclude(outcomes, "log arms", report)


def with_split(result: ArmComparison, outcomes: list[Outcome]) -> list[Outcome]:
    """The gates beside that of the split: where units were not split as planned none of them holds."""
    failure = result.split.failure
    if failure is not None:
        outcomes = [each._replace(failure=f"{each.name}: no verdict, as the split is off") for each in outcomes]
    return [Outcome("units are split as planned", failure), *outcomes]
