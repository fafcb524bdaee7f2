"""Ctrl-C while a statement runs: DuckDB looks at signals only between its tasks, which may last."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import duckdb

SECONDS_BETWEEN_INTERRUPTS = 0.05

T = TypeVar("T")


def interruptible(connection: duckdb.DuckDBPyConnection, call: Callable[[], T]) -> T:
    """What a call on the connection returns; Ctrl-C in the main thread stops it at once.

    Args:
        connection: what the call runs on.
        call: run in a thread of its own, so that the main thread is free to hear of Ctrl-C.

    Raises:
        KeyboardInterrupt: Ctrl-C, once the statement has ended.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    ended = threading.Event()
    returned: list[T] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            returned.append(call())
        except BaseException as error:
            raised.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    try:
        ended.wait()  # and not Thread.join, which Ctrl-C makes forget that the thread is alive
    except KeyboardInterrupt:
        while not ended.is_set():
            connection.interrupt()
            ended.wait(SECONDS_BETWEEN_INTERRUPTS)
        raise
    if raised:
        raise raised[0]
    return returned[0]
