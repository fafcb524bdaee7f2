"""Evaluations on Spark: the session that is asked for, and what Spark does not do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlrank.choices import ENGINES
from sqlrank.engines.protocol import is_spark
from sqlrank.engines.spark import SparkEngine
from sqlrank.engines.spark_session import LOCAL, is_address, pyspark_sql
from sqlrank.errors import UsageError
from sqlrank.evaluation.request import Request
from sqlrank.spelling import spelt
from sqlrank.statement.conditions import spelt_sql


def session_of(asked: Any) -> Any:
    """The session or the address that an engine which is not DuckDB means; UsageError if it is not known."""
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


def spark_engine(session: Any, request: Request, given: Sequence[Any], settings: Mapping[str, Any]) -> SparkEngine:
    """The engine of a session; UsageError for an option, an input or SQL of the user that is for DuckDB alone."""
    check_for_spark(request, given, settings)
    spark = SparkEngine(session)
    quoting = next(((option, text) for option, text in request.reading.own_sql if '"' in text), None)
    if quoting is not None and not spark.quotes_names():
        spark.close()
        raise UsageError(
            f"{spelt_sql(*quoting)}: Spark takes texts between double quotes for values without its ANSI rules"
        )
    return spark


def check_for_spark(request: Request, given: Sequence[Any], settings: Mapping[str, Any]) -> None:
    """Raise UsageError if an option or an input is for DuckDB alone."""
    conventions, reading = request.conventions, request.reading
    own = any(measure.metric.folder is not None for measure in request.measures)
    memory = "set spark.driver.memory and spark.executor.memory in spark-defaults.conf or PYSPARK_SUBMIT_ARGS"
    for option, refused, instead in (
        ("standard input", any(data == "-" for data in given if isinstance(data, str)), "name a file or a table"),
        (spelt("database"), reading.database is not None, "name a table of Spark's catalogue, or export it to Parquet"),
        (spelt("encoding"), reading.encoding is not None, "write the text in UTF-8"),
        (spelt("bounds"), bool(request.bounded), "evaluate in DuckDB, which keeps the judgments that bounds complete"),
        (
            spelt("cluster"),
            reading.cluster is not None,
            "evaluate in DuckDB, as standard errors are made there",
        ),
        (
            spelt("ties", "input"),
            conventions.ties == "input",
            f"rows in Spark have no order: name a rank column and choose {spelt('ties', 'rank')}",
        ),
        (
            spelt("duplicates", "first"),
            conventions.duplicates == "first",
            f"rows in Spark have no order: choose {spelt('duplicates', 'best')}",
        ),
        (
            spelt("collapse", "first"),
            conventions.collapse == "first",
            (
                f"rows in Spark have no order: choose {spelt('collapse', 'best')}, or keep the first chunks with"
                f" {spelt('where')}"
            ),
        ),
        (spelt("metrics_dir"), own, "only DuckDB can keep such SQL from reading anything else: run it there"),
        (spelt("threads"), "threads" in settings, "name the cores with --spark 'local[4]'"),
        (spelt("memory_limit"), "memory_limit" in settings, memory),
        (
            spelt("temp_dir"),
            "temp_dir" in settings,
            "set spark.local.dir in spark-defaults.conf or PYSPARK_SUBMIT_ARGS",
        ),
        ("connection", "connection" in settings, "pass the session with engine="),
    ):
        if refused:
            raise UsageError(f"{option} is not for Spark; {instead}")
