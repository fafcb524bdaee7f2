"""The folders that Spark writes: whole or not there, as far as the file system can promise it."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlrank.errors import ResourceError, UsageError
from sqlrank.process.signals import put_off, remains, remove, written

SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://?")
DONE = "_SUCCESS"
"""The file that Spark puts into a folder that is whole."""


def check_folder(path: str, kept: Iterable[str] = ()) -> None:
    """Raise early if a folder to be written holds files that Spark did not write, is among `kept`, or has no parent."""
    whole = plain_path(path)
    for other in map(plain_path, kept):
        if f"{whole}/".startswith(f"{other}/") or other.startswith(f"{whole}/"):
            raise UsageError(f"{path} is an input or another output and will not be overwritten")
    if SCHEME.match(path):
        return
    if os.path.lexists(path) and not os.path.isfile(os.path.join(path, DONE)):
        raise UsageError(f"{path} exists already, and is not a folder that Spark wrote; choose another name")
    above = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(above):
        raise ResourceError(f"{path}: the folder {above} is not there")


def plain_path(path: str) -> str:
    """A path that can be compared with others."""
    return path.rstrip("/") if SCHEME.match(path) else os.path.realpath(path)


@contextmanager
def saved(session: Any, path: str, remote: bool) -> Iterator[str]:
    """Where Spark is to write, so that a folder appears whole at a path.

    A local folder is written next to its place, then moved there. Elsewhere (`remote`: Spark Connect, whose files are
    on another machine) Spark commits what it wrote with its file _SUCCESS, and refuses a path where something is.
    """
    if remote or SCHEME.match(path) or not writes_here(session):
        yield path
        return
    check_folder(path)
    whole = os.path.abspath(path)
    temporary = os.path.join(os.path.dirname(whole), f".{os.path.basename(whole)[:40]}.{secrets.token_hex(16)}.part")
    remains.add(temporary)
    try:
        yield temporary
        with put_off():
            if os.path.isdir(whole):
                shutil.rmtree(whole)
            os.replace(temporary, whole)
            written.append(path)
    except OSError as error:
        raise ResourceError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        remove(temporary)


def writes_here(session: Any) -> bool:
    """Whether a path without a scheme is one of this machine."""
    return str(session.sparkContext._jsc.hadoopConfiguration().get("fs.defaultFS") or "file:").startswith("file:")
