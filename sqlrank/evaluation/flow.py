"""Evaluations from the inputs as they are given: an engine is chosen, the request carried out on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from sqlrank.engines.open_result import closed_on_error
from sqlrank.errors import UsageError
from sqlrank.evaluation.engine_choice import connect
from sqlrank.evaluation.evaluate import evaluate_request
from sqlrank.evaluation.request import Request, as_systems, list_runs
from sqlrank.evaluation.result import Result


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
    run, systems = as_systems(run, systems)
    qrels = request.judgments(qrels)
    connected = connect(request, [run, qrels], systems, engine, connection, progress, **settings)
    with closed_on_error(connected):
        return evaluate_request(connected, request, list_runs(run, systems), qrels, checks, writes, shown)


def shown_statements(request: Request, run: Any, qrels: Any) -> str:
    """The statements that an evaluation of files runs, as text for a bare DuckDB."""
    qrels = request.judgments(qrels)
    if "-" in [data for data in (run, qrels, request.reading.queries) if isinstance(data, str)]:
        raise UsageError("standard input cannot be shown as a statement; name a file")
    result = evaluated(request, run, qrels, shown=True)
    return "\n".join(f"{text.rstrip()};\n" for text in [*result.sources, result.sql])
