"""Ctrl-C while a statement runs: it runs in another thread, since engines see signals late or not at all.

DuckDB looks at them only between its tasks, which may last, and PySpark in the middle of a call to the JVM.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from queue import SimpleQueue
from typing import TypeVar

from sqlrank.errors import UsageError
from sqlrank.process.signals import put_off
from sqlrank.spelling import spelt

SECONDS_BETWEEN_INTERRUPTS = 0.05

T = TypeVar("T")


@contextmanager
def stopped_after(seconds: float, interrupt: Callable[[], object]) -> Iterator[threading.Event]:
    """Interrupt the statement inside the block after some seconds; the event says whether that happened."""
    ended, expired = threading.Event(), threading.Event()

    def watch() -> None:
        if not ended.wait(min(seconds, threading.TIMEOUT_MAX)):
            expired.set()
            interrupt()
            while not ended.wait(SECONDS_BETWEEN_INTERRUPTS):
                interrupt()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield expired
    finally:
        ended.set()
        watcher.join()


@contextmanager
def limited(limit: tuple[float, str] | None, interrupt: Callable[[], object]) -> Iterator[None]:
    """Interrupt the block's statement after a time limit, if there is one; UsageError says whose statement it was."""
    if limit is None:
        yield
        return
    seconds, whose = limit
    with stopped_after(seconds, interrupt) as expired:
        try:
            yield
        except Exception as error:
            if not expired.is_set():
                raise
            raise UsageError(
                f"{whose}: stopped, since a statement with it ran for more than {seconds:g} seconds; raise the limit"
                f" with {spelt('sql_time_limit')}"
            ) from error


class Worker:
    """A thread that calls functions for the main thread, one after the other."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        with put_off():
            threading.Thread(target=self.work, daemon=True).start()

    def work(self) -> None:
        """Call what comes, and keep nothing of it: it holds connections."""
        while True:
            call = self.calls.get()
            call()
            del call


workers: list[Worker] = []
"""The worker of this process, once there is one."""


def worker() -> Worker:
    """The worker of this process; that of a parent does not run in a fork."""
    if not workers or workers[-1].process != os.getpid():
        workers[:] = [Worker()]
    return workers[-1]


def interruptible(interrupt: Callable[[], object], call: Callable[[], T]) -> T:
    """Call a function in another thread; Ctrl-C in the main thread interrupts it, and is raised once it has ended."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    ended, claimed = threading.Event(), threading.Lock()
    returned: list[T] = []
    raised: list[BaseException] = []
    context = copy_context()

    def work() -> None:
        if not claimed.acquire(blocking=False):
            return
        try:
            returned.append(context.run(call))
        except BaseException as error:
            raised.append(error)
        finally:
            ended.set()

    try:
        worker().calls.put(work)
        ended.wait()
    except KeyboardInterrupt:
        if not claimed.acquire(blocking=False):  # else nobody has begun, and nobody will
            while not ended.is_set():
                interrupt()
                ended.wait(SECONDS_BETWEEN_INTERRUPTS)
        raise
    if raised:
        raise raised[0]
    return returned[0]
