"""What is asked of some inputs, settled before anything is read, and the steps that answer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypedDict

import duckdb

from sqlrank.builder import Inputs
from sqlrank.checks import Checker
from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError, nearest
from sqlrank.inputs import open_inputs
from sqlrank.measures import Measure, of_systems
from sqlrank.metrics import Language, columns_of, default_texts, parse_measures
from sqlrank.observations import check_average, inputs_of
from sqlrank.plan import Plan
from sqlrank.presets import find_preset
from sqlrank.rank_plans import Planner, RankPlan
from sqlrank.reading import Reading, named_run
from sqlrank.results import Result
from sqlrank.statements import overall, statement
from sqlrank.templates import render


class Options(TypedDict, total=False):
    """Everything that can be said of an evaluation besides its inputs and metrics; see `Conventions` and `Reading`."""

    like: str | None
    metrics_dir: str | None
    rel: float
    ties: str
    order: str
    score_type: str
    depth: int | None
    query_set: str
    empty: str
    unjudged: str
    duplicates: str
    judgments: str
    by: str | Sequence[str]
    weight: str | None
    queries: Any
    items: Any
    history: Any
    baseline: Any
    where: str | None
    columns: Mapping[str, str]
    relevance_map: Mapping[str, float]
    input_format: str | None
    header: bool
    database: str | None


CONVENTIONS = frozenset(item.name for item in fields(Conventions))
READING = frozenset(item.name for item in fields(Reading))


LANGUAGE = frozenset(("like", "metrics_dir"))


@dataclass(frozen=True)
class Settled:
    """What metrics and options mean together."""

    measures: tuple[Measure, ...]
    language: Language
    conventions: Conventions
    reading: Reading


def language_of(options: Mapping[str, Any], texts: bool = False) -> Language:
    """What texts of metrics mean under these options."""
    preset = find_preset(options.get("like"))
    rel = options.get("rel", preset.conventions.get("rel", 1.0) if preset else 1.0)
    return Language(float(rel), options.get("metrics_dir"), preset, texts)


def texts_of(metrics: Iterable[str] | None, options: Mapping[str, Any]) -> list[str]:
    """The metrics asked for, or the default ones: trec_eval's own where its output is asked for."""
    if not metrics and options.get("texts"):
        return ["official"]
    return list(metrics) if metrics else default_texts(language_of(options))


def settle(metrics: str | Iterable[str] | None, options: Mapping[str, Any], texts: bool = False) -> Settled:
    """The measures, conventions and ways of reading that are asked for; single options win over `like`.

    Args:
        metrics: texts such as `ndcg@10`; None for the default ones.
        options: by name.
        texts: whether metrics that are texts may be asked for.

    Raises:
        UsageError: an option, its value or a metric is not known, or the tool of `like` has no such metric.
    """
    known = CONVENTIONS | READING | LANGUAGE
    for name in options:
        if name not in known:
            raise UsageError(f"there is no option {name!r}{nearest(name, sorted(known))}")
    language = language_of(options, texts)
    preset = language.preset
    measures = parse_measures(default_texts(language) if metrics is None else metrics, language)
    reading = {name: value for name, value in options.items() if name in READING}
    by = reading.get("by") or ()
    reading["by"] = (by,) if isinstance(by, str) else tuple(by)
    conventions = preset.settled(measures) if preset else {}
    conventions |= {name: value for name, value in options.items() if name in CONVENTIONS}
    settled = Settled(measures, language, Conventions(**conventions), Reading(**reading))
    if settled.conventions.ties == "average":
        check_average(measures)
    return settled


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
        self.query_set_given = "query_set" in options

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
    ) -> DuckDBEngine:
        """An engine on the connection passed, on that of a relation among the inputs, or on one of its own."""
        given = connection or connection_of([*inputs, *(systems or {}).values(), *self.reading.others().values()])
        return DuckDBEngine(given, threads=threads, memory_limit=memory_limit, temp_dir=temp_dir, progress=progress)

    def open(
        self, engine: DuckDBEngine, runs: list[tuple[str | None, Any]], qrels: Any, writes: Sequence[str] = ()
    ) -> Inputs:
        """Open the inputs; where SQL of the user will run, let it read nothing else."""
        needs = inputs_of(self.measures)
        locked = bool(self.own)
        return open_inputs(engine, runs, qrels, self.reading, self.conventions, needs, writes, locked)

    def rank(self, engine: DuckDBEngine, inputs: Inputs, documents: int | None = None) -> RankPlan:
        """How the documents, so many if that is known, are ranked; the tables that the statement reads are made."""
        needs = self.needs(diagnostics=True)
        return Planner(engine, inputs.context, needs, self.conventions, documents).choose()

    def needs(self, diagnostics: bool) -> Plan:
        """What the measures need of the observations."""
        return Plan(columns_of(self.measures), self.conventions, diagnostics)

    def statement(self, inputs: Inputs, ranking: RankPlan, diagnostics: bool) -> str:
        """The statement over the opened inputs that gives a row per query."""
        said = [f"ranked by plan {ranking.name}: {ranking.reason}"]
        needs = self.needs(diagnostics)
        return statement(DuckDBEngine.dialect, inputs.context, needs, self.conventions, said, ranking.context)

    def overall(self, inputs: Inputs) -> str | None:
        """The statement that gives the metrics of whole systems, if one was asked for."""
        measures = of_systems(self.measures)
        return overall(DuckDBEngine.dialect, inputs.context, measures, self.conventions) if measures else None

    def statements(self, inputs: Inputs, ranking: RankPlan, overall_statement: str | None) -> list[str]:
        """What is to be shown: the statements that give what was asked for, the one of whole systems last."""
        shown = [overall_statement]
        if any(measure.metric.grain == "query" for measure in self.measures):
            shown.insert(0, self.statement(inputs, ranking, diagnostics=False))
        return [text for text in shown if text is not None]

    def evaluate(
        self,
        engine: DuckDBEngine,
        runs: list[tuple[str | None, Any]],
        qrels: Any,
        checks: bool,
        writes: Sequence[str],
    ) -> Result:
        """Open, check, run, summarise, and check what only the result shows."""
        inputs = self.open(engine, runs, qrels, writes)
        checker = Checker(engine, inputs, self.measures, self.conventions, self.reading, self.settled.language.preset)
        if checks:
            checker.before(self.query_set_given)
        notes = inputs.notes + ([] if checks else ["the inputs were not checked (--no-checks)"])
        ranking = self.rank(engine, inputs, checker.rows_read.get("run"))
        if checks:
            checker.duplicates(ranking.documents)
        of_whole_systems = self.overall(inputs)
        result = Result(
            engine,
            self.measures,
            self.settled.language,
            self.conventions,
            inputs.context,
            lambda: self.statements(inputs, ranking, of_whole_systems),
            [*inputs.sources, *ranking.statements],
            notes,
            ranking,
        )
        try:
            result.compute(self.statement(inputs, ranking, diagnostics=True), of_whole_systems)
        except UsageError as error:
            own = ", ".join(f"{measure.metric.folder}/{measure.metric.template}" for measure in self.own)
            raise UsageError(f"{own}: {error}" if own else str(error)) from error
        shared = sum(counts.shared for counts in result.counts.values())
        checker.after(result.per_query_table, shared, sum(result.judged_documents.values()))
        result.notes += checker.notes
        table = inputs.tables["run"]
        if self.settled.language.texts and table is not None and table.canonical and "tag" in table.columns:
            result.run_id = engine.execute(render("sources/run_id.sql", engine.dialect, reader=table.reader))[0][0]
        return result


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
    return [named_run(data) if isinstance(data, str) else (None, data) for data in given]


def connection_of(inputs: Sequence[Any]) -> duckdb.DuckDBPyConnection | None:
    """The connection that a relation among the inputs belongs to."""
    for data in inputs:
        if isinstance(data, duckdb.DuckDBPyRelation):
            found: duckdb.DuckDBPyConnection | None = getattr(data, "_con", None)
            if found is None:
                raise UsageError("a relation works only on its own connection; pass it with connection=")
            return found
    return None
