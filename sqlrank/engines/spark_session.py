"""Sessions of Spark: one that was passed, or one that is started."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlrank.engines.spark_jobs import translated
from sqlrank.errors import UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STARTED = "spark.sqlrank.started"
"""The setting that tells a session of our own."""
EXTRA = "Spark needs the extra: pip install 'sqlrank[spark]'"
PARTITIONS = "spark.sql.shuffle.partitions"
MANY_PARTITIONS = "200"
"""How many partitions Spark makes unless told: too many tasks for one machine, where large ones go to its disk."""
PARTITIONS_PER_CORE = 4
SERVERS = re.compile(r"(spark|sc)://([^/;]+)")
PORTS = {"spark": "7077", "sc": "15002"}
SECONDS_TO_ANSWER = 10
LOCAL = "local[*]"
"""Where a session of our own runs unless told: on every core of this machine."""


def pyspark_sql() -> Any:
    """The module of PySpark, imported only where it is used; UsageError if the extra is not installed."""
    try:
        import pyspark.sql
    except ImportError as error:
        raise UsageError(f"{EXTRA} ({error})") from None
    return pyspark.sql


def is_address(text: str) -> bool:
    """Whether a text is the address of a master or a server of Spark Connect."""
    return "://" in text or text in ("yarn", "local") or (text.startswith("local[") and text.endswith("]"))


def is_remote(session: Any) -> bool:
    """Whether a session is one of Spark Connect."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def started(address: str) -> tuple[SparkSession, bool]:
    """A session at an address, and whether it is our own; UsageError if none starts, or one is at another address."""
    if not is_address(address):
        raise UsageError(f"--spark {address}: write local[*], local[4], spark://host:7077 or sc://host:15002")
    sql = pyspark_sql()
    check_answers(address)
    remote = address.startswith("sc://")
    token = uuid.uuid4().hex
    if address.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    try:
        with own_interrupts(), silent():
            if remote:
                session: SparkSession = sql.SparkSession.builder.remote(address).create()
            else:
                builder = (
                    sql.SparkSession.builder.master(address).appName("sqlrank").config("spark.ui.enabled", "false")
                )
                session = builder.config(STARTED, token).getOrCreate()
            partitions = session.conf.get(PARTITIONS)  # a server that is not there is seen only now
    except Exception as error:
        raise UsageError(f"--spark {address}: {reason(error)}") from None
    if remote:
        return session, True
    context = session.sparkContext
    if context.getConf().get(STARTED) != token:
        if context.master != address:
            raise UsageError(f"--spark {address}: this process has a session at {context.master}; pass it with engine=")
        return session, False
    if address.startswith("local") and partitions == MANY_PARTITIONS:
        session.conf.set(PARTITIONS, str(PARTITIONS_PER_CORE * context.defaultParallelism))
    return session, True


def check_answers(address: str) -> None:
    """Raise UsageError if nothing answers at an address; Spark itself would wait for minutes."""
    found = SERVERS.match(address)
    if found is None:
        return
    for server in found[2].split(","):
        host, _, port = server.rpartition(":") if ":" in server else (server, "", PORTS[found[1]])
        with suppress(OSError, ValueError), socket.create_connection((host.strip("[]"), int(port)), SECONDS_TO_ANSWER):
            return
    raise UsageError(f"--spark {address}: nothing answers there; is the server running, and the port right?")


def reason(error: Exception) -> str:
    """Why a session could not be started."""
    if "JAVA_GATEWAY_EXITED" in str(error) or "Java" in type(error).__name__:
        return "Java did not start; Spark needs Java 17 or later, on the PATH or in JAVA_HOME"
    known = translated(error)
    return str(known) if known else " ".join(str(error).split("\n\tat ")[0].split())[:300]


@contextmanager
def own_interrupts() -> Iterator[None]:
    """Keep our handling of Ctrl-C: PySpark's would speak to the JVM in the middle of a call."""
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, before)


@contextmanager
def silent() -> Iterator[None]:
    """Keep the log of the JVM that is started inside the block off stderr, which is for our own lines."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no stderr
        yield
        return
    log = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(log, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(log)
