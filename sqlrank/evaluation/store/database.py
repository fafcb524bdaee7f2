"""A store in a DuckDB file: the table `results`, and the table `meanings` that says what its rows mean."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import duckdb
from markupsafe import Markup

from sqlrank.engines.duckdb_errors import first_line
from sqlrank.errors import DataError, ResourceError, SqlrankError
from sqlrank.evaluation.store.meaning import PER_QUERY, Meaning, NewRows, Place, meaning_of, reader_of
from sqlrank.inputs.files import rooted
from sqlrank.process.output_files import put_new, reported_of
from sqlrank.process.signals import remains, remove
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine

BUSY = ("Could not set lock", "Unique file handle conflict", "being used by another process")
"""What DuckDB says of a file that another one has open."""
PATIENCE = 60.0
"""For how many seconds a file is waited for that another process has open."""
PAUSE = 0.05


class Database(Place):
    """A DuckDB file, which is open no longer than it is read or written."""

    def __init__(self, path: str) -> None:
        self.label = self.path = path
        self.key = (os.path.realpath(path), "store", None)
        """What its rows are kept under, on an engine."""

    def meanings(self, engine: DuckDBEngine) -> list[Meaning]:
        """What the table of meanings says; DataError for a database that holds no store."""
        with self.attached(engine, written=False) as name:
            if tables_in(engine, name) != ["meanings", "results"]:
                raise DataError(f"{self.path} is not a store: it has no tables results and meanings")
            if self.key not in engine.tables:
                self.copy(engine, name)
            return self.told(engine, name)

    def copy(self, engine: DuckDBEngine, name: str) -> None:
        """Keep the rows, so that others may write the file as long as they are read."""
        kept = engine.name(f"store_{len(engine.made)}")
        results = sql_text(f"{engine.dialect.ident(name)}.results")
        engine.keep(kept, render("sources/every_row.sql", engine.dialect, relation=results), doing="reading")
        engine.tables[self.key] = sql_text(engine.dialect.ident(kept))

    def told(self, engine: DuckDBEngine, name: str) -> list[Meaning]:
        """What the rows of each day and system mean."""
        found = []
        rows = engine.execute(render("store/meanings.sql", engine.dialect, database=name))
        for day, system, version, conventions, contents in rows:
            told = {"rows": PER_QUERY, "sqlrank": version, "conventions": conventions, "contents": contents}
            found.append(meaning_of(told | {"as_of": day}, f"{self.path}, {system} of {day},"))
        return found

    def reader(self, engine: DuckDBEngine) -> Markup:
        """The rows as they were when what they mean was read."""
        found: Markup = engine.tables[self.key]
        return found

    def add(self, engine: DuckDBEngine, rows: NewRows, replace: bool) -> Collection[str]:
        """Store the rows in one transaction."""
        self.make()
        with self.attached(engine, written=True) as name, transaction(engine, self.path):
            return self.added(engine, name, rows, replace)

    def added(self, engine: DuckDBEngine, name: str, rows: NewRows, replace: bool) -> Collection[str]:
        """Add the rows within a transaction, and return the systems whose rows they replace."""

        def run(template: str, **variables: object) -> None:
            engine.execute(render(f"store/{template}.sql", engine.dialect, database=name, **variables))

        reader = reader_of(engine, [rows.file])
        tables = tables_in(engine, name)
        if tables == ["results"]:
            raise DataError(f"{self.path} has a table results that is not that of a store; name another file")
        run("create_meanings")
        if "results" not in tables:
            run("create_results", reader=reader)
        listed = engine.execute(render("store/meanings.sql", engine.dialect, database=name))
        known = {(day, system): place for place, (day, system, *_) in enumerate(listed)}
        held = [system for system in rows.systems if (rows.day, system) in known]
        if held and not replace:
            raise DataError(self.taken(held, rows.day))
        own = {known[rows.day, system] for system in held}
        others = [one for place, one in enumerate(self.told(engine, name)) if place not in own]
        rows.check_fits(others, self.path)
        if held and not others:  # nothing stays, so that the new rows may have other columns
            run("dropped")
            run("create_results", reader=reader)
        for table in ("meanings", "results") if others else ("meanings",):
            for system in held:
                run("deleted", table=table, day=rows.day, system=system)
        run("inserted", reader=reader)
        for system in rows.systems:
            run("meant", day=rows.day, system=system, told=rows.told)
        return held

    def make(self) -> None:
        """Make a database without tables, whole, where nothing is."""
        if os.path.lexists(self.path):
            return
        folder, name = os.path.split(os.path.abspath(self.path))
        with reported_of(self.path):
            os.makedirs(folder, exist_ok=True)
            temporary = os.path.join(folder, f".{name[:40]}.{secrets.token_hex(16)}.part")
            remains.add(temporary)
            try:
                duckdb.connect(temporary).close()
                with suppress(FileExistsError):
                    put_new(temporary, self.path)
            except duckdb.Error as error:
                raise ResourceError(f"{self.path}: cannot be written: {error}") from error
            finally:
                remove(temporary)

    @contextmanager
    def attached(self, engine: DuckDBEngine, written: bool) -> Iterator[str]:
        """The name of the database while it is attached; waits for one that another process has open."""
        name, until = engine.name("store"), time.monotonic() + PATIENCE
        statement = render("store/attach.sql", engine.dialect, path=rooted(self.path), name=name, written=written)
        while True:
            try:
                engine.make("database", name, statement)
                break
            except SqlrankError as error:
                busy = any(words in str(error) for words in BUSY)
                if busy and time.monotonic() < until:
                    time.sleep(PAUSE)
                    continue
                kind = ResourceError if busy or isinstance(error, ResourceError) else DataError
                raise kind(f"{self.path}: cannot be opened: {error}") from error
        try:
            yield name
        finally:
            # A full disk may keep DuckDB from tidying up the file; what was committed is there nevertheless.
            with suppress(SqlrankError):
                engine.drop("database", name)


@contextmanager
def transaction(engine: DuckDBEngine, path: str) -> Iterator[None]:
    """Let all that the block does to a file be done, or nothing; ResourceError if it cannot be written."""
    engine.watched(engine.connection.begin)
    try:
        yield
        engine.watched(engine.connection.commit)
    except BaseException as error:
        with suppress(duckdb.Error):
            engine.connection.rollback()
        if isinstance(error, ResourceError):
            raise ResourceError(f"{path}: cannot be written: {first_line(error.__cause__ or error)}") from error
        raise


def tables_in(engine: DuckDBEngine, name: str) -> list[str]:
    """The tables of a store that a database has."""
    return [row[0] for row in engine.execute(render("store/tables.sql", engine.dialect, database=name))]
