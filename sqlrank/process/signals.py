"""Signals of the command, and files that must not be left on disk when one comes.

Nothing heavy is imported here: the handlers stand before the rest of the package is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
SECONDS_OF_GRACE = 3.0
"""How long the first signal may take to end all in order, before another one ends it by force."""

remains: set[str] = set()
"""Temporary files and folders that are removed at the end."""
written: list[str] = []
"""The outputs that have taken their place."""


class Interrupted(KeyboardInterrupt):
    """A signal to stop."""


class State:
    """The first signal and its time, and how many sections put it off."""

    first: int | None = None
    since = 0.0
    depth = 0
    waiting = False


def install() -> None:
    """Handle the signals that end a process, but those that the parent switched off (nohup)."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, heard)
    sys.unraisablehook = lost


def lost(unraisable: sys.UnraisableHookArgs) -> None:
    """End where Python drops what the signal raised, as it does in a finaliser; tell of all else as Python does."""
    if isinstance(unraisable.exc_value, Interrupted):
        leave(State.first or signal.SIGINT)
    sys.__unraisablehook__(unraisable)


def switch_off() -> None:
    """Ignore further signals: all is done."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def heard(number: int, frame: FrameType | None) -> None:
    """End at once where nothing is on disk, else by an exception; by force where that has not helped.

    An exception while a module in C loads may abort the process, and loading makes nothing that would remain.
    """
    if State.first is not None:
        if time.monotonic() - State.since > SECONDS_OF_GRACE:
            leave(number)
        return
    State.first, State.since = number, time.monotonic()
    if State.depth:
        State.waiting = True
    elif remains:
        raise Interrupted
    else:
        leave(number)


def leave(number: int) -> None:
    """Remove what is on disk, say so and end."""
    remove_remains()
    with suppress(OSError):
        os.write(2, f"sqlrank: error: {told()}\n".encode())
    os._exit(128 + number)


@contextmanager
def put_off() -> Iterator[None]:
    """Let no signal come between what the block does; it comes after it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    State.depth += 1
    try:
        yield
    finally:
        State.depth -= 1
    if State.waiting and not State.depth:
        State.waiting = False
        raise Interrupted


def remove(path: str) -> None:
    """Remove a temporary file or folder."""
    if os.path.isdir(path) and not os.path.islink(path):
        import shutil  # not before the handlers stand

        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            os.unlink(path)
    if not os.path.lexists(path):
        remains.discard(path)


def remove_remains() -> None:
    """Remove every temporary file and folder."""
    for path in list(remains):
        remove(path)


def told() -> str:
    """The message for the signal that has come, or for Ctrl-C."""
    name = "" if State.first in (None, signal.SIGINT) else f" by {signal.Signals(State.first or 0).name}"
    return f"interrupted{name}; " + ("what was written before is whole" if written else "nothing was written")


def exit_code() -> int:
    """128 and the number of the signal, as shells tell it."""
    return 128 + int(State.first or signal.SIGINT)
