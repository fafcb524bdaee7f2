"""A pseudo-terminal that a process writes to."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import termios
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pseudo_terminal(width: int = 80) -> Iterator[tuple[int, int]]:
    """The ends of a terminal of a width: ours, to be read to its end, and that of the process."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    try:
        yield ours, theirs
    finally:
        os.close(ours)


def read_to_end(ours: int, theirs: int) -> str:
    """What was written, once nobody is left to write; the end of the process, which has its own, is closed."""
    os.close(theirs)
    seen = b""
    try:
        while block := os.read(ours, 1 << 16):
            seen += block
    except OSError:  # how a terminal says that nobody is left to write
        pass
    return seen.decode(errors="replace")
