"""Evaluate on a cluster of a master and two workers on this machine, one of which is killed while it works.

Run by hand, since it takes minutes and some gigabytes of memory:

    pip install -e '.[spark,test]'
    python -m tests.spark_cluster

It exits with 1 unless the job ends with the numbers of DuckDB.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyspark
from pyspark.sql import SparkSession

import sqlrank

ROWS = int(os.environ.get("ROWS", "6000000"))
QUERIES = 5000
METRICS = ["ndcg@10", "ap", "rr", "p@10", "recall@100"]
HOME = Path(pyspark.__file__).parent
LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port that nobody listens to."""
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        return int(found.getsockname()[1])


@contextmanager
def process(kind: str, log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A master or a worker, with the processes that it starts, ended with the block."""
    command = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", "--host", LOOPBACK, *arguments]
    environment = os.environ | {"SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": LOOPBACK}
    with open(log, "wb") as out:
        started = subprocess.Popen(command, stdout=out, stderr=out, env=environment, start_new_session=True)
        try:
            yield started
        finally:
            end(started)


def end(started: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started, at once, as a machine that loses its power would."""
    if started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def workers_alive(page: int) -> int:
    """How many workers the master knows to be alive."""
    try:
        with urllib.request.urlopen(f"http://{LOOPBACK}:{page}/json/", timeout=5) as answer:
            return int(answer.read().count(b'"ALIVE"')) - 1  # the master says so of itself too
    except OSError:
        return 0


def generate(folder: Path) -> tuple[str, str]:
    """A run and judgments, as two folders of files."""
    with duckdb.connect() as connection:
        connection.execute(
            f"create view run as select 'q' || (i % {QUERIES}) as query_id, 'd' || (i // {QUERIES}) as doc_id,"
            f" (hash(i) % 10007)::double as score from range({ROWS}) r(i)"
        )
        connection.execute(
            "create view qrels as select query_id, doc_id, (hash(doc_id || query_id) % 4)::int as relevance"
            " from run where hash(query_id || doc_id) % 20 = 0"
        )
        for name in ("run", "qrels"):
            connection.execute(f"copy {name} to '{folder / name}.parquet' (row_group_size 100000)")
    return str(folder / "run.parquet"), str(folder / "qrels.parquet")


def session_at(address: str) -> Any:
    """A session with one executor on each worker."""
    builder = SparkSession.builder.master(address).appName("sqlrank").config("spark.ui.enabled", "false")
    settings = {
        "spark.executor.memory": "900m",
        "spark.executor.cores": "1",
        "spark.driver.host": LOOPBACK,
        "spark.sql.shuffle.partitions": "24",
        "spark.sql.files.maxPartitionBytes": str(4 << 20),
        "spark.log.level": "ERROR",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


class Killer(threading.Thread):
    """Kills a worker once some tasks of the evaluation itself have ended, so that what they made is lost."""

    def __init__(self, session: Any, victim: subprocess.Popen[bytes]) -> None:
        super().__init__(daemon=True)
        self.tracker, self.victim = session.sparkContext.statusTracker(), victim
        self.said = "no worker was killed"

    def run(self) -> None:
        """Watch, and kill."""
        started = time.monotonic()
        while True:
            for stage in self.tracker.getActiveStageIds():
                info = self.tracker.getStageInfo(stage)
                if info and info.numTasks >= 8 and info.numCompletedTasks >= info.numTasks // 2 and stage > 12:
                    end(self.victim)
                    seconds = time.monotonic() - started
                    tasks = f"{info.numCompletedTasks} of {info.numTasks} tasks of stage {stage} ({info.name})"
                    self.said = f"a worker was killed after {seconds:.0f} s, with {tasks} done"
                    return
            time.sleep(0.02)


def main() -> int:
    """Run the evaluation with and without a loss, and compare."""
    port, page = free_port(), free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cluster-")))
        inputs = generate(folder)
        with sqlrank.evaluate(*inputs, METRICS) as wanted:
            numbers = wanted.rows.fetchall()
            queries = wanted.to_dict()
        stack.enter_context(
            process("master.Master", folder / "master.log", "--port", str(port), "--webui-port", str(page))
        )
        address = f"spark://{LOOPBACK}:{port}"
        workers = []
        for number in range(2):
            options = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"work-{number}")]
            options += ["--webui-port", str(free_port()), address]
            workers.append(stack.enter_context(process("worker.Worker", folder / f"worker-{number}.log", *options)))
        while workers_alive(page) < 2:
            time.sleep(0.2)
        session = session_at(address)
        stack.callback(session.stop)
        report(f"{ROWS:,} rows, {QUERIES:,} queries, two workers at {address}")
        failed = 0
        for loss in (False, True):
            killer = Killer(session, workers[0])
            if loss:
                killer.start()
            started = time.monotonic()
            with sqlrank.evaluate(*inputs, METRICS, engine=session) as found:
                seconds = time.monotonic() - started
                rows, values = found.rows.fetchall(), found.to_dict()
            summary = max(abs(a - b) for one, two in zip(rows, numbers, strict=True) for a, b in pairs(one, two))
            most = max(
                abs(values[query][text] - value) for query, row in queries.items() for text, value in row.items()
            )
            report(f"{killer.said}; {workers_alive(page)} alive at the end; {seconds:.0f} s")
            report(f"largest difference to DuckDB: {summary:.1e} in the summary, {most:.1e} in {len(values):,} queries")
            failed += summary > 1e-9 or most > 1e-9 or (loss and "was killed after" not in killer.said)
    return min(failed, 1)


def pairs(one: tuple[Any, ...], two: tuple[Any, ...]) -> Iterator[tuple[float, float]]:
    """The numbers of two rows side by side."""
    yield 0.0, 0.0
    for left, right in zip(one, two, strict=True):
        if isinstance(left, float) and isinstance(right, float):
            yield left, right


def report(line: str) -> None:
    """One line for the person who runs this."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
