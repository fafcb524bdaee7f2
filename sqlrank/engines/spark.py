"""Apache Spark: a session that was passed, or one of our own, classic or Connect.

Everything that grows with the data stays in Spark; only the few rows of checks, counts and the summary come here.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from sqlrank.dialects import SPARK
from sqlrank.engines.duckdb import DuckDBEngine
from sqlrank.engines.spark_files import saved
from sqlrank.engines.spark_jobs import Jobs
from sqlrank.engines.spark_session import is_remote, reason, started
from sqlrank.errors import UsageError
from sqlrank.spelling import spelt
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

T = TypeVar("T")

_numbers = itertools.count(1)

ZONE = "spark.sql.session.timeZone"
"""The setting of the time zone."""
ROWS_AT_ONCE = 1000
"""How many rows of those that are read one after the other are fetched before Ctrl-C is heard."""
QUOTED_NAMES = {"spark.sql.ansi.doubleQuotedIdentifiers": "true"}
"""The setting with which Spark reads names between double quotes as names, as the SQL standard and DuckDB do."""
JOINED_IN_PLACE = {
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
}
"""The settings with which rows that were brought together by query are joined where they are: by query and document
too, and without a job that sends one side of them everywhere."""
SMALL_PIECE, LARGE_PIECE = 1 << 20, 1 << 23
"""How many bytes of files are worth a task of their own, and how many are enough for one, to be ranked in 512 MB."""
USUAL_TASKS = 200
"""To how many tasks Spark moves rows where the session says nothing, or leaves it to its vendor."""
OLDEST = 4
"""The first version that knows the functions which read JSON."""


class SparkEngine:
    """Runs statements in the caller's session, left open, or in one of our own at an address; drops what it made."""

    dialect = SPARK
    narrows = False
    always_sorts: str | None = "Spark sorts, and writes to disk what does not fit in memory"

    def __init__(self, session: SparkSession | str) -> None:
        self.made: list[tuple[str, str]] = []
        self.deferred: list[tuple[str, Callable[[list[dict[str, Any]]], None]]] = []
        self.limit: tuple[float, str] | None = None
        self.suffix = f"_sqlrank_{next(_numbers)}"
        self.session: SparkSession
        self.session, self.owned = started(session) if isinstance(session, str) else (session, False)
        self.remote = is_remote(self.session)
        if self.owned:
            self.session.conf.set(ZONE, "UTC")
        self.jobs = Jobs(self.session, self.remote)
        if int(self.session.version.partition(".")[0]) < OLDEST:
            self.close()
            raise UsageError(f"Spark {self.session.version} is too old; Spark {OLDEST} or later is needed")

    @cached_property
    def local(self) -> DuckDBEngine:
        """A DuckDB engine for the rows of the summary."""
        return DuckDBEngine()

    @property
    def timezone(self) -> str:
        """The time zone of the session."""
        return str(self.session.conf.get(ZONE))

    def use_timezone(self, zone: str) -> None:
        """Read times that have a zone in this one; UsageError for an unknown one, or for a session passed."""
        if not self.owned:
            raise UsageError(f"{spelt('timezone', zone)} is for a session of our own; set {ZONE} of the one passed")
        try:
            self.session.conf.set(ZONE, zone)
        except Exception as error:
            raise UsageError(f"{spelt('timezone', zone)}: {reason(error)}") from None

    def zoned(self, kind: str) -> bool:
        """Whether a type of columns is of times that have a zone, or holds some."""
        return re.search(r"\btimestamp\b", kind, re.IGNORECASE) is not None

    def name(self, base: str) -> str:
        """A name for an object of this call, unlike any other in the session."""
        return base + self.suffix

    def called(self, file: str) -> str:
        """The name that the user gave a file."""
        return file

    def parts(self, rows: Callable[[], int]) -> int:
        """One: Spark partitions the work itself."""
        return 1

    def parts_of_marks(self, marks: int, long: bool) -> int:
        """One, too."""
        return 1

    def tasks(self, sizes: Sequence[int | None]) -> int:
        """As many as the session moves rows to; fewer of small files, and more of very large ones."""
        said = str(self.session.conf.get("spark.sql.shuffle.partitions", None))
        usual = int(said) if said.isdigit() else USUAL_TASKS
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            return usual
        return max(min(1 + sum(known) // SMALL_PIECE, usual), sum(known) // LARGE_PIECE)

    def holds(self, numbers: int) -> bool:
        """False: Spark keeps nothing in memory at once."""
        return False

    def lock(self, paths: Sequence[str]) -> None:
        """Do nothing: user SQL is refused on Spark before."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), *, doing: str = "") -> list[tuple[Any, ...]]:
        """Run one statement and fetch its few rows, with errors translated; Ctrl-C cancels its jobs."""
        return self.call(lambda: [tuple(row) for row in self.session.sql(sql).collect()])

    def row(self, sql: str) -> dict[str, Any]:
        """The first row of a statement by column name, or nothing."""
        return next(iter(self.gather([sql])[0]), {})

    def defer(self, sql: str, then: Callable[[list[dict[str, Any]]], None]) -> None:
        """Call a function with the few rows of a statement in `run_deferred`: many are as quick as one."""
        self.deferred.append((sql, then))

    def run_deferred(self) -> None:
        """Run the statements that were deferred as one, and call their functions in order."""
        deferred, self.deferred = self.deferred, []
        for (_, then), rows in zip(deferred, self.gather([sql for sql, _ in deferred]), strict=True):
            then(rows)

    def summarise(self, name: str, statement: str, load: Callable[[list[dict[str, Any]]], None]) -> None:
        """Put the rows of a summary into a table of `local` in `run_deferred`."""
        self.defer(statement, load)

    def gather(self, statements: Sequence[str]) -> list[list[dict[str, Any]]]:
        """The rows of each of some statements of few rows, from a single one."""
        found: list[list[dict[str, Any]]] = [[] for _ in statements]
        if statements:
            texts = [sql_text(text) for text in statements]
            for number, shown in self.execute(render("sources/gathered.sql", self.dialect, statements=texts)):
                found[number].append(json.loads(shown))
        return found

    def make(self, kind: str, name: str, sql: str, parameters: Sequence[Any] = (), *, doing: str = "") -> None:
        """Run the statement that creates a view of this call, to be dropped when closed."""
        with self.settings(QUOTED_NAMES if '"' in sql else {}):
            self.execute(sql)
        self.made.append((kind, name))

    def keep(self, name: str, statement: str, *, doing: str = "", more: bool = False) -> None:
        """Keep the rows of a statement in memory and on the disks of the executors from when they are first read.

        What is kept is read through the plan of nothing but its rows where the session allows it: that of a large
        statement would be gone through again by each statement that reads them, for seconds.
        """
        assert not more  # noqa: S101 all queries are one part here
        kept = f"{name}_kept"
        sql = render("sources/created.sql", self.dialect, name=kept, statement=sql_text(statement))
        with self.settings(JOINED_IN_PLACE, needed=False):
            self.make("table", kept, sql, doing=doing)
        self.call(lambda: self.shortened(self.session.table(kept)).createOrReplaceTempView(name))
        self.made.append(("view", name))

    def shortened(self, frame: DataFrame) -> DataFrame:
        """A data frame without the plan that made its rows; lost partitions are still recomputed."""
        if not self.remote:
            with suppress(Exception):  # these doings of Spark are its own, which another version may not have
                java: Any = frame._jdf
                rows = java.queryExecution().toRdd()
                java = self.session._jsparkSession.internalCreateDataFrame(rows, java.schema(), False)
                return type(frame)(java, self.session)
        return frame

    def register(self, base: str, make: Callable[[], DataFrame]) -> str:
        """Make a data frame readable under a name, and give that name."""
        name = self.name(f"{base}_given_{len(self.made)}")
        self.call(lambda: make().createOrReplaceTempView(name))
        self.made.append(("view", name))
        return name

    def drop(self, kind: str, name: str) -> None:
        """Drop a view of this call before it is closed."""
        self.execute(render("sources/drop.sql", self.dialect, name=name))
        self.made.remove((kind, name))

    def relation(self, sql: str) -> DataFrame:
        """A data frame, which runs the statement when it is read."""
        return self.call(lambda: self.session.sql(sql))

    def rows(self, sql: str) -> SparkRows:
        """The rows of a statement, fetched a partition at a time."""
        return SparkRows(self, self.relation(sql))

    def save(self, sql: str, kind: str, path: str) -> bool:
        """Let Spark write the rows of a statement as a folder of files, which is whole or not there."""
        frame = self.relation(sql)
        with saved(self.session, path, self.remote) as target:
            self.call(lambda: writer(frame, kind).save(target))
        return True

    def call(self, work: Callable[[], T]) -> T:
        """Call a function on the session, with errors translated; Ctrl-C cancels its jobs."""
        return self.jobs.call(f"sqlrank-{self.suffix}-{next(_numbers)}", work, self.limit)

    @contextmanager
    def settings(self, wanted: Mapping[str, str], needed: bool = True) -> Iterator[None]:
        """Settings of the session for as long as a statement is read and planned.

        Where the session refuses them, it raises if they are `needed`: without them a statement means something else.
        """
        conf = self.session.conf
        before = {name: conf.get(name, None) for name in wanted}
        try:
            with nullcontext() if needed else suppress(Exception):
                for name, value in wanted.items():
                    conf.set(name, value)
            yield
        finally:
            with suppress(Exception):
                for name, given in before.items():
                    conf.unset(name) if given is None else conf.set(name, given)

    def quotes_names(self) -> bool:
        """Whether names may stand between double quotes, which Spark allows under ANSI rules alone."""
        return str(self.session.conf.get("spark.sql.ansi.enabled", "true")).lower() == "true"

    def close(self) -> None:
        """Drop what was made; stop what is our own. Safe to call twice."""
        if "local" in vars(self):
            self.local.close()
        made, self.made = self.made, []
        with suppress(Exception):
            if not self.owned:
                for kind, name in reversed(made):
                    self.made.append((kind, name))
                    self.drop(kind, name)
        if self.owned:
            self.owned = False
            with suppress(Exception):
                self.session.stop()


class SparkRows:
    """The rows of a data frame, of which one partition at a time is fetched."""

    def __init__(self, engine: SparkEngine, frame: DataFrame) -> None:
        self.engine, self.frame = engine, frame
        self.columns = list(frame.columns)

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows, in order."""
        rows = self.engine.call(lambda: iter(self.frame.toLocalIterator()))
        while some := self.engine.call(lambda: list(islice(rows, ROWS_AT_ONCE))):
            yield from map(tuple, some)


def writer(frame: DataFrame, kind: str) -> Any:
    """What writes a data frame in one of the tidy formats."""
    if kind == "parquet":
        return frame.write.format("parquet")
    if kind in ("json", "jsonl"):
        return frame.write.format("json").option("ignoreNullFields", "false")
    if kind not in ("csv", "tsv"):
        raise UsageError(f"Spark does not write {kind}; choose csv, tsv, jsonl or parquet")
    delimited = frame.write.format("csv").option("header", "true").option("escape", '"')
    return delimited.option("sep", "\t" if kind == "tsv" else ",")
