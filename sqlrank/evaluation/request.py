"""What is asked of some inputs, and the steps that answer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import duckdb

from sqlrank.engines.protocol import Engine
from sqlrank.errors import UsageError
from sqlrank.evaluation.checks import EvaluationChecks
from sqlrank.evaluation.engine_choice import choose_engine
from sqlrank.evaluation.evaluate import Evaluation
from sqlrank.evaluation.result import Result
from sqlrank.evaluation.settled import settle
from sqlrank.inputs.open import open_inputs
from sqlrank.inputs.opened import Inputs
from sqlrank.inputs.reading import named_run
from sqlrank.metrics.measure import Measure
from sqlrank.statement.columns import inputs_of, reads_judgments
from sqlrank.statement.templates import render


class Request:
    """What is asked of some inputs: the measures, the conventions, and how to read.

    Args:
        metrics: texts such as `ndcg@10`; None for the default ones.
        options: conventions and ways of reading by name.
        texts: whether metrics that are texts may be asked for.
    """

    def __init__(self, metrics: str | Iterable[str] | None, options: Mapping[str, Any], texts: bool = False) -> None:
        self.settled = settle(metrics, options, texts)
        self.measures, self.conventions = self.settled.measures, self.settled.conventions
        self.reading = self.settled.reading

    def of(self, measures: Iterable[Measure]) -> Request:
        """The same for other measures."""
        other = copy(self)
        other.measures = tuple(dict.fromkeys(measures))
        other.settled = replace(self.settled, measures=other.measures)
        return other

    @property
    def own(self) -> list[Measure]:
        """The measures whose SQL is the user's."""
        return [measure for measure in self.measures if measure.metric.folder is not None]

    def connect(
        self,
        inputs: Sequence[Any],
        systems: Mapping[str, Any] | None,
        connection: duckdb.DuckDBPyConnection | None = None,
        threads: int | None = None,
        memory_limit: str | None = None,
        temp_dir: str | None = None,
        progress: bool = False,
        engine: Any = None,
    ) -> Engine:
        """The engine asked for, on the connection or session passed, on that of an input, or on one of its own."""
        listed = [one for data in inputs for one in (data if isinstance(data, list | tuple) else [data])]
        given = [*listed, *(systems or {}).values(), *self.reading.others().values()]
        settings = {"threads": threads, "memory_limit": memory_limit, "temp_dir": temp_dir}
        return choose_engine(engine, given, self.settled, connection, progress, **settings)

    def open(
        self, engine: Engine, runs: list[tuple[str | None, Any]], qrels: Any, writes: Sequence[str] = ()
    ) -> Inputs:
        """Open the inputs; where SQL of the user will run, let it read nothing else."""
        needs = inputs_of(self.measures)
        judged = [measure.text for measure in self.measures if reads_judgments(measure)]
        needs |= {"judgments": ", ".join(judged)} if judged else {}
        return open_inputs(
            engine,
            runs,
            qrels,
            self.reading,
            self.conventions,
            needs,
            writes,
            locked=bool(self.own),
            judged=bool(judged) or None,
            given=self.settled.given,
            preset=self.settled.language.preset,
        )

    def evaluate(
        self,
        engine: Engine,
        runs: list[tuple[str | None, Any]],
        qrels: Any,
        checks: bool,
        writes: Sequence[str],
    ) -> Result:
        """Open, check and evaluate."""
        inputs = self.open(engine, runs, qrels, writes)
        settled = replace(self.settled, conventions=inputs.conventions)
        checker = EvaluationChecks(engine, inputs, settled)
        if checks:
            checker.before()
        result = Evaluation(engine, inputs, settled).result(checker, checks)
        table = inputs.tables["run"]
        if self.settled.language.texts and table is not None and table.canonical and "tag" in table.columns:
            result.run_id = engine.execute(render("sources/run_id.sql", engine.dialect, reader=table.reader))[0][0]
        return result

    def show(self, engine: Engine, runs: list[tuple[str | None, Any]], qrels: Any) -> list[str]:
        """The statements that an evaluation runs, as text."""
        inputs = self.open(engine, runs, qrels)
        return Evaluation(engine, inputs, replace(self.settled, conventions=inputs.conventions)).shown()


def list_runs(run: Any, systems: Mapping[str, Any] | None) -> list[tuple[str | None, Any]]:
    """The runs with the names given to their systems.

    Raises:
        UsageError: there is no run, or it is given twice.
    """
    if (run is None) == (systems is None):
        raise UsageError("give one run, or several with systems={name: run}")
    if systems is not None:
        return [(str(name), data) for name, data in systems.items()]
    given = list(run) if isinstance(run, list | tuple) else [run]
    if not given:
        raise UsageError("the list of runs is empty")
    for data in given if isinstance(run, list | tuple) else ():
        if data is None or isinstance(data, list | tuple | bytes | int | float):
            raise UsageError(
                f"a list holds several runs, each a path, a frame or {{query: {{document: score}}}}, not {data!r:.60};"
                " for rows, make a data frame of them"
            )
    return [named_run(data) if isinstance(data, str) else (None, data) for data in given]
