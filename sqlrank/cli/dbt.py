"""The command that writes models and tests of dbt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrank.cli import options as o
from sqlrank.cli.export import ChartStatement
from sqlrank.cli.groups import Group, argument, flag, option, repeated
from sqlrank.cli.terminal import show
from sqlrank.errors import UsageError
from sqlrank.options.texts import day, margins, number, whole

if TYPE_CHECKING:
    from sqlrank.export.dbt_charts import Charts
    from sqlrank.export.dbt_models import ModelRequest


def numbers(texts: list[str], option: str) -> dict[str, float]:
    """Numbers by metric."""
    return {metric: number(value, option) for metric, value in margins(texts, option).items()}


class Directory(Group, heading="Inputs"):
    """The project of dbt."""

    path: str = argument("DIR", "Folder of the dbt project, or one to be filled like it: models/ and tests/ in it")


class DbtInputs(o.SqlRelations):
    """Relations of dbt."""

    run: str | None = argument(
        "RUN",
        "Model or seed that holds the rankings, as runs, or table of a source, as warehouse.runs; or ref('runs'), "
        "source('warehouse', 'runs'). Without it, every evaluation of the settings whose run is such a call",
        required=False,
    )


class Models(Group, heading="Output"):
    """What is written."""

    model: str | None = option(
        "NAME",
        "Name of the model",
        shown="that of the evaluation, or of RUN with _quality",
        passed=False,
        flags="--name",
        common=True,
    )
    dialect: str = o.Statement.dialect
    ids: str = o.Statement.ids
    system: str | None = o.Statement.system
    keep: list[str] | None = o.Statement.keep
    incremental: str | None = option(
        "COLUMN",
        "Incremental model: each run adds the partitions of RUN, by this column, that it does not hold, or makes "
        "the one of the variable sqlrank_partition anew",
        common=True,
    )
    until: str | None = o.Statement.until
    begin: date | None = option(
        "DATE",
        "With --incremental: the first day of a model of dbt's strategy microbatch, which makes the days that dbt run "
        "is told, today and yesterday by default",
        convert=day,
    )
    check: bool = flag(
        "Write nothing; exit with code 4 where a file is not what would be written", passed=False, common=True
    )
    package: bool = flag("Instead, write the package of tests that gates need into DIR", passed=False)


class DbtGates(Group, heading="Gates"):
    """Gates, which become tests."""

    fail_under: dict[str, float] | None = repeated(
        "METRIC=VALUE",
        "Test that fails if the mean of a system is below VALUE; repeatable",
        convert=numbers,
        common=True,
    )
    fail_on_drop: dict[str, float] | None = repeated(
        "METRIC=VALUE",
        "Test that fails where the mean of a system is below that of --against by more than VALUE; repeatable",
        convert=numbers,
    )
    against: str | None = option("SYSTEM", "System that --fail-on-drop holds the others against")
    gate_segments: bool = o.Junit.gate_segments


class DbtCharts(ChartStatement):
    """Control charts, which become a model."""

    monitor: bool = flag(
        "Also a model of control charts, as of monitor, and a test that fails where one is in alarm on its last day",
        passed=False,
        common=True,
    )
    day: str | None = option("COLUMN", "Column of the days", shown="that of --incremental", passed=False)
    charts: int | None = option(
        "N",
        "How many charts share the rate of false alarms; needed with --by and with several systems",
        convert=whole(),
        passed=False,
    )


def dbt_command(
    directory: Directory,
    inputs: DbtInputs,
    metrics: o.Metrics,
    segments: o.SqlSegments,
    conventions: o.ConventionOptions,
    models: Models,
    gates: DbtGates,
    charts: DbtCharts,
) -> None:
    """Write dbt models of metrics, with their tests.

    Their SQL is what sqlrank sql prints. The models of one name hold the rows of the queries and their means, with a
    description of their columns; a test looks for faults in the inputs.

    Examples:
        sqlrank dbt . runs --qrels judgments -m ndcg@10 -m ap --name search_quality
        sqlrank dbt . warehouse.runs --qrels judgments --query-set shared --incremental ds --fail-under ndcg@10=0.4
        sqlrank dbt . runs --qrels judgments --query-set shared --incremental ds --monitor
        sqlrank dbt . runs --qrels judgments -m ndcg@10 -m ap --name search_quality --check
        sqlrank dbt sqlrank_package --package
    """
    if models.package:
        from sqlrank.export.dbt_package import write_package

        files = write_package(directory.path)
        show(f"{len(files)} files written to {directory.path}; see {directory.path}/README.md")
        return
    from sqlrank.cli.dbt_files import check, write

    groups = (directory, inputs, metrics, segments, conventions, models, gates, charts)
    asked = [model_request(*groups)] if inputs.run is not None else list(requests_of_settings(groups))
    (check if models.check else write)(directory.path, asked)


def model_request(
    directory: Directory,
    inputs: DbtInputs,
    metrics: o.Metrics,
    segments: o.SqlSegments,
    conventions: o.ConventionOptions,
    models: Models,
    gates: DbtGates,
    charts: DbtCharts,
) -> ModelRequest:
    """What the models of one name are to hold."""
    from sqlrank.export.dbt_jinja import dbt_relation
    from sqlrank.export.dbt_models import ModelRequest
    from sqlrank.export.dbt_properties import Gates
    from sqlrank.export.statement_form import Form

    run, options = inputs.run or "", o.given(inputs, metrics, segments, conventions)
    return ModelRequest(
        name=models.model or f"{dbt_relation(run, 'RUN').names[-1]}_quality",
        run=run,
        qrels=inputs.qrels,
        metrics=metrics.metrics,
        options=options,
        form=Form(
            dialect=models.dialect,
            ids=models.ids,
            system=models.system,
            keep=tuple(models.keep or ()),
            incremental=models.incremental,
            until=models.until,
            begin=None if models.begin is None else models.begin.isoformat(),
        ),
        gates=Gates(
            floors=gates.fail_under or {},
            drops=gates.fail_on_drop or {},
            against=gates.against,
            segments=gates.gate_segments,
        ),
        charts=charts_of(charts),
        project=directory.path,
    )


def charts_of(charts: DbtCharts) -> Charts | None:
    """The control charts that are asked for; UsageError for an option of theirs without --monitor."""
    from sqlrank.export.dbt_charts import Charts

    given = charts.asked
    if not charts.monitor:
        if given:
            raise UsageError(f"--{next(iter(given))} is for --monitor")
        return None
    return Charts(number=given.pop("charts", None), rule_name=given.pop("rule", None), **given)


def requests_of_settings(groups: Sequence[Group]) -> Iterator[ModelRequest]:
    """The models of every evaluation of the settings whose run is a relation of dbt, written as a call.

    UsageError if there is none, or the command line says more than the folder: an evaluation would not hear of it.
    """
    from sqlrank.cli.project_settings import find_settings
    from sqlrank.export.dbt_jinja import CALL

    folder, settings = groups[0].path, find_settings(Path.cwd())  # type: ignore[attr-defined]
    tables = {} if settings is None else settings.evaluations
    names = [name for name, table in tables.items() if CALL.fullmatch(str(table.get("run", "")))]
    if not names:
        raise UsageError(
            "argument RUN is missing: name the model of the rankings, such as runs; or let evaluations of sqlrank.toml"
            " say run = \"ref('runs')\". The package of tests is written with --package"
        )
    for given, alone in zip(groups, parsed(groups, [folder]), strict=True):
        for key, value in vars(given).items():
            if key != "check" and value != getattr(alone, key):
                raise UsageError(f"{key} is for one model: name its RUN, or --config {names[0]}; or set it in the file")
    for name in names:
        yield model_request(*parsed(groups, [folder, "--config", name]))


def parsed(groups: Sequence[Group], words: Sequence[str]) -> list[Any]:
    """The groups of options that a command line gives."""
    import typer

    from sqlrank.cli.application import CommandGroup

    group = CommandGroup(name="sqlrank")
    command = group.get_command(typer.Context(group), "dbt")
    values = command.make_context("dbt", list(words)).params
    return [type(each)(values) for each in groups]
