"""Output files: refused where they would overwrite an input, and written whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from errno import EEXIST, EINVAL, ENOSYS, ENOTSUP, EPERM
from fnmatch import fnmatch
from functools import cached_property

from sqlrank.choices import SETTINGS
from sqlrank.errors import DataError, ResourceError, UsageError
from sqlrank.process.remote import URL, check_target, remove_remote, upload
from sqlrank.process.signals import put_off, remains, remove, written

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
"""How a file is opened that must not be there yet, nor be a link to elsewhere."""
PERMISSIONS = 0o777


class Target:
    """A file (path or URL), written next to its place under a name that cannot be guessed, then moved there whole."""

    def __init__(self, path: str, taken: str | None = None) -> None:
        self.path = path
        self.taken = taken
        """What DataError says where something is in the place already; None to replace it."""
        self.placed = False
        """Whether the file has taken its place."""
        self.handle = -1
        """The temporary file, open as long as it is there, so that no other one can be taken for it."""

    @cached_property
    def temporary(self) -> str:
        """Where it is written; made when first asked for, so that a folder that cannot be written is found early."""
        with reported_of(self.path), put_off():
            if URL.match(self.path):
                folder = tempfile.mkdtemp(prefix="sqlrank-out-")
                remains.add(folder)
                path = os.path.join(folder, "output")
                self.handle = os.open(path, NEW, 0o600)
            else:
                folder, name = os.path.split(os.path.abspath(self.path))
                path = os.path.join(folder, f".{name[:40]}.{secrets.token_hex(16)}.part")
                remains.add(path)
                self.handle = made_like(path, self.path)
        return path

    @contextmanager
    def whole(self) -> Iterator[str]:
        """The temporary file, which takes its place once the block has ended well.

        Raises:
            DataError: something is there already, and is not to be replaced.
            ResourceError: it cannot be written.
        """
        try:
            with reported_of(self.path):
                yield self.temporary
                self.sync()
                with nullcontext() if URL.match(self.path) else put_off():
                    self.take_place()
        finally:
            self.clear()

    def sync(self) -> None:
        """Let what was written outlast a loss of power; OSError if it is not the file that was made."""
        if not os.path.samestat(os.fstat(self.handle), os.lstat(self.temporary)):
            raise OSError("another file was put in its place while it was written")
        os.fsync(self.handle)

    def take_place(self) -> None:
        """Move the file to where it belongs; DataError if something is there that it is not to replace."""
        try:
            self.move()
        except FileExistsError as error:
            if self.taken is None:
                raise
            raise DataError(self.taken) from error
        self.placed = True
        written.append(self.path)
        if not URL.match(self.path):
            sync_folder(os.path.dirname(self.temporary))

    def move(self) -> None:
        """Put the file in its place."""
        if URL.match(self.path):
            upload(self.temporary, self.path, new=self.taken is not None)
        elif self.taken is not None:
            put_new(self.temporary, self.path)
            remove(self.temporary)
        else:
            os.replace(self.temporary, self.path)
            remains.discard(self.temporary)

    def take_back(self) -> None:
        """Remove a file that has taken a place where nothing was."""
        if self.placed and self.taken is not None:
            written.remove(self.path)
            if URL.match(self.path):
                remove_remote(self.path)
            else:
                remove(self.path)

    def clear(self) -> None:
        """Remove a temporary file that has not replaced its target."""
        if "temporary" in vars(self):
            if self.temporary in remains:
                remove(self.temporary)
            if URL.match(self.path):
                remove(os.path.dirname(self.temporary))
            os.close(self.handle)
            del self.temporary


def target_of(path: Target | str) -> Target:
    """An output, however it is named."""
    return path if isinstance(path, Target) else Target(path)


@contextmanager
def reported_of(path: str) -> Iterator[None]:
    """Name the output in errors of writing it, which become ResourceError."""
    try:
        yield
    except OSError as error:
        raise ResourceError(f"{path}: cannot be written: {error.strerror or error}") from error


def put_new(path: str, target: str) -> None:
    """Give a file a name that nothing has; FileExistsError if something has it, also where two writers meet.

    A file system without hard links cannot tell these apart: there the later one of two that meet stays.
    """
    try:
        os.link(path, target)
    except OSError as error:
        if error.errno not in (EPERM, ENOTSUP, ENOSYS):
            raise
        if os.path.lexists(target):
            raise FileExistsError(EEXIST, os.strerror(EEXIST), target) from error
        os.replace(path, target)


def made_like(path: str, model: str) -> int:
    """Make and open a file with the permissions, and if that is allowed the owner, of the one that it will replace."""
    try:
        known = os.lstat(model)
    except FileNotFoundError:
        return os.open(path, NEW, 0o666)
    handle = os.open(path, NEW, 0o600)
    try:
        with suppress(OSError):
            os.fchown(handle, known.st_uid, known.st_gid)
        os.fchmod(handle, stat.S_IMODE(known.st_mode) & PERMISSIONS)
    except OSError:
        os.close(handle)
        raise
    return handle


def sync_folder(folder: str) -> None:
    """Let a new name in a folder outlast a loss of power, where the file system can promise it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (EINVAL, ENOTSUP):
            raise
    finally:
        os.close(handle)


@contextmanager
def opened(targets: Sequence[Target | None], inputs: Iterable[str]) -> Iterator[list[str]]:
    """Check outputs before anything is computed, make their temporary files, and leave none of these behind."""
    given = [target for target in targets if target is not None]
    check_targets([target.path for target in given], inputs)
    try:
        yield [target.temporary for target in given]
    finally:
        for target in given:
            target.clear()


def check_targets(targets: Iterable[str | None], inputs: Iterable[str]) -> None:
    """Raise if an output is an input (now, or at the next run), is named twice, is a device, or has no folder."""
    read = list(inputs)
    seen: set[str] = set()
    for target in filter(None, targets):
        real = real_path(target)
        check_not_read(target, read)
        if real in seen:
            raise UsageError(f"{target} would be written twice")
        seen.add(real)
        if URL.match(target):
            check_target(target)
        else:
            check_local(target, real)


def check_not_read(target: str, inputs: Iterable[str]) -> None:
    """Raise UsageError if an output is an input, or would be one at the next run."""
    for path in inputs:
        pattern = absolute(path) + ("/*" if os.path.isdir(path) else "")
        if real_path(target) == real_path(path) or fnmatch(absolute(target), pattern):
            raise UsageError(f"{target} is an input and will not be overwritten")


def check_local(target: str, real: str) -> None:
    """Raise if a path is no regular file, or its folder does not exist."""
    if target == "-":
        raise UsageError("- is standard output for --output and --per-query alone; name a file")
    if os.path.basename(real) in SETTINGS:
        raise UsageError(f"{target} is read as settings and will not be overwritten")
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
