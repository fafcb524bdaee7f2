"""The Python interface: evaluate a run, evaluate many against the same judgments, or take the statement away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypedDict, Unpack

import duckdb

from sqlrank.builder import Inputs
from sqlrank.catalogue import DEFAULT_METRICS
from sqlrank.checks import Checker
from sqlrank.conventions import Conventions
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.errors import UsageError, nearest
from sqlrank.inputs import open_inputs
from sqlrank.metrics import parse_measures
from sqlrank.plan import Plan
from sqlrank.reading import Reading, named_run
from sqlrank.relations import relation_sql
from sqlrank.results import Result
from sqlrank.templates import statement


class Options(TypedDict, total=False):
    """Everything that can be said of an evaluation besides its inputs and metrics; see `Conventions` and `Reading`."""

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
    where: str | None
    columns: Mapping[str, str]
    relevance_map: Mapping[str, float]
    input_format: str | None
    header: bool
    database: str | None


CONVENTIONS = frozenset(item.name for item in fields(Conventions))
READING = frozenset(item.name for item in fields(Reading))


def split_options(options: Mapping[str, Any]) -> tuple[Conventions, Reading]:
    """The conventions and the way of reading that these options ask for.

    Raises:
        UsageError: an option or its value is not known.
    """
    for name in options:
        if name not in CONVENTIONS | READING:
            raise UsageError(f"there is no option {name!r}{nearest(name, sorted(CONVENTIONS | READING))}")
    reading = {name: value for name, value in options.items() if name in READING}
    by = reading.get("by") or ()
    reading["by"] = (by,) if isinstance(by, str) else tuple(by)
    return Conventions(**{name: value for name, value in options.items() if name in CONVENTIONS}), Reading(**reading)


def evaluate(
    run: Any = None,
    qrels: Any = None,
    metrics: str | Iterable[str] = DEFAULT_METRICS,
    *,
    systems: Mapping[str, Any] | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
    threads: int | None = None,
    memory_limit: str | None = None,
    temp_dir: str | None = None,
    checks: bool = True,
    progress: bool = False,
    writes: Sequence[str] = (),
    **options: Unpack[Options],
) -> Result:
    """Score rankings.

    Args:
        run: rows of query_id, doc_id and score (or rank): a path, glob, folder or URL, a pandas, polars or Arrow table,
            a DuckDB relation, or `{query: {document: score}}`; a list of paths for several systems.
        qrels: rows of query_id, doc_id and relevance, likewise; None where the run has a relevance column.
        metrics: texts such as `ndcg@10` or `ap(rel=2)@100`.
        systems: several runs by the name of their system, in place of `run`.
        connection: a DuckDB connection to work on; None for one of our own.
        threads: threads of a connection of our own.
        memory_limit: memory of a connection of our own, such as `500MB`.
        temp_dir: where a connection of our own spills.
        checks: whether to look for what is wrong with the rows of the inputs.
        progress: whether to show progress on stderr.
        writes: files that will be written from the result where `where` locks the connection.
        **options: conventions and ways of reading, by the names of the command line.

    Returns:
        The values, with per-query rows and the statement that made them.

    Raises:
        UsageError: the request cannot be carried out as written.
        DataError: an input is missing, unreadable or wrong.
        ResourceError: memory or disk ran out.
    """
    request = Request(metrics, options)
    engine = request.connect([run, qrels], systems, connection, threads, memory_limit, temp_dir, progress)
    try:
        return request.evaluate(engine, list_runs(run, systems), qrels, checks, writes)
    except BaseException:
        engine.close()
        raise


def show_sql(
    run: Any, qrels: Any = None, metrics: str | Iterable[str] = DEFAULT_METRICS, **options: Unpack[Options]
) -> str:
    """The statements that `evaluate` would run for files, as text for a bare DuckDB.

    Args:
        run: as for `evaluate`.
        qrels: as for `evaluate`.
        metrics: as for `evaluate`.
        **options: conventions and ways of reading.
    """
    request = Request(metrics, options)
    if "-" in [data for data in (run, qrels, request.reading.queries) if isinstance(data, str)]:
        raise UsageError("standard input cannot be shown as a statement; name a file")
    engine = request.connect([run, qrels], None)
    try:
        inputs = request.open(engine, list_runs(run, None), qrels)
        texts = [*inputs.sources, request.statement(inputs, diagnostics=False)]
    finally:
        engine.close()
    return "\n".join(f"{text.rstrip()};\n" for text in texts)


class Request:
    """What is asked of some inputs: the measures, the conventions, and how to read.

    Args:
        metrics: texts such as `ndcg@10`.
        options: conventions and ways of reading by name.
    """

    def __init__(self, metrics: str | Iterable[str], options: Mapping[str, Any]) -> None:
        self.conventions, self.reading = split_options(options)
        self.measures = parse_measures(metrics, self.conventions.rel)
        self.query_set_given = "query_set" in options

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
        given = connection or connection_of([*inputs, *(systems or {}).values(), self.reading.queries])
        return DuckDBEngine(given, threads=threads, memory_limit=memory_limit, temp_dir=temp_dir, progress=progress)

    def open(
        self, engine: DuckDBEngine, runs: list[tuple[str | None, Any]], qrels: Any, writes: Sequence[str] = ()
    ) -> Inputs:
        """Open the inputs; where SQL of the user will run, let it read nothing else."""
        return open_inputs(engine, runs, qrels, self.reading, self.conventions, writes)

    def statement(self, inputs: Inputs, diagnostics: bool) -> str:
        """The statement over the opened inputs."""
        plan = Plan(self.measures, self.conventions, diagnostics)
        return statement(DuckDBEngine.dialect, inputs.context, plan, self.conventions)

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
        checker = Checker(engine, inputs, self.measures, self.conventions, self.reading)
        if checks:
            checker.before(self.query_set_given)
        notes = inputs.notes + ([] if checks else ["the inputs were not checked (--no-checks)"])
        shown = self.statement(inputs, diagnostics=False)
        result = Result(engine, self.measures, self.conventions, inputs.context, shown, inputs.sources, notes)
        result.compute(self.statement(inputs, diagnostics=True))
        shared = sum(counts.shared for counts in result.counts.values())
        checker.after(result.per_query_table, shared, sum(result.judged_documents.values()))
        result.notes += checker.notes
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


class Evaluator:
    """Evaluates run after run against the same judgments, as a training loop does.

    Args:
        qrels: the judgments, as `evaluate` takes them.
        metrics: texts such as `ndcg@10`.
        **options: the options of `evaluate`.
    """

    def __init__(self, qrels: Any, metrics: str | Iterable[str] = DEFAULT_METRICS, **options: Any) -> None:
        self.qrels, self.options = qrels, options
        self.metrics = [metrics] if isinstance(metrics, str) else list(metrics)
        conventions, _ = split_options(
            {name: value for name, value in options.items() if name in Options.__annotations__}
        )
        parse_measures(self.metrics, conventions.rel)

    def __call__(self, run: Any) -> Result:
        """The result of one run."""
        return evaluate(run, self.qrels, self.metrics, **self.options)


def sql(
    run: str,
    qrels: str | None = None,
    metrics: str | Iterable[str] = DEFAULT_METRICS,
    *,
    dialect: str = "duckdb",
    summary: bool = False,
    **options: Unpack[Options],
) -> str:
    """The statement that scores relations of another session, to be pasted there.

    Args:
        run: name of a relation with query_id, doc_id and score; dotted, quoted or not.
        qrels: name of a relation with query_id, doc_id and relevance; None where the run has a relevance column.
        metrics: texts such as `ndcg@10`.
        dialect: `duckdb` or `sqlite`.
        summary: whether the statement gives one row per metric rather than one per query.
        **options: conventions, column roles (`columns`), `by`, `weight`, `queries` and `where`. A segment or weight
            of the judgments or the queries is named as `qrels.name` or `queries.name`.

    Raises:
        UsageError: a name is no relation, or an option cannot be said in a statement.
    """
    conventions, reading = split_options(options)
    measures = parse_measures(metrics, conventions.rel)
    return relation_sql(run, qrels, measures, conventions, reading, dialect, summary)
