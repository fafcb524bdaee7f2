"""Sessions in which statements are timed; each holds the relations run and qrels as its users would have them."""

from __future__ import annotations

import io
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar, Protocol

import duckdb

STATEMENTS = Path(__file__).with_name("statements")
Row = dict[str, Any]
SPARK = {
    "spark.driver.memory": "4g",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
NODES = {"exchanges": r"[-+: ]Exchange ", "broadcasts": "BroadcastExchange ", "scans": "FileScan |LocalTableScan "}


class Session(Protocol):
    """A session of an engine."""

    def rows(self, statement: str) -> list[Row]:
        """The rows of a statement."""

    def nodes(self, statement: str) -> dict[str, int]:
        """How often each costly node is in the executed plan; empty where it is not looked at."""

    def close(self) -> None:
        """End the session."""


def setup(name: str, **values: str) -> list[str]:
    """The statements that make the relations in one engine."""
    text = (STATEMENTS / f"setup_{name}.sql").read_text(encoding="utf-8").format(**values)
    return [part for part in text.split(";") if part.strip()]


class DuckDBSession:
    """DuckDB with tables in memory."""

    def __init__(self, folder: Path) -> None:
        self.connection = duckdb.connect()
        for statement in setup("duckdb", folder=str(folder)):
            self.connection.execute(statement)

    def rows(self, statement: str) -> list[Row]:
        """The rows of a statement."""
        return self.connection.sql(statement).to_arrow_table().to_pylist()

    def nodes(self, statement: str) -> dict[str, int]:
        """Not looked at."""
        return {}

    def close(self) -> None:
        """End the session."""
        self.connection.close()


class PostgresSession:
    """PostgreSQL as it is installed, with analysed tables whose texts are ordered as in English."""

    def __init__(self, folder: Path) -> None:
        import psycopg
        import pyarrow as pa
        import pyarrow.parquet as pq

        kind = pq.read_schema(folder / "run.parquet").field("query_id").type
        created = setup("postgres", id="bigint" if pa.types.is_integer(kind) else "text")
        with ExitStack() as stack:
            url = started(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pg-"))), stack)
            self.connection = stack.enter_context(psycopg.connect(url, autocommit=True))
            for name, statement in zip(("run", "qrels"), created, strict=False):
                self.connection.execute(statement.encode())
                self.fill(name, folder / f"{name}.parquet")
            for statement in created[2:]:
                self.connection.execute(statement.encode())
            self.stack = stack.pop_all()

    def fill(self, name: str, file: Path) -> None:
        """Copy a file into a table."""
        import pyarrow.csv
        import pyarrow.parquet

        lines = io.BytesIO()
        options = pyarrow.csv.WriteOptions(include_header=False)
        pyarrow.csv.write_csv(pyarrow.parquet.read_table(file), lines, options)
        with self.connection.cursor().copy(f"copy {name} from stdin (format csv)".encode()) as copy:
            copy.write(lines.getvalue())

    def rows(self, statement: str) -> list[Row]:
        """The rows of a statement."""
        cursor = self.connection.execute(statement.encode())
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def nodes(self, statement: str) -> dict[str, int]:
        """Not looked at."""
        return {}

    def close(self) -> None:
        """End the session and stop the server."""
        self.stack.close()


def started(folder: Path, stack: ExitStack) -> str:
    """Start a server in a folder, to be stopped with the stack, and give its address; root starts it as postgres."""
    newest = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: float(path.parts[-3]))
    programs = Path(shutil.which("pg_ctl") or newest[-1]).resolve().parent
    prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
    if prefix:
        shutil.chown(folder, "postgres", "postgres")

    def run(program: str, *arguments: str) -> None:
        with (folder / "commands.log").open("ab") as log:  # the server would keep a pipe open
            command = [*prefix, str(programs / program), "-D", str(folder / "data"), *arguments]
            subprocess.run(command, cwd=folder, stdout=log, stderr=log, check=True)

    locale = ("--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8", "--encoding=UTF8")
    run("initdb", "-A", "trust", "-U", "postgres", "--no-sync", *locale)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} -c fsync=off"
    run("pg_ctl", "-l", str(folder / "server.log"), "-o", options, "-w", "start")
    stack.callback(run, "pg_ctl", "-m", "immediate", "-w", "stop")
    return f"postgresql://postgres@127.0.0.1:{port}/postgres"


class ClickHouseSession:
    """ClickHouse inside this process, over files."""

    def __init__(self, folder: Path) -> None:
        from chdb.session import Session

        self.folder = tempfile.TemporaryDirectory(prefix="chdb-")
        self.session = Session(self.folder.name)
        for statement in setup("clickhouse", folder=str(folder)):
            self.session.query(statement)

    def rows(self, statement: str) -> list[Row]:
        """The rows of a statement."""
        found: list[Row] = self.session.query(statement, "ArrowTable").to_pylist()
        return found

    def nodes(self, statement: str) -> dict[str, int]:
        """Not looked at."""
        return {}

    def close(self) -> None:
        """End the session."""
        self.session.close()
        self.folder.cleanup()


class DataFusionSession:
    """Apache DataFusion over files."""

    def __init__(self, folder: Path) -> None:
        from datafusion import SessionContext

        self.context = SessionContext()
        for name in ("run", "qrels"):
            self.context.register_parquet(name, str(folder / f"{name}.parquet"))

    def rows(self, statement: str) -> list[Row]:
        """The rows of a statement."""
        found: list[Row] = self.context.sql(statement).to_arrow_table().to_pylist()
        return found

    def nodes(self, statement: str) -> dict[str, int]:
        """Not looked at."""
        return {}

    def close(self) -> None:
        """Nothing is left open."""


class SparkSession:
    """Apache Spark in local mode over files, with its default settings but for the two cores."""

    settings: ClassVar[dict[str, str]] = {}

    def __init__(self, folder: Path) -> None:
        from pyspark.sql import SparkSession as Spark

        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        self.folder = tempfile.TemporaryDirectory(prefix="spark-")
        builder = Spark.builder.master("local[2]")
        for name, value in (SPARK | self.settings | {"spark.sql.warehouse.dir": self.folder.name}).items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        for name in ("run", "qrels"):
            self.spark.read.parquet(str(folder / f"{name}.parquet")).createOrReplaceTempView(name)

    def rows(self, statement: str) -> list[Row]:
        """The rows of a statement."""
        return [row.asDict() for row in self.spark.sql(statement).collect()]

    def nodes(self, statement: str) -> dict[str, int]:
        """Exchanges and scans of the final plan, those that are used again counted once."""
        frame = self.spark.sql(statement)
        frame.collect()
        plan = str(frame._jdf.queryExecution().executedPlan().toString())  # only the Java object knows the final plan
        final = plan.partition("== Initial Plan ==")[0]
        lines = [line for line in final.splitlines() if "ReusedExchange" not in line]
        return {name: sum(bool(re.search(pattern, line)) for line in lines) for name, pattern in NODES.items()}

    def close(self) -> None:
        """End the session."""
        self.spark.stop()
        self.folder.cleanup()


class SparkSessionWithoutBroadcasts(SparkSession):
    """Spark as it is where neither side of a join is small enough to be sent everywhere."""

    settings: ClassVar = {"spark.sql.autoBroadcastJoinThreshold": "-1"}


SESSIONS: dict[str, Callable[[Path], Session]] = {
    "duckdb": DuckDBSession,
    "postgres": PostgresSession,
    "clickhouse": ClickHouseSession,
    "datafusion": DataFusionSession,
    "spark": SparkSession,
    "spark-without-broadcasts": SparkSessionWithoutBroadcasts,
}
