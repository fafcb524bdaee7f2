"""DuckDB instances of our own, and what tells calls apart on one that is not.

Opening one takes a quarter of the time of a small evaluation, so that of a result that is closed or dropped
serves the next call.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from contextlib import suppress
from heapq import heappop, heappush
from typing import Any

import duckdb

from sqlrank.dialects import DUCKDB
from sqlrank.engines.duckdb_errors import first_line
from sqlrank.errors import UsageError
from sqlrank.process.signals import put_off
from sqlrank.statement.templates import render

idle: list[duckdb.DuckDBPyConnection] = []
"""The instance that waits for the next call, if there is one."""
ahead: list[threading.Thread] = []
"""The thread that opens one for it, while there is one."""


class Instance:
    """An instance of DuckDB, which spills to a folder and reads no variable of Python, and one connection to it.

    The settings are given to a new instance; one that has some is never reused.
    """

    def __init__(self, scratch: str, settings: dict[str, Any]) -> None:
        self.root = root = (None if settings else reused(scratch)) or opened(scratch, settings)
        self.connection = root.cursor()
        self.spent = False
        """Whether something was done to the instance that outlives the connection."""
        self.give_back = weakref.finalize(self, keep, root)
        self.give_back.atexit = False
        if settings:
            self.never_reuse()

    def never_reuse(self) -> None:
        """Let no other call have the instance: something was done to it that outlives the connection."""
        self.spent = True
        self.reserve()

    def reserve(self) -> None:
        """Let no call have the instance but those that visit it."""
        self.give_back.detach()

    def close(self) -> None:
        """Close the connection, with what is temporary in it; keep the instance where another call can use it.

        The instance of an object that is dropped unclosed is kept too, while what reads its connection reads on.
        """
        self.connection.close()
        self.give_back()


class Visit:
    """A connection to an instance that others use too, and that is not to be used again once something was done to it.

    What is temporary is of the connection alone.
    """

    def __init__(self, host: Instance) -> None:
        self.host = host
        self.connection = host.root.cursor()

    def never_reuse(self) -> None:
        """Let nobody visit the instance any more."""
        self.host.spent = True

    def close(self) -> None:
        """Close the connection, with what is temporary in it."""
        self.connection.close()


class CallNumbers:
    """Hands out the smallest number that no call has: names, and statements with them, are the same again and again."""

    def __init__(self) -> None:
        self.largest = 0
        self.free: list[int] = []
        self.lock = threading.Lock()

    def take(self) -> int:
        """The smallest free number, from 1 on."""
        with self.lock:
            if self.free:
                return heappop(self.free)
            self.largest += 1
            return self.largest

    def give_back(self, number: int) -> None:
        """Let another call have a number, once nothing is left of what was named by it."""
        with self.lock:
            heappush(self.free, number)


def open_ahead() -> None:
    """Open an instance on another thread: that takes as long as loading what will use it."""
    ahead.append(threading.Thread(target=open_idle, daemon=True))
    with put_off():
        ahead[-1].start()


def open_idle() -> None:
    """Open an instance for the next call, which tells the reason where that is refused."""
    with suppress(UsageError):
        keep(opened("", {}))


def wait_for_idle() -> None:
    """Wait until an instance is open that was to be opened ahead."""
    while ahead:
        ahead.pop().join()


def keep(root: duckdb.DuckDBPyConnection) -> None:
    """Let the next call use an instance, if none waits for it."""
    if not idle:
        idle.append(root)


def reused(scratch: str) -> duckdb.DuckDBPyConnection | None:
    """The idle instance, with nothing left of what it read; None if there is none, or if it has spilled."""
    wait_for_idle()
    with suppress(IndexError, duckdb.Error):
        root = idle.pop()
        root.execute(render("sources/reuse.sql", DUCKDB, folder=scratch))
        return root
    return None


def opened(scratch: str, settings: dict[str, Any]) -> duckdb.DuckDBPyConnection:
    """A new instance; UsageError if DuckDB refuses the settings."""
    config: dict[str, Any] = {"python_enable_replacements": False, "temp_directory": scratch}
    try:
        made = duckdb.connect(config=config | settings)
        made.execute(render("sources/utc.sql", DUCKDB))
        return made
    except duckdb.Error as error:
        raise UsageError(f"DuckDB refuses these settings: {first_line(error)}") from error


def close_idle() -> None:
    """Close the idle instance."""
    wait_for_idle()
    while idle:
        idle.pop().close()


atexit.register(close_idle)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=close_idle)  # the threads of an instance do not survive in the child
