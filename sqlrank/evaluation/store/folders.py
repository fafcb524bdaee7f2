"""Which store a path means, and one in a folder, here or behind a URL: a Parquet file for each day and system."""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlrank.engines.duckdb_errors import first_line
from sqlrank.errors import DataError, ResourceError, UsageError, without_credentials
from sqlrank.evaluation.store.meaning import DAY, PER_QUERY, Meaning, NewRows, Place, meaning_of, reader_of
from sqlrank.inputs.files import hidden, rooted, told_by_suffix
from sqlrank.process.output_files import Target, reported_of
from sqlrank.process.remote import URL, WEB, check_target, files_like
from sqlrank.statement.templates import render, sql_text

if TYPE_CHECKING:
    from sqlrank.engines.duckdb import DuckDBEngine

FILES = f"{DAY}=*/*.parquet"
"""The files of a store, below its folder."""
DATABASE = ".duckdb"
"""The suffix of a store in a DuckDB file."""
PATTERN = re.compile(r"[*?\[]")
"""What makes a path a pattern."""


class StoredFiles(Place):
    """Files of a store."""

    def __init__(self, label: str, files: Sequence[str] = ()) -> None:
        self.label, self.files = label, files

    def paths(self, engine: DuckDBEngine) -> Sequence[str]:
        """The files, in order."""
        return self.files

    def meanings(self, engine: DuckDBEngine) -> list[Meaning]:
        """What the metadata of each file say."""
        return self.meanings_in(engine, self.paths(engine))

    def meanings_in(self, engine: DuckDBEngine, paths: Sequence[str]) -> list[Meaning]:
        """What the metadata of some files say."""
        if not paths:
            return []
        told: dict[str, dict[str, str]] = {told_of(path): {} for path in paths}
        files = [engine.pattern(rooted(path)) for path in paths]
        for file, name, text in engine.execute(render("store/metadata.sql", engine.dialect, files=files)):
            told[told_of(file)][name] = text
        if not any(found.get("rows") == PER_QUERY for found in told.values()):
            return []
        return [meaning_of(told[told_of(path)], without_credentials(path)) for path in paths]

    def reader(self, engine: DuckDBEngine) -> Markup:
        """The SQL that reads all files."""
        return reader_of(engine, self.paths(engine))

    def add(self, engine: DuckDBEngine, rows: NewRows, replace: bool) -> Collection[str]:
        """Refuse to add to files."""
        raise UsageError(f"{self.label}: rows are added to the folder of a store, not to some of its files")


class Folder(StoredFiles):
    """The folder of a store, or one that is to become a store."""

    def __init__(self, path: str) -> None:
        super().__init__(os.path.join(path, ""))
        self.path = path

    def paths(self, engine: DuckDBEngine) -> Sequence[str]:
        """The files that are there now."""
        return files_in(self.path, FILES)

    def add(self, engine: DuckDBEngine, rows: NewRows, replace: bool) -> Collection[str]:
        """Store a file for each system."""
        paths = {system: self.path_of(rows.day, system) for system in rows.systems}
        there = self.paths(engine)
        held = [system for system, path in paths.items() if path in there]
        if held and not replace:
            raise DataError(self.taken(held, rows.day))
        self.check_others(engine, rows, paths.values())
        self.make_folder(os.path.dirname(next(iter(paths.values()))))
        targets = [Target(path, None if replace else self.taken([system], rows.day)) for system, path in paths.items()]
        try:
            self.write(engine, rows, targets)
            if not replace:
                self.check_others(engine, rows, paths.values())
        except BaseException:
            for target in targets:
                target.take_back()
            raise
        return held

    def write(self, engine: DuckDBEngine, rows: NewRows, targets: Sequence[Target]) -> None:
        """Write all files before any takes its place."""
        with ExitStack() as stack:
            for system, target in zip(rows.systems, targets, strict=True):
                temporary = stack.enter_context(target.whole())
                copied = {"statement": sql_text(rows.of_system(engine, system)), "path": temporary}
                try:
                    engine.execute(render("sources/copy.sql", engine.dialect, **copied, metadata=dict(rows.told)))
                except (DataError, ResourceError) as error:
                    text = first_line(error.__cause__ or error).replace(temporary, target.path)
                    raise ResourceError(f"{target.path}: cannot be written: {text}") from error

    def check_others(self, engine: DuckDBEngine, rows: NewRows, own: Collection[str]) -> None:
        """Raise DataError if files besides those of the rows were measured in another way, or hold something else."""
        others = [path for path in self.paths(engine) if path not in own]
        meanings = self.meanings_in(engine, others)
        if others and not meanings:
            raise DataError(f"{without_credentials(others[0])} is not a file of a store; name another place")
        rows.check_fits(meanings, self.label)

    def path_of(self, day: str, system: str) -> str:
        """The file of a day and system."""
        return os.path.join(self.path, f"{DAY}={day}", file_name(system))

    def make_folder(self, path: str) -> None:
        """Make the folder of a day."""
        with reported_of(path):
            os.makedirs(path, exist_ok=True)


class RemoteFiles(StoredFiles):
    """Files of a store behind a URL, by a pattern."""

    def __init__(self, label: str, pattern: str) -> None:
        StoredFiles.__init__(self, label)
        self.pattern = pattern

    def paths(self, engine: DuckDBEngine) -> Sequence[str]:
        """The files that are there now."""
        protocol, system, found = files_like(self.pattern)
        engine.register_filesystem(protocol, system)
        return [file for file in found if not hidden(file)]


class RemoteFolder(RemoteFiles, Folder):
    """A folder behind a URL."""

    def __init__(self, url: str) -> None:
        check_target(url)
        self.path = url.rstrip("/")
        RemoteFiles.__init__(self, without_credentials(f"{self.path}/"), f"{self.path}/{FILES}")

    def path_of(self, day: str, system: str) -> str:
        """The file of a day and system."""
        return f"{self.path}/{DAY}={day}/{file_name(system)}"

    def make_folder(self, path: str) -> None:
        """Make nothing: what is behind a URL has folders once files are in them."""


def told_of(path: str) -> str:
    """A file as it is known in every spelling of its URL."""
    return re.sub(r"\A([a-z][a-z0-9+.-]+):/+", r"\1:", rooted(path))


def file_name(system: str) -> str:
    """The name of the file of a system: what a person knows it by, and what tells it from any other."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", system)[:40].strip("._-")
    digest = hashlib.sha256(system.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{plain or 'system'}-{digest}.parquet"


def files_in(folder: str, pattern: str) -> list[str]:
    """The files of a folder that are there now, in order; temporary ones of writers are not among them."""
    found = glob.glob(os.path.join(glob.escape(folder), pattern))
    return sorted(file for file in found if not hidden(os.path.basename(file)))


def place_to_write(path: str) -> Place:
    """The place that an evaluation is to be stored in; UsageError if it is none."""
    if path.lower().endswith(DATABASE) and not URL.match(path):
        from sqlrank.evaluation.store.database import Database

        return Database(path)
    if URL.match(path):
        if told_by_suffix(path) or path.lower().endswith(DATABASE):
            raise UsageError(f"{without_credentials(path)}: behind a URL a store is a folder; leave out the suffix")
        return RemoteFolder(path)
    if os.path.lexists(path) and not os.path.isdir(path):
        raise UsageError(f"{path} is a file; a store is a folder, a URL of a folder, or a file NAME{DATABASE}")
    return Folder(path)


def place_at(path: Any) -> Place | None:
    """The store that an input may be: its place, the folder of a day, one file, or a pattern; None if it is none.

    The files are those that are there now: later ones are not among them.
    """
    if not isinstance(path, str | Path):
        return None
    text = str(path)
    if URL.match(text):
        return remote_at(text)
    if os.path.isdir(text):
        label = os.path.join(text, "")
        inside = of_day(os.path.abspath(text))
        return StoredFiles(label, files_in(text, "*.parquet" if inside else FILES))
    if text.lower().endswith(DATABASE) and os.path.isfile(text):
        from sqlrank.evaluation.store.database import Database

        return Database(text)
    files = [text] if os.path.isfile(text) else sorted(glob.glob(text, recursive=True))
    stored = [of_day(os.path.dirname(os.path.abspath(file))) and file.endswith(".parquet") for file in files]
    return StoredFiles(text, files) if stored and all(stored) else None


def remote_at(url: str) -> Place | None:
    """The store that a URL may be."""
    path = url.rstrip("/")
    if url.startswith(WEB) or "?" in url:
        return None
    if path.endswith(".parquet"):
        found = files_like(path)[2] if of_day(os.path.dirname(path)) or PATTERN.search(path) else []
        stored = bool(found) and all(of_day(os.path.dirname(file)) for file in found)
        return RemoteFiles(without_credentials(url), path) if stored else None
    if told_by_suffix(path) or path.endswith(DATABASE):
        return None
    return RemoteFiles(without_credentials(url), f"{path}/{'*.parquet' if of_day(path) else FILES}")


def of_day(folder: str) -> bool:
    """Whether a folder is called as that of a day in a store."""
    return os.path.basename(folder).startswith(f"{DAY}=")
