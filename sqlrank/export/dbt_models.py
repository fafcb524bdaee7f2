"""Models of dbt: the statements of `sqlrank sql` over its relations, with their properties and a test of the inputs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from typing import Any

from sqlrank.dialects import Dialect, comment_text
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import request_of
from sqlrank.export.dbt_charts import Charts, alarms_of, charts_of
from sqlrank.export.dbt_jinja import ASKED, ENDING, IF_REMADE, THIS, DbtRelation, dbt_relation, escaped
from sqlrank.export.dbt_properties import Gates, properties
from sqlrank.export.statement import Settled, settled, settled_sql, with_settings
from sqlrank.export.statement_form import Form, command_of
from sqlrank.export.table_statement import counted
from sqlrank.metrics.measure import of_systems
from sqlrank.statement.summaries import means_of_rows
from sqlrank.statement.templates import render, sql_text
from sqlrank.version import __version__

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
RELATIONS = ("positives", "queries", "items", "history", "baseline_run")
"""The options that name further relations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What the models of one name are to hold, as the command says it."""

    name: str
    run: str
    qrels: str | None = None
    metrics: Sequence[str] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Conventions and ways of reading, as `sqlrank.sql` takes them, with relations as the command names them."""
    form: Form = field(default_factory=Form)
    """The dialect, the name of the system, what is kept, and the column of an incremental model."""
    gates: Gates = field(default_factory=Gates)
    charts: Charts | None = None
    """The control charts that are made of the rows too."""
    project: str = "."
    """The folder of the project, in which the command is to be run."""

    @property
    def command(self) -> str | None:
        """The command that writes the files again; None where no comment may hold it."""
        charts = {} if self.charts is None else {"monitor": True} | asdict(self.charts)
        shown: dict[str, Any] = dict(self.options) | self.gates.options() | charts | {"name": self.name}
        for kind in RELATIONS:
            if self.options.get(kind) is not None:
                shown[kind] = dbt_relation(self.options[kind], f"--{kind.replace('_', '-')}").word
        if self.options.get("metrics_dir") is not None:
            shown["metrics_dir"] = os.path.relpath(self.options["metrics_dir"], self.project)
        run = dbt_relation(self.run, "RUN").word
        qrels = None if self.qrels is None else dbt_relation(self.qrels, "--qrels").word
        return command_of(run, qrels, self.metrics or (), self.form, shown, ("sqlrank", "dbt", "."))

    def settled(self, check: bool = False) -> Settled:
        """What the request, or a check of its inputs, comes to over relations of dbt; UsageError if nothing can."""
        options, whole = dict(self.options), self.form.begin is not None and not check
        for kind in RELATIONS:
            if options.get(kind) is not None:
                options[kind] = dbt_relation(options[kind], f"--{kind.replace('_', '-')}", whole).expression
        run = dbt_relation(self.run, "RUN", whole).expression
        qrels = None if self.qrels is None else dbt_relation(self.qrels, "--qrels", whole).expression
        asked = self.metrics or request_of(None, options).texts
        create = None if self.form.incremental is None else ("table", THIS)
        form = replace(self.form, check=check, create=create, command=self.command, model=True, name=self.name)
        return settled(run, qrels, request_of([*asked, *self.gates.metrics], options), form)


def model_files(asked: ModelRequest) -> dict[str, str]:
    """The files of the models of one name, by their path in a project.

    Raises:
        UsageError: a name is no relation of dbt, an option cannot be said in a statement, or nothing can be charted.
    """
    if not NAME.fullmatch(asked.name):
        raise UsageError(f"--name {asked.name}: a model has a name of letters, digits and _, such as search_quality")
    made = asked.settled()
    head = comment_text(f"sqlrank {__version__}: {asked.command or asked.name}")
    files = {f"models/{asked.name}.sql": configured(settled_sql(made, named=True), made)}
    if not of_systems(made.request.measures):
        files[f"models/{asked.name}_summary.sql"] = f"-- {head}\n{summary_of(made, asked.name)}"
    files[f"models/{asked.name}.yml"] = f"# {head}\n{properties(asked.name, made, asked.gates, asked.charts)}"
    files[f"tests/{asked.name}_inputs.sql"] = settled_sql(asked.settled(check=True))
    if asked.charts is not None:
        files[f"models/{asked.name}_charts.sql"] = f"-- {head}\n{charts_of(asked.name, made, asked.charts)}"
        files[f"tests/{asked.name}_alarms.sql"] = f"-- {head}\n{alarms_of(asked.name, made, asked.charts)}"
    return files


def configured(text: str, made: Settled) -> str:
    """A statement with the configuration of an incremental model below its header."""
    partition, ident = made.inputs.partition, made.dialect.ident
    if partition is None:
        return text
    lines = text.splitlines(keepends=True)
    header = list(takewhile(lambda line: line.startswith("--"), lines))
    config = render(
        "incremental.sql",
        made.dialect,
        strategy=sql_text("microbatch" if made.form.begin else made.dialect.dbt_strategy),
        event_time=sql_text(repr(ident(partition.column))),
        begin=sql_text(made.form.begin or ""),
        keyed=made.dialect.dbt_batches == "merge",
        columns=sql_text(repr([ident(partition.column), *([ident("system")] if made.inputs.several else [])])),
        deletion=sql_text(deletion(made.dialect, partition.column)),
        promises=[sql_text(line) for line in counted(made.inputs)],
    )
    return "".join([*header, config, *lines[len(header) :]])


def deletion(dialect: Dialect, column: str) -> str:
    """A text of Jinja that holds the statement, in Jinja again, which deletes the partition that is asked for."""
    asked = ASKED.replace('"', "'")
    text = render(
        "deletion.sql", dialect, table=sql_text(THIS), column=column, asked=sql_text(asked), day=None
    ).rstrip()
    return json.dumps(IF_REMADE + escaped(text, [asked]) + ENDING, ensure_ascii=False)


def summary_of(made: Settled, name: str) -> str:
    """The means of the rows that the model of a name holds."""
    rows = DbtRelation("ref", (name,)).expression
    text = means_of_rows(made.dialect, made.request.measures, made.inputs, made.request.conventions, sql_text(rows))
    text = escaped(text, [rows])
    if (partition := made.inputs.partition) is not None:
        text = render("built.sql", made.dialect, means=sql_text(text), rows=sql_text(rows), column=partition.column)
    return with_settings(text, made.dialect)
