"""Which store a path means, to be read or written."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import Any

from sqlrank.errors import UsageError, without_credentials
from sqlrank.evaluation.store.folders import FILES, Folder, RemoteFiles, RemoteFolder, StoredFiles, files_in
from sqlrank.evaluation.store.meaning import DAY
from sqlrank.evaluation.store.place import Place
from sqlrank.inputs.files import told_by_suffix
from sqlrank.process.remote import URL, WEB, files_like

DATABASE = ".duckdb"
"""The suffix of a store in a DuckDB file."""
PATTERN = re.compile(r"[*?\[]")
"""What makes a path a pattern."""


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
