"""The standard streams, which may be closed, full, or unable to show every character."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from sqlrank.errors import ResourceError


class Closed(io.TextIOBase):
    """A standard output that is closed: writing raises."""

    def write(self, text: str) -> int:
        """Raise ResourceError."""
        raise ResourceError("standard output cannot be written: it is closed")


def prepare() -> None:
    """Replace closed streams, before a file is opened under their number."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    if sys.stdout is None:
        sys.stdout = Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 it stays open as long as the process


def show_all() -> None:
    """Escape what the encoding of a stream cannot hold, rather than stop at it."""
    for stream in (sys.stdout, sys.stderr):
        configure(stream, errors="backslashreplace")


def configure(stream: Any, **settings: str) -> None:
    """Change how a stream writes, where it is one of Python's own."""
    if isinstance(stream, io.TextIOWrapper):
        with suppress(OSError, ValueError):
            stream.reconfigure(**settings)  # type: ignore[arg-type]


@contextmanager
def standard_output(for_people: bool) -> Iterator[TextIO]:
    """Standard output, UTF-8 unless it is `for_people`; its reader may leave early. ResourceError if closed or full."""
    if not for_people:
        configure(sys.stdout, encoding="utf-8", errors="backslashreplace")
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)
    except OSError as error:
        abandon(sys.stdout)
        raise ResourceError(f"standard output cannot be written: {error.strerror or error}") from error


def flush() -> None:
    """Write out what standard output still holds; ResourceError if it is closed or full."""
    if not isinstance(sys.stdout, Closed):
        with standard_output(for_people=True):
            pass


def abandon(stream: TextIO) -> None:
    """Discard what a stream still holds, so that the end of the process does not fail on it."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def say(text: str) -> None:
    """One line on stderr, after everything that stdout has; there is nobody to tell that stderr cannot be written."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    try:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 this is the place that prints
    except (OSError, ValueError):
        abandon(sys.stderr)
