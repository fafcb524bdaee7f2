"""Judgments that are read once, for many evaluations in one process."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.instances import Instance
from sqlrank.engines.open_result import closed_on_error
from sqlrank.evaluation.behaviour_labels import marks_of
from sqlrank.evaluation.evaluate import evaluate_request
from sqlrank.evaluation.flow import connection_of, spark_asked
from sqlrank.evaluation.request import Request, list_runs
from sqlrank.evaluation.result import Result
from sqlrank.inputs.duckdb_tables import open_table
from sqlrank.statement.templates import render, sql_text

NAME = "sqlrank_judgments"


class KeptJudgments:
    """Judgments in an instance of DuckDB of our own, which every evaluation has a connection of its own to.

    Args:
        request: what every evaluation asks for.
        qrels: the judgments, as `evaluate` takes them.
        settings: threads, memory limit and folder of temporary files of the instance.
    """

    def __init__(self, request: Request, qrels: Any, settings: Mapping[str, Any]) -> None:
        self.request, self.temp_dir = request, settings.get("temp_dir")
        self.process = os.getpid()
        self.host = DuckDBEngine(**settings)
        instance = self.host.instance
        assert isinstance(instance, Instance)  # noqa: S101 it visits none
        self.instance = instance
        self.instance.reserve()
        with closed_on_error(self.host):
            table = open_table(self.host, qrels, request.reading.judged_role, request.reading)
            self.host.execute(render("sources/kept.sql", self.host.dialect, name=NAME, reader=table.reader))
            reader = sql_text(self.host.dialect.ident(NAME))
            marks = marks_of(self.host, table)
            self.table = replace(table, reader=reader, files=(), costly=False, portable=None, marks=marks)
        self.instance.spent = False  # what was done to read them is done

    def evaluated(self, run: Any, systems: Mapping[str, Any] | None, checks: bool, progress: bool) -> Result:
        """The result of one run, or of several by their names."""
        engine = DuckDBEngine(host=self.host, temp_dir=self.temp_dir, progress=progress)
        with closed_on_error(engine):
            return evaluate_request(engine, self.request, list_runs(run, systems), self.table, checks)

    @property
    def usable(self) -> bool:
        """Whether nothing was done to the instance that a further evaluation would see."""
        return not self.instance.spent

    @property
    def inherited(self) -> bool:
        """Whether they are of the parent of this process: the threads of their instance were left behind."""
        return self.process != os.getpid()


def as_it_is(data: Any) -> Any:
    """Judgments that do not change when what was given does; what cannot change as it is."""
    if isinstance(data, list | tuple):
        return [as_it_is(each) for each in data]
    if isinstance(data, Mapping):
        return {query: copy(documents) for query, documents in data.items()}
    return data.copy() if type(data).__module__.partition(".")[0] == "pandas" else data


def keeps(request: Request, inputs: Sequence[Any], settings: Mapping[str, Any]) -> bool:
    """Whether the last of the inputs can be kept: judgments that a DuckDB of our own reads, and no SQL of the user."""
    own = any(measure.metric.folder is not None for measure in request.measures)
    apart = own or bool(request.reading.own_sql) or request.reading.database is not None
    given = [one for data in inputs for one in (data if isinstance(data, list | tuple) else [data])]
    elsewhere = [settings.get("connection"), spark_asked(settings.get("engine"), given), connection_of(given)]
    standard_input = any(isinstance(data, str) and data == "-" for data in given)
    several = isinstance(inputs[-1], list | tuple)
    return not (apart or standard_input or several or given[-1] is None or any(each is not None for each in elsewhere))
