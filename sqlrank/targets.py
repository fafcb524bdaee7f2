"""Files that are written: refused where they would harm, and whole or not there."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from functools import cache
from hashlib import sha256

from sqlrank.errors import ResourceError, UsageError
from sqlrank.remote import URL, check_target, upload


def check_targets(targets: Iterable[str | None], inputs: Iterable[str]) -> None:
    """Refuse outputs that would harm: an input (now, or at the next run), one file twice, a device, no folder.

    Raises:
        UsageError: the file must not be written.
        ResourceError: it cannot be.
    """
    read = {real_path(path) for path in inputs}
    patterns = [absolute(path) + ("/*" if os.path.isdir(path) else "") for path in inputs]
    seen: set[str] = set()
    for target in filter(None, targets):
        real = real_path(target)
        if real in read or any(fnmatch(absolute(target), pattern) for pattern in patterns):
            raise UsageError(f"{target} is an input and will not be overwritten")
        if real in seen:
            raise UsageError(f"{target} would be written twice")
        seen.add(real)
        if URL.match(target):
            check_target(target)
        else:
            check_local(target, real)


def check_local(target: str, real: str) -> None:
    """Refuse what is no regular file, or has no folder."""
    if os.path.lexists(target) and not stat.S_ISREG(os.lstat(target).st_mode):
        raise UsageError(f"{target} is not a regular file; only a file can be replaced whole")
    if not os.path.isdir(os.path.dirname(real)):
        raise ResourceError(f"{target}: the folder {os.path.dirname(real)} is not there")


def real_path(path: str) -> str:
    """What a path means, whatever links lead there; a URL is what it is."""
    return path if URL.match(path) else os.path.realpath(path)


def absolute(path: str) -> str:
    """A path from the root; a URL is what it is."""
    return path if URL.match(path) else os.path.abspath(path)


@cache
def waiting_room() -> str:
    """A folder of this process alone, where files wait that go to a URL."""
    folder = tempfile.mkdtemp(prefix="sqlrank-out-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def temporary_path(path: str) -> str:
    """Where a file is written before it takes its place."""
    if URL.match(path):
        return os.path.join(waiting_room(), sha256(path.encode()).hexdigest())
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(folder, f".{name}.{os.getpid()}.part")


@contextmanager
def whole_file(path: str) -> Iterator[str]:
    """A temporary file, which takes its place once the block has ended well.

    Raises:
        ResourceError: the file cannot be written.
    """
    temporary = temporary_path(path)
    try:
        yield temporary
        if URL.match(path):
            upload(temporary, path)
        else:
            os.replace(temporary, path)
    except OSError as error:
        raise ResourceError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)
