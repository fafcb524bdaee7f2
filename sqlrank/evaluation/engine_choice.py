"""Choosing the engine, and what Spark does not do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlrank.choices import ENGINES
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.protocol import Engine, is_spark
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request

if TYPE_CHECKING:
    import duckdb


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
    given_settings = {name: value for name, value in settings.items() if value is not None}
    check_for_spark(request, given, given_settings | ({} if connection is None else {"connection": connection}))
    from sqlrank.engines.spark import SparkEngine

    spark = SparkEngine(session)
    quoting = next(((option, text) for option, text in request.reading.own_sql if '"' in text), None)
    if quoting is not None and not spark.quotes_names():
        spark.close()
        raise UsageError(
            f"{quoting[0]} {quoting[1]}: Spark takes texts between double quotes for values without its ANSI rules"
        )
    return spark


def spark_asked(asked: Any, given: Iterable[Any]) -> Any:
    """The session or address of the Spark that is asked for, or None for DuckDB; UsageError for any other engine."""
    if asked == "duckdb":
        return None
    if asked is None:
        frame: Any = next((data for data in given if is_spark(data)), None)
        return None if frame is None else frame.sparkSession
    from sqlrank.engines.spark_session import LOCAL, is_address, pyspark_sql

    if isinstance(asked, str) and is_address(asked):
        return asked
    if asked == "spark":
        return pyspark_sql().SparkSession.getActiveSession() or LOCAL
    if is_spark(asked) and hasattr(asked, "catalog"):
        return asked
    raise UsageError(
        f"the engine {asked!r} is not known: one of {', '.join(ENGINES)}, an address of Spark (local[*],"
        " spark://host:7077, sc://host:15002) or a session of Spark"
    )


def check_for_spark(request: Request, given: Sequence[Any], settings: dict[str, Any]) -> None:
    """Raise UsageError if an option or an input is for DuckDB alone."""
    conventions, reading = request.conventions, request.reading
    own = any(measure.metric.folder is not None for measure in request.measures)
    memory = "set spark.driver.memory and spark.executor.memory in spark-defaults.conf or PYSPARK_SUBMIT_ARGS"
    for option, refused, instead in (
        ("standard input", any(data == "-" for data in given if isinstance(data, str)), "name a file or a table"),
        ("--database", reading.database is not None, "name a table of Spark's catalogue, or export it to Parquet"),
        ("--encoding", reading.encoding is not None, "write the text in UTF-8"),
        ("--bounds", bool(request.bounded), "evaluate in DuckDB, which keeps the judgments that bounds complete"),
        (
            "--cluster",
            reading.cluster is not None,
            "evaluate in DuckDB, as standard errors are made there",
        ),
        (
            "--ties input",
            conventions.ties == "input",
            "rows in Spark have no order: name a rank column and choose --ties rank",
        ),
        (
            "--duplicates first",
            conventions.duplicates == "first",
            "rows in Spark have no order: choose --duplicates best",
        ),
        ("--metrics-dir", own, "only DuckDB can keep such SQL from reading anything else: run it there"),
        ("--threads", "threads" in settings, "name the cores with --spark 'local[4]'"),
        ("--memory-limit", "memory_limit" in settings, memory),
        ("--temp-dir", "temp_dir" in settings, "set spark.local.dir in spark-defaults.conf or PYSPARK_SUBMIT_ARGS"),
        ("connection", "connection" in settings, "pass the session with engine="),
    ):
        if refused:
            raise UsageError(f"{option} is not for Spark; {instead}")


def connection_of(inputs: Sequence[Any]) -> duckdb.DuckDBPyConnection | None:
    """The connection that a relation among the inputs belongs to."""
    from duckdb import DuckDBPyRelation

    for data in inputs:
        if isinstance(data, DuckDBPyRelation):
            found: duckdb.DuckDBPyConnection | None = getattr(data, "_con", None)
            if found is None:
                raise UsageError("a relation works only on its own connection; pass it with connection=")
            return found
    return None
