"""The DuckDB engine: a connection of its own for each call, or the one passed, with errors translated."""

from __future__ import annotations

import glob
import os
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

import duckdb

from sqlrank.dialects import DUCKDB
from sqlrank.engines.duckdb_errors import first_line, is_of_reading, of_stream, translated
from sqlrank.engines.duckdb_settings import bytes_of, check_settings, lists_fit, parts_of_marks, parts_of_rows
from sqlrank.engines.instances import CallNumbers, Instance, Visit
from sqlrank.engines.interrupt import interruptible, limited
from sqlrank.errors import DataError, ResourceError, SqlrankError, UsageError
from sqlrank.process.signals import put_off, remains, remove
from sqlrank.spelling import spelt
from sqlrank.statement.lines import lines_of
from sqlrank.statement.templates import render, sql_text

numbers = CallNumbers()

T = TypeVar("T")


class DuckDBEngine:
    """Runs statements on the caller's connection, left open, or on one of our own; drops what it made when closed."""

    dialect = DUCKDB
    narrows = True
    always_sorts: str | None = None

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection | None = None,
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
        temp_dir: str | None = None,
        progress: bool = False,
        host: DuckDBEngine | None = None,
    ) -> None:
        self.limit: tuple[float, str] | None = None
        """How many seconds a statement may run, and because of whose SQL; None where none is of the user."""
        self.owned = connection is None
        self.closed = False
        self.instance: Instance | Visit | None = None
        self.host = host
        """The engine whose instance and tables this one reads in addition to its own."""
        check_settings(threads, memory_limit, temp_dir)
        self.number = 0 if self.owned else numbers.take()
        self.suffix = "" if self.owned else f"_sqlrank_{self.number}"
        self.made: list[tuple[str, str]] = []
        self.registered: list[str] = []
        self.protocols: dict[str, Any] = {}
        self.servers: dict[str, Any] = {}
        """The connection to each server of another database whose tables are inputs."""
        self.copies: dict[str, str] = {}
        """The plain copy of each text file that is compressed or not in UTF-8."""
        self.origins: dict[str, str] = {}
        """What the user calls each file in the folder of temporary files."""
        self.streams: dict[str, str] = {}
        """What the user calls the rows that Arrow reads, by the name under which they were registered."""
        self.tables: dict[tuple[str, str, str | None], Any] = {}
        """The tables that paths were found to be, by path, role and the condition that a run was asked for with."""
        self.parquet: list[str] = []
        """The Parquet files that are read."""
        self.progress = progress
        self.tells_progress = True
        """Whether DuckDB says how far a statement is."""
        self.started = time.monotonic()
        self.scratch = temporary_folder(temp_dir)
        self.staged = os.path.join(self.scratch, "stored.parquet")
        """Where rows are written that are then put into a store: the one file that can always be written."""
        self.remove_scratch = weakref.finalize(self, remove, self.scratch)
        if connection is not None:
            self.connection = connection
            self.check_settings()
            return
        try:
            given = {"threads": threads, "memory_limit": memory_limit}
            settings = {name: value for name, value in given.items() if value is not None}
            if host is not None and isinstance(host.instance, Instance):
                self.instance = Visit(host.instance)
            else:
                self.instance = Instance(self.scratch, settings)
            self.connection = self.instance.connection
            self.configure_progress()
        except BaseException:
            self.close()
            raise

    def check_settings(self) -> None:
        """Raise UsageError for a session in which our SQL, or the caller's, has another meaning."""
        for name, value in self.execute(render("sources/session.sql", self.dialect)):
            raise UsageError(
                f"the connection has {name} = {value}, which changes what SQL computes: reset {name} on it, or pass"
                " another connection"
            )

    def configure_progress(self) -> None:
        """Switch off DuckDB's own progress bar, which writes to stdout in notebooks and interactive sessions.

        In a notebook without ipywidgets DuckDB has none, refuses to be asked about it, and does not tell how far it is.
        """
        try:
            self.execute(f"set enable_progress_bar = {str(self.progress).lower()}")
            if self.progress:
                self.execute("set enable_progress_bar_print = false")
        except DataError as error:
            if "progress bar" not in str(error):
                raise
            self.tells_progress = False

    @property
    def timezone(self) -> str:
        """The time zone of the session."""
        return str(self.execute(render("sources/timezone_of.sql", self.dialect))[0][0])

    def use_timezone(self, zone: str) -> None:
        """Read times that have a zone in this one; UsageError for an unknown one, or for a session passed."""
        if not self.owned:
            if self.timezone == zone:
                return
            raise UsageError(
                f"{spelt('timezone', zone)} is for a connection of our own; set the TimeZone of the one passed"
            )
        try:
            self.execute(render("sources/timezone.sql", self.dialect, zone=zone))
        except SqlrankError as error:
            raise UsageError(
                f"{spelt('timezone', zone)} is not known; give a name such as UTC or Europe/Berlin"
            ) from error

    def zoned(self, kind: str) -> bool:
        """Whether a type of columns is of times that have a zone, or holds some."""
        return "WITH TIME ZONE" in kind.upper()

    def name(self, base: str) -> str:
        """A name for an object of this call, unlike any other on a connection that was passed."""
        return base + self.suffix

    def called(self, file: str) -> str:
        """The name that the user gave a file."""
        return self.origins.get(file, file)

    def pattern(self, file: str) -> str:
        """A file name with its glob characters escaped."""
        return file if "://" in file else glob.escape(file)

    @cached_property
    def memory_limit(self) -> float:
        """How many bytes DuckDB allows itself."""
        setting = render("sources/memory_limit.sql", self.dialect)
        return bytes_of(str(self.execute(setting)[0][0]))

    def tasks(self, sizes: Sequence[int | None]) -> int | None:
        """None: nothing is moved in one process."""
        return None

    def parts(self, rows: Callable[[], int]) -> int:
        """In how many parts rows are evaluated, each the rows of some of the queries."""
        return parts_of_rows(rows(), lambda: self.memory_limit)

    def parts_of_marks(self, marks: int, long: bool) -> int:
        """In how many parts so many marks of documents are sorted, of `long` rankings or others."""
        return parts_of_marks(marks, long, lambda: self.memory_limit)

    def holds(self, numbers: int) -> bool:
        """Whether lists of so many numbers, which cannot be spilled, fit in memory with the rest."""
        return lists_fit(numbers, lambda: self.memory_limit)

    def execute(self, sql: str, parameters: Sequence[Any] = (), *, doing: str = "") -> list[tuple[Any, ...]]:
        """Run one statement and fetch its rows; raises DataError, ResourceError, or KeyboardInterrupt for Ctrl-C."""
        if not (self.progress and doing):
            return self.watched(lambda: self.run(sql, parameters))
        from sqlrank.engines.progress import progress_bar

        elapsed = time.monotonic() - self.started
        percent = self.connection.query_progress if self.tells_progress else None
        with progress_bar(percent, doing, elapsed):
            return self.watched(lambda: self.run(sql, parameters))

    def watched(self, call: Callable[[], T]) -> T:
        """Call a function on the connection; Ctrl-C and the time limit of user SQL interrupt it."""
        self.check_open()
        try:
            with limited(self.limit, self.connection.interrupt):
                return interruptible(self.connection.interrupt, call)
        except duckdb.Error as error:
            self.never_reuse()
            if isinstance(error, duckdb.InterruptException):
                raise translated(error) from error
            raise self.failure(error) from error

    def never_reuse(self) -> None:
        """Let no other call use the instance, to which something was done that outlives the connection."""
        if self.instance is not None:
            self.instance.never_reuse()

    def run(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Run one statement on this thread; a result is fetched whole, or the connection would stay busy."""
        result = self.connection.execute(sql, parameters) if parameters else self.connection.execute(sql)
        return result.fetchall()

    def row(self, sql: str) -> dict[str, Any]:
        """The first row of a statement by column name, or nothing."""
        return next(iter(self.gather([sql])[0]), {})

    def defer(self, sql: str, then: Callable[[list[dict[str, Any]]], None]) -> None:
        """Call a function with the few rows of a statement, at once."""
        then(self.named(sql))

    def run_deferred(self) -> None:
        """Nothing is deferred."""

    def summarise(self, name: str, statement: str, load: Callable[[list[dict[str, Any]]], None]) -> None:
        """Put the rows of a summary into a table, at once and without looking at them."""
        self.keep(name, statement, doing="evaluating")

    def gather(self, statements: Sequence[str]) -> list[list[dict[str, Any]]]:
        """The rows of each of some statements of few rows."""
        return [self.named(sql) for sql in statements]

    def named(self, sql: str) -> list[dict[str, Any]]:
        """The rows of a statement by column name."""

        def run() -> list[dict[str, Any]]:
            result = self.connection.execute(sql)
            names = [column[0] for column in result.description or ()]
            return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

        return self.watched(run)

    def failure(self, error: duckdb.Error) -> SqlrankError | KeyboardInterrupt:
        """Translate an error of DuckDB, with files as the user named them."""
        found = translated(error)
        if isinstance(found, SqlrankError):
            text = str(found)
            for path, name in self.origins.items():
                text = text.replace(path, name)
            text = of_stream(text, self.streams)
            if not any(file in text for file in self.parquet) and is_of_reading(error):
                self.check_parquet()
            return type(found)(text)
        return found

    def check_parquet(self) -> None:
        """Raise DataError if a Parquet file cannot be read to its end."""
        for file in self.parquet:
            reader = sql_text(
                render("sources/parquet.sql", self.dialect, groups=[{"files": [self.pattern(file)]}], hive=False)
            )
            try:
                with duckdb.connect() as connection:
                    for system in self.protocols.values():
                        connection.register_filesystem(system)
                    connection.execute(render("sources/read_whole.sql", self.dialect, reader=reader)).fetchall()
            except duckdb.Error as error:
                raise DataError(f"{file}: cannot be read: {first_line(error)}; write the file again") from error

    def make(self, kind: str, name: str, sql: str, parameters: Sequence[Any] = (), *, doing: str = "") -> None:
        """Run the statement that creates a view or table of this call, to be dropped when closed."""
        self.execute(sql, parameters, doing=doing)
        self.made.append((kind, name))
        if kind == "database":
            self.never_reuse()

    def keep(self, name: str, statement: str, *, doing: str = "", more: bool = False) -> None:
        """Run a statement once and keep its rows as a table; with `more` they are added to those that it has."""
        template = "sources/inserted.sql" if more else "sources/created.sql"
        sql = render(template, self.dialect, name=name, statement=sql_text(statement))
        if more:
            self.execute(sql, doing=doing)
        else:
            self.make("table", name, sql, doing=doing)

    def load(self, name: str, kinds: Mapping[str, str], values: Sequence[Sequence[Any]]) -> None:
        """Make a table of few rows, given as the type and the values of each column, or make it anew."""
        columns = [(column, sql_text(kind)) for column, kind in kinds.items()]
        self.make("table", name, render("sources/few.sql", self.dialect, name=name, columns=columns), values)

    def drop(self, kind: str, name: str) -> None:
        """Drop a view or table of this call before it is closed."""
        self.execute(render("sources/drop.sql", self.dialect, kind=kind, name=name))
        self.made.remove((kind, name))

    def register(self, name: str, frame: object) -> None:
        """Make a data frame, Arrow table or reader readable under a name."""
        try:
            self.connection.register(name, frame)
        except duckdb.ConnectionException as error:
            raise self.failure(error) from error
        except (duckdb.Error, TypeError, ValueError, RuntimeError) as error:
            raise UsageError(
                f"a {type(frame).__name__} cannot be read; give a path, a table of pandas, polars or Arrow, a relation"
                " of DuckDB, or {query: {document: number}}"
            ) from error
        self.registered.append(name)

    def unregister(self, name: str) -> None:
        """Let go of what was registered under a name."""
        self.connection.unregister(name)
        self.registered.remove(name)

    def register_filesystem(self, protocol: str, system: Any) -> None:
        """Let DuckDB read URLs of a protocol through fsspec, unless it can already."""
        if not self.connection.filesystem_is_registered(protocol):
            self.never_reuse()
            self.connection.register_filesystem(system)
            self.protocols[protocol] = system

    def lock(self, paths: Sequence[str]) -> None:
        """Let nothing but these files and `staged` be read or written; a connection passed to us stays as it is."""
        if self.owned:
            self.never_reuse()
            for statement in lines_of(
                render("sources/lock.sql", self.dialect, paths=[*paths, self.staged]).rstrip(), self.dialect
            ):
                self.execute(statement)

    def relation(self, sql: str) -> duckdb.DuckDBPyRelation:
        """A relation, which runs the statement when it is read."""
        self.check_open()
        return self.connection.sql(sql)

    rows = relation
    """The same relation, read row by row."""

    def save(self, sql: str, kind: str, path: str) -> bool:
        """Write nothing: the caller writes the rows."""
        return False

    def check_open(self) -> None:
        """Raise UsageError if the engine is closed."""
        if self.closed:
            raise UsageError("the result is closed; read it before close(), or inside the with block")

    @property
    def local(self) -> DuckDBEngine:
        """The engine that holds the summary: this one."""
        return self

    def beside(self) -> DuckDBEngine:
        """Another engine on the same connection, for a further evaluation whose tables have names of their own."""
        made = DuckDBEngine(self.connection, progress=self.progress)
        made.limit, made.parquet, made.origins, made.streams = self.limit, self.parquet, self.origins, self.streams
        return made

    def close(self) -> None:
        """Drop what was made; close and remove what is our own. Safe to call twice."""
        while self.servers:
            self.servers.popitem()[1].close()
        self.closed = True
        if self.instance is not None:
            self.instance.close()
            self.instance = None
        self.remove_scratch()
        if self.owned:
            return
        with suppress(duckdb.Error):
            for kind, name in reversed(self.made):
                drop = render("sources/drop.sql", self.dialect, kind=kind, name=name)
                self.connection.execute(drop).fetchall()
            for name in self.registered:
                self.connection.unregister(name)
            for protocol in self.protocols:
                self.connection.unregister_filesystem(protocol)
            if self.number:
                numbers.give_back(self.number)
                self.number = 0
        self.made, self.registered, self.protocols = [], [], {}


def temporary_folder(parent: str | None) -> str:
    """Make a folder that is removed when the process ends; ResourceError if it cannot be made."""
    try:
        with put_off():
            folder = os.path.abspath(tempfile.mkdtemp(prefix="sqlrank-", dir=parent))
            remains.add(folder)
            return folder
    except OSError as error:
        where = "the folder of temporary files" if parent is None else spelt("temp_dir", parent)
        raise ResourceError(f"{where}: cannot be written: {error.strerror or error}") from error
