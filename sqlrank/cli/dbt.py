"""The command that writes models and tests of dbt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlrank.cli import options as o
from sqlrank.cli.export import SqlRelations, charts_asked
from sqlrank.cli.groups import Group, argument
from sqlrank.cli.terminal import show
from sqlrank.errors import UsageError
from sqlrank.export.dbt_options import DbtCharts, DbtGates, DbtModels
from sqlrank.export.options import ChartedDays, FormOptions
from sqlrank.options.declared import picked

if TYPE_CHECKING:
    from sqlrank.export.dbt_models import ModelRequest
    from sqlrank.export.statement_form import Form


class Directory(Group, heading="Inputs"):
    """The project of dbt."""

    path: str = argument("DIR", "Folder of the dbt project, or one to be filled like it: models/ and tests/ in it")


class DbtInputs(SqlRelations):
    """Relations of dbt."""

    run: str | None = argument(
        "RUN",
        "Model or seed that holds the rankings, as runs, or table of a source, as warehouse.runs; or ref('runs'), "
        "source('warehouse', 'runs'). Without it, every evaluation of the settings whose run is such a call",
        required=False,
    )


class Models(
    Group, heading="Statement", takes=[DbtModels, picked(FormOptions, "dialect", "ids", "system", "keep", "until")]
):
    """What is written."""

    model: str | None
    begin: date | None
    check: bool
    package: bool

    @property
    def form(self) -> Form:
        """The form of the statements."""
        from sqlrank.export.statement_form import form_of

        begin = None if self.begin is None else self.begin.isoformat()
        return form_of(self.given() | {"check": False}, begin=begin)


class GateTests(Group, heading="Gates", takes=[DbtGates]):
    """Gates, which become tests."""

    gate_segments: bool = o.Junit.gate_segments


class ChartModel(Group, heading="Charts", takes=[DbtCharts, picked(ChartedDays, "rule", "direction", "baseline_days")]):
    """Control charts, which become a model."""


def dbt_command(
    directory: Directory,
    inputs: DbtInputs,
    metrics: o.Metrics,
    conventions: o.ConventionOptions,
    models: Models,
    gates: GateTests,
    charts: ChartModel,
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

    groups = (directory, inputs, metrics, conventions, models, gates, charts)
    asked = [model_request(*groups)] if inputs.run is not None else list(requests_of_settings(groups))
    (check if models.check else write)(directory.path, asked)


def model_request(
    directory: Directory,
    inputs: DbtInputs,
    metrics: o.Metrics,
    conventions: o.ConventionOptions,
    models: Models,
    gates: GateTests,
    charts: ChartModel,
) -> ModelRequest:
    """What the models of one name are to hold."""
    from sqlrank.export.dbt_charts import Charts
    from sqlrank.export.dbt_jinja import dbt_relation
    from sqlrank.export.dbt_models import ModelRequest
    from sqlrank.export.dbt_properties import Gates

    run, asked = inputs.run or "", charts_asked(charts)
    return ModelRequest(
        name=models.model or f"{dbt_relation(run, 'RUN').names[-1]}_quality",
        run=run,
        qrels=inputs.qrels,
        metrics=metrics.metrics,
        options=o.given(inputs, metrics, conventions),
        form=models.form,
        gates=Gates(**gates.given()),
        charts=None if asked is None else Charts(**asked),
        project=directory.path,
    )


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
