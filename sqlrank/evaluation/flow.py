"""Evaluations from the arguments of a call: the request is made or kept, an engine chosen, and carried out on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

import duckdb

from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.open_result import closed_on_error
from sqlrank.engines.protocol import Engine, is_spark
from sqlrank.errors import DataError, UsageError
from sqlrank.evaluation.request import Request, as_systems, list_runs, request_of
from sqlrank.options.shared import session_of
from sqlrank.spelling import spelt

if TYPE_CHECKING:
    from sqlrank.evaluation.result import Result

MOST_REQUESTS = 8
"""How many requests are kept."""

keeping = Lock()
requests: dict[str, Request] = {}
"""The last requests, with their statements, by what was asked for."""


def kept_request(metrics: str | Iterable[str] | None, options: Mapping[str, Any], texts: bool = False) -> Request:
    """The same as `request_of`, made once: a loop asks for the same again and again.

    Metrics of files may change, tables among the options cannot be compared, and scores may be long: those are made
    anew.
    """
    long = not isinstance(options.get("scores"), str | None)
    asked = [metrics, dict(sorted(options.items())), texts]
    if options.get("metrics_dir") is not None or long or not is_plain(asked):
        return request_of(metrics, options, texts)
    key = repr(asked)
    with keeping:
        if key not in requests:
            made = request_of(metrics, options, texts)
            while len(requests) >= MOST_REQUESTS:
                del requests[next(iter(requests))]
            requests[key] = made
        return requests[key]


def is_plain(value: Any) -> bool:
    """Whether a value is made of texts and numbers alone."""
    if isinstance(value, dict):
        return all(is_plain(part) for pair in value.items() for part in pair)
    if type(value) in (list, tuple):
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


def evaluated(
    request: Request,
    run: Any,
    qrels: Any,
    *,
    systems: Mapping[str, Any] | None = None,
    connection: duckdb.DuckDBPyConnection | None = None,
    checks: bool = True,
    progress: bool = False,
    engine: Any = None,
    writes: Sequence[str] = (),
    shown: bool = False,
    **settings: Any,
) -> Result:
    """The result of a request; arguments as `sqlrank.evaluate` takes them."""
    from sqlrank.evaluation.evaluate import evaluate_request

    run, systems = as_systems(run, systems)
    qrels = request.judgments(qrels)
    connected = connect(request, [run, qrels], systems, engine, connection, progress, **settings)
    runs = list_runs(run, systems)
    with closed_on_error(connected), rankings_expected(connected.local, [data for _, data in runs]):
        return evaluate_request(connected, request, runs, qrels, checks, writes, shown)


@contextmanager
def rankings_expected(engine: DuckDBEngine, inputs: Iterable[Any]) -> Iterator[None]:
    """Where inputs are wrong because one is a store and holds no rankings, raise a DataError that says so."""
    try:
        yield
    except DataError as error:
        from sqlrank.evaluation.store.folders import place_at

        for place in filter(None, map(place_at, inputs)):
            if place.meanings(engine):
                raise DataError(
                    f"{place.label} is a store of values per query, and no ranking; sqlrank monitor, compare and report"
                    f" {spelt('periods')} read it"
                ) from error
        raise


def shown_statements(request: Request, run: Any, qrels: Any) -> str:
    """The statements that an evaluation of files runs, as text for a bare DuckDB."""
    qrels = request.judgments(qrels)
    if "-" in [data for data in (run, qrels, request.reading.queries) if isinstance(data, str)]:
        raise UsageError("standard input cannot be shown as a statement; name a file")
    result = evaluated(request, run, qrels, shown=True)
    return "\n".join(f"{text.rstrip()};\n" for text in [*result.sources, result.sql])


def connect(
    request: Request,
    inputs: Sequence[Any],
    systems: Mapping[str, Any] | None = None,
    engine: Any = None,
    connection: duckdb.DuckDBPyConnection | None = None,
    progress: bool = False,
    **settings: Any,
) -> Engine:
    """The engine that is asked for, that of an input which belongs to one, or else a DuckDB of our own."""
    listed = [one for data in inputs for one in (data if isinstance(data, list | tuple) else [data])]
    given = [*listed, *(systems or {}).values(), *request.reading.others().values()]
    session = spark_asked(engine, given)
    if session is None:
        found = connection or connection_of(given)
        return DuckDBEngine(found, progress=progress, **settings)
    from sqlrank.evaluation.spark_choice import spark_engine

    told = {name: value for name, value in (settings | {"connection": connection}).items() if value is not None}
    return spark_engine(session, request, given, told)


def spark_asked(asked: Any, given: Iterable[Any]) -> Any:
    """The session or address of the Spark that is asked for, or None for DuckDB; UsageError for any other engine."""
    if asked == "duckdb":
        return None
    if asked is None:
        frame: Any = next((data for data in given if is_spark(data)), None)
        return None if frame is None else frame.sparkSession
    from sqlrank.evaluation.spark_choice import session_of

    return session_of(asked)


def session_engine(options: Mapping[str, Any], inputs: Sequence[Any]) -> DuckDBEngine:
    """DuckDB on the connection of a call, else on that of a relation among its inputs, else on one of its own."""
    connection = options["connection"] or connection_of(inputs)
    return DuckDBEngine(**session_of(options) | {"connection": connection})


def connection_of(inputs: Sequence[Any]) -> duckdb.DuckDBPyConnection | None:
    """The connection that a relation among the inputs belongs to."""
    for data in inputs:
        if isinstance(data, duckdb.DuckDBPyRelation):
            found: duckdb.DuckDBPyConnection | None = getattr(data, "_con", None)
            if found is None:
                raise UsageError("a relation works only on its own connection; pass it with connection=")
            return found
    return None
