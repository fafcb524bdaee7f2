"""The command that watches metrics over days."""

from __future__ import annotations

from typing import Any

from sqlrank.cli import options as o
from sqlrank.cli.completion import column_names
from sqlrank.cli.groups import Group, argument, flag, repeated
from sqlrank.cli.pages import Report
from sqlrank.cli.terminal import Outputs, input_files
from sqlrank.errors import GateError, UsageError
from sqlrank.evaluation import options as e
from sqlrank.monitoring.options import Charts as ChartOptions
from sqlrank.options.declared import picked
from sqlrank.options.texts import notes_of_days


class MonitorInputs(
    Group,
    heading="Inputs",
    takes=[e.PairInputs, e.Columns, e.Files, e.Items, e.FromBehaviour, e.Checks],
):
    """Inputs of monitor."""

    run: str = argument(
        "EXPORT",
        "An export with a row for each document shown and its day, as eval takes it; a store of eval --store; or "
        "Parquet with per-query rows, which eval --by DAY --per-query FILE wrote",
    )
    qrels: str | list[str] | None = o.Runs.qrels


class Charts(Group, heading="Charts", takes=[ChartOptions]):
    """What is watched, and how."""

    strict: bool = flag("Almost no false alarms, but slower: the same as --rule cs", passed=False, common=True)


class MonitorSegments(Group, heading="Segments and weights", takes=[picked(e.Segments, "weight", "queries")]):
    """Charts of segments, and weights of queries."""

    by: list[str] | None = repeated(
        "COLUMN",
        "Also a chart for each value of this column, as for eval; repeatable",
        complete=column_names,
        common=True,
    )


class MonitorOutput(o.Reported, o.TableOutput):
    """Output of monitor."""

    all_days: bool = flag("Also show a row for each day and chart in the table, as the other formats have")


class MonitorReport(Report):
    """The charts, and what happened, which -o FILE.html writes."""

    note: list[tuple[str, str]] | None = repeated(
        "DAY=TEXT",
        "What happened on a day, shown in the charts of the report; repeatable",
        convert=notes_of_days,
    )

    def settings(self) -> dict[str, Any]:
        """The same, with what happened."""
        asked = super().settings()
        return asked | {"notes": asked.pop("note", ())}


def monitor_command(
    inputs: MonitorInputs,
    metrics: o.Metrics,
    charts: Charts,
    segments: MonitorSegments,
    conventions: o.ConventionOptions,
    output: MonitorOutput,
    report: MonitorReport,
    resources: o.Resources,
) -> None:
    """Monitor daily metrics with control charts and alarms.

    Each metric, and each segment of --by, has a chart that compares its daily values with a baseline. Differences
    between weekdays and correlated days are found in the baseline and taken into account. All charts share one
    false-alarm rate. Exit code 4 says that a chart is in alarm on its last day.

    Examples:
        sqlrank monitor export.parquet --day dt -m ndcg@10
        sqlrank monitor export.parquet --day dt -m ndcg@10 --by country --strict -o - -o watch.html
        sqlrank monitor results -m ndcg@10
        sqlrank monitor per_query.parquet --day dt --baseline-days 2026-01-01..2026-02-11 -o chart.csv
    """
    from sqlrank.monitoring.flow import monitor
    from sqlrank.process.output_files import opened

    settings = o.given(inputs, metrics, charts, segments, conventions, resources)
    if charts.strict and settings.setdefault("rule", "cs") != "cs":
        raise UsageError(f"--strict is --rule cs: leave out --rule {settings['rule']}")
    outputs = Outputs(output, report=report)
    outputs.check("Monitored", drawn=True)
    settings["progress"] = output.progress
    paths = input_files([inputs.run], inputs.qrels, settings)
    with (
        opened(outputs.files, paths) as writes,
        monitor(inputs.run, inputs.qrels, metrics.metrics, writes=writes, **settings) as result,
    ):
        outputs.write(result)
        outputs.tell(result.notes, result.remarks)
        if result.alarms:
            raise GateError("; ".join(result.alarms_in_words()))
