"""Fingerprints of the inputs, by which a later reader tells whether the data is the same."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlrank.engines.protocol import Engine
from sqlrank.inputs.table import Table


class Fingerprint(NamedTuple):
    """One file that was read."""

    name: str
    """What the user called it."""
    size: int
    """In bytes."""
    sha256: str
    """In hexadecimal, as `sha256sum` prints it."""


def fingerprints(engine: Engine, tables: Iterable[Table]) -> Iterator[Fingerprint]:
    """The local files of some tables, each once; tables in memory, databases and URLs have none."""
    seen: set[str] = set()
    for table in tables:
        for file in table.files:
            name = engine.called(file)
            if name in seen or not os.path.isfile(name):
                continue
            seen.add(name)
            with open(name, "rb") as opened:
                yield Fingerprint(name, os.path.getsize(name), hashlib.file_digest(opened, "sha256").hexdigest())


def folder_of(files: Iterable[Fingerprint]) -> str:
    """The folder, with a separator at its end, in which all files lie whose path is absolute; nothing for none."""
    folders = [os.path.dirname(file.name) for file in files if os.path.isabs(file.name)]
    if not folders or len({os.path.splitdrive(folder)[0] for folder in folders}) > 1:
        return ""
    shared = os.path.commonpath(folders)
    return os.path.join(shared, "") if os.path.dirname(shared) != shared else ""
